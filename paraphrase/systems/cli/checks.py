"""The `accord evaluate check-sets` command checks paraphrase sets with part-of-speech tags."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name
from accord_core.exchange.printed_tables import PrintedTable
from annotate.cli.options import format_options, note, print_result, refuse_second_stdin

FAULTY = 1


@click.command("check-sets")
@click.argument("dataset", metavar="DATASET")
@click.argument("tagged", metavar="TAGGED.conllu")
@format_options
@click.pass_context
def check_sets(context: click.Context, dataset: str, tagged: str, output_format: str) -> None:
    """Check the parts of speech and the tense of the sentences in DATASET.

    TAGGED.conllu contains the sentences with universal part-of-speech tags. They must consist of nouns, adjectives,
    determiners and one verb in the present tense. The P sentences in a set must have the same nouns and verbs in the
    same order. Each other sentence must have those of one of the P sentences. The exit status is 1 if a sentence breaks
    a rule.

    \b
    Examples:
        accord evaluate check-sets sets.txt sets.conllu
        accord evaluate check-sets sets.txt sets.conllu --format csv > errors.csv
    """
    from accord_core.exchange.conllu import read_conllu
    from accord_core.paraphrase.systems.formats.pham import read_paraphrase_sets
    from accord_core.paraphrase.systems.numerics.tag_checks import comparable_text, tag_checks

    refuse_second_stdin(dataset, tagged)
    sets = read_paraphrase_sets(read_bytes(dataset), name=source_name(dataset))
    sentences = read_conllu(read_bytes(tagged), name=source_name(tagged))
    checks = tag_checks(sets.sentences, {comparable_text("".join(each.forms)): each.tokens for each in sentences})
    if not checks.checked:
        raise click.ClickException(f"{source_name(tagged)} contains none of the sentences of {source_name(dataset)}")
    if checks.without_tags:
        note(f"{checks.without_tags:,} sentences are not in {source_name(tagged)} and were not checked")
    if checks.without_tense:
        note(f"the tags of {checks.without_tense:,} sentences contain no tense. The tense was not checked")
    rows: list[list[str | int]] = [
        [each.sentence.line, each.sentence.text, each.rule, each.message] for each in checks.violations
    ]
    wrong = len({each.sentence for each in checks.violations})
    caption = f"{wrong:,} of {checks.checked:,} checked sentences break a rule"
    print_result(output_format, PrintedTable(["line", "sentence", "rule", "reason"], rows, caption=caption))
    if rows:
        context.exit(FAULTY)
