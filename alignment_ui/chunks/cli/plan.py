"""The `accord plan chunks` command simulates chunk alignment studies in order to plan one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from annotate.cli.plans import PlanRequest, RangeOrValue, plan_options, print_plan, stated_ranges
from annotate.cli.types import WholeRange

if TYPE_CHECKING:
    from accord_core.chunks.numerics.chunks import IstsPair
    from accord_core.chunks.numerics.pilot import Pilot


@click.command()
@click.option("--pairs", type=WholeRange(1), required=True, help="Number of sentence pairs.")
@click.option(
    "--errors",
    type=RangeOrValue(0.01, 7),
    metavar="FACTOR",
    help="Multiplier (or range) for attentive annotators' usual error rates. The "
    "usual rates are 7% for missed links, 12% for another type and 20% for another score. The "
    "default is 1, or the range 0.2-4 with --pilot.",
)
@click.option(
    "--careless",
    type=RangeOrValue(0, 0.95),
    metavar="SHARE",
    help="Share of annotators who draw random links, or a range. The default is 0.1, or 0-0.4 with --pilot.",
)
@click.option(
    "--pilot",
    metavar="ANNOTATIONS.wa",
    help="A pilot's annotations.wa, with the annotator in each pair's status. The command estimates the assumptions "
    "from it.",
)
@plan_options
def chunks(
    pairs: int,
    errors: tuple[float, float] | None,
    careless: tuple[float, float] | None,
    pilot: str | None,
    request: PlanRequest,
) -> None:
    """Plan a study of chunk alignment: agreement, cost and days for several numbers of annotators per pair.

    The assumptions are options, or come from a pilot. The columns f1_ali, f1_type, f1_score and f1_typ_sco are the
    official F1 measures between two annotators.

    \b
    Examples:
        accord plan chunks --pairs 200 --price 0.60 --seconds 120
        accord plan chunks --pairs 200 --errors 0.5-2 --careless 0-0.2
        accord plan chunks --pairs 500 --pilot annotations.wa --budget 900 --price 0.60
    """
    from alignment_ui.chunks.planning import PLANNING
    from annotate.tasktypes.planning import PlanInput

    try:
        known = None if pilot is None else _pilot(pilot)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    plan = PlanInput(
        pairs,
        annotators=request.annotators,
        caught=request.caught,
        assumptions=stated_ranges(errors=errors, careless=careless),
        pilot=known,
        seed=request.seed,
    )
    print_plan(PLANNING, plan, request, title=f"Plan: {pairs:,} sentence pairs, {request.annotators} annotators")


def _pilot(path: str) -> Pilot:
    from accord_core.chunks.formats.registry import read_chunk_alignments
    from accord_core.chunks.numerics.pilot import Pilot
    from accord_core.chunks.numerics.scores import token_links
    from accord_core.exchange.files import read_bytes, source_name

    pairs, _ = read_chunk_alignments(read_bytes(path), name=source_name(path), format_name="wa")
    by_pair: dict[str, dict[str, IstsPair]] = {}
    for pair in pairs:
        by_pair.setdefault(pair.id, {})[pair.status] = pair
    several = [each for each in by_pair.values() if len(each) > 1]
    numbers: dict[str, int] = {}
    first = [next(iter(each.values())) for each in several]
    return Pilot(
        [(max(1, len(pair.source_chunks)), max(1, len(pair.target_chunks))) for pair in first],
        [[numbers.setdefault(name, len(numbers)) for name in each] for each in several],
        [[token_links(pair.links, pair.source, pair.target) for pair in each.values()] for each in several],
    )
