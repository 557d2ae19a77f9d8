"""The edges of the culprit on made-up runs: each rule of the attribution study, one at a time."""

import time
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from trayecto.case import AnswerCheck, Case, CaseInput, CaseSecret, expect, refer
from trayecto.facts import gather
from trayecto.metrics._blame import (
    article_by_code,
    article_by_text,
    first_deviation,
    first_error,
)
from trayecto.metrics.culprit import culprit, explain
from trayecto.scores import Culprit, Score
from trayecto.trajectory import Call, Child, Trajectory, Turn

ONE, TWO = {"order_id": "1"}, {"order_id": "2"}
STATE = {"state": False, "answer": True}  # the state is wrong, the answer is right
ANSWER = {"state": True, "answer": False}  # the state is right, the answer is wrong
PASSED = "every check we can make passed"
UNEXPLAINED = "a check failed, and no step that we can see explains it"


@dataclass
class Talk:
    """A conversation under construction; every method adds a turn and returns the talk."""

    turns: list[Turn] = field(default_factory=lambda: [Turn(1, "system", "policy")])
    calls: int = 0

    def _add(self, role: str, text: str | None, *calls: Call) -> "Talk":
        self.turns.append(Turn(len(self.turns) + 1, role, text, calls))
        return self

    def user(self, text: str) -> "Talk":
        """Add something that the user says."""
        return self._add("user", text)

    def agent(self, text: str) -> "Talk":
        """Add something that the agent says."""
        return self._add("assistant", text)

    def call(
        self, tool: str, arguments: object, outcome: str = "ok", seen: str | None = "done"
    ) -> "Talk":
        """Add a turn in which the agent makes one call."""
        return self.both((tool, arguments, outcome, seen))

    def both(self, *made: tuple[str, object, str, str | None], role: str = "assistant") -> "Talk":
        """Add a turn with several calls at once."""
        calls = []
        for tool, arguments, outcome, seen in made:
            self.calls += 1
            calls.append(Call(self.calls, tool, arguments, seen, outcome))
        return self._add(role, None, *calls)

    def run(self, checks: dict[str, bool] | None = None, **fields: object) -> Trajectory:
        """Return the trajectory of a run, failed unless told otherwise."""
        names = {"id": "r", "suite": "s", "candidate": "c", "case_id": "t", "trial": None}
        told = {"status": "completed", "success": False, "checks": checks or {}}
        return Trajectory(**(names | told | fields), turns=tuple(self.turns))


def case(*expected: object, says: tuple[str, ...] = (), **answer: object) -> Case:
    """Return a case with expected calls: tool, arguments and perhaps what counts of them."""
    reference = refer([(expect(*call),) for call in expected])
    check = AnswerCheck(says, **answer) if says or answer else None
    return Case("t", CaseInput(), CaseSecret(reference=reference, answer=check))


def says(*values: str, **answer: object) -> Case:
    """Return a case without a reference, whose answer holds some values."""
    return Case("t", CaseInput(), CaseSecret(answer=AnswerCheck(values, **answer)))


def score(trajectory: Trajectory, case: Case | None) -> Score:
    """Return the culprit's score."""
    return culprit(gather(trajectory, case), case)


def named(trajectory: Trajectory, case: Case | None) -> tuple[str, int, int | None]:
    """Return kind, turn and call of a culprit that must be there."""
    value = score(trajectory, case).value
    assert isinstance(value, Culprit)
    return value.kind, value.turn, value.call


def why(trajectory: Trajectory, case: Case | None) -> str | None:
    """Return the reason of a culprit that must not be there."""
    found = score(trajectory, case)
    assert found.value is None
    return found.why


def told(trajectory: Trajectory, case: Case | None) -> str:
    """Return the explanation in words."""
    return explain(gather(trajectory, case), case)


# ---------------------------------------------------------------- stage 0: which runs are asked


@pytest.mark.parametrize(
    "status", ["infra_error", "harness_error", "sim_invalid", "cancelled", "not_run"]
)
def test_a_run_that_broke_has_no_culprit(status: str) -> None:
    """Where the agent had no fair chance, none of its steps is to blame."""
    trajectory = Talk().call("pay", ONE).run(STATE, status=status)
    assert why(trajectory, case()) == f"the run broke ({status})"


def test_an_unknown_outcome_has_no_culprit() -> None:
    """A run that nobody graded is not accused, whatever it did."""
    trajectory = Talk().call("pay", ONE).run(success=None)
    assert why(trajectory, case()) == "nobody recorded whether the run failed"


