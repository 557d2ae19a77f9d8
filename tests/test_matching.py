"""Matching: the six modes, one-to-one assignment against brute force, and the edit distance."""

import json
from functools import cache
from itertools import permutations
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case import MODE_ALIASES, MODES, Expected, Reference, expect, refer
from trayecto.case_formats import load_cases
from trayecto.formats import read
from trayecto.matching import (
    Mismatch,
    assign,
    by_tool,
    count_matched,
    explain_mismatch,
    matches,
)
from trayecto.trajectory import Call

Entries = list[Expected]


def call(tool: str, arguments: object = None, index: int = 1) -> Call:
    """Make a call."""
    return Call(index, tool, {} if arguments is None else arguments, "ok", "ok")


def numbered(calls: list[Call]) -> list[Call]:
    """Return the calls as one run would hold them."""
    return [call(each.tool, each.arguments, at) for at, each in enumerate(calls, 1)]


def made(letters: str) -> list[Call]:
    """Make a call of each letter."""
    return numbered([call(letter) for letter in letters])


def path(text: str, mode: str) -> Reference:
    """Make a reference of letters, parallel ones between brackets: "a(bc)d"."""
    groups: list[tuple[Expected, ...]] = []
    inside = False
    for letter in text:
        if letter in "()":
            inside = letter == "("
            groups += [()] if inside else []
        elif inside:
            groups[-1] += (expect(letter, None),)
        else:
            groups.append((expect(letter, None),))
    return refer(groups, mode)


def follows(reference: Reference, calls: list[Call]) -> bool:
    """Whether calls follow a reference in its mode."""
    return matches(reference, calls, count_matched(reference, by_tool(calls)))


# Ruling 1, by hand: a reference, calls, and the modes in which they match.
TABLE = [
    ("ab", "ab", MODES),
    ("ab", "ba", ("any_order", "superset", "multiset", "subset")),
    ("ab", "axb", ("in_order", "any_order", "superset")),
    ("ab", "bxa", ("any_order", "superset")),
    ("ab", "aab", ("in_order", "any_order", "superset")),
    ("aab", "ab", ("any_order", "subset")),
    ("aab", "aab", MODES),
    ("aab", "aba", ("any_order", "superset", "multiset", "subset")),
    ("aab", "aaab", ("in_order", "any_order", "superset")),
    ("ab", "a", ("subset",)),
    ("ab", "", ("subset",)),
    ("ab", "x", ()),
    ("", "", MODES),
    ("", "a", ("in_order", "any_order", "superset")),
    ("a(bc)d", "abcd", MODES),
    ("a(bc)d", "acbd", MODES),
    ("a(bc)d", "abdc", ("any_order", "superset", "multiset", "subset")),
    ("a(bc)d", "axcxbxd", ("in_order", "any_order", "superset")),
    ("(aab)", "aba", MODES),
    ("(ab)(ab)", "abba", MODES),
    ("(ab)(ab)", "aabb", ("any_order", "superset", "multiset", "subset")),
    ("(ab)cd", "abxcd", ("in_order", "any_order", "superset")),
    ("(ab)cd", "abxxxcd", ("in_order", "any_order", "superset")),
    ("(ab)(cd)e", "xaxbcxde", ("in_order", "any_order", "superset")),
    ("(ab)(ab)", "ababx", ("in_order", "any_order", "superset")),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("reference", "calls", "modes"), TABLE)
def test_each_mode(reference: str, calls: str, modes: tuple[str, ...], mode: str) -> None:
    """Which mode asks for the order, forbids extras, and counts repeats."""
    assert follows(path(reference, mode), made(calls)) is (mode in modes)


def test_the_pictures_of_the_article() -> None:
    """Article 000: the weather alone is not both; both in another order pass as a set."""
    flights = [(expect("consultar_clima", None),), (expect("consultar_vuelos", None),)]
    both = [call("consultar_vuelos"), call("consultar_clima")]
    assert follows(refer(flights, "any_order"), both)
    assert not follows(refer(flights, "in_order"), both)
    assert not follows(refer(flights, "any_order"), both[1:])


def test_an_empty_group_asks_for_nothing() -> None:
    """It takes no call away from the groups around it."""
    groups = [(expect("a", None),), (), (expect("b", None),), ()]
    for mode in MODES:
        assert follows(refer(groups, mode), made("ab"))


