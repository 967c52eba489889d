"""Tests of reading and filling layouts, without a database."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, HIDDEN, NUMBER, TEXT, InvalidField, listed_values
from accord_core.layouts.formats.layout import LARGEST, read_layout
from accord_core.layouts.formats.results import answer_cells, read_cells
from tests.layout_study import CROWD, PLAIN

FORM = '<input name="a">'


def faults(html: str, *, scripts: bool = False) -> list[str]:
    return [str(fault) for fault in read_layout(html, scripts=scripts).faults]


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────
def test_the_fields_of_a_plain_form() -> None:
    layout = read_layout(
        '<form><select name="s" required><option value="">–<option>A  b<option value="c">C</select>\n'
        '<input type=checkbox name=k value=x><input type=checkbox name=k value=y><input type="checkbox" name="one">\n'
        '<input type="range" name="n" min="1" max="7"><input type="hidden" name="h" value="${id}">\n'
        '<input type="hidden" name="assignmentId"><select name="m" multiple><option value="1"></select></form>'
    )
    assert layout.has_form
    assert layout.columns == ["id"]
    fields = layout.fields
    found = [(field.name, field.kind, field.required, [each.value for each in field.choices]) for field in fields]
    assert found == [
        ("s", CHOICE, True, ["A b", "c"]),
        ("k", CHOICES, False, ["x", "y"]),
        ("one", FLAG, False, []),
        ("n", NUMBER, False, []),
        ("h", HIDDEN, False, []),
        ("m", CHOICES, False, ["1"]),
    ]
    assert [field.line for field in fields] == [1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize(
    ("values", "is_scale"),
    [
        ("12345", True),
        ("543210", True),
        (["-1", "0", "1"], True),
        ("01", False),
        ("124", False),
        ("1a2", False),
        ("", False),
    ],
)
def test_choices_of_consecutive_whole_numbers_are_a_scale(values: Sequence[str], is_scale: bool) -> None:
    [field] = read_layout("".join(f'<input type="radio" name="r" value="{v}">' for v in values) or FORM).fields
    assert field.is_scale == is_scale


def test_the_fields_of_crowd_elements() -> None:
    layout = read_layout(CROWD)
    assert not layout.faults
    assert not layout.warnings
    row = {"place": "Rome's", "text": "x"}
    kinds = {field.name: (field.kind, [choice.value for choice in field.choices]) for field in layout.fields_for(row)}
    assert kinds == {
        "topic": (CHOICE, ["Rome's", "elsewhere"]),
        "clear/unclear": (CHOICE, ["clear", "unclear"]),
        "funny": (FLAG, []),
        "score": (NUMBER, []),
        "word": (TEXT, []),
        "comment": (TEXT, []),
    }
    assert "crowd-html-elements" not in layout.fill(row)


def test_radio_buttons_that_share_a_name_are_told_apart_by_their_values() -> None:
    button = '<crowd-radio-button name="verdict" value="{}">x</crowd-radio-button>'
    group = f"<crowd-radio-group>{button.format('yes')}{button.format('no')}</crowd-radio-group>"
    (field,) = read_layout(f"<crowd-form>{group}</crowd-form>").fields
    assert field.name == "verdict"
    assert [(choice.value, choice.column) for choice in field.choices] == [
        ("yes", "verdict.yes"),
        ("no", "verdict.no"),
    ]


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("<p>${text}</p>", "the layout has no form field with a name"),
        (f'{FORM}\n<input type="file" name="f">', "line 2: annotators cannot upload files"),
        (f"{FORM}\n<crowd-bounding-box>", "line 2: the element <crowd-bounding-box> is not supported"),
        (f"{FORM}\n\n{FORM}", "line 3: the field a is already on line 1"),
        ('<input name="q${id}">', "line 1: the name of a field contains a placeholder (q${id})"),
        (f"{FORM}<script>\nrun('${{text}}')</script>", "line 2: a script contains ${text}"),
        (f'{FORM}<b onclick="${{x}}">', "line 1: a script contains ${x}"),
        (f'{FORM}<a href="javascript:${{x}}">', "line 1: a script contains ${x}"),
        (f"{FORM}<b ${{x}}>", "line 1: ${x} is in a place where no text can be inserted"),
        (f"{FORM}<a href=/${{x}}>", "line 1: ${x} is in a place where no text can be inserted"),
        (f'{FORM}<meta http-equiv="refresh" content="0">', "line 1: a layout cannot open another page"),
    ],
)
def test_a_layout_that_cannot_be_used(html: str, message: str) -> None:
    assert any(fault.startswith(message) for fault in faults(html))


def test_a_layout_of_five_megabytes_is_refused_with_its_size() -> None:
    assert faults("x" * 5_000_000) == [f"the layout has 5,000,000 bytes, more than the limit of {LARGEST:,}"]


# ── filling ───────────────────────────────────────────────────────────────────────────────────────────────────────
def test_cells_are_escaped_for_their_place() -> None:
    html = "<!-- ${no} --><style>p {color: ${colour}}</style><p title='${text}'>${text}</p><img src=${text}>" + FORM
    text = """</p><script>"it's"</script> &amp;"""
    filled = read_layout(html).fill({"text": text, "colour": "red}</style><b>", "no": "no"})
    escaped = "&lt;/p&gt;&lt;script&gt;&quot;it&#x27;s&quot;&lt;/script&gt; &amp;amp;"
    assert f"<p title='{escaped}'>{escaped}</p><img src=\"{escaped}\">" in filled
    assert "<!-- ${no} --><style>p {color: red\\7d \\3c \\2f style\\3e \\3c b\\3e }</style>" in filled
    assert filled.startswith('<form name="mturk_form" id="mturk_form"')


@pytest.mark.parametrize(
    ("html", "cell"),
    [
        ("""<b onclick="f(a='${x}')">""", "'+alert(1)+'"),
        ("""<b onclick="f('<script', ${x})">""", "'+alert(1)+'"),
        ("""<a href="javascript:f('${x}')">""", "%27+alert(1)+%27"),
        ("""<script>s.replace(/"/g, ''); f("${x}")</script>""", "+alert(1)+"),
        ("""<script>s.replace(/'/g, ""); f(${x}); ''</script>""", "alert(1)"),
        ("""<script>s = "<script>"; f('${x}')</script>""", "'+alert(1)+'"),
        ("<script>f(${x})</script>", '{"a": "+alert(1)+"}'),
        ('<a href="${x}">', "\tJava\nscript:alert(1)"),
        ("<iframe src=${x}></iframe>", "javascript:alert(1)"),
    ],
)
def test_a_cell_never_becomes_code(html: str, cell: str) -> None:
    layout = read_layout(FORM + html, scripts=True)
    assert not layout.faults
    filled = layout.fill({"x": cell})
    assert "alert" in filled
    assert "alert(1)" not in filled or '="unsafe:' in filled


