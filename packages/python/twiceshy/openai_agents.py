"""The memory for the OpenAI Agents SDK.

    hooks = TwiceshyHooks(memory, "count the rows")

    @function_tool(failure_error_function=hooks.failure)
    def count(path: str) -> int: ...

    await Runner.run(agent, "count the rows", hooks=hooks)

Each call of a tool is a step. When one fails, the agent reads the error together with what is known about it. One object
is for one run at a time.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from agents import Agent, RunContextWrapper, RunHooks, Tool

from ._tools import ToolSteps
from .memory import Memory


class TwiceshyHooks(RunHooks[Any]):
    """Makes a run of what an agent does, and a step of each call of a tool."""

    def __init__(self, memory: Memory, task: str = "", *, domain: str = "tools") -> None:
        self._steps = ToolSteps(memory, domain)
        self._task = task
        self._run: str | None = None
        self._failed: set[str] = set()

    async def failure(self, context: RunContextWrapper[Any], error: Exception) -> str:
        """What an agent reads when a tool failed: give it to `function_tool` as `failure_error_function`."""
        self._failed.add(getattr(context, "tool_call_id", ""))
        tool = getattr(context, "tool_name", "tool")
        known = await asyncio.to_thread(self._steps.note, self._run, tool, _arguments(context), error)
        return f"{type(error).__name__}: {error}\n{known}".rstrip()

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        """Starts a run with the first agent."""
        if self._run is None:
            self._run = await asyncio.to_thread(self._steps.start, self._task, getattr(agent, "name", None))

    async def on_tool_end(self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool, result: object) -> None:
        """Observes a call that worked."""
        call = getattr(context, "tool_call_id", "")
        if call in self._failed:
            self._failed.discard(call)
        else:
            await asyncio.to_thread(self._steps.note, self._run, tool.name, _arguments(context))

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        """Ends the run with the final answer."""
        run, self._run = self._run, None
        await asyncio.to_thread(self._steps.finish, run)


def _arguments(context: RunContextWrapper[Any]) -> Any:
    text = getattr(context, "tool_arguments", "")
    try:
        return json.loads(text)
    except ValueError:
        return text
