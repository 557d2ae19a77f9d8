"""BFCL's files: questions find their answers, and what is left without its other half is named."""

import json
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case_formats import CaseFile, Skipped, bfcl, load_cases
from trayecto.case_formats._source import Source
from trayecto.contracts import ToolContract
from trayecto.errors import InputError
from trayecto.trajectory import Tool

NAME = "BFCL_v4_simple_python.json"
TALKS = "BFCL_v4_multi_turn_base.json"
ADD = {"name": "add", "description": "Add.", "parameters": {"type": "dict", "properties": {}}}
DATA = "data/bfcl-eval/bfcl_eval/data"

Load = Callable[..., CaseFile]


def question(case_id: str, text: str = "Add 1.", **fields: object) -> dict[str, object]:
    """A question as a line of BFCL has it."""
    asked = [[{"role": "user", "content": text}]]
    return {"id": case_id, "question": asked, "function": [ADD], **fields}


def answer(case_id: str, *calls: object) -> dict[str, object]:
    """Its acceptable answer."""
    return {"id": case_id, "ground_truth": [*calls]}


def jsonl(entries: list[object]) -> str:
    """Entries a line each; a text is a line by itself."""
    return "".join(f"{e if isinstance(e, str) else json.dumps(e)}\n" for e in entries)


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Write questions, and answers where there are any, and load them."""
    monkeypatch.chdir(tmp_path)
    Path(bfcl.ANSWERS).mkdir()

    def load(
        questions: list[object],
        answers: list[object] | None = None,
        name: str = NAME,
        **options: object,
    ) -> CaseFile:
        Path(name).write_text(jsonl(questions), "utf-8")
        if answers is not None:
            Path(bfcl.ANSWERS, name).write_text(jsonl(answers), "utf-8")
        return load_cases(name, **options)

    return load


def faults(load: Load, *arguments: object, **options: object) -> list[str]:
    """Return the lines of the error that loading must raise."""
    with pytest.raises(InputError) as raised:
        load(*arguments, **options)
    return str(raised.value).splitlines()


def test_a_question_finds_its_answer(load: Load) -> None:
    """By its id, in the file of the same name below possible_answer."""
    answers = [answer("q2", {"add": {"n": [2]}}), answer("q1", {"add": {"n": [1, ""]}})]
    found = load([question("q1"), question("q2", "Add 2.")], answers)
    first, second = found.cases
    assert (found.suite, found.settings) == ("simple_python", {"suite": "simple_python"})
    assert (first.id, first.suite, first.place) == ("q1", "simple_python", f"{NAME}:1")
    assert [c.secret.reference.entries[0].arguments["n"] for c in found] == [1, 2]
    assert second.task.text == "Add 2."


def test_a_case_holds_the_tools_of_its_question(load: Load) -> None:
    """With their schemas translated; what the run may have told of them is for others."""
    (case,) = load([question("q1")], [answer("q1", {"add": {}})]).cases
    assert case.tools == (Tool("add", "Add.", {"type": "object", "properties": {}}),)


@pytest.mark.parametrize("written", ["7", "7.0", "7e0"])
def test_a_whole_number_is_one_however_it_is_written(load: Load, written: str) -> None:
    """BFCL takes 7 where 7.0 is expected; here 1 equals 1.0 either way (ruling 3)."""
    line = json.dumps(answer("q1", {"add": {"n": [0]}})).replace("0", written)
    (entry,) = load([question("q1")], [line]).cases[0].secret.reference.entries
    assert entry.accepts({"n": 7})
    assert not entry.accepts({"n": "7"})


def test_all_messages_of_all_turns_are_the_task(load: Load) -> None:
    """The agent is told them one after the other."""
    turns = [[{"role": "system", "content": "a"}, {"role": "user", "content": "b"}]]
    turns += [[{"role": "user", "content": "c"}]]
    (case,) = load([question("q1", question=turns)], [answer("q1", {"add": {}})])
    assert case.task.text == "a\n\nb\n\nc"


@pytest.mark.parametrize(
    ("name", "suite"),
    [(NAME, "simple_python"), ("BFCL_v3_live_simple.json", "live_simple"), ("mine.json", "mine")],
)
def test_the_suite_is_the_category(load: Load, name: str, suite: str) -> None:
    """What BFCL puts before it says which version of it; another name is taken whole."""
    assert load([question("q1")], [answer("q1", {"add": {}})], name).suite == suite


def test_what_lacks_its_other_half_is_skipped_by_name(load: Load) -> None:
    """Neither a question without an answer nor an answer without a question is a case."""
    answers = [answer("q9", {"add": {}}), answer("q1", {"add": {}})]
    found = load([question("q1"), question("q2")], answers)
    assert [case.id for case in found] == ["q1"]
    assert found.skipped == (
        Skipped("q2", f"{NAME}:2", "no acceptable answer"),
        Skipped("q9", f"{bfcl.ANSWERS}/{NAME}:1", "no question"),
    )


def test_where_all_is_skipped_there_is_no_case(load: Load) -> None:
    """A file of no cases judges nothing."""
    assert faults(load, [question("q1")], [answer("q2", {"add": {}})]) == [
        f"{NAME}: holds no case: 2 skipped, the first for no acceptable answer"
    ]


def test_questions_without_any_file_of_answers_are_refused(load: Load) -> None:
    """The error says where it should be."""
    assert faults(load, [question("q1")]) == [
        f"{NAME}: its answers are not there; BFCL keeps them in {bfcl.ANSWERS}/{NAME}"
    ]


@pytest.mark.parametrize("name", [NAME, "mine.json"])
def test_answers_given_alone_are_refused(load: Load, name: str) -> None:
    """They do not say what was asked."""
    (told,) = faults(load, [answer("q1", {"add": {}})], name=name)
    assert told.startswith(f"{name}: holds answers; name the file of their questions")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A suite is one category: its files are given one at a time."""
    with pytest.raises(InputError, match="is a folder; name one case file"):
        load_cases(tmp_path)