@pytest.mark.parametrize(
    ("alias", "mode"),
    [
        ("exacto", "exact"), ("strict", "exact"), ("subsecuencia", "in_order"),
        ("subsequence", "in_order"), ("IN_ORDER", "in_order"), ("conjunto", "any_order"),
        ("set", "any_order"), ("ANY_ORDER", "superset"), ("unordered", "multiset"),
    ],
)  # fmt: skip
def test_aliases(tmp_path: Path, alias: str, mode: str) -> None:
    """Ruling 1's list of names that others use, in a case file too."""
    assert MODE_ALIASES[alias] == mode
    file = tmp_path / "cases.yaml"
    file.write_text(f"cases: [{{id: c, task: t, reference: [a], match: {alias}}}]", "utf-8")
    [case] = load_cases(file).cases
    assert case.secret.reference.match == mode


def explained(reference: str, mode: str, calls: str) -> list[str]:
    """Return what is missing, extra and out of place, each as letters (calls with their index)."""
    found = explain_mismatch(path(reference, mode), made(calls))
    return [
        "".join(entry.tool for entry in found.missing),
        " ".join(f"{each.tool}{each.index}" for each in found.extra),
        " ".join(f"{each.tool}{each.index}" for each in found.out_of_place),
    ]


@pytest.mark.parametrize(
    ("reference", "mode", "calls", "told"),
    [
        ("aab", "exact", "ab", ["a", "", ""]),
        ("ab", "exact", "axb", ["", "x2", ""]),
        ("ab", "exact", "ba", ["", "", "b1|a2"]),
        ("ab", "exact", "ax", ["b", "x2", ""]),
        ("ab", "in_order", "xa", ["b", "", ""]),
        ("abc", "in_order", "xbca", ["", "", "a4"]),
        ("aab", "any_order", "xb", ["a", "", ""]),
        ("aab", "any_order", "xab", ["", "", ""]),
        ("aab", "superset", "xab", ["a", "", ""]),
        ("ab", "superset", "bxa", ["", "", ""]),
        ("ab", "multiset", "bbx", ["a", "b2 x3", ""]),
        ("ab", "subset", "ax", ["", "x2", ""]),
        ("ab", "subset", "", ["", "", ""]),
        ("(ab)c", "exact", "bac", ["", "", ""]),
        ("(ab)(cd)", "exact", "badc", ["", "", ""]),
        ("(ab)c", "in_order", "bca", ["", "", "a3"]),
        ("(ab)cd", "exact", "badc", ["", "", "d3|c4"]),
    ],
)
def test_what_a_mismatch_says(reference: str, mode: str, calls: str, told: list[str]) -> None:
    """Only what the mode forbids is named: of two swapped calls one is out of place."""
    missing, extra, out_of_place = explained(reference, mode, calls)
    assert [missing, extra] == told[:2]
    assert out_of_place in told[2].split("|")


def test_a_mismatch_is_true_where_there_is_something_to_say() -> None:
    """Nothing to say is no mismatch."""
    assert not Mismatch()
    assert Mismatch(missing=(expect("a", None),))


@given(st.text("ab(", max_size=5), st.text("abx", max_size=6), st.sampled_from(MODES))
def test_a_match_has_nothing_to_explain_and_a_mismatch_has(
    reference: str, calls: str, mode: str
) -> None:
    """Explanation and verdict never contradict each other."""
    wanted = path(reference.replace("(", "") + ("(ab)" if "(" in reference else ""), mode)
    assert bool(explain_mismatch(wanted, made(calls))) is not follows(wanted, made(calls))


# ---- INPUT-02 ---------------------------------------------------------------------------------

NINE = [
    ('{"n":1}', '{"n":1.0}', "all", True),
    ('{"n":1}', '{"n":true}', "all", False),
    ('{"n":0}', '{"n":false}', "all", False),
    ('{"n":1}', '{"n":"1"}', "all", False),
    ('{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}', "all", True),
    ('{"order":"W1","amount":20}', '{"order":"W1"}', "all", False),
    ('{"order":"W1","amount":20}', "{}", "all", False),
    ('{"order":"W1","note":null}', '{"order":"W1"}', "all", False),
    ('{"order":"W1"}', '{"order":"W1","note":null}', "all", False),
    ('{"order":"W1"}', '{"order":"W1","note":null}', "at_least", True),
    # more, by ruling 3: the other way around, minus zero, integers that a float cannot tell apart
    ('{"n":1.0}', '{"n":1}', "all", True),
    ('{"n":2}', '{"n":2.0}', "all", True),
    ('{"n":0}', '{"n":-0.0}', "all", True),
    ('{"n":[true]}', '{"n":[1]}', "all", False),
    ('{"n":9007199254740993}', '{"n":9007199254740992}', "all", False),
    ('{"n":1,"m":2}', '{"n":1,"m":3}', ["n"], True),
    ('{"n":1,"m":2}', '{"m":2}', ["n"], False),
]


