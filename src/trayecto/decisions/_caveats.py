"""What a reader of a comparison must know before its words: each caveat with its counts."""

from __future__ import annotations

from collections.abc import Sequence

from trayecto.comparison import Caveat, Differs
from trayecto.decisions._arm import Side
from trayecto.decisions._pairing import Paired
from trayecto.stats.paired import smallest_p
from trayecto.stats.two_by_two import fisher_exact

APART = 0.02  # difference of the shares of broken runs that is too much
OFTEN = 0.05  # share of broken runs that is too much on either side
ALPHA = 0.05
BROKEN = ("infra_error", "harness_error", "sim_invalid")


def caveats(
    base: Side, candidate: Side, paired: Paired, differs: Sequence[Differs]
) -> list[Caveat]:
    """Every caveat that holds, the gravest first."""
    found: list[Caveat] = []
    if base.trust.contradicted or candidate.trust.contradicted:
        found.append(
            Caveat(
                code="success_contradicts_trajectory",
                base=str(base.trust),
                candidate=str(candidate.trust),
            )
        )
    if infrastructure_differs(base, candidate):
        counts = [f"{_broken(side)} of {side.statuses.total()}" for side in (base, candidate)]
        found.append(Caveat(code="infrastructure_differs", base=counts[0], candidate=counts[1]))
    clusters = len({pair.unit for pair in paired.pairs})
    if smallest_p(clusters) > ALPHA:
        found.append(
            Caveat(code="cannot_be_significant", base=str(clusters), candidate=str(clusters))
        )
    if len(differs) > 1:
        told = ", ".join(each.aspect for each in differs)
        found.append(Caveat(code="several_things_differ", base=told, candidate=told))
    if base.pooled:
        found.append(Caveat(code="pooled", base=str(base.pooled), candidate=str(candidate.pooled)))
    return found


def infrastructure_differs(base: Side, candidate: Side) -> bool:
    """Whether runs broke often, or more often on one side, without the agent's fault."""
    one, other = _broken(base), _broken(candidate)
    runs, others = base.statuses.total(), candidate.statuses.total()
    if not (runs and others) or not (one or other):
        return False
    shares = (one / runs, other / others)
    if max(shares) > OFTEN or abs(shares[0] - shares[1]) > APART:
        return True
    return fisher_exact(one, runs, other, others) < ALPHA


def _broken(side: Side) -> int:
    return sum(side.statuses[status] for status in BROKEN)
