"""The `accord plan words` command simulates word alignment studies in order to plan one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from alignment_ui.words.cli.files import read_sentences_of, sentences_option
from annotate.cli.options import refuse_second_stdin
from annotate.cli.plans import PlanRequest, RangeOrValue, plan_options, print_plan, stated_ranges
from annotate.cli.types import WholeRange

if TYPE_CHECKING:
    from accord_core.words.numerics.pilot import Pilot


@click.command()
@click.option("--pairs", type=WholeRange(1), required=True, help="Number of sentence pairs.")
@click.option(
    "--errors",
    type=RangeOrValue(0.01, 10),
    metavar="FACTOR",
    help="Multiplier (or range) for attentive annotators' usual error rates. Usually, "
    "annotators miss 5% of the links, choose the other kind for 6%, and move 3%. The default is 1, or the range 0.2-5 "
    "with --pilot.",
)
@click.option(
    "--wrong",
    type=RangeOrValue(0, 1),
    metavar="SHARE",
    help="Share of wrong or missing initial links, or a range. The default is 0.15, or 0.02-0.98 with --pilot.",
)
@click.option(
    "--careless",
    type=RangeOrValue(0, 0.95),
    metavar="SHARE",
    help="Share of annotators who do not change the initial links, or a range. The default is 0.1, or 0-0.4 with "
    "--pilot.",
)
@click.option(
    "--overlooked",
    type=RangeOrValue(0, 1),
    metavar="SHARE",
    help="Share of wrong initial links that attentive annotators keep, or a range. The default is 0.15, or 0-0.9 with "
    "--pilot.",
)
@click.option(
    "--pilot",
    metavar="ANNOTATIONS.jsonl",
    help="A pilot's annotations.jsonl. The command estimates the assumptions from it. Needs --sentences.",
)
@sentences_option(required=False)
@plan_options
def words(
    pairs: int,
    errors: tuple[float, float] | None,
    wrong: tuple[float, float] | None,
    careless: tuple[float, float] | None,
    overlooked: tuple[float, float] | None,
    pilot: str | None,
    sentences: tuple[str, ...],
    request: PlanRequest,
) -> None:
    """Plan a word alignment study: agreement, quality, cost and days for several numbers of annotators per pair.

    The assumptions are options, or come from a pilot. The columns f1 and c are the agreement between two annotators
    that `accord align agreement` will print for all links.

    \b
    Examples:
        accord plan words --pairs 200 --price 0.40 --seconds 90
        accord plan words --pairs 200 --errors 0.5-2 --careless 0-0.2 --target 0.95
        accord plan words --pairs 500 --pilot annotations.jsonl --sentences pairs.tsv --budget 600 --price 0.40
    """
    from alignment_ui.words.planning import PLANNING
    from annotate.tasktypes.planning import PlanInput

    try:
        refuse_second_stdin(pilot, *sentences)
        known = None if pilot is None else _pilot(pilot, sentences)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    plan = PlanInput(
        pairs,
        annotators=request.annotators,
        caught=request.caught,
        assumptions=stated_ranges(errors=errors, wrong=wrong, careless=careless, overlooked=overlooked),
        pilot=known,
        seed=request.seed,
    )
    print_plan(PLANNING, plan, request, title=f"Plan: {pairs:,} sentence pairs, {request.annotators} annotators")


def _pilot(path: str, sentences: tuple[str, ...]) -> Pilot:
    from accord_core.exchange.files import read_bytes, source_name
    from accord_core.pairs.formats.annotations import read_annotations
    from accord_core.words.numerics.pilot import Pilot

    corpus = read_sentences_of(sentences)
    if corpus is None:
        raise click.UsageError("--pilot needs --sentences, the file with the sentence pairs of the pilot.")
    annotated = read_annotations(read_bytes(path), corpus, name=source_name(path))
    several = [each for each in annotated if len(each.by_annotator) > 1]
    initial = [each.initial for each in several if each.initial is not None]
    numbers: dict[str, int] = {}
    return Pilot(
        [each.pair.sizes or (0, 0) for each in several],
        [[numbers.setdefault(name, len(numbers)) for name in each.by_annotator] for each in several],
        [list(each.by_annotator.values()) for each in several],
        initial if len(initial) == len(several) else None,
    )
