"""What is wrong with a line of BFCL: the value, and what was wanted there."""

import pytest

from trayecto.case_formats._bfcl_fault import FaultError, as_list, as_mapping, as_text, field

HERE = ("a", 0)


@pytest.mark.parametrize(("take", "value"), [(as_mapping, {"x": 1}), (as_list, []), (as_text, "x")])
def test_what_is_of_the_kind_is_returned_as_it_is(take: object, value: object) -> None:
    """Nothing is converted."""
    assert take(value, HERE) is value


@pytest.mark.parametrize(
    ("take", "value", "told"),
    [
        (as_mapping, [], "[] is not a mapping"),
        (as_list, {}, "{} is not a list"),
        (as_text, 3, "3 is not text"),
        (as_text, None, "None is not text"),
        (as_text, "", "is empty"),
    ],
)
def test_what_is_of_another_kind_is_refused_at_its_place(
    take: object, value: object, told: str
) -> None:
    """The reader adds file and line."""
    with pytest.raises(FaultError) as raised:
        take(value, HERE)
    assert (raised.value.path, raised.value.sentence, str(raised.value)) == (HERE, told, told)


def test_a_field_is_found_even_where_it_holds_nothing() -> None:
    """Null is a value, for its reader to refuse."""
    assert field({"name": None}, "name", HERE) is None


def test_a_missing_field_names_what_may_have_been_meant() -> None:
    """A typo before everything else."""
    with pytest.raises(FaultError) as raised:
        field({"nmae": 1, "x": 2}, "name", HERE)
    told = "field 'name' is missing; there are: nmae, x. Did you mean 'nmae'?"
    assert (raised.value.path, raised.value.sentence) == (HERE, told)