@pytest.mark.parametrize(
    ("case_id", "name", "abstain"),
    [
        ("irrelevance_0", "BFCL_v4_irrelevance.json", True),
        ("live_irrelevance_0-0-0", "BFCL_v4_live_irrelevance.json", True),
        ("q1", "BFCL_v4_irrelevance.json", True),
        ("irrelevance_0", "mine.json", True),
        ("live_relevance_0-0-0", "BFCL_v4_live_relevance.json", False),
    ],
)
def test_questions_of_relevance_need_no_answer(
    load: Load, case_id: str, name: str, *, abstain: bool
) -> None:
    """They ask whether the run should act at all."""
    (case,) = load([question(case_id)], name=name).cases
    assert (case.secret.should_abstain, case.secret.reference) == (abstain, None)


def talk(case_id: str, **fields: object) -> dict[str, object]:
    """A conversation: its tools are described elsewhere."""
    asked = [[{"role": "user", "content": "Sort."}], [{"role": "user", "content": "Tag."}]]
    return {"id": case_id, "question": asked, "involved_classes": ["GorillaFileSystem"], **fields}


def describe(*tools: dict[str, object]) -> None:
    """Write the document of the class of ``talk``."""
    Path(bfcl.DOCS).mkdir()
    Path(bfcl.DOCS, "gorilla_file_system.json").write_text(jsonl([*tools]), "utf-8")


