"""The account: nothing that was to be read is dropped without standing in it."""

from trayecto import records
from trayecto.records import Account, Passed, Rejected


def test_a_rejected_record_is_counted_and_named() -> None:
    """It is one of the records."""
    account = Account()
    account.reject(Rejected("a.jsonl", 3, "is cut"))
    assert (account.records, account.rejected_count) == (1, 1)
    assert account.rejected == [Rejected("a.jsonl", 3, "is cut")]


def test_a_failed_file_is_one_rejected_record() -> None:
    """Ruling 16: it is listed with its error and counts as one rejected record."""
    account = Account()
    account.fail("b.json", "is no JSON")
    assert account.failed == [Passed("b.json", "is no JSON")]
    assert (account.records, account.rejected_count) == (1, 1)
    assert account.rejected == [Rejected("b.json", 1, "is no JSON")]


def test_of_very_many_rejected_records_all_are_counted() -> None:
    """The first are named: a file of garbage does not fill the memory."""
    account = Account()
    for number in range(records.NAMED + 500):
        account.reject(Rejected("a.jsonl", number, "is cut"))
    assert account.records == account.rejected_count == records.NAMED + 500
    assert [each.record for each in account.rejected] == list(range(records.NAMED))


def test_a_warning_keeps_the_first_places() -> None:
    """Counts add up; the example is the place where it was seen first, and some more are named."""
    account = Account()
    account.warn("odd", "a:1")
    account.warn("odd", "a:2", 4)
    account.warn("strange", "b:1")
    assert account.warnings == {"odd": 5, "strange": 1}
    assert account.examples == {"odd": "a:1", "strange": "b:1"}
    assert account.places == {"odd": ["a:1", "a:2"], "strange": ["b:1"]}


def test_of_very_many_places_the_first_are_named() -> None:
    """All are counted."""
    account = Account()
    for number in range(records.PLACES + 5):
        account.warn("odd", f"a:{number}")
    assert account.warnings == {"odd": records.PLACES + 5}
    assert account.places == {"odd": [f"a:{number}" for number in range(records.PLACES)]}