@pytest.mark.parametrize(("expected", "actual", "compare", "equal"), NINE)
def test_when_arguments_are_equal(
    tmp_path: Path, expected: str, actual: str, compare: object, *, equal: bool
) -> None:
    """INPUT-02's nine rows and more, from a case file and a trace, as text and as an object."""
    entry = {"tool": "pay", "arguments": json.loads(expected), "compare": compare}
    text = json.dumps(entry).replace(json.dumps(json.loads(expected)), expected)
    cases = tmp_path / "cases.jsonl"
    line = '{"id":"c","task":"t","match":"exact","reference":[%s]}'
    cases.write_text(line % text, "utf-8")
    [case] = load_cases(cases).cases
    for given_as in (json.dumps(actual), actual):
        runs = tmp_path / "runs.jsonl"
        runs.write_text(
            '{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":'
            f'{{"name":"pay","arguments":{given_as}}}}}]}}]}}',
            "utf-8",
        )
        [record] = read(runs)
        calls = record.trajectory.calls
        assert follows(case.secret.reference, calls) is equal
        assert (None not in assign(case.secret.reference.entries, calls)) is equal


def test_raw_text_agrees_with_a_tool_only() -> None:
    """Arguments that are no object never equal expected ones."""
    broken = call("pay", '{"n": 1')
    assert expect("pay", None).agrees(broken)
    for compare in ("all", "at_least", ("n",)):
        assert not expect("pay", {"n": 1}, compare).agrees(broken)
        assert assign([expect("pay", {"n": 1}, compare)], [broken]) == [None]


# ---- assignment -------------------------------------------------------------------------------

ARGUMENTS = st.dictionaries(st.sampled_from("xy"), st.sampled_from([0, 1, True, "1"]), max_size=2)
TOOLS = st.sampled_from("ab")
CALLS = st.lists(st.builds(call, TOOLS, ARGUMENTS), max_size=6).map(numbered)
COMPARE = st.sampled_from(["all", "at_least", ("x",), ("x", "y")])
ENTRIES = st.lists(
    st.one_of(st.builds(expect, TOOLS, st.none()), st.builds(expect, TOOLS, ARGUMENTS, COMPARE)),
    max_size=5,
)
PLAIN = st.lists(st.builds(expect, TOOLS, st.none()), max_size=5)


def most(entries: Entries, calls: list[Call]) -> int:
    """Return the size of the largest one-to-one match, by trying everything."""

    @cache
    def best(at: int, used: frozenset[int]) -> int:
        if at == len(entries):
            return 0
        free = (p for p, each in enumerate(calls) if p not in used and entries[at].agrees(each))
        return max([best(at + 1, used), *(1 + best(at + 1, used | {place}) for place in free)])

    return best(0, frozenset())


@given(ENTRIES, CALLS)
def test_the_assignment_is_a_maximum(entries: Entries, calls: list[Call]) -> None:
    """Ruling 2: as many as brute force finds, every pair agrees, no call is used twice."""
    places = assign(entries, calls)
    used = [place for place in places if place is not None]
    assert len(used) == len(set(used)) == most(entries, calls)
    for entry, place in zip(entries, places, strict=True):
        assert place is None or entry.agrees(calls[place])
    assert count_matched(refer([(entry,) for entry in entries]), by_tool(calls)) == len(used)


@given(ENTRIES, CALLS, st.randoms(use_true_random=False))
def test_the_size_does_not_depend_on_the_order(entries: Entries, calls: list[Call], chance) -> None:  # noqa: ANN001  # random.Random, or Hypothesis' own
    """Ruling 2: listed in any other order, as many are found."""
    other, later = entries[:], calls[:]
    chance.shuffle(other)
    chance.shuffle(later)
    found = [place is not None for place in assign(entries, calls)]
    assert sum(place is not None for place in assign(other, later)) == sum(found)


