"""The `accord ists sample-errors` command draws a blind sample of a system's wrong chunk links."""

from __future__ import annotations

import click

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.files import read_bytes, source_name
from alignment_ui.pairs.cli.error_samples import sample_options, system_names, write_sample
from annotate.cli.options import refuse_second_stdin


@click.command("sample-errors")
@click.argument("gold", metavar="GOLD.wa")
@click.argument("systems", metavar="SYSTEM.wa...", nargs=-1, required=True)
@sample_options
def sample_errors(
    gold: str, systems: tuple[str, ...], errors: int, controls: int, key: str, seed: int, output: str
) -> None:
    """Draw wrong chunk links from each SYSTEM.wa for a blind human check, mixed with correct links as controls.

    A link is correct if GOLD.wa links the same two chunks, with any type and score. The CSV file has the columns id,
    source, target, source_phrase and target_phrase, with the chunks in brackets in their sentences, but neither systems
    nor gold answers. Afterwards, run `accord ists corrected-precision` with the key and the judgements.

    \b
    Examples:
        accord ists sample-errors gold.wa system.wa --key errors.key.json -o questions.csv
    """
    from accord_core.chunks.formats.ists import read_wa
    from accord_core.exchange.error_samples import Positive

    refuse_second_stdin(gold, *systems)
    expected = read_wa(read_bytes(gold), name=source_name(gold))
    place_of = {pair.id: place for place, pair in enumerate(expected)}
    positives = {}
    for name, path in zip(system_names(systems), systems, strict=True):
        by_pair: list[dict[Positive, bool]] = [{} for _ in expected]
        faults = []
        for pair in read_wa(read_bytes(path), name=source_name(path), tokens=False):
            place = place_of.get(pair.id)
            if place is None:
                faults.append(Fault(pair.line, None, f"{source_name(gold)} has no pair with the ID {pair.id}"))
                continue
            sizes = len(expected[place].source), len(expected[place].target)
            correct = {(link.source, link.target) for link in expected[place].links}
            for link in pair.links:
                if max(link.source, default=-1) >= sizes[0] or max(link.target, default=-1) >= sizes[1]:
                    faults.append(Fault(link.line, None, f"the link is outside the sentences in {source_name(gold)}"))
                elif link.source and link.target:
                    by_pair[place][Positive(place, link.source, link.target)] = (link.source, link.target) in correct
        raise_faults(source_name(path), faults)
        positives[name] = by_pair
    write_sample(
        positives,
        [(pair.source, pair.target) for pair in expected],
        [pair.id for pair in expected],
        errors=errors,
        controls=controls,
        key=key,
        seed=seed,
        output=output,
    )
