"""Tests of a complete chunk-alignment study through the services, from the import to the exports."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accord_core.chunks.formats.ists import parse_wa
from alignment_ui.chunks.answer import from_pair, to_pair
from alignment_ui.chunks.columns import collected, columns
from alignment_ui.chunks.final_tables import final_pairs_table
from alignment_ui.chunks.report import counts
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.answer import give_answer
from annotate.core.services.claim import claim
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file, import_upload
from annotate.data.services.uploads import preview, receive
from annotate.models import Report, Study
from annotate.questions.selectors.data import study_data
from annotate.questions.services.decisions import decide
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import create_study, open_study
from annotate.web.markdown import safe_html
from tests.alignment_ui.chunks.final_files import assert_final_files_match, export
from tests.factories import MembershipFactory, UserFactory, make_annotator, member_of
from tests.markup import markup

pytestmark = pytest.mark.django_db

WA = """\
<sentence id="1" status="">
// A grey cat sleeps .
// The cat is sleeping on a mat .
<source>
1 A :\x20
2 grey :\x20
3 cat :\x20
4 sleeps :\x20
5 . :\x20
</source>
<translation>
1 The :\x20
2 cat :\x20
3 is :\x20
4 sleeping :\x20
5 on :\x20
6 a :\x20
7 mat :\x20
8 . :\x20
</translation>
<alignment>
1 2 3 <==> 1 2 // SPE1 // 4 // A grey cat <==> The cat\x20
4 <==> 3 4 // EQUI // 5 // as I see it\x20
5 <==> 8 // EQUI // 5 // . <==> .\x20
0 <==> 5 6 7 // NOALI // NIL // -not aligned- <==> on a mat\x20
</alignment>
</sentence>


<sentence id="2" status="checked">
// Two men run
// A woman walks
<source>
1 Two :\x20
2 men :\x20
3 run :\x20
</source>
<translation>
1 A :\x20
2 woman :\x20
3 walks :\x20
</translation>
<alignment>
3 <==> 3 // SIMI // 3 // run <==> walks\x20
1 2 <==> 0 // NOALI // NIL // Two men <==> -not aligned-\x20
0 <==> 1 2 // NOALI // NIL // -not aligned- <==> A woman\x20
</alignment>
</sentence>
"""
FIRST, SECOND = parse_wa(WA).pairs


def chunk_study(
    begin: str = "links", *, many: bool = False, items: str = WA, guidelines: str = "refuse", **settings: Any
) -> Study:
    study = create_study(
        user=UserFactory(),
        title="Chunks",
        task_type="chunks",
        options={"begin": begin, "many": many, "guidelines": guidelines},
        **{"questions_per_hit": 2, "gold_block": 0, "rule_threshold": 0, "judgements": 2} | settings,
    )
    import_file(study, purpose="items", filename="pairs.wa", data=items.encode(), user=SYSTEM)
    return study


def opened(study: Study) -> Study:
    build_design(study.pk, user=SYSTEM)
    return open_study(study.pk, user=SYSTEM)


def value_of(pair: Any) -> dict[str, Any]:
    return {**from_pair(pair), "log": [[10, "confirm", "button", None]]}


def answer_all(study: Study, **instead: Any) -> None:
    """Let one annotator answer every question as in the file, or with the answer for the pair's ID."""
    somebody = make_annotator(study)
    assignment = claim(somebody.pk).assignment
    pairs = {"1": FIRST, "2": SECOND}
    sent = [
        AnswerSent(a.position, instead.get(f"pair{a.question.ref}") or value_of(pairs[a.question.ref]), seconds=20.0)
        for a in assignment.answers.select_related("question")
    ]
    submit(somebody.pk, assignment.public_id, sent)


@pytest.mark.nightly
def test_what_was_not_changed_comes_out_byte_for_byte() -> None:
    study = opened(chunk_study())
    assert export(study, "alignment.wa") == WA
    answer_all(study)
    assert export(study, "alignment.wa") == WA


