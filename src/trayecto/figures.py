"""The figures of a group: single numbers, each with its denominators and how sure it is."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from trayecto.scores import Better, Goal, Over

Cluster: TypeAlias = Literal["task", "declared"]
Ends: TypeAlias = tuple[float, float | None]  # None: no value is known to be above all


class Metric(Struct, frozen=True, kw_only=True):
    """One number of a group, with its denominators.

    ``value`` is None where it could not be computed, ``why`` then says why. It was defined for
    ``n`` of ``of`` runs, on ``tasks`` tasks; ``undefined`` counts the reasons of the rest.
    ``operational`` counts broken runs as failures, ``capability`` leaves out those in which the
    agent had no fair chance. ``total`` is the sum over all runs, ``missing`` how many it lacks.
    ``interval`` holds it with 95 % confidence by ``method``, from ``clusters`` independent units:
    those that cases declare, else tasks, as ``cluster`` says; ``interval_why`` says why there is
    none.
    ``goal`` is the value that the metric starts from, where its source names one, and ``short``
    whether ``value`` falls short of it: a mark that blocks nothing.
    """

    value: float | None
    n: int
    of: int
    tasks: int
    unit: str
    better: Better
    over: Over
    interval: Ends | None = None
    method: str | None = None
    clusters: int | UnsetType = UNSET
    cluster: Cluster | UnsetType = UNSET
    interval_why: str | UnsetType = UNSET
    why: str | UnsetType = UNSET
    undefined: dict[str, int] | UnsetType = UNSET
    operational: float | UnsetType | None = UNSET
    capability: float | UnsetType | None = UNSET
    capability_interval: Ends | UnsetType | None = UNSET
    total: float | UnsetType | None = UNSET
    missing: int | UnsetType = UNSET
    goal: Goal | UnsetType = UNSET
    short: bool | UnsetType = UNSET


class PassK(Struct, frozen=True, kw_only=True):
    """pass@k or pass^k for one k, operational view.

    ``value`` is None unless every task has k trials or more; ``available`` is the mean over the
    ``tasks`` of ``of`` that have. ``capability`` is ``value`` without runs that had no fair chance;
    ``interval`` and what stands beside it are of ``value``, as in a ``Metric``.
    """

    value: float | None
    available: float | None
    tasks: int
    of: int
    interval: Ends | None = None
    method: str | None = None
    clusters: int | UnsetType = UNSET
    cluster: Cluster | UnsetType = UNSET
    interval_why: str | UnsetType = UNSET
    capability: float | None = None


Metrics: TypeAlias = dict[str, Metric | dict[str, PassK]]
