"""What differs between two candidates."""

from msgspec.structs import replace

from trayecto.comparison import Differs
from trayecto.decisions._setup import SHOWN, Setup, compare_setups
from trayecto.trajectory import Spent, Tool, Trajectory, Turn, Usage

RUN = Trajectory(id="r", suite="s", candidate="c", case_id="k", trial=None, turns=())
PROMPT = Turn(1, "system", "Be kind.")


def differences(pairs: list[tuple[Setup, Setup]]) -> list[Differs]:
    """Return what differs."""
    return compare_setups(pairs).differs


def seen(**fields: object) -> Setup:
    """Return what is seen of one run."""
    found = Setup()
    found.add(replace(RUN, **fields))
    return found


def test_the_model_by_what_was_spent_or_said() -> None:
    """Either place tells it."""
    one = seen(spent=(Spent("small", Usage(1, 0, 0, 1)),))
    other = seen(turns=(Turn(1, "assistant", "hi", model="large"),))
    (found,) = differences([(one, other)])
    assert (found.aspect, found.base, found.candidate) == ("model", ["small"], ["large"])


def test_the_prompt_by_its_digest() -> None:
    """The text itself is not repeated."""
    (found,) = differences([(seen(turns=(PROMPT,)), seen(turns=(replace(PROMPT, text="Go."),)))])
    assert found.aspect == "prompt"
    assert all(text.startswith("sha256:") for text in [*found.base, *found.candidate])


def test_a_tool_by_name_description_and_schema() -> None:
    """A changed description is another tool to the model, and only what differs is named."""
    kept, old = Tool("look", "Looks."), Tool("pay", "Pays.")
    (found,) = differences(
        [(seen(tools=(kept, old)), seen(tools=(kept, replace(old, description="Pays now."))))]
    )
    assert found.aspect == "tools"
    assert [name.partition(" ")[0] for name in found.base + found.candidate] == ["pay", "pay"]


def test_options_that_a_record_tells() -> None:
    """A field that no format knows, if it is one of a model's options."""
    one, other = seen(extra={"temperature": 0}), seen(extra={"temperature": 1, "note": "x"})
    (found,) = differences([(one, other)])
    assert (found.base, found.candidate) == (["temperature=0"], ["temperature=1"])


def test_what_one_side_does_not_tell_is_no_difference() -> None:
    """A trace without models does not say that they differ."""
    assert differences([(seen(), seen(spent=(Spent("m", None),)))]) == []
    assert differences([(seen(turns=(PROMPT,)), seen(turns=(PROMPT,)))]) == []
    assert differences([]) == []


def test_an_option_that_one_side_tells_is_no_difference() -> None:
    """A seed beside the same temperature."""
    one, other = seen(extra={"temperature": 0}), seen(extra={"temperature": 0, "seed": 1})
    assert compare_setups([(one, other)]).same == ["options"]


def test_what_is_the_same_is_no_silence() -> None:
    """The model is told by both and the same, the prompt by one, tools and options by none."""
    model = (Spent("m", None),)
    found = compare_setups([(seen(spent=model, turns=(PROMPT,)), seen(spent=model))])
    assert (found.same, found.untold) == (["model"], ["prompt", "tools", "options"])


def test_many_values_are_counted() -> None:
    """The first are named, and how many more there are."""
    many = seen(spent=tuple(Spent(f"m{number}", None) for number in range(SHOWN + 3)))
    (found,) = differences([(many, seen(spent=(Spent("x", None),)))])
    assert found.base == [*(f"m{number}" for number in range(SHOWN)), "+3"]
