from annotate.toolkit import Headline, Shown, page_of, people_chart


def summary(study, report, query):
    context = {
        "headline": Headline.from_json(report.result["headline"]),
        "page": page_of(report.result["sentences"], query),
        "people": people_chart(report.result, float(study.rule_threshold)),
    }
    return Shown("acceptability/report.html", context)
