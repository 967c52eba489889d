"""The data statement of a release (Bender and Friedman 2018). Accord fills in the facts about the study, and the
authors write the other sections.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import median
from typing import Any

from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.printed import FEWEST_FOR_PERCENT, money, with_noun
from annotate.tasktypes import StudyData
from reporting.gold import SEALED, gold_figures

GUIDELINES = ("instructions", "examples")
STOPPED = "void: stopped"  # the reason why an answer from a stopped annotator does not count
# The sections written by the authors of a release, by the name of their question (see `reporting/questions.py`).
SECTIONS = {
    "rationale": "Curation rationale",
    "variety": "Language variety",
    "speakers": "Speaker demographic",
    "annotators": "Annotator demographic",
    "situation": "Speech situation",
    "characteristics": "Text characteristics",
    "limits": "Limits and biases",
}
# The sections of version 3 of the schema (Bender, Friedman and McMillan-Major), which statements did not have at first.
FURTHER_SECTIONS = {
    "sources": "Source datasets",
    "preprocessing": "Preprocessing and data formatting",
    "capture": "Capture quality",
    "funding": "Funding and disclosures",
    "maintenance": "Distribution and maintenance",
}
UNSAID = "*Not stated.*"


def data_statement(
    data: StudyData,
    result: Mapping[str, Any],
    *,
    authors: Mapping[str, str],
    version: str,
    licence: str,
    languages: Sequence[str],
    creators: str = "",
    citation: str = "",
    parts: str = "",
    further: bool = True,
) -> str:
    """Return the statement as Markdown. `authors` contains the authors' answers, by the names in `SECTIONS` and, if the
    statement has the `further` sections, in `FURTHER_SECTIONS`. Empty sections say that they are not stated.
    """
    facts = data.facts
    sections = [f"# {facts['title']}, version {version}"]
    sections += [f"{name}: {text}." for name, text in (("Authors", creators), ("Licence", licence)) if text]
    sections += [f"Citation: {citation}"] if citation else []
    facts_of = {"annotators": _annotators(data), "characteristics": _texts(data, languages)}
    for name, heading in (SECTIONS | (FURTHER_SECTIONS if further else {})).items():
        known = [text for text in (authors.get(name, "").strip(), facts_of.get(name)) if text]
        sections += [f"## {heading}", *(known or [UNSAID])]
    sections += [
        "## Annotation process",
        _process(data),
        "## Quality control",
        _quality(data),
        *_decisions(data),
        "## Agreement",
        _agreement(result),
        *_repeats(result),
    ]
    if parts:
        sections += ["## Train, dev and test", parts]
    if facts.get("eligibility"):
        sections += ["## Who could take part", facts["eligibility"]]
    approved = facts.get("protocol_number")
    ethics = [f"Approved under protocol {approved}. The consent text is in consent.md."] if approved else []
    ethics += [authors["ethics"]] if further and authors.get("ethics") else []
    if ethics:
        sections += ["## Ethics", *ethics]
    return "\n\n".join(sections) + "\n"


def counted_answers(data: StudyData) -> str:
    """Describe the judgements, as in “59 answers to 32 questions”. Questions without a judgement are not included."""
    refs = [row.ref for row in data.answers if row.counts]
    return f"{with_noun(len(refs), 'answer')} to {with_noun(len(set(refs)), 'question')}"


def counted_annotators(data: StudyData) -> str:
    """Describe the annotators with judgements, as in “5 people”."""
    return _numbers({row.pseudonym for row in data.answers if row.counts}, simulated_annotators(data))


def _annotators(data: StudyData) -> str:
    simulated = simulated_annotators(data)
    counted = Counter(row.pseudonym for row in data.answers if row.counts)
    everyone = {row.pseudonym for row in data.answers}
    if not counted:
        return f"{_numbers(everyone, simulated)} annotated, but none of their answers count."
    sentences = [f"{_numbers(everyone, simulated)} annotated."]
    if everyone & simulated:
        sentences.append("Simulated annotators are not people, but answers that a program drew at random.")
    sentences.append("The pseudonyms of the annotators are used only in this study.")
    sentences.append(
        f"The results are based on the answers of {_numbers(counted.keys(), simulated)}, with "
        f"{_range(counted.values())} per {'annotator' if everyone & simulated else 'person'}."
    )
    survey = data.facts.get("survey", [])
    if not survey:
        sentences.append("The annotators were not surveyed.")
        return " ".join(sentences)
    sentences.append(
        f"Annotators were asked about themselves in a voluntary survey with {len(survey)} "
        f"question{'' if len(survey) == 1 else 's'}. Small counts are hidden, so that the counts do not reveal "
        "individual answers."
    )
    return "\n\n".join([" ".join(sentences), *map(_survey_question, survey)])


def _range(counts: Collection[int]) -> str:
    """Describe numbers of answers, as in “20 answers” or “5 to 20 answers”."""
    most = with_noun(max(counts), "answer")
    return most if min(counts) == max(counts) else f"{min(counts):,} to {most}"


def _survey_question(table: Mapping[str, Any]) -> str:
    counts = "; ".join(f"{answer}: {'hidden' if count is None else f'{count:,}'}" for answer, count in table["counts"])
    return f"{table['label']} ({table['people']:,} annotators answered the survey.) {counts}."


def simulated_annotators(data: StudyData) -> set[str]:
    """Return the pseudonyms of the simulated annotators."""
    return set(data.facts.get("simulated_annotators", ()))


def _numbers(pseudonyms: Collection[str], simulated: Collection[str]) -> str:
    """Describe the number of annotators, as in “12 people”, “12 simulated annotators” or “10 people and 2 simulated
    annotators”.
    """
    programs = sum(name in simulated for name in pseudonyms)
    people = len(pseudonyms) - programs
    parts = [f"{people:,} {'person' if people == 1 else 'people'}"] if people or not programs else []
    if programs:
        parts.append(f"{programs:,} simulated annotator{'' if programs == 1 else 's'}")
    return " and ".join(parts)


def _texts(data: StudyData, languages: Sequence[str]) -> str:
    judged_items = [item for item in data.items if not item.held_out]
    names = list(dict.fromkeys(name for item in judged_items for name in item.metadata))
    spoken = f"language{'' if len(languages) == 1 else 's'} {' and '.join(languages)}"
    sentences = [f"The data contains {len(judged_items):,} items in the {spoken}."]
    for name in names:
        values = Counter(item.metadata.get(name, "") for item in judged_items)
        if 1 < len(values) <= 20:
            shares = ", ".join(f"{value or 'none'} {count:,}" for value, count in values.items())
            sentences.append(f"By {name}: {shares}.")
    return " ".join(sentences)


def _process(data: StudyData) -> str:
    facts = data.facts
    counted = [row for row in data.answers if row.counts]
    verb = "counts" if len(counted) == 1 else "count"
    sentences = [f"{counted_answers(data)} {verb} towards the results."]
    if counted:
        first, last = min(row.given_at for row in counted), max(row.given_at for row in counted)
        when = [f"{day:%-d %B %Y}" for day in (first, last)]
        sentences.append(
            f"They were given {'on ' + when[0] if when[0] == when[1] else f'from {when[0]} to {when[1]}'}."
        )
    seconds = [row.seconds for row in counted if row.seconds is not None]
    if seconds:
        sentences.append(f"The median answer took {with_noun(round(median(seconds)), 'second')}.")
    reward, currency = Decimal(facts["reward"]), facts["currency"]
    if reward and {row.pseudonym for row in counted} - simulated_annotators(data):
        questions, block = facts["questions_per_hit"], facts["gold_block"]
        gold = -(-questions // block) if block else 0
        of_gold = f" and {gold} gold question{'' if gold == 1 else 's'}" if gold else ""
        sentences.append(f"Annotators earned {money(reward, currency)} for each set of {questions} questions{of_gold}.")
        if wage := _stated_wage(data):
            sentences.append(f"Based on the median time per set, the actual hourly wage is {money(wage, currency)}.")
    read = [f"{name}.md" for name in GUIDELINES if facts.get(name)]
    if read:
        sentences.append(f"The instructions for annotators are in {' and '.join(read)}.")
    if earlier := {each["version"] for each in facts.get("earlier_guidelines", ())}:
        versions = Counter(row.guidelines for row in counted if row.guidelines is not None)
        listed = [
            f"{answers:,} with {f'version {version}' if version in earlier else 'the latest version'}"
            for version, answers in sorted(versions.items())
        ]
        sentences.append(f"The guidelines changed during the study. Answers that count: {', '.join(listed) or 'none'}.")
    return " ".join(sentences)


def texts_read(facts: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the path, the text and a note for each text that annotators read, with the earlier versions of the
    guidelines.
    """
    changed = facts.get("earlier_guidelines", ())
    for name in (*GUIDELINES, "consent"):
        if facts.get(name):
            latest = changed and name in GUIDELINES
            yield f"{name}.md", facts[name], "latest version of the text" if latest else "text as shown to annotators"
    for earlier in changed:
        for name in GUIDELINES:
            if earlier[name]:
                yield f"{name}-{earlier['version']}.md", earlier[name], f"version {earlier['version']} of the text"


