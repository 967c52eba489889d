"""The steps that set up a draft, each with what is missing in it, and the cost of opening the study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.utils import translation
from django.utils.text import Truncator, get_text_list
from django.utils.translation import get_language_info
from django.utils.translation import gettext as translated  # of a text that the task type has marked

from accord_core.numerics.printed import money, with_noun
from annotate import tasktypes
from annotate.core.selectors.participations import current_consent
from annotate.core.selectors.quotas import groups_with_quota
from annotate.core.selectors.sizes import gold_in_hit, hits_of, items_imported, planned_minutes, questions_of
from annotate.core.setting_steps import setting_place
from annotate.data.selectors.design import checks_of, cost_of, seconds_tried, usual_seconds
from annotate.gold.selectors.appearance import gold_appearance
from annotate.gold.selectors.gold import candidates_of, promotable
from annotate.gold.selectors.rule import gold_before_rule, hits_before_rule, rule_obstacle
from annotate.models import Job, Question, Study, Upload
from annotate.studies.services.study import missing_before_opening
from annotate.tasktypes import Option
from annotate.tasktypes.extensions import task_panels
from annotate.templatetags.figures import cell_text

LONGEST_ITEM = 120  # characters


class Mark(StrEnum):
    """Whether a step is complete, lacks something that the study needs or should have, or has to be done again. All
    other steps are optional.
    """

    DONE = "done"
    MISSING = "missing"
    OUTDATED = "outdated"
    RECOMMENDED = "recommended"
    OPTIONAL = "optional"


@dataclass(frozen=True)
class Button:
    """A link to a page below the study, or a form that is submitted to it."""

    label: str
    place: str
    posts: bool = False


@dataclass(frozen=True)
class Step:
    """A step of setting up a study, with its main button and an alternative. The step that names the first annotators
    has a form instead of a button.
    """

    title: str
    mark: Mark
    text: str
    button: Button | None = None
    second: Button | None = None

    @property
    def is_missing(self) -> bool:
        return self.mark in (Mark.MISSING, Mark.OUTDATED)


def setup_steps(study: Study) -> list[Step]:
    """Return the steps that set up the study, in the usual order."""
    missing = missing_before_opening(study)
    return [
        _who_answers(study, missing),
        _data(study),
        *_needed_option(study),
        _questions(study, missing),
        _gold(study, missing),
        _texts(study, missing),
        _pay(study),
        _try_out(study),
        _pilot(study),
    ]


def is_team(study: Study) -> bool:
    """Return whether only named annotators can join the study."""
    return study.admission == Study.Admission.NAMED


def opening_text(study: Study) -> str:
    """Return sentences about the HITs and cost of opening a study with a design, and about the settings that opening
    locks.
    """
    if study.design is None or missing_before_opening(study):
        return "Complete the missing steps first."
    cost = cost_of(study, study.design)
    price = "nobody is paid"
    if study.reward:
        further = [] if is_team(study) else ["platform fees"]
        further += ["the work of stopped annotators"] if study.gold_block and study.rule_threshold else []
        price = f"{money(cost.total, study.currency)}{' with gold questions' if cost.gold_in_hit else ''}"
        price += f", plus {get_text_list(further, 'and')}" if further else ""
    locked = ["team or crowd"] if is_team(study) else []
    locked += ["imported items", *filter(None, [tasktypes.get(study.task_type).needed]), "questions and their wording"]
    locked += ["questions per HIT", "gold frequency", "pilot", "language", "currency"]
    free = "texts, pay and the quality rule" if study.gold_block else "texts and pay"
    on_prolific = study.recruitment == Study.Recruitment.PROLIFIC
    send = "URL and the codes for Prolific" if on_prolific else "links to send"
    return (
        f"{with_noun(cost.judgements, 'judgement')} in {with_noun(cost.assignments, 'HIT')}: {price}. Afterwards, you "
        f"can change {free}, and add items and judgements. You can no longer change {get_text_list(locked, 'or')}. "
        f"Then you get the {send}."
    )


def _who_answers(study: Study, missing: Mapping[str, str]) -> Step:
    title = "Who answers"
    quotas = Button("Change the quotas", "groups/") if study.has_quotas else None
    if not is_team(study) and "named" in missing:
        return Step(title, Mark.MISSING, missing["named"], quotas)
    if not is_team(study):
        on_prolific = study.recruitment == Study.Recruitment.PROLIFIC
        source = "A crowd on Prolific" if on_prolific else "A crowd"
        accounts = ", with accounts" if study.admission == Study.Admission.ACCOUNT else ""
        text = f"{source}{accounts}: consent, gold questions, practice and pay."
        change = (
            Button("Set up Prolific", "settings/prolific/")
            if on_prolific
            else Button("Choose who can join", setting_place("recruitment"))
        )
        return Step(title, Mark.DONE, text, change, Button("Change to a small team", "who-answers/team/", posts=True))
    named = study.named_annotators.exclude(name="").count()  # viewers must not read the names
    crowd = Button("Change to a crowd", "who-answers/crowd/", posts=True)
    if "named" in missing:
        text = missing["named"] if named else "A small team, but without named annotators yet."
        if not named:
            return Step(title, Mark.MISSING, text, None, crowd)
        fewer = quotas or Button("Reduce the judgements", setting_place("judgements"))
        return Step(title, Mark.MISSING, text, Button("Add annotators", "named/"), fewer)
    people = f"{with_noun(named, 'annotator')}, each with a personal link" if named else "people with a group link"
    text = f"A small team: {people}.{_work_of_each(study, named)}"
    return Step(title, Mark.DONE, text, Button("Change", "named/"), crowd)


def _work_of_each(study: Study, named: int) -> str:
    """Return a sentence about the work of each named annotator, or an empty string before there are questions."""
    questions = questions_of(study, Question.Kind.REGULAR) if study.design else 0
    if not questions or not named or study.has_quotas:  # with quotas, it depends on the group
        return ""
    if study.judgements >= named:
        return f" Each answers {_amount(study, questions)}."
    return f" On average, each answers {_amount(study, round(questions * study.judgements / named))}."


def _amount(study: Study, questions: int) -> str:
    """Return a number of questions with the time that they take."""
    return with_noun(questions, "question") + _time_of(study, questions)


def _time_of(study: Study, questions: int) -> str:
    """Return the time that these questions take, from try-outs or as usual for the task type, after a comma."""
    seconds = _seconds_each(study)
    minutes = max(1, round(questions * seconds / 60))
    return f", about {with_noun(minutes, 'minute')}" if seconds else ""


def _seconds_each(study: Study) -> float:
    """Return the seconds per question, from try-outs or as usual for the task type, or 0 if they are not known."""
    seconds = seconds_tried(study) or usual_seconds(study) or 0
    return seconds / (study.questions_per_hit + gold_in_hit(study))


def _size_of_hit(study: Study) -> str:
    """Return the numbers of questions and of gold questions in a HIT, with the time that they take together. With a
    planned wage, this is the time that annotators read.
    """
    gold, asked = gold_in_hit(study), with_noun(study.questions_per_hit, "question")
    asked += f" and {with_noun(gold, 'gold question')}" if gold else ""
    if minutes := planned_minutes(study):
        return f"{asked}, about {minutes} {'minute' if minutes == 1 else 'minutes'} at the planned wage"
    return asked + _time_of(study, study.questions_per_hit + gold)


def _wording(study: Study) -> str:
    """Return the question as annotators read it, or an empty string if only the items contain it."""
    task = tasktypes.get(study.task_type)
    with translation.override(study.language):
        asks = task.asks_with(study.options, study.language)
        question = translated(asks) if asks else ""
    text = question.format_map({option.name: option.default for option in task.options} | study.options)
    text = text.strip()
    return f"“{text}”{'' if text.endswith(('.', '?', '!')) else '.'} " if text else ""


def _data(study: Study) -> Step:
    items = items_imported(study)
    if not items:
        return Step("Data", Mark.MISSING, "There are no items yet.", Button("Add data", "items/"))
    files = study.uploads.imported().filter(purpose=Upload.Purpose.ITEMS).order_by("pk")
    names = list(files.values_list("filename", flat=True))
    source = names[0] if len(names) == 1 else with_noun(len(names), "file")
    first = _first_item(study)
    end = "" if first.endswith((".”", "!”", "?”")) else "."  # the quotation ends the sentence
    text = f"{with_noun(items, 'item')} from {source}. The first item: {first}{end}"
    return Step("Data", Mark.DONE, text, Button("Change", "items/"))


def _needed_option(study: Study) -> list[Step]:
    """Return a step for the option that the questions need, such as the layout of a Mechanical Turk project."""
    task = tasktypes.get(study.task_type)
    name = task.needed
    if not name:
        return []
    has_page = any(panel.slug == name for panel in task_panels(study))
    title, place = name.capitalize(), f"x/{name}/" if has_page else setting_place(f"option_{name}")
    if not study.options.get(name):
        return [Step(title, Mark.MISSING, f"There is no {name} yet.", Button(f"Add the {name}", place))]
    warnings = task.warnings_for_options(study.options)
    if warnings:
        more = f" The {name} has {with_noun(len(warnings) - 1, 'more warning')}." if len(warnings) > 1 else ""
        text = f"Check the {name}. {warnings[0][:1].upper()}{warnings[0][1:]}.{more}"
        return [Step(title, Mark.RECOMMENDED, text, Button(f"Check the {name}", place))]
    return [Step(title, Mark.DONE, f"The study has a {name}.", Button("Change", place))]


def _first_item(study: Study) -> str:
    """Return the parts of the first item, so that a wrong reading of the columns is seen before questions are built."""
    content = study.items.visible().order_by("pk").values_list("content", flat=True).first()
    values = tasktypes.get(study.task_type).item_parts(content).values()
    parts = [cell_text(value) for value in values if value and not isinstance(value, int)]  # a number is a position
    longest = LONGEST_ITEM // max(len(parts), 1)
    return get_text_list([f"“{Truncator(part).chars(longest)}”" for part in parts], "and")


def _questions(study: Study, missing: Mapping[str, str]) -> Step:
    title, look = "Questions", Button("See the checks", "design/")
    wording, change = _wording(study), _change_of_questions(study)
    job = study.jobs.filter(kind="design").order_by("-pk").first()
    if job and job.unfinished:
        return Step(title, Mark.MISSING, "Accord is building the questions.", Button("See the progress", "design/"))
    needed = tasktypes.get(study.task_type).needed
    lacks = not items_imported(study, in_design=True) or (needed and not study.options.get(needed))
    if "design" in missing and lacks:
        return Step(title, Mark.OPTIONAL, "Accord builds the questions from the items.")
    if "design" in missing or study.design is None:
        text = missing["design"] if study.design else "Accord builds the questions from the items, and checks them."
        if job and job.state == Job.State.FAILED:
            text = f"The questions could not be built. {job.error}"
        mark, label = Mark.MISSING, "Build the questions"
        if study.design:
            mark, label = Mark.OUTDATED, "Rebuild the questions"
        return Step(title, mark, wording + text, Button(label, "design/build/", posts=True), change)
    checks = checks_of(study.design, gold_appearance(study))
    if faults := [check for check in checks if check.state == "fault"]:
        return Step(title, Mark.MISSING, f"{faults[0].name}: {faults[0].value}, {faults[0].detail}.", look)
    number = with_noun(questions_of(study, Question.Kind.REGULAR), "question")
    advice = sum(check.state == "advice" for check in checks)
    verdict = f"{with_noun(advice, 'check')} with a recommendation." if advice else "All checks passed."
    hit = "" if is_team(study) else f" A HIT has {_size_of_hit(study)}."
    judgements = f"{with_noun(study.judgements, 'judgement')} each{_quotas(study)}"
    only = study.design.result.get("only_for_programs", 0)
    further = f" Only programs answer {with_noun(only, 'further question')}." if only else ""
    size = f"{wording}{number} with {judgements}.{further}{hit}{_option_shown(study)}"
    return Step(title, Mark.DONE, f"{size} {verdict}", look, change)


def _quotas(study: Study) -> str:
    """Return the quota of each group in parentheses, or an empty string without quotas."""
    groups = groups_with_quota(study) if study.has_quotas else []
    return f" ({', '.join(f'{group.judgements} from {group.name}' for group in groups)})" if groups else ""


def _change_of_questions(study: Study) -> Button | None:
    """Return the button that changes the option in the step about questions, or their wording, if Accord asks them."""
    task = tasktypes.get(study.task_type)
    if option := _shown_in_setup(study):
        return Button(f"Change the {option.label.lower()}", setting_place(f"option_{option.name}"))
    return Button("Change the wording", "settings/") if "{" in task.asks and _wording(study) else None


def _option_shown(study: Study) -> str:
    """Return a sentence about the option that the task type shows here, such as “ Initial links: none.”."""
    option = _shown_in_setup(study)
    return f" {option.label}: {dict(option.choices)[study.options[option.name]]}." if option else ""


def _shown_in_setup(study: Study) -> Option | None:
    task = tasktypes.get(study.task_type)
    return next((option for option in task.options if option.name == task.in_setup), None)


def _gold(study: Study, missing: Mapping[str, str]) -> Step:
    title, add = "Gold and practice", _next_for_gold(study)
    gold, practice = (questions_of(study, kind) for kind in (Question.Kind.GOLD, Question.Kind.PRACTICE))
    if "qualification" in missing:
        without = Button("Work without a qualification", setting_place("qualification_mark"))
        return Step(title, Mark.MISSING, missing["qualification"], Button("Add practice questions", "gold/"), without)
    if "gold" in missing:
        return Step(title, Mark.MISSING, missing["gold"], add, Button("Work without gold", setting_place("gold_block")))
    practised = f"{with_noun(practice, 'practice question')}. " if practice else ""
    if gold and study.gold_block:
        text = (
            f"{practised}{with_noun(gold, 'gold question')}, one for every {with_noun(study.gold_block, 'question')}."
        )
        if study.design and (reason := rule_obstacle(study)):
            change = Button("Change the minimum", setting_place("rule_minimum"))
            too_few = gold < gold_before_rule(study)
            more = (
                Button("Add gold", "gold/") if too_few else Button("Change the frequency", setting_place("gold_block"))
            )
            return Step(title, Mark.RECOMMENDED, f"{text} {reason}", change, more)
        first = hits_before_rule(study)
        if first:
            most = 0 if is_team(study) else min(hits_of(study), study.hits_per_annotator or hits_of(study))
            after = f"{first} of at most {with_noun(most, 'HIT')}" if most else with_noun(first, "HIT")
            text += f" An annotator can be stopped after {after}."
        return Step(title, Mark.DONE, text, Button("Change", "gold/"))
    if is_team(study):
        text = f"{practised}No gold questions. With them, you would see who answers carelessly."
        return Step(title, Mark.OPTIONAL, text, add)
    return Step(
        title, Mark.RECOMMENDED, f"{practised}Without gold questions, annotators who guess are not stopped.", add
    )


def _next_for_gold(study: Study) -> Button:
    """Return the button for the next step towards gold questions: draw, answer or promote candidates."""
    unanswered = candidates_of(study).filter(judgements=None).count()
    if unanswered:
        return Button(f"Answer {with_noun(unanswered, 'candidate')}", "gold/")
    ready = promotable(study)[1]
    return Button(f"Promote {with_noun(ready, 'candidate')}" if ready else "Add gold", "gold/")


# For each part that annotators read, its setting and the label of the button if it is missing.
TEXTS = {
    "instructions": ("instructions", "Write the instructions"),
    "privacy_notice": ("privacy_notice", "Write the privacy notice"),
    "contact": ("contact", "Name a contact"),
    "consent": ("consent_pays_stopped", "Correct the consent text"),
    "activity_summaries": ("consent_names_activity", "Correct the consent text"),
}


def _texts(study: Study, missing: Mapping[str, str]) -> Step:
    title, consent = "Texts and languages", current_consent(study)
    consented = consent is not None and bool(consent.text)
    if lacking := [part for part in TEXTS if part in missing]:
        setting, label = TEXTS[lacking[0]]
        text = " ".join(missing[part] for part in lacking)
        text += "" if consented or is_team(study) else " There is no consent text yet."
        text += f" Language: {_language(study.language)}."
        return Step(title, Mark.MISSING, text, Button(label, setting_place(setting)))
    texts = {
        "instructions": True,
        "privacy notice": study.privacy_notice,
        "contact": study.contact,
        "a sentence about the stored data": not study.privacy_notice,
        "consent text": consented,
    }
    shown = [name for name, has_text in texts.items() if has_text]
    task = tasktypes.get(study.task_type)
    text = f"{get_text_list(shown, 'and').capitalize()}. Language: {_language(study.language)}."
    of_items = list(task.item_languages(study.options, study.language))
    if of_items != [study.language]:
        text += f" Items: {get_text_list([_language(tag) for tag in of_items], 'and')}."
    place = setting_place(f"option_{task.languages_option}") if task.languages_option else ""
    languages = Button("Change the items’ languages", place) if place else None
    if consented or is_team(study):
        return Step(title, Mark.DONE, text, Button("Change", "settings/texts/"), languages)
    write = Button("Write a consent text", setting_place("consent"))
    return Step(title, Mark.RECOMMENDED, f"{text} There is no consent text yet.", write, languages)


def _language(tag: str) -> str:
    """Return the English name of a language, or its tag if Django does not know the language."""
    try:
        return str(get_language_info(tag.lower())["name"])
    except KeyError:
        return tag


def _pay(study: Study) -> Step:
    title, place = "Pay and people", setting_place("reward")
    approval = f" Ethics approval {study.protocol_number}." if study.protocol_number else ""
    if not study.reward:
        mark = Mark.DONE if is_team(study) else Mark.RECOMMENDED
        return Step(title, mark, f"Volunteers without pay.{approval}", Button("Set the pay", place))
    wage, lowest = _wage(study), study.minimum_hourly_wage
    reward = f"{money(study.reward, study.currency)} per HIT{_hourly(study, wage)}."
    if not (study.payment_terms or is_team(study) or study.recruitment == Study.Recruitment.PROLIFIC):
        text = f"{reward} Annotators do not learn how and when they are paid."
        write = Button("Write the payment terms", setting_place("payment_terms"))
        return Step(title, Mark.RECOMMENDED, f"{text}{approval}", write, Button("Change the pay", place))
    if wage and lowest and wage < lowest:
        text = f"{reward} This is below the minimum hourly wage of {money(lowest, study.currency)}."
        return Step(title, Mark.RECOMMENDED, f"{text}{approval}", Button("Change the pay", place))
    return Step(title, Mark.DONE, f"{reward}{approval}", Button("Change", place))


def _wage(study: Study) -> Decimal | None:
    """Return the hourly wage at the speed of try-outs, or at the usual speed of the task type."""
    seconds = _seconds_each(study) * (study.questions_per_hit + gold_in_hit(study))
    return (study.reward * 3600 / Decimal(seconds)).quantize(Decimal("0.01")) if seconds else None


def _hourly(study: Study, wage: Decimal | None) -> str:
    """Return the hourly wage and its source, after a comma."""
    if wage is None:
        return ""
    speed = "the speed of your try-out" if seconds_tried(study) else "the usual speed"
    planned = study.planned_hourly_wage
    compared = f" (planned: {money(planned, study.currency)})" if planned else ""
    return f", about {money(wage, study.currency)} an hour at {speed}{compared}"


def _try_out(study: Study) -> Step:
    if study.design is None:
        return Step("Try it", Mark.OPTIONAL, "You can answer as an annotator once the questions are built.")
    if seconds := seconds_tried(study):
        text = f"You needed {with_noun(round(seconds), 'second')} for a HIT."
        return Step("Try it", Mark.DONE, text, Button("Try again", "try/", posts=True))
    text = "Answer as an annotator would. Annotators’ pages call a HIT a “set”. These answers do not count."
    return Step("Try it", Mark.OPTIONAL, text, Button("Try", "try/", posts=True))


def _pilot(study: Study) -> Step:
    place = setting_place("pilot_hits")
    if study.pilot_hits:
        hits = min(study.pilot_hits, hits_of(study) or study.pilot_hits)
        each = f", each answered {study.judgements:,} times" if study.judgements > 1 else ""
        cost = f" ({money(hits * study.judgements * study.reward, study.currency)})" if study.reward else ""
        text = f"{with_noun(hits, 'HIT')} first{each}{cost}, until you end the pilot."
        return Step("Pilot", Mark.DONE, text, Button("Change", place))
    plan = Button("Plan a pilot", place)
    if is_team(study):
        return Step("Pilot", Mark.OPTIONAL, "A small team rarely needs one.", plan)
    text = "A few HITs first show cost, time and reliability before you pay for the rest."
    return Step("Pilot", Mark.RECOMMENDED, text, plan)
