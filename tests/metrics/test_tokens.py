"""Tokens: four buckets that do not overlap."""

from collections.abc import Callable
from typing import Any

from trayecto.metrics.tokens import PARTLY, PARTS, UNCOUNTED, tokens
from trayecto.scores import Score
from trayecto.trajectory import Child, Spent, Trajectory, Turn, Usage

Make = Callable[..., Any]

FOUR = [Score(101), Score(2000), Score(400), Score(52)]


def test_the_two_runs_of_the_article(
    judge: Make, sane: Trajectory, pathological: Trajectory
) -> None:
    """Golden cost_seed_000: 1,900 in and 70 out, 136,400 in and 185 out."""
    assert [score.value for score in judge(tokens, sane)] == [1900, 0, 0, 70]
    assert [score.value for score in judge(tokens, pathological)] == [136400, 0, 0, 185]


def test_the_buckets_are_in_the_order_of_the_parts(judge: Make, run: Make) -> None:
    """INPUT-07: fresh 100, read 2,000, written 400, output 50; a second model adds 1 and 2."""
    spent = (Spent("m", Usage(100, 2000, 400, 50, 30)), Spent(None, Usage(1, 0, 0, 2)))
    assert PARTS == ("input", "cache_read", "cache_write", "output")
    assert judge(tokens, run("a", spent=spent)) == FOUR


def test_a_trace_without_counts(judge: Make, run: Make) -> None:
    """Unknown is not 0: neither without a generation nor with an uncounted one."""
    assert judge(tokens, run("a")) == UNCOUNTED == [Score(None, "no token counts")] * 4
    assert judge(tokens, run("a", spent=(Spent("m", None),))) == UNCOUNTED


def test_part_of_a_sum_is_no_sum(judge: Make, run: Make) -> None:
    """One generation without counts leaves the whole unknown."""
    usage = Usage(1, 0, 0, 2)
    assert judge(tokens, run("a", spent=(Spent("m", usage), Spent("o", None)))) == PARTLY
    turns = (Turn(1, "assistant", "a", usage=usage), Turn(2, "assistant", "b"))
    assert judge(tokens, run(turns=turns, spent=(Spent("m", None),))) == PARTLY


def test_counts_of_zero_are_known(judge: Make, run: Make) -> None:
    """A generation that reports 0 is measured."""
    spent = (Spent("m", Usage(0, 0, 0, 0)),)
    assert judge(tokens, run("a", spent=spent)) == [Score(0)] * 4


def test_sub_agents_are_included(judge: Make, run: Make) -> None:
    """Ruling 17: tokens of a root include its children, and theirs."""
    leaf = run("c", spent=(Spent("m", Usage(1, 0, 0, 2)),))
    child = run("b", spent=(Spent("m", Usage(0, 2000, 400, 0)),), children=(Child(leaf),))
    root = run("a", spent=(Spent("m", Usage(100, 0, 0, 50)),), children=(Child(child, 1),))
    assert judge(tokens, root) == FOUR


def test_a_sub_agent_without_counts_leaves_it_open(judge: Make, run: Make) -> None:
    """The root's own counts would look like all of them."""
    usage = (Spent("m", Usage(1, 0, 0, 2)),)
    assert judge(tokens, run("a", spent=usage, children=(Child(run("b")),))) == PARTLY
    assert judge(tokens, run("a", children=(Child(run("b")),))) == UNCOUNTED


def test_cached_tokens_that_only_one_model_tells_apart_are_input(judge: Make, run: Make) -> None:
    """By hand: 10 fresh and 5 read, 8 untold: 23 went in, and how many were cached is unknown."""
    spent = (Spent("m", Usage(10, 5, 0, 1)), Spent("n", Usage(8, None, None, 1)))
    found = judge(tokens, run("a", spent=spent))
    assert [score.value for score in found] == [23, None, None, 2]
