"""Reports on word alignment, with the agreement tables of Cohn, Callison-Burch and Lapata (2008).

Every table has one row per subcorpus and a last row for all pairs. See `docs/alignment.md` for the meaning of each
figure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accord_core.pairs.numerics.links import Alignment, edits, identical_links
from accord_core.words.numerics.agreement import AlignedPair, phrase_agreement, word_agreement
from accord_core.words.numerics.cells import AnnotatedPair
from accord_core.words.numerics.gold_scores import method_scores
from accord_core.words.numerics.phrases import atomic_phrase_pairs, phrase_pairs
from alignment_ui.words.anchoring import anchoring
from alignment_ui.words.columns import Collected, Compared, collected
from alignment_ui.words.headline import headline
from alignment_ui.words.people import compared_f1, people
from alignment_ui.words.targets import attained
from annotate.tasktypes import Columns, Headline, Progress, ReportResult, rounds_figures

RESAMPLES = 1_000
SAMPLES = 100
QUICK_RESAMPLES = 200
MOST_TWOS = 40  # maximum number of annotator pairs in the report, those with the most shared sentence pairs first

Row = dict[str, Any]
Agreement = Callable[..., Row]


def results(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return Tables 3, 4 and 5 of the paper, the link counts, the anchoring effect, the disagreements, and the figures
    for each annotator.
    """
    inputs = collected(columns)
    if not inputs.judgements:
        return ReportResult(0, 0, "No judgements count towards the results yet.")
    resamples = int(parameters.get("resamples", RESAMPLES))
    samples = int(parameters.get("samples", SAMPLES))
    settings = {"resamples": resamples, "samples": samples, "seed": seed, "ignore_identical": inputs.ignore_identical}
    progress(0.05, "agreement on words")
    words = _between_annotators(word_agreement, inputs, settings)
    progress(0.25, "agreement on phrases")
    phrases = _between_annotators(phrase_agreement, inputs, settings)
    progress(0.55, "annotators against the pre-alignment")
    against = {
        "words": _against_start(word_agreement, inputs, settings),
        "phrases": _against_start(phrase_agreement, inputs, settings),
    }
    progress(0.75, "agreement of each two annotators")
    twos = _two_by_two(inputs, settings)
    progress(0.9, "figures for each annotator")
    own = {
        "ignore_identical": inputs.ignore_identical,
        "resamples": resamples,
        "samples": samples,
        "pairs": _pairs(inputs),
        "words": words,
        "phrases": phrases,
        "against_start": against,
        "twos": twos,
        "aligned": [{"subcorpus": name, **_aligned(inputs, members)} for name, members in _parts(inputs)],
        "anchoring": anchoring(inputs, resamples=resamples, seed=seed),
        "disagreements": _disagreements(inputs),
        "gold": _gold(inputs),
        "gold_methods": _gold_methods(inputs, resamples=resamples, seed=seed),
        **rounds_figures(inputs.rounds),
    }
    return ReportResult(
        len(inputs.judgements),
        len({judgement.annotator for judgement in inputs.judgements}),
        headline=_headline(inputs, words[-1] if words else None, resamples),
        people=people(inputs),
        own=own,
    )


