"""The page of a report."""

from annotate.toolkit import Headline, Shown, main_figure, page_of, people_chart


def summary(study, report, query):
    context = {
        "figures": [main_figure(Headline.from_json(report.result["headline"]), report)],
        "page": page_of(report.result["statements"], query),
        "people": people_chart(study, report.result),
    }
    return Shown("yourtype/report.html", context)