@pytest.mark.parametrize("grade", ["missing", "held"])
def test_a_run_without_a_grade_has_no_culprit(grade: str) -> None:
    """A failure that is held back or was not graded is not known."""
    trajectory = Talk().call("pay", ONE).run(STATE, grade=grade)
    assert why(trajectory, case()) == "the run was not graded"


def test_a_success_with_a_wrong_state_is_a_flag() -> None:
    """A recorded success is not accused; the contradiction is said in words."""
    trajectory = Talk().call("pay", ONE).run(STATE, success=True)
    assert why(trajectory, case()) == "the run succeeded"
    assert told(trajectory, case()) == "undefined the run succeeded, with a wrong final state"


def test_a_success_needs_no_words() -> None:
    """Of a success that nothing contradicts, only the reason is said."""
    trajectory = Talk().call("pay", ONE).run({"state": True}, success=True)
    assert told(trajectory, case()) == "undefined the run succeeded"


def test_an_agent_error_is_asked() -> None:
    """An agent that crashed is to blame for what it wrote before."""
    trajectory = Talk().call("pay", ONE).run(status="agent_error")
    assert named(trajectory, case()) == ("wrong_write", 2, 1)


def test_without_a_case_nothing_is_checked() -> None:
    """With no reference and no answer there is nothing to walk back from."""
    trajectory = Talk().call("pay", ONE, "error").run()
    assert why(trajectory, None) == "no reference path and no expected value"
    assert why(trajectory, says()) == "no reference path and no expected value"


@pytest.mark.parametrize("turns", [Talk([]), Talk(), Talk().user("hello")])
def test_an_agent_that_took_no_turn_has_no_culprit(turns: Talk) -> None:
    """An empty run is undefined: there is no step to name."""
    assert why(turns.run(STATE), case(("pay", ONE))) == "the agent took no turn"


def test_a_failure_that_nothing_explains() -> None:
    """A check that failed is not called passed because no step was found."""
    trajectory = Talk().call("pay", ONE).run(STATE)
    assert why(trajectory, case(("pay", ONE))) == UNEXPLAINED
    assert told(trajectory, case(("pay", ONE))).startswith(f"undefined {UNEXPLAINED}\nbeside")


def test_a_failure_in_what_nobody_checks() -> None:
    """Where all that can be checked is right, the reason says so."""
    trajectory = Talk().call("pay", ONE).run()
    assert why(trajectory, case(("pay", ONE))) == PASSED
    assert told(trajectory, case(("pay", ONE))).startswith(f"undefined {PASSED}\nbeside")


# ---------------------------------------------------------------- stage 2: wrong writes


def test_no_expected_write() -> None:
    """Where the reference writes nothing, the first write is wrong."""
    trajectory = Talk().call("get_x", ONE).call("pay", ONE).call("pay", TWO).run(STATE)
    assert named(trajectory, case(("get_x", ONE))) == ("wrong_write", 3, 2)
    assert named(trajectory, case()) == ("wrong_write", 3, 2)


def test_the_same_right_write_twice() -> None:
    """An expected write is used up by the first call; the second is one too many."""
    trajectory = Talk().call("pay", ONE).call("pay", ONE).run(STATE)
    assert named(trajectory, case(("pay", ONE))) == ("wrong_write", 3, 2)
    assert why(trajectory, case(("pay", ONE), ("pay", ONE))) == UNEXPLAINED


def test_an_expected_write_is_found_in_any_order() -> None:
    """The order of writes is no matter of this metric."""
    trajectory = Talk().call("pay", TWO).call("pay", ONE).run(STATE)
    assert why(trajectory, case(("pay", ONE), ("pay", TWO))) == UNEXPLAINED


def test_loose_entries_are_given_out_without_waste() -> None:
    """A call that two entries agree with does not take the one that another call needs."""
    both, first = ONE | {"note": "x"}, ("pay", ONE, "at_least")
    trajectory = Talk().call("pay", both).call("pay", ONE).run(STATE)
    assert why(trajectory, case(first, ("pay", both))) == UNEXPLAINED


def test_reads_are_never_compared() -> None:
    """With no write on either side nothing is said of how the agent looked things up."""
    trajectory = Talk().call("get_x", TWO).call("search", ONE, "error").run(STATE)
    assert why(trajectory, case(("get_x", ONE), ("find_y", ONE))) == UNEXPLAINED


