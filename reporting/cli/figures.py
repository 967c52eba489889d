"""The command that draws the figures of a paper about a study."""

from __future__ import annotations

from pathlib import Path

import click

from annotate.cli.support import study_argument, study_named, with_django


@click.command("figures")
@study_argument
@click.option("-o", "--output", "folder", required=True, metavar="FOLDER", help="Folder to write to.")
@click.option(
    "--width",
    type=click.Choice(["column", "page"]),
    default="column",
    show_default=True,
    help="One column of a page (7.7 cm), or both (16 cm).",
)
@click.option("--grey", is_flag=True, help="Use shades of grey instead of colours.")
@click.option("--svg", "only_svg", is_flag=True, help="Write SVG files only, without PDF files.")
@click.option(
    "--font",
    metavar="FILE.ttf",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="TrueType font of the PDF files. The default font has Latin letters only.",
)
@with_django
def figures(study: str, folder: str, width: str, grey: bool, only_svg: bool, font: Path | None) -> None:
    """Draw the figures of a paper about STUDY as SVG and PDF files, from the latest results report.

    PDF files contain their fonts and need the extra pdf: pip install 'accord-annotation[pdf]'. The captions are in
    figures.tex.

    \b
    Examples:
        accord study figures 8hG2 -o paper
        accord study figures 8hG2 -o paper --width page --grey
        accord study figures 8hG2 -o paper --svg
    """
    from accord_core.exchange.extras import MissingExtraError
    from annotate import tasktypes
    from annotate.results.selectors.downloads import latest_results
    from annotate.results.selectors.exports import report_document
    from reporting.figures.files import figure_files
    from reporting.figures.pdf import UnusableFont

    target = study_named(study)
    report = latest_results(target)
    if report is None or not report.judgements:
        raise click.ClickException("There are no results to draw yet. Calculate the results first.")
    task, result = tasktypes.get(target.task_type), report_document(report)["result"]
    try:
        files = figure_files(task, result, width=width, grey=grey, pdf=not only_svg, font=font)
    except MissingExtraError as error:
        raise click.ClickException(f"{error}, or use --svg") from error
    except UnusableFont as error:
        raise click.ClickException(f"{error} with --font, or use --svg") from error
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (place / name).write_bytes(content)
        click.echo(name)