@pytest.mark.nightly
def test_a_changed_pair_is_written_anew_and_the_other_stays() -> None:
    study = opened(chunk_study())
    changed = value_of(SECOND)
    changed["links"][0]["score"] = 2
    answer_all(study, pair2=changed)
    out = export(study, "alignment.wa")
    assert out.startswith(WA[: WA.index('<sentence id="2"')])
    assert "3 <==> 3 // SIMI // 2 // run <==> walks" in out
    assert 'id="2" status="checked"' in out


@pytest.mark.nightly
def test_a_score_of_a_leftover_chunk_which_no_answer_can_say_is_no_change() -> None:
    scored = WA.replace("0 <==> 1 2 // NOALI // NIL", "0 <==> 1 2 // NOALI // 0")
    with pytest.raises(Refused) as refused:
        chunk_study(items=scored)
    assert refused.value.code == "faults"
    study = opened(chunk_study(items=scored, guidelines="warn"))
    answer_all(study)
    assert export(study, "alignment.wa") == scored


def test_the_name_of_a_wa_file_is_its_dataset() -> None:
    study = create_study(user=UserFactory(), title="Chunks", task_type="chunks", options={"dataset": "part"})
    import_file(study, purpose="items", filename="images.gold.wa", data=WA.encode(), user=SYSTEM)
    assert [item.metadata["part"] for item in study.items.all()] == ["images", "images"]


@pytest.mark.parametrize("begin", ["words", "chunks", "links"])
def test_annotators_begin_with_what_the_study_says(begin: str) -> None:
    study = opened(chunk_study(begin))
    question = study.questions.get(ref="1")
    told = tasktypes.get("chunks").present(question.payload, [], {}, study.options)
    assert (told["chunks"] is not None, bool(told["links"])) == (begin != "words", begin == "links")
    assert told["source"] == ["A", "grey", "cat", "sleeps", "."]
    assert "_wa" not in json.dumps(told)


def test_the_design_counts_what_pairs_begin_with() -> None:
    nothing_matches = WA.replace(
        "3 <==> 3 // SIMI // 3 // run <==> walks \n",
        "3 <==> 0 // NOALI // NIL // run <==> -not aligned- \n0 <==> 3 // NOALI // NIL // -not aligned- <==> walks \n",
    )
    study = opened(chunk_study(items=nothing_matches))
    (begin,) = [check for check in study.design.result["checks"] if check["name"] == "Initial annotation"]
    assert (begin["detail"], begin["state"]) == ("2 with chunks and links", "ok")


def test_what_annotators_read_shows_the_sentences_of_an_example_apart() -> None:
    shown = safe_html(tasktypes.get("chunks").worked_examples)
    sentences = re.findall(r"<p>(.*?)</p>", re.findall("<blockquote>(.*?)</blockquote>", shown, re.DOTALL)[0])
    assert sentences == [
        "[ Two boys ] [ are kicking ] [ a ball ] [ in the park ] [ . ]",
        "[ Children ] [ play ] [ football ] [ . ]",
    ]


REFUSED = [
    (lambda v: v["links"][1].update(score=4), "links.1.score", "EQUI must have a score of 5"),
    (lambda v: v["links"][0].update(score=5), "links.0.score", "Only links of type EQUI"),
    (lambda v: v["links"][0].update(score=None), "links.0.score", "from 0 to 5"),
    (lambda v: v["links"][0].update(type="NOALI"), "links.0.type", "how the two chunks match: EQUI"),
    (lambda v: v["left"].clear(), "chunks.target.2", "Link the chunk, or choose NOALI"),
    (lambda v: v["chunks"]["source"][0].pop(), "chunks.source", "not in a chunk"),
    (lambda v: v["links"].append(dict(v["links"][0])), "links.3", "only one link in this study"),
    (lambda v: v["chunks"]["source"][1].append(0), "chunks.source.1", "two chunks"),
    (lambda v: v["links"][0].update(source=9), "links.0.source", "Chunk 9 does not exist"),
    (lambda v: v["links"][0].update(flags=["MAYBE"]), "links.0.flags", "FACT and POL"),
    (lambda v: v.update(log=[[1, "x"]]), "log.0", "milliseconds"),
]


