"""Token counts: every producer's dialect, mapped once into our four disjoint buckets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from trayecto.trajectory import Spent, Turn, Usage

MOST = 10**15  # tokens of one generation: a count beyond it is none
# Usage by the model that the messages name, None where they name none.
Used: TypeAlias = Mapping[str | None, Usage | None]


class _Details(Struct, frozen=True, gc=False):
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


class OpenAIUsage(Struct, frozen=True, gc=False):
    """Usage as OpenAI writes it, in chat and Responses: cached tokens lie inside input.

    Counts beside the input (Anthropic's names, which some gateways pass on) lie outside it.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None
    input_tokens_details: _Details | None = None
    output_tokens_details: _Details | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None

    def buckets(self) -> Usage | None:
        """Our buckets; None where a count is missing, or cannot be.

        It can be neither negative, nor larger than MOST, nor smaller than its own part. Without a
        count of cached tokens both cache buckets are unknown, and input is all input.
        """
        total, output = self.prompt_tokens, self.completion_tokens
        into, out = self.prompt_tokens_details, self.completion_tokens_details
        if total is None:
            total, into = self.input_tokens, self.input_tokens_details
        if output is None:
            output, out = self.output_tokens, self.output_tokens_details
        if total is None or output is None or output < 0 or max(total, output) > MOST:
            return None
        thought = None if out is None else out.reasoning_tokens
        if thought is not None and not 0 <= thought <= output:
            return None
        read, made = self.cache_read_input_tokens, self.cache_creation_input_tokens
        if read is not None or made is not None:
            if max(read or 0, made or 0) > MOST:
                return None
            beside = Usage(total, read or 0, made or 0, output, thought)
            return beside if min(total, read or 0, made or 0) >= 0 else None
        cached = None if into is None else into.cached_tokens
        if cached is None:
            return None if total < 0 else Usage(total, None, None, output, thought)
        return Usage(total - cached, cached, 0, output, thought) if 0 <= cached <= total else None


def add_up_by_model(turns: Iterable[Turn]) -> Used:
    """Sum usage over the generations, by the model that each names.

    A model with one generation that reports nothing has unknown usage: a partial sum would look
    like a whole one.
    """
    generations: dict[str | None, list[Usage | None]] = {}
    for turn in turns:
        if turn.role == "assistant":
            generations.setdefault(turn.model or None, []).append(turn.usage)
    return {model: add_up(used) for model, used in generations.items()}


def spend(used: Used, model: str | None) -> tuple[Spent, ...]:
    """What each model consumed; ``model`` names the generations that do not name their own."""
    if len(used) == 1:
        [(named, usage)] = used.items()
        return (Spent(named or model, usage),)
    spent: dict[str | None, list[Usage | None]] = {}
    for named, usage in used.items():
        spent.setdefault(named or model, []).append(usage)
    return tuple(Spent(name, add_up(parts)) for name, parts in spent.items())


def add_up(used: Iterable[Usage | None]) -> Usage | None:
    """The sum of usages; None where one is unknown.

    A bucket is known where all know it. Cached tokens that only some tell apart count as input, as
    they do in those that do not tell.
    """
    fresh = read = write = output = thought = 0
    knows_read = knows_write = knows_thought = True
    for usage in used:
        if usage is None:
            return None
        fresh += usage.input
        output += usage.output
        if usage.cache_read is None:
            knows_read = False
        else:
            read += usage.cache_read
        if usage.cache_write is None:
            knows_write = False
        else:
            write += usage.cache_write
        if usage.reasoning is None:
            knows_thought = False
        else:
            thought += usage.reasoning
    fresh += (0 if knows_read else read) + (0 if knows_write else write)
    return Usage(
        fresh,
        read if knows_read else None,
        write if knows_write else None,
        output,
        thought if knows_thought else None,
    )