def test_a_name_of_any_length_is_judged() -> None:
    """A tool's effect is guessed from how its name begins, however long it is."""
    long = "x" * 1000
    assert named(Talk().call(f"pay_{long}", ONE).run(STATE), case()) == ("wrong_write", 2, 1)
    assert why(Talk().call(f"get_{long}", ONE).run(STATE), case()) == UNEXPLAINED


def test_handing_over_is_no_write() -> None:
    """A transfer ends the conversation and changes nothing."""
    trajectory = Talk().call("transfer_to_human_agents", {}).run(STATE)
    assert why(trajectory, case()) == UNEXPLAINED


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ({"n": [1, 2]}, {"n": [2, 1]}),
        ({"n": True}, {"n": 1}),
        ({"n": "1"}, {"n": 1}),
        ({"n": 1, "m": None}, {"n": 1}),
        ({}, {"n": 1}),
        ('{"n": 1', {"n": 1}),
    ],
)
def test_arguments_that_differ(made: object, expected: dict[str, object]) -> None:
    """Lists keep their order, types and absence count, and raw text cannot match."""
    trajectory = Talk().call("pay", made).run(STATE)
    assert named(trajectory, case(("pay", expected))) == ("wrong_write", 2, 1)


@pytest.mark.parametrize("compare", ["at_least", ("order_id",)])
def test_the_case_says_which_arguments_count(compare: object) -> None:
    """An argument that the case leaves out may be anything."""
    trajectory = Talk().call("pay", ONE | {"note": "hello"}).run(STATE)
    assert why(trajectory, case(("pay", ONE, compare))) == UNEXPLAINED
    assert named(trajectory, case(("pay", ONE))) == ("wrong_write", 2, 1)


def test_an_entry_without_arguments_takes_any() -> None:
    """A reference that names a tool only is met by any call of it."""
    trajectory = Talk().call("pay", TWO).run(STATE)
    assert why(trajectory, case(("pay", None))) == UNEXPLAINED


def test_an_unknown_result_is_no_error() -> None:
    """A write without a known outcome counts as done."""
    trajectory = Talk().call("pay", ONE, "unknown").run(STATE)
    assert why(trajectory, case(("pay", ONE))) == UNEXPLAINED
    assert named(trajectory, case(("pay", TWO))) == ("wrong_write", 2, 1)


def test_parallel_calls() -> None:
    """Of the calls of one turn the first is named."""
    trajectory = Talk().both(("pay", ONE, "ok", ""), ("pay", TWO, "ok", "")).run(STATE)
    assert named(trajectory, case()) == ("wrong_write", 2, 1)


def test_the_user_s_own_calls_are_not_the_agent_s() -> None:
    """What a simulated user does is never the agent's fault, nor its merit."""
    talk = Talk().both(("pay", ONE, "ok", ""), role="user").agent("bye")
    assert why(talk.run(STATE), case()) == UNEXPLAINED
    assert named(talk.run(STATE), case(("pay", ONE))) == ("never_done", 3, None)


def test_a_right_state_closes_the_writes() -> None:
    """Where the final state is known to be right, no write was wrong."""
    trajectory = Talk().call("pay", TWO).run(ANSWER)
    assert why(trajectory, case(("pay", ONE))) == UNEXPLAINED


def test_an_unknown_state_opens_the_writes() -> None:
    """A state that nobody looked at may be wrong, even where the answer is."""
    trajectory = Talk().call("pay", TWO).run({"answer": False})
    assert named(trajectory, case(("pay", ONE), says=("7",))) == ("wrong_write", 2, 1)


# ---------------------------------------------------------------- stage 2: refused writes


def test_a_refused_write() -> None:
    """A write that failed and was not tried again is where the run broke."""
    trajectory = Talk().call("pay", ONE, "error").agent("sorry").run(STATE)
    assert named(trajectory, case(("pay", ONE))) == ("refused_write", 2, 1)


def test_a_refused_write_where_none_is_expected() -> None:
    """What was refused did no harm where nothing was to be written."""
    trajectory = Talk().call("pay", ONE, "error").run(STATE)
    assert why(trajectory, case()) == UNEXPLAINED


def test_recovered_by_the_same_tool() -> None:
    """A refused write is forgiven when its tool succeeds later, with any arguments."""
    trajectory = Talk().call("pay", TWO, "error").call("pay", ONE).run(STATE)
    assert why(trajectory, case(("pay", ONE))) == UNEXPLAINED


def test_recovered_by_the_same_arguments() -> None:
    """A refused write is forgiven when another tool succeeds with its arguments."""
    trajectory = Talk().call("ship", ONE, "error").call("pay", ONE).run(STATE)
    assert why(trajectory, case(("pay", ONE))) == UNEXPLAINED
    other = Talk().call("ship", TWO, "error").call("pay", ONE).run(STATE)
    assert named(other, case(("pay", ONE))) == ("refused_write", 2, 1)