@pytest.mark.parametrize(("change", "path", "said"), REFUSED)
def test_what_the_guidelines_exclude_cannot_be_given(change: Any, path: str, said: str) -> None:
    study = chunk_study()
    payload = {"source": list(FIRST.source), "target": list(FIRST.target)}
    value = value_of(FIRST)
    change(value)
    with pytest.raises(tasktypes.InvalidAnswer) as refusal:
        tasktypes.get("chunks").clean(payload, [], value, study.options)
    assert refusal.value.path == path
    assert said in str(refusal.value)


def test_where_chunks_may_have_several_links_leftovers_need_not_be_said() -> None:
    payload = {"source": list(FIRST.source), "target": list(FIRST.target)}
    value = value_of(FIRST) | {"left": []}
    value["links"].append({"source": 0, "target": 1, "type": "REL", "flags": [], "score": 1})
    cleaned = tasktypes.get("chunks").clean(payload, [], value, {"many": True})
    assert cleaned["left"] == [{"side": "target", "chunk": 2, "type": "NOALI"}]
    value["left"] = [{"side": "target", "chunk": 2, "type": "ALIC"}]
    with pytest.raises(tasktypes.InvalidAnswer, match="ALIC"):
        tasktypes.get("chunks").clean(payload, [], value, {"many": True})


def test_an_answer_and_a_pair_are_two_forms_of_one_thing() -> None:
    for pair in (FIRST, SECOND):
        back = to_pair(pair.id, {"source": pair.source, "target": pair.target}, from_pair(pair))
        told = {(link.source, link.target, link.type, link.score) for link in pair.links}
        assert {(link.source, link.target, link.type, link.score) for link in back.links} == told


def test_a_damaged_file_brings_nothing_in_and_names_the_line() -> None:
    study = create_study(user=UserFactory(), title="Chunks", task_type="chunks")
    broken = WA.replace("// SIMI // 3", "// SAME // 3")
    upload = receive(study, purpose="items", filename="x.wa", data=broken.encode(), user=SYSTEM)
    with pytest.raises(Refused) as refusal:
        import_upload(upload.pk, user=SYSTEM)
    line = 1 + broken[: broken.index("SAME")].count("\n")
    assert f"line {line}" in str(refusal.value.fields)
    assert not study.items.exists()


def test_sentences_with_brackets_bring_their_chunks() -> None:
    study = create_study(user=UserFactory(), title="Chunks", task_type="chunks")
    table = "id\tsource\ttarget\tdataset\nx\t[ A cat ] [ sleeps ]\t[ It ] [ is asleep ]\timages\n"
    upload = receive(study, purpose="items", filename="x.tsv", data=table.encode(), user=SYSTEM)
    assert preview(upload).importable
    import_upload(upload.pk, user=SYSTEM)
    content = study.items.get().content
    assert content["chunks"] == {"source": [[0, 1], [2]], "target": [[0], [1, 2]]}
    assert content["source"] == ["A", "cat", "sleeps"]


def test_gold_is_graded_by_f1_of_the_alignment() -> None:
    study = chunk_study("chunks", gold_block=2, rule_threshold=0.5, rule_minimum=10)
    known = WA.replace('id="1"', 'id="a"').replace('id="2"', 'id="b"')
    import_file(study, purpose="gold", filename="g.wa", data=known.encode(), user=SYSTEM)
    study = opened(study)
    somebody = make_annotator(study)
    assignment = claim(somebody.pk).assignment
    gold = assignment.answers.select_related("question").get(question__kind="gold")
    pair = {"known-a": FIRST, "known-b": SECOND}[gold.question.ref]
    typed_otherwise = value_of(pair)
    for link in typed_otherwise["links"]:
        link.update(type="REL", score=1)
    given = give_answer(somebody.pk, assignment.public_id, gold.position, typed_otherwise)
    assert given.feedback == []  # the alignment is the expected one, apart from types and scores
    gold.refresh_from_db()
    assert gold.tally == {"right": 1, "wrong": 0, "f1": 1.0}


