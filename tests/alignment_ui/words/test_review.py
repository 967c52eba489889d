"""Tests that draw phrase pairs for review, judge these pairs, and import pairs from two files."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from alignment_ui.words.models import PhraseVerdict, SampledPhrase
from alignment_ui.words.selectors.phrase_review import phrase_rows, phrases_of, review_of
from alignment_ui.words.services.phrase_review import draw_sample, judge
from annotate.core.permissions import PERMISSIONS, SYSTEM, Action
from annotate.core.services.claim import claim
from annotate.core.services.credentials import new_api_token
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file, import_upload
from annotate.models import Study
from annotate.server.refusals import Refused
from annotate.studies.services.study import create_study, open_study
from tests.api.conftest import Api, refused
from tests.factories import MembershipFactory, UserFactory, make_annotator, make_study, member_of
from tests.markup import markup

pytestmark = pytest.mark.django_db

# Three words change, so there are three atomic phrase pairs of differing words in each pair of sentences.
PAIRS = [
    ("the ferry left at dusk", "the boat departed at nightfall"),
    ("a dog barked all night", "a hound howled all evening"),
    ("she sold her old car", "she traded her worn automobile"),
]


@pytest.fixture(scope="module")
def shared_study(share: Callable[[Callable[[], Study]], Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def make_shared_study() -> Study:
    """Create a study with three pairs, each aligned word by word by one annotator."""
    study = words_study()
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    somebody = make_annotator(study)
    assignment = claim(somebody.pk).assignment
    value = {"sure": [[i, i] for i in range(4)], "possible": [[4, 4]], "log": [[5, "sure", "drag", [[0, 0]]]]}
    answers = [AnswerSent(answer.position, value, seconds=9.0) for answer in assignment.answers.all()]
    submit(somebody.pk, assignment.public_id, answers)
    return study


def words_study() -> Study:
    study = create_study(
        user=UserFactory(),
        title="Links",
        task_type="words",
        options={"prealign": "none"},
        judgements=1,
        questions_per_hit=3,
        gold_block=0,
        rule_threshold=0,
        instructions="Link.",
    )
    lines = [
        json.dumps({"id": f"p{n}", "source": s, "target": t, "subcorpus": "novels" if n else "news"})
        for n, (s, t) in enumerate(PAIRS)
    ]
    import_file(study, purpose="items", filename="p.jsonl", data="\n".join(lines).encode(), user=SYSTEM)
    return study


def test_answers_that_differ_only_in_possible_links_are_small_differences() -> None:
    study = words_study()
    Study.objects.filter(pk=study.pk).update(judgements=2)
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    for possible in ([[4, 4]], []):
        somebody = make_annotator(study)
        assignment = claim(somebody.pk).assignment
        value = {"sure": [[i, i] for i in range(4)], "possible": possible, "log": [[5, "sure", "drag", [[0, 0]]]]}
        answers = [AnswerSent(answer.position, value, seconds=9.0) for answer in assignment.answers.all()]
        submit(somebody.pk, assignment.public_id, answers)
    question = study.questions.first()
    page = markup(member(study, "owner").get(f"/console/{study.public_id}/adjudicate/{question.public_id}/"))
    assert "Small differences" in page
    assert "All answers agree" not in page


def member(study: Study, role: str) -> Client:
    client = Client()
    client.force_login(MembershipFactory(study=study, role=role).user)
    return client


def test_a_sample_holds_each_phrase_pair_of_differing_words_once(study: Study) -> None:
    draw_sample(study.pk, count=9, user=SYSTEM)
    rows = phrase_rows(list(phrases_of(study, 1)), UserFactory())
    drawn = {(row.source.phrase, row.target.phrase) for row in rows}
    words = {(a, b) for s, t in PAIRS for a, b in zip(s.split(), t.split(), strict=True) if a != b}
    assert drawn == words
    assert {f"{row.source.before} {row.source.phrase} {row.source.after}".strip() for row in rows} == {
        s for s, _ in PAIRS
    }


@pytest.mark.nightly
def test_a_sample_of_one_subcorpus_and_of_sure_links(study: Study) -> None:
    """The last word of each pair has a possible link. The words dusk and nightfall are in the news pair."""
    owner = study.memberships.get(role="owner").user
    api, path = Api(f"Token {new_api_token(owner, 'script')[1]}"), phrase_path(study)
    page = f"/console/{study.public_id}/x/phrases/"
    client = Client()
    client.force_login(owner)
    for number, (links, subcorpus, expected) in enumerate(
        [
            ("sure", "", {"ferry", "left", "dog", "barked", "sold", "old"}),
            ("all", "news", {"ferry", "left", "dusk"}),
            ("sure", "news", {"ferry", "left"}),
        ],
        start=1,
    ):
        sent = {"count": len(expected), "links": links, "subcorpus": subcorpus}
        if number == 2:
            assert client.post(page, sent).status_code == 302
        else:
            assert api.post(path, sent).json() == {"number": number}
        rows = phrase_rows(list(phrases_of(study, number)), owner)
        assert {row.source.phrase for row in rows} == expected
        refused(api.post(path, sent | {"count": 7}), 400, "too-few")
    assert api.get(path).json()[0] == {"number": 3, "phrases": 2, "links": "sure", "subcorpus": "news"}
    shown = markup(client.get(page))
    assert "2 phrase pairs from sure links, news" in shown
    assert '<option value="novels">novels</option>' in shown
    refused(api.post(path, {"count": 1, "subcorpus": "letters"}), 400, "invalid")
    assert client.post(page, {"count": 1, "links": "sure", "subcorpus": "letters"}).status_code == 422


@pytest.mark.nightly
def test_the_seed_fixes_a_sample_and_a_further_one_differs(study: Study) -> None:
    drawn = []
    for _ in range(3):
        number = draw_sample(study.pk, count=6, user=SYSTEM)
        drawn.append(list(phrases_of(study, number).values_list("question", "source_start")))
    assert len({tuple(each) for each in drawn}) == 3
    SampledPhrase.objects.all().delete()
    draw_sample(study.pk, count=6, user=SYSTEM)
    assert list(phrases_of(study, 1).values_list("question", "source_start")) == drawn[0]


@pytest.mark.parametrize(("count", "code"), [(0, "invalid"), (1_001, "invalid"), (10, "too-few")])
def test_what_cannot_be_drawn_is_refused_and_nothing_kept(study: Study, count: int, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        draw_sample(study.pk, count=count, user=SYSTEM)
    assert refusal.value.code == code
    assert not SampledPhrase.objects.exists()


def test_the_last_verdict_of_a_reviewer_stands(study: Study) -> None:
    draw_sample(study.pk, count=1, user=SYSTEM)
    phrase, user = SampledPhrase.objects.get(), member_of(study)
    judge({str(phrase.pk): "correct"}, study_id=study.pk, user=user)
    judge({str(phrase.pk): "uncertain"}, study_id=study.pk, user=user)
    assert PhraseVerdict.objects.get().verdict == "uncertain"


@pytest.mark.parametrize("role", ["viewer", "reviewer", "manager", "owner"])
def test_only_reviewers_draw_and_judge(study: Study, role: str) -> None:
    user = member_of(study, role)
    calls = (lambda: draw_sample(study.pk, count=1, user=user), lambda: judge({}, study_id=study.pk, user=user))
    for call in calls:
        if role in PERMISSIONS[Action.REVIEW].roles:
            call()
        else:
            with pytest.raises(Refused, match="does not allow this action: review"):
                call()


def test_shares_and_kappa_are_those_of_the_table(study: Study) -> None:
    draw_sample(study.pk, count=8, user=SYSTEM)
    phrases, one, other = list(phrases_of(study, 1)), member_of(study), member_of(study)
    said = ["cc", "cc", "cc", "ci", "ii", "ii", "uu", "iu"]  # by hand: agreement 6/8, by chance (4·3 + 3·3 + 1·2)/64
    meaning = {"c": "correct", "i": "incorrect", "u": "uncertain"}
    for phrase, (first, second) in zip(phrases, said, strict=True):
        judge({str(phrase.pk): meaning[first]}, study_id=study.pk, user=one)
        judge({str(phrase.pk): meaning[second]}, study_id=study.pk, user=other)
    review = review_of(study, 1)
    chance = (4 * 3 + 3 * 3 + 1 * 2) / 64
    assert review.kappa is not None
    assert review.kappa.value == pytest.approx((6 / 8 - chance) / (1 - chance))
    assert [(verdict, number) for verdict, number, *_ in review.shares] == [
        ("correct", 7),
        ("incorrect", 6),
        ("uncertain", 3),
    ]


@pytest.mark.nightly
def test_reviewers_judge_alone_on_the_page(study: Study) -> None:
    page = f"/console/{study.public_id}/x/phrases/"
    one, other = member(study, "reviewer"), member(study, "reviewer")
    assert one.post(page, {"count": "4", "links": "all"}).status_code == 302
    phrase = SampledPhrase.objects.filter(place=1).get()
    assert one.post(page, {"sample": "1", f"phrase-{phrase.pk}": "incorrect"}).status_code == 302
    assert 'value="incorrect" checked' in markup(one.get(page))
    assert "checked" not in markup(other.get(page))
    study.options |= {"first_language": "de", "second_language": "fr"}
    study.save()
    shown = markup(one.get(page))
    assert shown.count('class="sent" lang="de"') == shown.count('class="sent" lang="fr"') > 0


def test_a_viewer_looks_and_does_not_judge(study: Study) -> None:
    page = f"/console/{study.public_id}/x/phrases/"
    viewer = member(study, "viewer")
    assert viewer.get(page).status_code == 200
    assert viewer.post(page, {"count": "4"}).status_code != 200
    assert not SampledPhrase.objects.exists()


def test_another_studys_phrase_is_not_judged_from_here(study: Study) -> None:
    draw_sample(study.pk, count=1, user=SYSTEM)
    elsewhere = words_study()
    client = member(elsewhere, "owner")
    sent = {"sample": "1", f"phrase-{SampledPhrase.objects.get().pk}": "correct"}
    client.post(f"/console/{elsewhere.public_id}/x/phrases/", sent)
    assert not PhraseVerdict.objects.exists()


@pytest.fixture
def bring() -> Callable[..., tuple[Study, object]]:
    def brought(source: str, target: str, prealignment: str | None = None, subcorpus: str = "news"):
        study = words_study()
        files = {"source": source, "target": target} | ({"prealignment": prealignment} if prealignment else {})
        sent = {name: SimpleUploadedFile(f"{name}.txt", text.encode()) for name, text in files.items()}
        response = member(study, "manager").post(
            f"/console/{study.public_id}/x/two-files/", {**sent, "subcorpus": subcorpus}
        )
        return study, response

    return brought


def test_two_files_come_in_as_pairs_by_the_ordinary_preview(bring) -> None:
    study, response = bring("He left .\nIt rained .\n", "He went .\nRain fell .\n", "0-0 1?1\n\n")
    assert response.status_code == 302
    upload = study.uploads.order_by("-pk")[0]
    import_upload(upload.pk, user=SYSTEM)
    first = study.items.get(key="news:pair-1")
    assert first.content["source"] == ["He", "left", "."]
    assert first.content["prealignment"] == {"sure": [[0, 0]], "possible": [[1, 1]]}
    assert first.metadata == {"subcorpus": "news"}


def test_files_that_do_not_fit_are_named_and_nothing_comes_in(bring) -> None:
    study, response = bring("He left .\nIt rained .\n", "He went .\n")
    assert response.status_code == 422
    assert "2" in markup(response)
    assert study.uploads.count() == 1


def test_links_to_begin_with_may_be_of_any_format(bring) -> None:
    study, response = bring("He left .\nIt rained .\n", "He went .\nRain fell .\n", "1 1 1 S\n1 2 2 P\n2 3 3 S\n")
    assert response.status_code == 302
    import_upload(study.uploads.order_by("-pk")[0].pk, user=SYSTEM)
    assert study.items.get(key="news:pair-1").content["prealignment"] == {"sure": [[0, 0]], "possible": [[1, 1]]}
    assert study.items.get(key="news:pair-2").content["prealignment"] == {"sure": [[2, 2]], "possible": []}


def test_a_link_out_of_range_is_named_and_nothing_comes_in(bring) -> None:
    study, response = bring("He left .\n", "He went .\n", "0-0 7-1\n")
    assert response.status_code == 422
    assert "line 1" in markup(response)
    assert study.uploads.count() == 1


def test_one_impossible_verdict_keeps_none_of_the_page(study: Study) -> None:
    draw_sample(study.pk, count=2, user=SYSTEM)
    one, other = phrases_of(study, 1)
    with pytest.raises(Refused):
        judge({str(one.pk): "correct", str(other.pk): "perhaps"}, study_id=study.pk, user=member_of(study))
    assert not PhraseVerdict.objects.exists()


@pytest.mark.parametrize("key", ["9" * 40, "x", "\u0663"])
def test_keys_and_places_that_are_none_do_no_harm(study: Study, key: str) -> None:
    draw_sample(study.pk, count=1, user=SYSTEM)
    sent = {"sample": "1\r\nX: y", "next": "&page=2", f"phrase-{key}": "correct"}
    assert member(study, "reviewer").post(f"/console/{study.public_id}/x/phrases/", sent).status_code == 302
    assert not PhraseVerdict.objects.exists()


@pytest.mark.nightly
def test_phrase_pairs_are_reviewed_through_the_api(study: Study) -> None:
    reviewer, path = Api(f"Token {new_api_token(member_of(study, 'reviewer'), 'script')[1]}"), phrase_path(study)
    assert reviewer.post(path, {"count": 4}).json() == {"number": 1}
    assert reviewer.get(path).json() == [{"number": 1, "phrases": 4, "links": "all", "subcorpus": ""}]
    rows = reviewer.get(f"{path}/1?page_size=2").json()
    assert (rows["count"], len(rows["results"])) == (4, 2)
    first, second = rows["results"]
    assert first["source"]["phrase"] != first["target"]["phrase"]
    sent = {"verdicts": {first["id"]: "correct", second["id"]: "incorrect", "0": "correct"}}
    assert reviewer.put(f"{path}/1/verdicts", sent).json() == {"saved": 2}
    assert [row["verdict"] for row in reviewer.get(f"{path}/1").json()["results"]] == ["correct", "incorrect", "", ""]
    review = reviewer.get(f"{path}/1/verdicts").json()
    assert (review["phrases"], review["reviewers"][0]["verdicts"], review["kappa"]) == (4, 2, None)
    assert {row["verdict"]: row["count"] for row in review["shares"]} == {"correct": 1, "incorrect": 1, "uncertain": 0}
    refused(reviewer.post(path, {"count": 1_000}), 400, "too-few")
    refused(reviewer.get(f"{path}/2"), 404, "unknown")
    other = make_study()
    stranger = Api(f"Token {new_api_token(member_of(other, 'reviewer'), 'script')[1]}")
    refused(stranger.get(phrase_path(other)), 404, "unknown")


def phrase_path(study: Study) -> str:
    return f"studies/{study.public_id}/phrase-samples"


def test_the_phrase_pairs_of_an_archived_study_do_not_change(study: Study) -> None:
    owner = study.memberships.get(role="owner").user
    draw_sample(study.pk, count=2, user=owner)
    Study.objects.filter(pk=study.pk).update(state=Study.State.ARCHIVED)
    api = Api(f"Token {new_api_token(owner, 'script')[1]}")
    samples = f"studies/{study.public_id}/phrase-samples"
    refused(api.post(samples, {"count": 2}), 409, "archived")
    phrase = SampledPhrase.objects.filter(study=study).first()
    assert phrase is not None
    refused(api.put(f"{samples}/1/verdicts", {"verdicts": {str(phrase.pk): "correct"}}), 409, "archived")
    assert SampledPhrase.objects.filter(study=study).count() == 2
    assert not PhraseVerdict.objects.exists()