def test_an_earlier_success_recovers_nothing() -> None:
    """What succeeded before the refusal did not make it good."""
    trajectory = Talk().call("pay", ONE).call("pay", TWO, "error").run(STATE)
    assert named(trajectory, case(("pay", ONE))) == ("refused_write", 3, 2)


def test_raw_text_recovers_nothing() -> None:
    """Two calls with the same broken arguments are not known to ask for the same."""
    trajectory = Talk().call("ship", "{", "error").call("pay", "{").run(STATE)
    assert named(trajectory, case(("pay", ONE))) == ("refused_write", 2, 1)


def test_blocked_by_an_earlier_write() -> None:
    """A right write that an earlier one on the same entity made impossible is not at fault."""
    talk = Talk().call("pay", ONE).call("note", ONE).call("pay", TWO).call("ship", ONE, "error")
    expected = [("ship", ONE), ("pay", ONE), ("note", ONE), ("pay", TWO)]
    assert named(talk.run(STATE), case(*expected)) == ("blocked_by", 3, 2)


def test_blocked_by_the_last_of_several_entities() -> None:
    """Of the writes on anything that a refused one is about, the last is the cause."""
    both = ONE | {"user_id": "u"}
    talk = Talk().call("pay", ONE).call("note", {"user_id": "u"}).call("ship", both, "error")
    expected = case(("pay", ONE), ("note", {"user_id": "u"}), ("ship", both))
    assert named(talk.run(STATE), expected) == ("blocked_by", 3, 2)
    talk = Talk().call("note", {"user_id": "u"}).call("pay", ONE).call("ship", both, "error")
    assert named(talk.run(STATE), expected) == ("blocked_by", 3, 2)


def test_not_blocked_by_a_write_on_another_entity() -> None:
    """A write on something else is no cause."""
    trajectory = Talk().call("pay", TWO).call("ship", ONE, "error").run(STATE)
    assert named(trajectory, case(("ship", ONE), ("pay", TWO))) == ("refused_write", 3, 2)


def test_a_wrong_refused_write_is_not_blocked() -> None:
    """Only a write that the reference has can have been made impossible."""
    trajectory = Talk().call("pay", ONE).call("ship", ONE, "error").run(STATE)
    assert named(trajectory, case(("pay", ONE))) == ("refused_write", 3, 2)


def test_entities_need_a_name_and_a_value() -> None:
    """An empty id, or a value that is no id, ties no two writes together."""
    empty = {"order_id": "", "amount": 5}
    trajectory = Talk().call("pay", empty).call("ship", empty, "error").run(STATE)
    assert named(trajectory, case(("ship", empty), ("pay", empty))) == ("refused_write", 3, 2)


def test_blocked_where_the_case_compares_some_arguments() -> None:
    """Whether the reference has a refused write is asked as the case compares."""
    trajectory = Talk().call("pay", ONE).call("ship", ONE | {"n": 1}, "error").run(STATE)
    loose = case(("pay", ONE), ("ship", ONE, "at_least"))
    assert named(trajectory, loose) == ("blocked_by", 2, 1)
    by_tool = case(("pay", ONE), ("ship", None))
    assert named(trajectory, by_tool) == ("blocked_by", 2, 1)


def test_raw_text_is_about_nothing() -> None:
    """A refused call with broken arguments names no entity and is no expected write."""
    trajectory = Talk().call("pay", ONE).call("ship", "{", "error").run(STATE)
    assert named(trajectory, case(("pay", ONE), ("ship", ONE))) == ("refused_write", 3, 2)


def test_the_earliest_candidate_wins() -> None:
    """A wrong write before a refused one is named, and a refused one before a wrong one."""
    wrong, refused = ("note", TWO, "ok", ""), ("ship", TWO, "error", "")
    first, second = Talk().both(wrong, refused), Talk().both(refused, wrong)
    assert named(first.run(STATE), case(("pay", ONE))) == ("wrong_write", 2, 1)
    other = case(("pay", ONE), ("note", ONE))
    different = Talk().both(("ship", ONE, "error", ""), wrong)
    assert named(different.run(STATE), other) == ("refused_write", 2, 1)
    assert named(second.run(STATE), case(("pay", ONE))) == ("wrong_write", 2, 2)


# ---------------------------------------------------------------- stage 3: never done