@pytest.mark.nightly
def test_the_report_says_how_far_annotators_agree_and_can_be_computed_again() -> None:
    study = opened(chunk_study())
    answer_all(study)
    other = value_of(FIRST)
    other["links"][0].update(type="SIMI", score=3)
    answer_all(study, pair1=other)
    report = make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    overall = report.result["agreement"]["overall"]
    assert overall["f1_ali"]["value"] == pytest.approx(1)
    assert overall["f1_typ_sco"]["value"] < 1
    assert [row["ref"] for row in report.result["disagreements"]] == ["1"]
    assert report.result["said"]["types"]["SPE1"] == 1  # of two answers that are equally close, the first one
    assert recompute(Report.objects.get(pk=report.pk)) == report.result
    assert {row["judgements"] for row in report.result["people"]} == {2}


def test_a_full_stop_without_a_link_is_no_unaligned_chunk() -> None:
    stops = "5 <==> 8 // EQUI // 5 // . <==> . \n"
    apart = "5 <==> 0 // NOALI // NIL // . <==> -not aligned- \n0 <==> 8 // NOALI // NIL // -not aligned- <==> . \n"
    assert stops in WA
    pairs = dict(enumerate(parse_wa(WA.replace(stops, apart)).pairs))
    figures = counts(SimpleNamespace(final=pairs, asked=[]))  # type: ignore[arg-type]
    assert (figures["left_over"], figures["types"]["NOALI"]) == (3, 3)
    linked = dict(enumerate(parse_wa(WA).pairs))
    with_stops = counts(SimpleNamespace(final=linked, asked=[]))  # type: ignore[arg-type]
    assert (figures["chunks"], with_stops["chunks"]) == (9, 11)


def test_reports_of_an_open_study_can_compare_another_column() -> None:
    study = opened(chunk_study())
    study.items.filter(key="2").update(metadata={"Genre": "news"})
    change_settings(study.pk, user=SYSTEM, options={"dataset": "Genre"})
    study.refresh_from_db()
    asked = collected(columns(study_data(study))).asked
    assert sorted(each.dataset for each in asked) == ["", "news"]


@pytest.mark.nightly
@pytest.mark.parametrize("others", [0, 1])
def test_the_report_is_shown_whether_one_annotated_or_two(others: int) -> None:
    study = opened(chunk_study())
    answer_all(study)
    for _ in range(others):
        answer_all(study)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    client = Client()
    client.force_login(MembershipFactory(study=study, role="viewer").user)
    page = markup(client.get(f"/console/{study.public_id}/results/1/"))
    assert "Number of chunks: 11</p>" in page
    assert "Download pairs.csv" in page
    assert "Unaligned chunks: 3</p>" in page
    landmarks = re.findall(r'(?:role="region" aria-label="|<h2 id="\w+">)([^<"]+)', page)
    assert len(set(landmarks)) == len(landmarks)
    assert ("no pair has been annotated by two annotators" in page) == (others == 0)
    assert re.findall(r"(\d+) pairs</span>", page) in ([], ["2"])  # “pairs.wa” is the only dataset


@pytest.mark.nightly
def test_a_decision_stands_in_what_comes_out() -> None:
    study = opened(chunk_study())
    answer_all(study)
    decided = value_of(FIRST)
    decided["links"][0].update(type="SIMI", score=3)
    decide(study.questions.get(ref="1").pk, decided, user=member_of(study))
    assert "1 2 3 <==> 1 2 // SIMI // 3 //" in export(study, "alignment.wa")


def test_chunk_files_and_annotations_come_out() -> None:
    study = opened(chunk_study())
    answer_all(study)
    assert export(study, "sent1.chunk.txt").splitlines()[0].strip() == "[ A grey cat ] [ sleeps ] [ . ]"
    assert_final_files_match(study)
    lines = [json.loads(line) for line in export(study, "annotations.jsonl").splitlines()]
    assert {line["pair"] for line in lines} == {"1", "2"}
    assert [pair.status for pair in parse_wa(export(study, "annotations.wa")).pairs] == [
        study.participations.get().pseudonym
    ] * 2