def _stated_wage(data: StudyData) -> Decimal | None:
    """Return the wage that the release states. The rows of a release can lack the times of skipped and of sealed
    questions. Releases of earlier versions do not state the wage, so it is calculated from their rows.
    """
    if "pay" not in data.facts:
        return hourly_wage(data)
    stated = data.facts["pay"]["hourly_wage"]
    return None if stated is None else Decimal(stated)


def hourly_wage(data: StudyData) -> Decimal | None:
    """Return the reward per hour at the median time per set, or None without a reward or a known time."""
    reward, times = Decimal(data.facts["reward"]), set_times(data)
    return round(reward * 3600 / Decimal(median(times)), 2) if reward and times else None


def set_times(data: StudyData) -> list[float]:
    """Return the times in seconds of the sets that count and whose time is known, as *Pay* measures them."""
    times: dict[tuple[str, int | None], list[float | None]] = defaultdict(list)
    counted = set()
    for row in data.answers:
        key = (row.pseudonym, row.hit)
        times[key].append(row.seconds)
        if row.counts:
            counted.add(key)
    for skipped in data.skipped:
        times[skipped.pseudonym, skipped.hit].append(skipped.seconds or 0)
    known = {key: [time for time in each if time is not None] for key, each in times.items() if key in counted}
    return [sum(each) for key, each in known.items() if any(each) and len(each) == len(times[key])]