def test_never_done() -> None:
    """A write that nobody made has no call and stands at the agent's last turn."""
    trajectory = Talk().call("pay", ONE).agent("done").user("thanks").run(STATE)
    found = score(trajectory, case(("pay", ONE), ("ship", ONE))).value
    assert found == Culprit(3, None, "never_done", "ship", "no step did ship")


def test_the_first_write_that_is_missing_is_named() -> None:
    """Of several writes that nobody made, the reference's first is named."""
    trajectory = Talk().call("pay", ONE).run(STATE)
    value = score(trajectory, case(("pay", ONE), ("ship", TWO), ("pay", TWO))).value
    assert isinstance(value, Culprit)
    assert value.tool == "ship"


def test_a_sub_agent_may_have_done_it() -> None:
    """Where a sub-agent ran, an absence is not claimed: its calls are in its own trajectory."""
    child = Child(Talk().call("pay", ONE).run())
    trajectory = Talk().agent("done").run(STATE)
    assert named(trajectory, case(("pay", ONE))) == ("never_done", 2, None)
    with_child = replace(trajectory, children=(child,))
    assert why(with_child, case(("pay", ONE))) == UNEXPLAINED


# ---------------------------------------------------------------- stage 4: value never said


def test_the_first_made_up_value() -> None:
    """The turn that says a value of the same shape which nobody had shown is named."""
    talk = Talk().user("I paid 9.10").call("get_x", ONE, seen='{"p": [8.20]}')
    talk.agent("9.10 it is").agent("8.2 it is").agent("5.00 it is").agent("bye")
    assert named(talk.run(ANSWER), says("7.50")) == ("value_never_said", 6, None)


def test_else_the_first_value_of_the_shape() -> None:
    """Where every value had been shown, the first turn with one is named."""
    talk = Talk().user("9.10").agent("hello").agent("9.10 it is").agent("9.10").agent("bye")
    assert named(talk.run(ANSWER), says("7.50")) == ("value_never_said", 4, None)


@pytest.mark.parametrize("value", ["blue", "12345", "7.50"])
def test_else_the_last_turn(value: str) -> None:
    """A value with no shape, or of which no turn says one, is missed at the end."""
    talk = Talk().agent("hello 3").agent("it is 4").agent("bye")
    assert named(talk.run(ANSWER), says(value)) == ("value_never_said", 4, None)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("7", "3 items"),
        ("$1,234", "it is $1,235."),
        ("123456", "number 1,234,567!"),
        ("0.5", "about 0.25, sir"),
        ("0.5", "(0.25)"),
    ],
)
def test_the_shapes_of_values(value: str, text: str) -> None:
    """Small, long and decimal numbers are looked for as the text writes them."""
    talk = Talk().agent("hello").agent(text).agent("bye")
    assert named(talk.run(ANSWER), says(value)) == ("value_never_said", 3, None)


@pytest.mark.parametrize(
    "text", ["#W3", "3rd", "1. first\n 2) second", "v1.2.3", "a.5", "3.5", "123456", "٣"]
)
def test_what_is_no_number_of_the_shape(text: str) -> None:
    """Digits inside words, numbers of a list and other shapes are no small number."""
    talk = Talk().agent("hello").agent(text).agent("bye")
    assert named(talk.run(ANSWER), says("7")) == ("value_never_said", 4, None)


@pytest.mark.parametrize("seen", ["[100,200]", "1,200 and 100", '{"a": 0100.0, "b": "200"}'])
def test_a_value_may_be_shown_in_several_ways(seen: str) -> None:
    """Commas may group or separate, and zeros may be written or not."""
    talk = Talk().call("get_x", ONE, seen=seen).agent("100").agent("9 of them").agent("bye")
    assert named(talk.run(ANSWER), says("7")) == ("value_never_said", 4, None)


def test_grouped_digits_are_one_number() -> None:
    """What an observation or the user writes with a comma is not made up when it is repeated."""
    talk = Talk().user("1,200 please").agent("1,200 or 1200").agent("9 of them").agent("bye")
    assert named(talk.run(ANSWER), says("7")) == ("value_never_said", 4, None)


@pytest.mark.parametrize("text", ["v 1.2.3", "a1.5", "1.5x", "$15", "2.50.", "2.50%"])
def test_decimals_stand_alone(text: str) -> None:
    """A version or a word is no decimal; a sign or the end of a sentence may touch it."""
    talk = Talk().agent("hello").agent(text).agent("bye")
    turn = 3 if text.startswith("2.50") else 4
    assert named(talk.run(ANSWER), says("7.50")) == ("value_never_said", turn, None)


