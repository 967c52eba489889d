"""Scores for systems that predict labels or probabilities for each candidate in its sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from accord_core.evaluation.formats.soft_labels import CollectedFile, collected_votes, restricted
from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits, find_column, iter_table
from accord_core.numerics.soft_labels import Model
from annotate.tasktypes import Difference, Evaluation, StudyData
from evaluation.label_scores import compare_predictions, evaluate_predictions
from paraphrase.columns import collected, columns
from paraphrase.soft_labels import NAMES

MODEL: Model = "dawid_skene"


def predicts_labels(submission: bytes, name: str) -> bool:
    """Return whether a file has a column `item`, because it predicts labels by candidate. Other files are lists of
    paraphrases.
    """
    stream = iter_table(submission, name=name, limits=Limits())
    next(stream.rows, None)  # In JSON Lines files, the rows define the columns.
    return find_column(stream.columns, "item") is not None and find_column(stream.columns, "phrase") is None


def evaluate_labels(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return the measures of `evaluation.label_scores` for predicted labels or probabilities.

    The intervals come from resampled questions, because the candidates of a question are judged together. Raises
    TableError if the file contains errors.
    """
    return evaluate_predictions(_votes(data, parameters, str(parameters["name"])), submission, parameters)


def compare_labels(
    data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]
) -> list[Difference]:
    """Return the differences between two systems' measures (first minus second) on the same candidates."""
    return compare_predictions(_votes(data, parameters, parameters["names"][0]), submissions, parameters)


def _votes(data: StudyData, parameters: Mapping[str, Any], name: str) -> CollectedFile:
    """Return the votes on the candidates in the chosen domain and split. The posteriors use all of the study's
    votes.
    """
    study = collected(columns(data))
    if not len(study.labels):
        raise TableError.of_file(name, "the study has no judgements yet, so the file cannot be scored")
    candidates = [
        (question.payload["item"], text) for question in data.questions for text in question.payload["paraphrases"]
    ]
    keys = [f"{item}/{text}" for item, text in candidates]
    refs = [study.refs[number] for number in study.question.tolist()]
    file = collected_votes(study.labels, keys, list(NAMES), MODEL, clusters=refs)
    chosen = _chosen(data, study.domains, parameters, name)
    if chosen is None:
        return file
    return restricted(file, {key for key, (item, _) in zip(keys, candidates, strict=True) if item in chosen}, name=name)


def _chosen(data: StudyData, domains: Collection[str], parameters: Mapping[str, Any], name: str) -> set[str] | None:
    """Return the items in the chosen domain and split, or None for all items."""
    only, domain = parameters.get("only"), str(parameters.get("domain", ""))
    if domain and domain not in domains:
        available = ", ".join(domains)
        raise TableError.of_file(name, f"the study has no domain “{domain}”. The domains are {available}")
    if only is None and not domain:
        return None
    return {
        item.key
        for item in data.items
        if (only is None or item.key in only) and (not domain or item.metadata["domain"] == domain)
    }