def progress_report(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the progress figures of an open study: the F1 of word links between annotators and the gold results."""
    inputs = collected(columns)
    own = {"gold_right": sum(graded.passed for graded in inputs.gold), "gold_given": len(inputs.gold)}
    if not inputs.compared:
        undefined = _headline(inputs, None, RESAMPLES) if inputs.judgements else None
        return ReportResult(len(inputs.judgements), headline=undefined, own=own)
    # The pairs are in the order of the results, so that both reports contain the same interval. Without pre-alignments,
    # the chance-corrected coefficient C and its samples are not calculated.
    compared = sorted(inputs.compared, key=lambda two: two.pair.subcorpus)
    pairs = [two.aligned(corrected=False) for two in compared]
    row = word_agreement(
        pairs,
        resamples=RESAMPLES,
        seed=seed,
        ignore_identical=inputs.ignore_identical,
        interchangeable=inputs.interchangeable,
        samples=0,
    )
    return ReportResult(len(inputs.judgements), headline=_headline(inputs, row, RESAMPLES), own=own)


def _headline(inputs: Collected, row: Mapping[str, Any] | None, resamples: int) -> Headline:
    figures = attained(row, inputs.design_judgements, len(inputs.answers), resamples)
    return headline(row, ignore_identical=inputs.ignore_identical).with_attained(figures)


def _between_annotators(agreement: Agreement, inputs: Collected, settings: Mapping[str, Any]) -> list[Row]:
    """Return the agreement between answers to the same pair, with one row per subcorpus and one row for all pairs."""
    by_subcorpus: dict[str, list[Compared]] = defaultdict(list)
    for two in inputs.compared:
        by_subcorpus[two.pair.subcorpus].append(two)
    pairs = {name: [two.aligned() for two in twos] for name, twos in by_subcorpus.items()}
    return _table(agreement, pairs, {**settings, "interchangeable": inputs.interchangeable})


def _against_start(agreement: Agreement, inputs: Collected, settings: Mapping[str, Any]) -> list[Row]:
    """Return the agreement between each answer and the initial links, with one row per subcorpus and one row for all
    pairs. C is missing, because it corrects for initial links, which are compared here.
    """
    by_subcorpus: dict[str, list[AlignedPair]] = defaultdict(list)
    for judgement in inputs.judgements:
        pair = inputs.pairs[judgement.pair]
        if pair.shown is not None:
            compared = AlignedPair(pair.source, pair.target, judgement.alignment, pair.shown, prealignment=None)
            by_subcorpus[pair.subcorpus].append(compared)
    rows = _table(agreement, by_subcorpus, settings)
    for row in rows:
        del row["without_prealignment"], row["possible"]["c"], row["sure"]["c"]
    return rows


def _table(
    agreement: Agreement, by_subcorpus: Mapping[str, Sequence[AlignedPair]], settings: Mapping[str, Any]
) -> list[Row]:
    names = sorted(by_subcorpus)
    rows = [{"subcorpus": name, **agreement(by_subcorpus[name], **settings)} for name in names]
    if len(names) > 1:
        everything = [pair for name in names for pair in by_subcorpus[name]]
        rows.append({"subcorpus": None, **agreement(everything, **settings)})
    return rows


def _two_by_two(inputs: Collected, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the agreement between annotators who share sentence pairs, starting with those who share the most pairs.
    If there are only two annotators, return no rows.
    """
    by_two: dict[tuple[int, int], list[Compared]] = defaultdict(list)
    for two in inputs.compared:
        by_two[two.first.annotator, two.second.annotator].append(two)
    ranked = sorted(by_two, key=lambda who: (-len(by_two[who]), who))
    rows = []
    for who in ranked[:MOST_TWOS] if len(ranked) > 1 else []:
        pairs = [two.aligned() for two in by_two[who]]
        rows.append(
            {
                "annotators": [inputs.names[number] for number in who],
                "words": word_agreement(pairs, **settings),
                "phrases": phrase_agreement(pairs, **settings),
            }
        )
    return {"rows": rows, "left_out": max(len(ranked) - MOST_TWOS, 0)}


def _pairs(inputs: Collected) -> dict[str, int]:
    several = sum(len(answers) > 1 for answers in inputs.answers.values())
    return {
        "asked": len(inputs.pairs),
        "aligned": len(inputs.answers),
        "aligned_twice": several,
        "decided": sum(pair.is_decided for pair in inputs.pairs),
        "kept": sum(pair.kept for pair in inputs.pairs),
        "comparisons": len(inputs.compared),
    }


def _parts(inputs: Collected) -> list[tuple[str | None, list[int]]]:
    """Return the indices of the pairs that have a final alignment, for each subcorpus and for all pairs."""
    parts: list[tuple[str | None, list[int]]] = [
        (name, [place for place in inputs.final if inputs.pairs[place].subcorpus == name]) for name in inputs.subcorpora
    ]
    return [*parts, (None, list(inputs.final))] if len(parts) > 1 else parts


def _aligned(inputs: Collected, members: Sequence[int]) -> dict[str, Any]:
    """Count the words, links and phrase pairs in the final alignments."""
    sums: dict[str, int] = defaultdict(int)
    for place in members:
        pair, final = inputs.pairs[place], inputs.final[place]
        sizes = (len(pair.source), len(pair.target))
        sums["pairs"] += 1
        sums["tokens"] += sum(sizes)
        sums["unaligned"] += sum(sizes) - sum(len({link[side] for link in final.links}) for side in (0, 1))
        sums["sure"] += len(final.sure)
        sums["possible"] += len(final.possible)
        sums["identical"] += len(final.links & identical_links(pair.source, pair.target))
        atoms = len(atomic_phrase_pairs(final.links, *sizes))
        sums["atomic"] += atoms
        sums["composite"] += len(phrase_pairs(final.links, *sizes)) - atoms
    names = ("pairs", "tokens", "unaligned", "sure", "possible", "identical", "atomic", "composite")
    return {name: sums[name] for name in names}


def _disagreements(inputs: Collected) -> list[dict[str, Any]]:
    """Return pairs of differing answers to the same sentence pair, starting with the lowest F1."""
    rows = []
    for pair, first, second in inputs.compared:
        if first.alignment != second.alignment:
            rows.append(
                {
                    "ref": pair.ref,
                    "subcorpus": pair.subcorpus,
                    "annotators": [inputs.names[judgement.annotator] for judgement in (first, second)],
                    "f1": round(compared_f1(inputs, pair, first, second), 4),
                    "links": [len(judgement.alignment.links) for judgement in (first, second)],
                    "differ": edits(first.alignment.links, second.alignment.links),
                    "other_kind": len(_kinds_differ(first.alignment, second.alignment)),
                    "decided": pair.is_decided,
                    "kept": pair.kept,
                }
            )
    return sorted(rows, key=lambda row: (row["f1"], -row["differ"], row["ref"]))


def _kinds_differ(one: Alignment, other: Alignment) -> frozenset[tuple[int, int]]:
    return (one.sure & other.possible) | (one.possible & other.sure)


def _gold_methods(inputs: Collected, *, resamples: int, seed: int) -> dict[str, Any] | None:
    """Return the scores of the combined answers to gold questions, or None if no gold question has two answers."""
    if all(len(pair.answers) < 2 for pair in inputs.gold_pairs):
        return None
    gold = [AnnotatedPair(pair.source, pair.target, pair.answers, pair.start) for pair in inputs.gold_pairs]
    expected = dict(enumerate((pair.expected for pair in inputs.gold_pairs), start=len(inputs.pairs)))
    return method_scores(
        [*inputs.annotated, *gold],
        len(inputs.names),
        expected,
        ignore_identical=inputs.ignore_identical,
        resamples=resamples,
        seed=seed,
    )


def _gold(inputs: Collected) -> list[dict[str, Any]]:
    """Return one row per gold question, with its number of answers, number of correct answers and mean F1."""
    by_ref: dict[str, list[Any]] = defaultdict(list)
    for graded in inputs.gold:
        by_ref[graded.ref].append(graded)
    return [
        {
            "ref": ref,
            "given": len(graded),
            "right": sum(one.passed for one in graded),
            "f1": round(sum(one.f1 for one in graded) / len(graded), 4),
        }
        for ref, graded in sorted(by_ref.items())
    ]