def test_what_is_shown_later_does_not_count() -> None:
    """A value that an observation shows only afterwards was made up."""
    talk = Talk().agent("it is 5").call("get_x", ONE, seen="5").agent("6").run(ANSWER)
    assert named(talk, says("7")) == ("value_never_said", 2, None)


def test_the_values_of_the_policy_are_not_shown() -> None:
    """A number of the instructions does not vouch for a number that was said."""
    talk = Talk([Turn(1, "system", "at most 5 items")]).agent("it is 5").agent("6")
    assert named(talk.run(ANSWER), says("7")) == ("value_never_said", 2, None)


def test_a_value_that_was_said() -> None:
    """A value said anywhere, case and commas aside, is no absence unless the answer was wrong."""
    trajectory = Talk().agent("It is 1,234.50 GOLD").agent("bye").run()
    assert why(trajectory, says("1234.50", "gold")) == PASSED
    wrong = replace(trajectory, checks={"answer": False})
    assert named(wrong, says("1234.50", "gold")) == ("value_never_said", 2, None)
    assert "the answer was judged wrong" in told(wrong, says("1234.50"))


def test_a_right_answer_closes_the_stage() -> None:
    """An answer that is known to be right is not looked into."""
    trajectory = Talk().agent("bye").run({"answer": True})
    assert why(trajectory, says("7")) == PASSED


def test_an_answer_that_must_be_equal() -> None:
    """What the answer must be is a value like those that it must hold."""
    trajectory = Talk().agent("it is 5").agent("bye").run(ANSWER)
    assert named(trajectory, says(equals="7")) == ("value_never_said", 2, None)
    assert named(trajectory, case(equals="7")) == ("value_never_said", 2, None)


def test_writes_come_first() -> None:
    """The answer is asked only where the writes explain nothing."""
    trajectory = Talk().agent("it is 5").call("pay", TWO).run()
    assert named(trajectory, case(("pay", ONE), says=("7",))) == ("wrong_write", 3, 1)
    assert named(trajectory, case(("pay", TWO), says=("7",))) == ("value_never_said", 2, None)


# ---------------------------------------------------------------- running out


@pytest.mark.parametrize("status", ["budget_exceeded", "deadline_exceeded"])
@pytest.mark.parametrize("success", [False, None])
def test_a_run_that_ran_out(status: str, success: bool | None) -> None:  # noqa: FBT001  # a parameter
    """The last step is named where no stage names one, also where nobody graded the run."""
    trajectory = Talk().call("get_x", ONE).run(status=status, success=success)
    assert named(trajectory, None) == ("ran_out", 2, 1)
    assert f"ran out: {status}" in told(trajectory, None)


def test_a_run_that_ran_out_talking() -> None:
    """Where the last turn calls nothing, no call is named."""
    trajectory = Talk().call("get_x", ONE).agent("one moment").run(status="budget_exceeded")
    assert named(trajectory, None) == ("ran_out", 3, None)


def test_a_stage_comes_before_running_out() -> None:
    """A wrong write explains more than the end of the budget, which is said beside it."""
    talk = Talk().call("pay", TWO).call("get_x", ONE)
    trajectory = talk.run(status="budget_exceeded")
    assert named(trajectory, case(("pay", ONE))) == ("wrong_write", 2, 1)
    assert "ran out: budget_exceeded" in told(trajectory, case(("pay", ONE)))


def test_a_success_within_the_last_of_the_budget() -> None:
    """A recorded success is a success, however the run ended."""
    trajectory = Talk().call("get_x", ONE).run(status="budget_exceeded", success=True)
    assert why(trajectory, None) == "the run succeeded"


# ---------------------------------------------------------------- what to look at second


@pytest.mark.parametrize(
    "text", ["Yes please", "ok", " Sure, go on", "Sí, por favor", "si", "dale", "yep!", "Yeah."]
)
def test_a_bare_confirmation_is_no_request(text: str) -> None:
    """Who only says yes asked for something before."""
    trajectory = Talk().user("cancel it").agent("sure?").user(text).call("pay", ONE).run(STATE)
    assert score(trajectory, case()).value.also == 2


@pytest.mark.parametrize("text", ["since you ask", "okra", "no", "ja, bitte", "yes " + "x" * 97])
def test_anything_else_is_a_request(text: str) -> None:
    """A confirmation is a word of its own and short; other languages are taken as requests."""
    trajectory = Talk().user("cancel it").agent("sure?").user(text).call("pay", ONE).run(STATE)
    assert score(trajectory, case()).value.also == 4