def test_ties_go_to_the_earliest() -> None:
    """Of equal calls the first is taken."""
    assert assign([expect("a", None)], made("xaa")) == [1]
    assert assign([expect("a", {}), expect("a", {})], made("aaa")) == [0, 1]
    assert assign([expect("a", {}, "at_least")], made("aaa")) == [0]


def test_a_picky_entry_gets_the_call_that_only_it_can_use() -> None:
    """Two entries that fix some arguments compete, and both are served."""
    entries = [expect("a", {"x": 1}, "at_least"), expect("a", {"x": 1, "y": 2}, "at_least")]
    calls = [call("a", {"x": 1, "y": 2}), call("a", {"x": 1})]
    assert assign(entries, calls) == [1, 0]


@given(ENTRIES, CALLS, st.builds(call, TOOLS, ARGUMENTS))
def test_one_call_more_or_less(entries: Entries, calls: list[Call], extra: Call) -> None:
    """Recall never falls with a call more; precision never rises with one that is beside."""
    reference = refer([(entry,) for entry in entries])
    before = count_matched(reference, by_tool(calls))
    after = count_matched(reference, by_tool([*calls, extra]))
    assert before <= after <= before + 1
    beside = count_matched(reference, by_tool([*calls, call("z")]))
    assert beside == before
    assert beside / (len(calls) + 1) <= before / max(len(calls), 1)


@given(PLAIN, CALLS, st.sampled_from(["any_order", "superset", "multiset", "subset"]))
def test_only_two_modes_look_at_the_order(entries: Entries, calls: list[Call], mode: str) -> None:
    """Calls in another order change exact and in_order only."""
    reference = refer([(entry,) for entry in entries], mode)
    verdicts = {follows(reference, list(other)) for other in list(permutations(calls))[:50]}
    assert len(verdicts) == 1


@given(ENTRIES, CALLS)
def test_the_modes_follow_from_each_other(entries: Entries, calls: list[Call]) -> None:
    """Exact is in order and the same calls; both are supersets; the same calls are a subset."""
    groups = [(entry,) for entry in entries]
    found = {mode: follows(refer(groups, mode), calls) for mode in MODES}
    assert not found["exact"] or (found["in_order"] and found["multiset"])
    assert not found["in_order"] or found["superset"]
    assert not found["superset"] or found["any_order"]
    assert found["multiset"] is (found["superset"] and found["subset"])


@given(ENTRIES, CALLS)
def test_in_order_is_a_subsequence(entries: Entries, calls: list[Call]) -> None:
    """Article 000's function, and the same with every entry a group of one beside an equal one."""
    waiting = list(entries)
    for each in calls:
        if waiting and waiting[0].agrees(each):
            waiting.pop(0)
    groups = [(entry,) for entry in entries]
    assert follows(refer(groups, "in_order"), calls) is (not waiting)


@given(st.lists(ENTRIES, max_size=3), CALLS)
def test_groups_in_order_agree_with_brute_force(groups: list[Entries], calls: list[Call]) -> None:
    """Some way of cutting the calls gives every group its own part."""

    def fits(left: list[Entries], rest: list[Call]) -> bool:
        if not left:
            return True
        sizes = (n for n in range(len(rest) + 1) if most(left[0], rest[:n]) == len(left[0]))
        return any(fits(left[1:], rest[size:]) for size in sizes)

    reference = refer([tuple(group) for group in groups], "in_order")
    assert follows(reference, calls) is fits(groups, calls)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", ["group", "plain", "entries"])
def test_ten_thousand_calls_are_no_trouble(mode: str, shape: str) -> None:
    """No mode is quadratic in the calls: two seconds are far more than it takes."""
    pairs = [(expect("a", None), expect("b", {"x": 1}, "at_least"))]
    groups = {
        "group": pairs,
        "plain": [(entry,) for entry in pairs[0]],
        "entries": [(expect("a", {"n": n}),) for n in range(5000)],
    }[shape]
    calls = numbered([call("a", {"n": n}) for n in range(9999)] + [call("b", {"x": 1})])
    reference = refer(groups, mode)
    began = process_time()
    verdict = follows(reference, calls)
    found = explain_mismatch(reference, calls)
    assert process_time() - began < 2
    assert verdict is (mode in ("in_order", "any_order", "superset"))
    assert bool(found) is not verdict
