"""Answers about a study that several documents need. Each function takes the basis of the documents and returns
sentences, or none if the study does not contain the answer.
"""

from __future__ import annotations

from datetime import date

from accord_core.numerics.printed import coefficient, count
from reporting.forms.basis import Basis
from reporting.forms.entries import Answer
from reporting.methods import agreement as methods_agreement
from reporting.methods import people
from reporting.methods.quality import quality_control
from reporting.methods.task import design, task_and_items
from reporting.sentences import Sentence


def plain(text: str) -> Answer:
    return [Sentence(text)]


def text_at(basis: Basis, path: str) -> Answer:
    """Return the text at a path, if there is one."""
    return [basis.say("{value}", value=path)] if basis.get(path) else []


def task(basis: Basis) -> Answer:
    return [*task_and_items(basis.writer, basis.methods), *design(basis.writer, basis.methods)]


def languages(basis: Basis) -> Answer:
    return text_at(basis, "counts.languages")


def items(basis: Basis) -> Answer:
    return [basis.say("{items:item}.", items="counts.items")]


def selection(basis: Basis) -> Answer:
    return [basis.say("All {items:item} of the imported list were annotated.", items="counts.items")]


def annotators(basis: Basis) -> Answer:
    return [each for each in (people.joined(basis.writer), people.counted(basis.writer)) if each is not None]


def per_question(basis: Basis) -> Answer:
    fewest, most = basis.get("rows.fewest_per_question"), basis.get("rows.most_per_question")
    if basis.methods.asked:
        return [basis.writer.written(basis.methods.asked)]
    if fewest == most == basis.get("facts.judgements"):
        return [basis.say("{planned:judgement} per question.", planned="facts.judgements")]
    collected = {"most": "rows.most_per_question"}
    if fewest != most:
        collected["fewest"] = "rows.fewest_per_question"
    numbers = "{most}" if fewest == most else "{fewest} to {most}"
    template = f"{{planned:judgement}} planned per question, and {numbers} collected."
    return [basis.say(template, planned="facts.judgements", **collected)]


def demographics(basis: Basis) -> Answer:
    """Return the known facts about the annotators. Small counts in a survey are hidden."""
    said = people.demographics(basis.writer)
    for place, table in enumerate(basis.get("facts.survey") or []):
        path = f"facts.survey[{place}]"
        said.append(basis.say("{label}", label=f"{path}.label"))
        for number, (_, people_who) in enumerate(table["counts"]):
            answer = f"{path}.counts[{number}]"
            if people_who is None:
                said.append(basis.say("{answer}: hidden.", answer=f"{answer}[0]"))
            else:
                said.append(basis.say("{answer}: {people}.", answer=f"{answer}[0]", people=(f"{answer}[1]", count)))
    return said


def recruitment(basis: Basis) -> Answer:
    return [*people.recruitment(basis.writer), *people.screening(basis.writer)]


def screening(basis: Basis) -> Answer:
    return people.screening(basis.writer)


def pay(basis: Basis) -> Answer:
    return people.pay(basis.writer)


def training(basis: Basis) -> Answer:
    return people.training(basis.writer)


def quality(basis: Basis) -> Answer:
    return [*quality_control(basis.writer), *adjudication(basis)]


def adjudication(basis: Basis) -> Answer:
    return methods_agreement.adjudication(basis.writer, basis.methods)


def aggregation(basis: Basis) -> Answer:
    return methods_agreement.aggregation(basis.writer, basis.methods)


def agreement(basis: Basis) -> Answer:
    return methods_agreement.agreement(basis.writer, basis.methods)


def main_figure(basis: Basis) -> Answer:
    """Return the ends of the report's main figure."""
    said = []
    for place, end in enumerate(basis.get("result.headline.ends") or []):
        if end["value"] is not None:
            path = f"result.headline.ends[{place}]"
            said.append(basis.say("{label}: {value}.", label=f"{path}.label", value=(f"{path}.value", coefficient)))
    return said


def collected(basis: Basis) -> Answer:
    return [
        basis.say("Annotators answered in a browser, on pages made with Accord (task type “{type}”).", type="task.name")
    ]


def days(basis: Basis) -> Answer:
    if not basis.get("counts.first_day"):
        return []
    if basis.get("counts.first_day") == basis.get("counts.last_day"):
        return [basis.say("On {first}.", first=("counts.first_day", _day))]
    return [basis.say("From {first} to {last}.", first=("counts.first_day", _day), last=("counts.last_day", _day))]


def _day(day: str) -> str:
    return f"{date.fromisoformat(day):%-d %B %Y}"


def review(basis: Basis) -> Answer:
    if not basis.get("facts.protocol_number"):
        return []
    return [basis.say("Approved under protocol {protocol}.", protocol="facts.protocol_number")]


def consent(basis: Basis) -> Answer:
    if not basis.get("facts.consent"):
        return []
    return plain("Annotators accepted the text in consent.md before they began.")


def people_data(basis: Basis) -> Answer:
    """Return how the annotators' data is protected, if there are answers from people."""
    if basis.get("counts.annotators") == basis.get("counts.simulated"):
        return []
    return plain(
        "Answers are linked to pseudonyms that are random for each study. The release does not identify annotators, "
        "and small counts in surveys are hidden."
    )


def licence(basis: Basis) -> Answer:
    return text_at(basis, "release.licence")