def test_what_the_user_says_later_is_no_cause() -> None:
    """The request stands before the culprit, or there is none."""
    trajectory = Talk().call("pay", ONE).user("hello").agent("hi").run(STATE)
    assert score(trajectory, case()).value.also is None
    assert "look also" not in told(trajectory, case())


# ---------------------------------------------------------------- the article's facts


def calls(*tools: str) -> list[Call]:
    """Return calls by name; a name that ends in ! failed."""
    return [
        Call(index, tool.rstrip("!"), {}, "", "error" if tool.endswith("!") else "ok")
        for index, tool in enumerate(tools, 1)
    ]


@pytest.mark.parametrize(
    ("made", "error", "deviation", "text", "code"),
    [
        (["a", "b"], None, None, None, None),
        (["a", "x", "b"], None, 2, 2, None),
        (["a", "x"], None, 2, 2, 2),
        (["b", "a"], None, 2, 2, 2),
        (["a"], None, 1, 1, 1),
        (["x", "a", "b!"], 3, 1, 1, 3),
        (["a!", "x"], 1, 2, 1, 1),
        ([], None, None, None, None),
    ],
)
def test_the_article_s_rule(
    made: list[str], error: int | None, deviation: int | None, text: int | None, code: int | None
) -> None:
    """The text takes whichever comes first; the code the error, then the broken order."""
    reference = refer([(expect("a", None),), (expect("b", None),)])
    done = calls(*made)
    found = [
        first_error(done),
        first_deviation(done, reference),
        article_by_text(done, reference),
        article_by_code(done, reference),
    ]
    assert [call and call.index for call in found] == [error, deviation, text, code]


def test_the_article_s_rule_without_a_reference() -> None:
    """Nothing deviates from no reference, nor from an empty one: only an error is left."""
    done = calls("a", "b!")
    assert first_deviation(done, refer([])) is None
    for reference in (None, refer([])):
        assert article_by_text(done, reference) is done[1]
        assert article_by_code(done, reference) is done[1]
        assert article_by_code(done[:1], reference) is None


# ---------------------------------------------------------------- in words


def test_a_wrong_write_in_words() -> None:
    """The report says where, what the reference has instead, where else to look, how sure."""
    right = ONE | {"n": 2, "items": [1]}
    talk = Talk().user("cancel it").call("cancel", right | {"n": 3}).agent("done")
    counts = "this kind was exact in 9 of 18 labelled runs, within 3 turns in 13"
    people = "people agree with each other in 12 of 23"
    guess = "what tools write is guessed from their names"
    assert told(talk.run(STATE), case(("cancel", right))).splitlines() == [
        "broke at  turn 3, call 1  cancel   the reference has no such cancel, but one with n=2",
        "look also turn 2 (user: the request before it)",
        f"evidence  wrong write · {counts} · {people} · {guess}",
        "beside    first error: none",
        "          first deviation from the reference: none",
        "          article 000 blames none by its text, none by its code",
    ]


def test_the_closest_expected_write_is_shown() -> None:
    """Of several writes of the tool, the one that differs least is what may have been meant."""
    far, near = {"id": "9", "n": 9, "m": 9}, {"id": "1", "n": 2, "m": 3}
    trajectory = Talk().call("pay", near | {"n": 1}).run(STATE)
    assert "but one with n=2\n" in told(trajectory, case(("pay", far), ("pay", near)))


def test_a_wrong_write_without_a_like_in_words() -> None:
    """Where the reference has no write of the tool, no other is offered."""
    line = told(Talk().call("pay", ONE).run(STATE), case(("ship", ONE))).splitlines()[0]
    assert line == "broke at  turn 2, call 1  pay   the reference has no such pay"


def test_raw_text_in_words() -> None:
    """For arguments that are no object the whole expected call is shown."""
    text = told(Talk().call("pay", "{").run(STATE), case(("pay", ONE)))
    assert "the reference has no such pay, but one with order_id='1'" in text


def test_an_absence_in_words() -> None:
    """An absence is told as one, with what the reference has."""
    line = told(Talk().agent("bye").run(STATE), case(("pay", ONE))).splitlines()[0]
    assert line == (
        "broke at  turn 2 (the last)   no step did pay, which the reference has with order_id='1'"
    )


def test_long_arguments_are_cut() -> None:
    """A report stays readable whatever a case or an agent writes."""
    text = told(Talk().agent("bye").run(STATE), case(("pay", {"note": "x" * 5000})))
    assert len(text.splitlines()[0]) < 300
    long = told(Talk().agent("bye").run(ANSWER), says("x" * 5000))
    assert len(long.splitlines()[0]) < 150


