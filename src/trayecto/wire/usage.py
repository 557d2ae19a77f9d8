"""Token counts: every producer's dialect, mapped once into our four disjoint buckets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from trayecto.trajectory import Spent, Turn, Usage


class _Details(Struct, frozen=True, gc=False):
    cached_tokens: int | None = 0
    reasoning_tokens: int | None = None


class OpenAIUsage(Struct, frozen=True, gc=False):
    """Usage as OpenAI writes it: chat names and Responses names; cached tokens lie inside input."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None
    input_tokens_details: _Details | None = None
    output_tokens_details: _Details | None = None

    def buckets(self) -> Usage | None:
        """Our buckets; None where a count is missing, negative, or smaller than its own part."""
        total, output = self.prompt_tokens, self.completion_tokens
        into, out = self.prompt_tokens_details, self.completion_tokens_details
        if total is None:
            total, into = self.input_tokens, self.input_tokens_details
        if output is None:
            output, out = self.output_tokens, self.output_tokens_details
        if total is None or output is None or output < 0:
            return None
        cached = 0 if into is None else into.cached_tokens or 0
        if not 0 <= cached <= total:
            return None
        thought = None if out is None else out.reasoning_tokens
        if thought is not None and not 0 <= thought <= output:
            return None
        return Usage(total - cached, cached, 0, output, thought)


def spend(turns: Sequence[Turn], model: str | None) -> tuple[Spent, ...]:
    """Sum usage by model over the generations; ``model`` names those that do not name their own.

    A model with one generation that reports nothing has unknown usage: a partial sum would look
    like a whole one.
    """
    said = [turn for turn in turns if turn.role == "assistant"]
    if not any(turn.model for turn in said):
        return (Spent(model, add_up([turn.usage for turn in said])),) if said else ()
    generations: dict[str | None, list[Usage | None]] = {}
    for turn in said:
        generations.setdefault(turn.model or model, []).append(turn.usage)
    return tuple(Spent(name, add_up(used)) for name, used in generations.items())


def add_up(used: Iterable[Usage | None]) -> Usage | None:
    """The sum of usages; None where one is unknown. Reasoning is known where all know it."""
    fresh = read = write = output = thought = 0
    knows = True
    for usage in used:
        if usage is None:
            return None
        fresh += usage.input
        read += usage.cache_read
        write += usage.cache_write
        output += usage.output
        if usage.reasoning is None:
            knows = False
        else:
            thought += usage.reasoning
    return Usage(fresh, read, write, output, thought if knows else None)