def test_pairs_are_listed_as_they_were_imported_with_the_columns_of_their_file() -> None:
    study = opened(chunk_study())
    study.items.filter(key="2").update(metadata={"topic": "sport", "dataset": "news"})
    answer_all(study)
    data = study_data(study)
    data = replace(data, questions=sorted(data.questions, key=lambda question: question.ref, reverse=True))
    rows = list(csv.DictReader(io.StringIO(b"".join(final_pairs_table(data, None)).decode())))
    assert [(row["id"], row["topic"]) for row in rows] == [("1", ""), ("2", "sport")]


@pytest.mark.nightly
def test_the_study_is_scored_against_a_file() -> None:
    study = opened(chunk_study())
    answer_all(study)
    client = Client()
    client.force_login(MembershipFactory(study=study, role="viewer").user)
    page = f"/console/{study.public_id}/x/against/"
    sent = {"file": SimpleUploadedFile("gold.wa", WA.replace("// SIMI // 3", "// REL // 3").encode()), "gold": "file"}
    shown = markup(client.post(page, sent))
    assert "1.0000" in shown
    assert "2 sentence pairs" in shown
    assert "Type and score, as in 2015" in shown
    assert re.search(r'<th scope="row">SIMI</th>(\s*<td class="num">0</td>){3}', shown)
    sent["file"].seek(0)
    download = client.post(page, sent | {"download": "csv"})
    assert download["Content-Disposition"] == 'attachment; filename="mismatches-gold.csv"'
    assert download.getvalue().decode().splitlines()[0].startswith("id,mismatch,gold_source")
    broken = {"file": SimpleUploadedFile("gold.wa", b"<sentence id=1>\n1 <==> x // EQUI // 5\n"), "gold": "file"}
    refused = client.post(page, broken)
    assert refused.status_code == 422
    assert "line 2" in markup(refused)


def test_two_chunk_files_come_in_by_the_ordinary_preview() -> None:
    study = create_study(user=UserFactory(), title="Chunks", task_type="chunks")
    client = Client()
    client.force_login(MembershipFactory(study=study, role="manager").user)
    files = {"source": b"[ A cat ] [ sleeps ] \n", "target": b"[ It ] [ sleeps ] \n"}
    sent = {name: SimpleUploadedFile(f"{name}.txt", data) for name, data in files.items()} | {"dataset": "images"}
    assert client.post(f"/console/{study.public_id}/x/two-files/", sent).status_code == 302
    import_upload(study.uploads.get().pk, user=SYSTEM)
    assert study.items.get().content["chunks"]["target"] == [[0], [1]]
    short = {name: SimpleUploadedFile(f"{name}.txt", data) for name, data in files.items()}
    short["target"] = SimpleUploadedFile("target.txt", b"[ It ]\n[ sleeps ]\n")
    assert client.post(f"/console/{study.public_id}/x/two-files/", short).status_code == 422


@pytest.mark.nightly
@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("begin", ["words", "links"])
def test_simulated_annotators_keep_to_the_guidelines(begin: str, many: bool) -> None:
    study = opened(chunk_study(begin, many=many))
    truth = {
        "1": "1 2 3 <==> 1 2 // SPE1 // 4;;4 <==> 3 4 // EQUI // 5;;5 <==> 8 // EQUI // 5;;0 <==> 5 6 7 // NOALI // NIL"
    }
    done = simulate(study, user=SYSTEM, annotators=2, careless=0.5, seed=3, truth={**truth, "2": 0.5})
    assert done.hits == 2
    task = tasktypes.get("chunks")
    for seed in range(30):
        payload = study.questions.get(ref="1").payload
        raw = task.simulate(payload, [], truth, {"many": many}, seed % 2 == 0, np.random.default_rng(seed))
        task.clean(payload, [], raw, {"many": many})