def test_a_kind_without_labels_in_words() -> None:
    """Where no labelled run had the kind, the report says so and gives no count."""
    text = told(Talk().agent("bye").run(status="budget_exceeded"), None)
    assert "evidence  ran out · not held against labelled runs" in text


def test_loops_stand_beside() -> None:
    """The same call with the same result three times is told; with another result it is not."""
    talk = Talk()
    for seen in ("same", "same", "other", "same"):
        talk.call("get_x", ONE, seen=seen)
    assert "loop: call 1 get_x, 3 times with one result" in told(talk.run(), None)
    shorter = Talk(talk.turns[:-1])
    assert "loop" not in told(shorter.run(), None)


def test_calls_without_a_result_are_no_loop() -> None:
    """Without an observation nobody knows whether the result was the same."""
    talk = Talk()
    for _ in range(3):
        talk.call("get_x", ONE, "unknown", None)
    assert "loop" not in told(talk.run(), None)


def test_the_user_s_loop_is_not_the_agent_s() -> None:
    """What a simulated user repeats is not told of the agent."""
    talk = Talk().both(*[("get_x", ONE, "ok", "same")] * 3, role="user").agent("bye")
    assert "loop" not in told(talk.run(), None)


def test_a_refusal_in_words() -> None:
    """The evidence names the call that a culprit made fail."""
    trajectory = Talk().call("pay", ONE).call("ship", ONE, "error").run(STATE)
    line = told(trajectory, case(("pay", ONE), ("ship", ONE))).splitlines()[0]
    assert line.endswith("pay   it made call 2, ship, fail, which the reference has")


# ---------------------------------------------------------------- hostile runs


def seconds(trajectory: Trajectory, case: Case) -> float:
    """Return the processor time of one score."""
    facts = gather(trajectory, case)
    start = time.process_time()
    culprit(facts, case)
    return time.process_time() - start


def big(count: int, outcome: str) -> Trajectory:
    """Return a run of many writes, each of its own, all on one entity."""
    made = [("pay", ONE | {"n": n}, outcome, "") for n in range(count)]
    return Talk().call("open", ONE).both(*made).run(STATE)


@pytest.mark.parametrize("outcome", ["ok", "error"])
def test_many_calls_against_many_expected_ones(outcome: str) -> None:
    """Five thousand writes against five thousand others take less than two seconds."""
    expected = [("pay", ONE | {"n": -n}) for n in range(1, 5001)]
    asked = case(("open", ONE), *expected)
    assert seconds(big(5000, outcome), asked) < 2


def test_many_tools() -> None:
    """Five thousand different tools on each side take less than two seconds."""
    made = [(f"pay_{n}", ONE, "ok", "") for n in range(5000)]
    trajectory = Talk().both(*made).run(STATE)
    assert seconds(trajectory, case(*((f"pay_{n}", TWO) for n in range(5000)))) < 2


@pytest.mark.parametrize(
    "text",
    ["\n" * 10**6, " " * 10**6, "1" * 10**6, "1," * 500_000, "1." * 500_000, "1\n" * 500_000],
)
def test_texts_made_to_be_slow(text: str) -> None:
    """A megabyte of the worst text is scanned in less than two seconds."""
    talk = Talk().call("get_x", ONE, seen=text).agent(text).agent("5")
    assert seconds(talk.run(ANSWER), says("7.5")) < 2


def test_numbers_beyond_a_megabyte_are_not_read() -> None:
    """What stands far behind in a text counts as not contained, in both directions."""
    far = " " * (1 << 20) + "5"
    talk = Talk().call("get_x", ONE, seen=far).agent(far).agent("it is 5").agent("bye")
    assert named(talk.run(ANSWER), says("7")) == ("value_never_said", 4, None)


def test_huge_numbers_are_numbers() -> None:
    """A number of any length is compared, not converted."""
    huge = "9" * 100_000
    talk = Talk().user(huge).agent(huge).agent(f"{huge}1").agent("bye")
    assert named(talk.run(ANSWER), says("123456")) == ("value_never_said", 4, None)


def test_scores_of_the_same_run_are_equal() -> None:
    """Asking twice gives the same, and what is asked is not changed."""
    trajectory = Talk().user("x").call("pay", TWO).call("ship", ONE, "error").run(STATE)
    asked, before = case(("pay", ONE)), repr(trajectory)
    assert score(trajectory, asked) == score(trajectory, asked)
    assert repr(trajectory) == before