def _quality(data: StudyData) -> str:
    return " ".join([*_gold(data), *_uncounted(data)])


def _gold(data: StudyData) -> list[str]:
    facts, gold = data.facts, gold_figures(data)
    if not gold.answers:
        return ["No gold questions were answered."]
    low, high = wilson_interval(gold.correct, gold.answers) or (0.0, 1.0)
    share = f"{gold.correct / gold.answers:.1%} of {gold.answers:,}"
    sentences = [f"The questions included {gold.questions:,} gold questions with known answers."]
    sentences.append(
        f"{share} answers to gold questions matched the expected answer (95% confidence interval "
        f"{low:.1%} to {high:.1%})."
    )
    if SEALED in facts:
        sentences.append("The gold questions, their expected answers and the answers to them are sealed.")
    if facts["rule_threshold"]:
        unit = "gold answers" if facts["rule_unit"] == "gold" else "submitted sets"
        sentences.append(
            f"The quality rule stops annotators with an accuracy below {facts['rule_threshold']:.0%} after "
            f"{facts['rule_minimum']} {unit}."
        )
    return sentences


def _uncounted(data: StudyData) -> list[str]:
    """Return a sentence with the reasons why answers do not count, if there are any."""
    reasons = Counter(
        "from stopped annotators" if row.reason == STOPPED else row.reason.split(":")[0]
        for row in data.answers
        if not row.counts and row.kind == "regular"
    )
    listed = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    return [f"Answers that do not count: {listed}."] if listed else []


def _decisions(data: StudyData) -> list[str]:
    """Return a sentence on the researchers' decisions, if there are any."""
    parts = {"decided": len(data.decisions), "accepted every answer to": len(data.keep_both)}
    listed = " and ".join(f"{verb} {with_noun(number, 'question')}" for verb, number in parts.items() if number)
    return [f"Researchers {listed}. The decisions are in raw/decisions.jsonl."] if listed else []


def _agreement(result: Mapping[str, Any]) -> str:
    headline = result.get("headline")
    if not headline:
        return "See report/results.json."
    ends = "; ".join(
        f"{end['value']:.3f}" if end["label"] == headline["name"] else f"{end['label']}: {end['value']:.3f}"
        for end in headline["ends"]
        if end["value"] is not None
    )
    return (
        f"{headline['name']}: {ends or 'undefined'}. {headline.get('doubt', '')} {headline.get('caption', '')}".strip()
    )


def _repeats(result: Mapping[str, Any]) -> list[str]:
    """Describe how often annotators gave the same answer to a repeated question, if there are any."""
    repeats = result.get("repeats")
    if not repeats:
        return []
    questions, share, others = repeats["questions"], repeats["share"], repeats["others"]["share"]
    asked = f"{with_noun(repeats['annotators'], 'annotator')} answered {with_noun(questions, 'question')} a second time"
    ends = f"{share['value']:.1%} of them, 95% confidence interval {share['low']:.1%} to {share['high']:.1%}"
    sentences = [f"{asked}.", f"{repeats['same']:,} of the second answers ({ends}) are the same as the first."]
    if questions < FEWEST_FOR_PERCENT:
        sentences[1] = f"{repeats['same']:,} of the second answers are the same as the first."
    if others is not None:
        sentences.append(f"Another annotator gives the same answer to {others:.1%} of these questions.")
    return [" ".join([*sentences, "Only the first answers count."])]