def test_a_cell_with_deeply_nested_json_is_a_text() -> None:
    nested = "[" * 100_000
    assert (
        read_layout(f"{FORM}<script>f(${{x}})</script>", scripts=True).fill({"x": nested}).count("\\u005b") == 100_000
    )


def test_files_load_only_from_listed_hosts() -> None:
    html = (
        '<script src="https://scripts.example.org/a.js"></script>\n'
        '<link rel="stylesheet" href="//styles.example.org/b.css"><a href="https://example.com/">x</a>\n'
        '<img src="https://img.example.org/c.png"><img src="${text}"><img src="https://${text}/d.png">\n'
        f'<audio src="http://img.example.org/e.mp3"></audio><img src="data:image/png;base64,">{FORM}'
    )
    script = "line 1: the script does not run unless you allow scripts"
    secure = "line 4: the file from http://img.example.org needs an https address"

    def unlisted(line: int, host: str) -> str:
        return f"line {line}: the file from https://{host}.example.org does not load unless you list this host"

    def warnings(*hosts: str, scripts: bool = False) -> list[str]:
        return [str(warning) for warning in read_layout(html, scripts=scripts, hosts=hosts).warnings]

    assert warnings() == [script, unlisted(2, "styles"), unlisted(3, "img"), secure]
    assert warnings("https://styles.example.org") == [script, unlisted(3, "img"), secure]
    assert warnings("https://*.example.org", scripts=True) == [secure]
    assert warnings("https://img.example.org", scripts=True) == [unlisted(1, "scripts"), unlisted(2, "styles"), secure]


def test_scripts_run_only_if_they_are_allowed() -> None:
    html = FORM + "<script>let a = '${text}', b = ${text}, c = ${list}, d = `${local}`</script>"
    layout = read_layout(html.replace("${text}", "x").replace("${list}", "1").replace("${local}", "y"))
    assert "<script>" not in layout.fill({})
    assert [str(warning) for warning in layout.warnings] == ["line 1: the script does not run unless you allow scripts"]
    row = {"text": "it's </script>\\", "list": '["<"]'}
    script = read_layout(html, scripts=True).fill(row)
    text = "it\\u0027s \\u003c\\u002fscript\\u003e\\u005c"
    assert f"let a = '{text}', b = \"{text}\", " in script
    assert 'c = ["\\u003c"], d = `${local}`' in script


def test_a_placeholder_in_an_event_handler_is_escaped_twice() -> None:
    layout = read_layout(f"""{FORM}<b onclick="say('${{text}}')">x</b>""", scripts=True)
    assert """<b onclick="say('\\u0022\\u0029\\u003b evil\\u0028\\u0027')">x</b>""" in layout.fill(
        {"text": "\"); evil('"}
    )


# ── answers in the format of Mechanical Turk ──────────────────────────────────────────────────────────────────────
VALUES = {
    "topic": "Rome",
    "clear/unclear": "unclear",
    "funny": True,
    "score": 4,
    "word": "a|b",
    "comment": "",
}


@pytest.mark.parametrize("layout", [CROWD, CROWD.replace(' answer-format="flatten-objects"', "")])
def test_answers_are_written_as_mechanical_turk_did_and_read_again(layout: str) -> None:
    read = read_layout(layout)
    fields = read.fields_for({"place": "Rome"})
    cells = answer_cells(read, fields, VALUES)
    if read.flattened:
        assert cells == {
            "topic.label": "Rome",
            "clear.yes": "false",
            "unclear.yes": "true",
            "funny.on": "true",
            "score": "4",
            "word": "a|b",
            "comment": "",
        }
    else:
        (nested,) = json.loads(cells["taskAnswers"])
        assert nested["topic"] == {"label": "Rome"}
        assert nested["unclear"] == {"yes": True}
    assert read_cells(fields, cells) == {name: value for name, value in VALUES.items() if value != ""}


def test_values_that_do_not_fit_a_field_are_refused() -> None:
    fields = {field.name: field for field in read_layout(PLAIN).fields}
    for name, value in [
        ("topic", "music"),
        ("length", 100),
        ("length", "nan"),
        ("length", 10**400),
        ("certain", "yes"),
        ("comment", 3),
    ]:
        with pytest.raises(InvalidField, match=name):
            fields[name].clean(value)
    with pytest.raises(InvalidField, match="20,000"):
        fields["comment"].clean("x" * 20_001)
    assert fields["length"].clean("7") == 7
    assert listed_values("[a, b, a]") == ["a", "b"]