def test_a_conversation_is_one_case(load: Load) -> None:
    """Its turns follow each other; its tools and the names of arguments come from the documents."""
    parameters = {"type": "dict", "properties": {"file": {"type": "string"}}}
    describe({"name": "sort", "parameters": parameters}, {"name": "cp", "parameters": {}})
    answers = [answer("m1", ["sort('a')"], ["sort(file='b')", "tag(x=1)"])]
    (case,) = load([talk("m1", excluded_function=["cp"])], answers, TALKS).cases
    entries = [(e.tool, e.arguments) for e in case.secret.reference.entries]
    assert entries == [("sort", {"file": "a"}), ("sort", {"file": "b"}), ("tag", {"x": 1})]
    assert [tool.name for tool in case.tools] == ["sort"]
    assert (case.secret.reference.match, case.task.text) == ("in_order", "Sort.\n\nTag.")


def test_without_documents_the_tools_of_a_conversation_are_unknown(load: Load) -> None:
    """An argument by position has no name then: that question is skipped, and named."""
    answers = [answer("m1", ["sort(file='a')"]), answer("m2", ["sort('a')"])]
    found = load([talk("m1"), talk("m2")], answers, TALKS)
    assert [(case.id, case.tools) for case in found] == [("m1", None)]
    assert found.skipped == (
        Skipped("m2", f"{TALKS}:2", "arguments by position, and nothing names them"),
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("3", "3 is not a mapping"),
        ('{"id": "b"', "is not one JSON object: expecting ',' delimiter (column 11)"),
        ('{"id": "b", "id": "c"}', "key 'id' stands twice in one object"),
        ("{}", "field 'id' is missing; there are: none"),
        ('{"id": 3}', "id: 3 is not text"),
        (question("b", function=3), "function: 3 is not a list"),
        (question("b", question="Add"), "question: 'Add' is not a list"),
        (question("b", question=[3]), "question[0]: 3 is not a list"),
        (question("b", question=[["x"]]), "question[0][0]: 'x' is not a mapping"),
        (question("b", question=[[{"content": None}]]), "question[0][0].content: None is not text"),
        (question("a/b"), "id: 'a/b' may hold no '/', no '..' and no control character"),
        (question("b" * 201), f"id: '{'b' * 79}… (203 characters) is too long; choose at most 200"),
        (question("q1"), "id: 'q1' is the id of two cases: lines 1 and 2"),
    ],
)
def test_a_broken_question_is_told_with_its_line(load: Load, line: object, told: str) -> None:
    """Field, value and what is allowed, as in every case file."""
    answers = [answer(i, {"add": {}}) for i in ("q1", "b", "a/b", "b" * 201)]
    (found,) = faults(load, [question("q1"), line], answers)
    assert found.startswith(f"{NAME}:2: {told}")


def test_a_question_must_say_where_its_tools_are(load: Load) -> None:
    """In itself, or as the classes that it involves; what is near is offered."""
    broken = {**question("b"), "functions": []}
    del broken["function"]
    (found,) = faults(load, [question("q1"), broken], [answer("q1", {"add": {}})])
    told = "field 'involved_classes' is missing; there are: functions, id, question."
    assert found == f"{NAME}:2: {told}"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[]", "[] is not a mapping"),
        ('{"id": "b", "ground_truth": [NaN]}', "NaN is no number that could be compared"),
        ({"id": "b"}, "field 'ground_truth' is missing; there are: id"),
        ({"id": "b", "ground_truth": "add()"}, "ground_truth: 'add()' is not a list"),
        (answer("b", "add()"), "ground_truth[0]: 'add()' is not a mapping"),
        (answer("b", {"add": {"n": 3}}), "ground_truth[0].add.n: 3 is not a list"),
        (answer("b", ["f(x=open('y'))"]), "ground_truth[0][0]: \"f(x=open('y'))\" holds a call"),
        (answer("q1", {"add": {}}), "id: 'q1' is answered twice: lines 1 and 2"),
    ],
)
def test_a_broken_answer_is_told_with_its_line(load: Load, line: object, told: str) -> None:
    """The line is that of the file of answers."""
    answers = [answer("q1", {"add": {}}), line]
    (found,) = faults(load, [question("q1"), question("b")], answers)
    assert found.startswith(f"{bfcl.ANSWERS}/{NAME}:2: {told}")


