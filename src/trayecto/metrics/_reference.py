"""What the path metrics ask of a case: a reference that a run can fail."""

from __future__ import annotations

from trayecto.case import Case, Reference

NONE, EMPTY = "no reference path", "the reference is empty"


def why_no_reference(case: Case | None) -> str | None:
    """Why a case has no reference that asserts something; None where it has."""
    reference = None if case is None else case.secret.reference
    if reference is None:
        return NONE
    if not reference.asserts:
        return f"an empty reference asserts nothing in mode {reference.match}"
    return None


def why_no_calls(case: Case | None) -> str | None:
    """Why a case has no reference with a call in it; None where it has."""
    reference = None if case is None else case.secret.reference
    if reference is None:
        return NONE
    return None if reference.entries else EMPTY


def reference_of(case: Case) -> Reference:
    """The reference of a case that ``needs`` has let pass."""
    reference = case.secret.reference
    if reference is None:
        raise TypeError(NONE)
    return reference
