"""Tests of token counts: four disjoint buckets, and unknown where a count cannot be."""

import msgspec
import pytest

from trayecto.trajectory import Spent, Turn, Usage
from trayecto.wire.usage import MOST, OpenAIUsage, add_up, add_up_by_model, spend

KNOWN = {"prompt_tokens": 1, "completion_tokens": 2}


def buckets(**fields: object) -> Usage | None:
    """Return the buckets of usage as it stands in a file."""
    return msgspec.convert(fields, OpenAIUsage).buckets()


def said(usage: Usage | None, model: str | None = None) -> Turn:
    """Return a generation with its usage."""
    return Turn(1, "assistant", "x", usage=usage, model=model)


def test_cached_tokens_lie_inside_the_input() -> None:
    """2,500 tokens of which 2,000 were cached are 500 fresh ones, never 4,500."""
    found = buckets(
        prompt_tokens=2500, completion_tokens=50, prompt_tokens_details={"cached_tokens": 2000}
    )
    assert found == Usage(500, 2000, 0, 50)


def test_reasoning_lies_inside_the_output() -> None:
    """It is kept apart, and not added."""
    details = {"reasoning_tokens": 30}
    found = buckets(prompt_tokens=10, completion_tokens=50, completion_tokens_details=details)
    assert found == Usage(10, None, None, 50, 30)


def test_the_names_of_responses_are_read_too() -> None:
    """The newer endpoint calls prompt and completion input and output."""
    found = buckets(
        input_tokens=100,
        output_tokens=20,
        total_tokens=120,
        input_tokens_details={"cached_tokens": 64},
        output_tokens_details={"reasoning_tokens": 0},
    )
    assert found == Usage(36, 64, 0, 20, 0)


@pytest.mark.parametrize("details", [None, {}, {"cached_tokens": None}, {"audio_tokens": 1}])
def test_cached_tokens_that_are_not_told_are_unknown(details: object) -> None:
    """Then input is all input: nobody said that none of it was cached."""
    found = buckets(prompt_tokens=7, completion_tokens=0, prompt_tokens_details=details)
    assert found == Usage(7, None, None, 0)


def test_nothing_cached_is_a_count() -> None:
    """A 0 that was told is a 0."""
    details = {"cached_tokens": 0}
    found = buckets(prompt_tokens=7, completion_tokens=0, prompt_tokens_details=details)
    assert found == Usage(7, 0, 0, 0)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"prompt_tokens": 10},
        {"completion_tokens": 10},
        {"prompt_tokens": -1, "completion_tokens": 2},
        {"prompt_tokens": 1, "completion_tokens": -2},
        {**KNOWN, "prompt_tokens_details": {"cached_tokens": 2}},
        {**KNOWN, "prompt_tokens_details": {"cached_tokens": -1}},
        {**KNOWN, "completion_tokens_details": {"reasoning_tokens": 3}},
        {**KNOWN, "completion_tokens_details": {"reasoning_tokens": -1}},
    ],
)
def test_a_count_that_cannot_be_makes_usage_unknown(fields: dict[str, object]) -> None:
    """A missing or negative count, or one smaller than its own part, is no 0 (J14)."""
    assert buckets(**fields) is None


def test_usage_is_summed_by_model() -> None:
    """A generation that names no model belongs to the conversation's."""
    turns = [
        Turn(1, "user", "hola"),
        said(Usage(1, 2, 0, 3, 1)),
        said(Usage(10, 0, 0, 5, 2), "big"),
        said(Usage(4, 0, 1, 5, 0), "small"),
    ]
    assert spend(add_up_by_model(turns), "small") == (
        Spent("small", Usage(5, 2, 1, 8, 1)),
        Spent("big", Usage(10, 0, 0, 5, 2)),
    )


def test_one_silent_generation_makes_its_model_unknown() -> None:
    """A partial sum would look like a whole one; the other model is still known."""
    turns = [said(Usage(1, 0, 0, 1), "a"), said(None, "a"), said(Usage(2, 0, 0, 2), "b")]
    assert spend(add_up_by_model(turns), None) == (Spent("a", None), Spent("b", Usage(2, 0, 0, 2)))


def test_without_generations_nothing_was_spent_by_anybody() -> None:
    """No model is invented."""
    assert spend(add_up_by_model([Turn(1, "user", "hola")]), "m") == ()


def test_reasoning_is_known_where_every_generation_tells_it() -> None:
    """One that does not tell leaves the sum unknown, and the tokens known."""
    assert add_up([Usage(1, 1, 1, 9, 4), Usage(1, 1, 1, 9)]) == Usage(2, 2, 2, 18)


@pytest.mark.parametrize(
    ("one", "other", "total"),
    [
        (Usage(1, 2, 3, 4), Usage(10, 20, 30, 40), Usage(11, 22, 33, 44)),
        (Usage(1, 2, 3, 4), Usage(10, None, 30, 40), Usage(13, None, 33, 44)),
        (Usage(1, 2, 3, 4), Usage(10, 20, None, 40), Usage(14, 22, None, 44)),
        (Usage(1, None, None, 4), Usage(10, 20, 30, 40), Usage(61, None, None, 44)),
        (Usage(1, None, None, 4), Usage(10, None, None, 40), Usage(11, None, None, 44)),
    ],
)
def test_a_bucket_is_known_where_every_generation_tells_it(
    one: Usage, other: Usage, total: Usage
) -> None:
    """Where one does not, the sum's input is all input too: no token is lost, or counted twice."""
    assert add_up([one, other]) == total == add_up([other, one])


def test_counts_beside_the_input_lie_outside_it() -> None:
    """INPUT-07 (a): fresh 100, read 2000, written 400, output 50, in Anthropic's names."""
    usage = OpenAIUsage(
        input_tokens=100,
        output_tokens=50,
        cache_read_input_tokens=2000,
        cache_creation_input_tokens=400,
    )
    assert usage.buckets() == Usage(100, 2000, 400, 50)
    assert (
        OpenAIUsage(input_tokens=1, output_tokens=1, cache_read_input_tokens=-1).buckets() is None
    )


@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens", "cache_read_input_tokens"])
def test_a_count_beyond_all_measure_is_none(field: str) -> None:
    """A number of four hundred digits would break every sum that it enters."""
    assert buckets(**{**KNOWN, field: MOST}) is not None
    assert buckets(**{**KNOWN, field: 10**400}) is None