def test_a_call_list_without_end_is_refused(load: Load) -> None:
    """The limit is that of every reference."""
    answers = [answer("q1", *[{"add": {}}] * 1_001)]
    assert faults(load, [question("q1")], answers) == [
        f"{NAME}:1: reference: has 1,001 calls; 1,000 are the limit"
    ]


def test_a_contract_is_held_against_the_calls(load: Load) -> None:
    """As in every case file."""
    told = faults(
        load,
        [question("q1")],
        [answer("q1", {"add": {}})],
        contracts={"adds": ToolContract("adds")},
    )
    assert told[0].endswith(
        "'add' is not in the tools' contract; choose adds. Did you mean 'adds'?"
    )


@pytest.mark.parametrize(
    ("name", "line", "recognised"),
    [
        (NAME, "broken", True),
        ("BFCL_v4_simple.jsonl", "broken", True),
        ("BFCL_v4_notes.md", "# notes", False),
        ("mine.json", question("a"), True),
        ("mine.txt", answer("a"), True),
        ("mine.json", {"id": "a", "question": "text"}, False),
        ("mine.json", {"id": "a", "task": "question", "reference": ["x"]}, False),
        ("mine.json", {"cases": [question("a")]}, False),
    ],
)
def test_bfcl_is_recognised(tmp_path: Path, name: str, line: object, *, recognised: bool) -> None:
    """By its own way of naming files, or by a first line that is a question or an answer."""
    path = tmp_path / name
    path.write_text(jsonl([line]), "utf-8")
    assert bfcl.recognises(Source(path)) is recognised


def test_a_first_line_that_is_longer_than_a_look_is_recognised(load: Load) -> None:
    """A conversation brings the whole world that it starts from."""
    world = {"files": "x" * 200_000}
    answers = [answer("m1", ["ls()"])]
    assert len(load([talk("m1", initial_config=world)], answers, "mine.json").cases) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "f(x=1)", "f(", "dict", "q1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["", "name", "parameters", "type", "properties", "content", "x"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(function=JSON, asked=JSON, truth=JSON, classes=JSON)
def test_any_json_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, **given_: object
) -> None:
    """No question and no answer makes the reader raise anything but an InputError."""
    folder = tmp_path_factory.mktemp("bfcl")
    (folder / bfcl.ANSWERS).mkdir()
    said = [[{"role": "user", "content": "x"}]]
    questions = [
        question("q1", function=given_["function"]),
        question("q2", question=given_["asked"]),
        {"id": "q3", "question": said, "involved_classes": given_["classes"]},
    ]
    answers = [{"id": f"q{n}", "ground_truth": given_["truth"]} for n in (1, 2, 3)]
    for asked in questions:
        (folder / NAME).write_text(jsonl([asked, question("q9")]), "utf-8")
        (folder / bfcl.ANSWERS / NAME).write_text(
            jsonl([*answers, answer("q9", {"add": {}})]), "utf-8"
        )
        try:
            found = load_cases(folder / NAME)
        except InputError as problem:
            assert str(folder) in str(problem)  # noqa: PT017  # a file may be good by chance
        else:
            assert found.cases[-1].id == "q9"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("category", "count"),
    [
        ("simple_python", 400),
        ("multiple", 200),
        ("parallel", 200),
        ("parallel_multiple", 200),
        ("irrelevance", 240),
        ("multi_turn_base", 200),
    ],
)
def test_every_question_of_bfcl_is_a_case(shared: Path, category: str, count: int) -> None:
    """None is skipped, and a file takes well under a second."""
    start = process_time()
    found = load_cases(shared / DATA / f"BFCL_v4_{category}.json")
    assert process_time() - start < 1
    assert (len(found.cases), found.skipped, found.suite) == (count, (), category)
