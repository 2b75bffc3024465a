"""The memory for LangChain and LangGraph.

    agent = create_agent(model, tools, middleware=[TwiceshyMiddleware(memory)])

The middleware learns and helps: each invocation of the agent is a run and each call of a tool a step; when a tool fails,
the agent reads the error together with what is known about it. `TwiceshyCallback` only learns, in any graph or chain:
`graph.invoke(…, config={"callbacks": [TwiceshyCallback(memory)]})`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NotRequired
from uuid import UUID

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from ._tools import ToolSteps
from .memory import Memory

Answer = ToolMessage | Command[Any]


class TwiceshyState(AgentState[Any]):
    """The state of an agent with the id of its run."""

    twiceshy_run: NotRequired[str | None]


class TwiceshyMiddleware(AgentMiddleware[TwiceshyState, Any, Any]):
    """What failed is learned, and known the next time. An exception of a tool becomes a message to the agent, so that it
    can do better; with `raise_errors` it goes on as it was, with what is known as its note.
    """

    state_schema = TwiceshyState

    def __init__(self, memory: Memory, *, domain: str = "tools", raise_errors: bool = False) -> None:
        super().__init__()
        self._steps = ToolSteps(memory, domain)
        self._raise = raise_errors

    def before_agent(self, state: TwiceshyState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Starts a run for the last thing that a person said."""
        said = [one for one in state["messages"] if isinstance(one, HumanMessage)]
        return {"twiceshy_run": self._steps.start(str(said[-1].text) if said else "")}

    async def abefore_agent(self, state: TwiceshyState, runtime: Runtime[Any]) -> dict[str, Any]:
        """The same from asyncio."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def after_agent(self, state: TwiceshyState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Ends the run."""
        self._steps.finish(state.get("twiceshy_run"))
        return {"twiceshy_run": None}

    async def aafter_agent(self, state: TwiceshyState, runtime: Runtime[Any]) -> dict[str, Any]:
        """The same from asyncio."""
        return await asyncio.to_thread(self.after_agent, state, runtime)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]) -> Answer:
        """Calls the tool and observes what came of it."""
        try:
            answer = handler(request)
        except Exception as error:
            return self._failed(request, error)
        return self._answered(request, answer)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        """The same from asyncio."""
        try:
            answer = await handler(request)
        except Exception as error:
            return await asyncio.to_thread(self._failed, request, error)
        return await asyncio.to_thread(self._answered, request, answer)

    def _note(self, request: ToolCallRequest, error: BaseException | str | None) -> str:
        call = request.tool_call
        return self._steps.note(request.state.get("twiceshy_run"), call["name"], call["args"], error)

    def _failed(self, request: ToolCallRequest, error: Exception) -> Answer:
        known = self._note(request, error)
        if self._raise:
            if known:
                error.add_note(known)
            raise error
        text = f"{type(error).__name__}: {error}\n{known}".rstrip()
        return ToolMessage(
            text, name=request.tool_call["name"], tool_call_id=request.tool_call["id"] or "", status="error"
        )

    def _answered(self, request: ToolCallRequest, answer: Answer) -> Answer:
        if not isinstance(answer, ToolMessage) or answer.status != "error":
            self._note(request, None)
            return answer
        known = self._note(request, str(answer.text))
        return answer.model_copy(update={"content": f"{answer.text}\n{known}"}) if known else answer


class TwiceshyCallback(BaseCallbackHandler):
    """Makes a run of each chain or graph and a step of each call of a tool."""

    def __init__(self, memory: Memory, *, domain: str = "tools") -> None:
        self._steps = ToolSteps(memory, domain)
        self._runs: dict[UUID, str | None] = {}
        self._roots: dict[UUID, UUID] = {}
        self._calls: dict[UUID, tuple[str, Any]] = {}

    def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **_: Any,
    ) -> None:
        """Starts a run, unless this is a part of another one."""
        if parent_run_id is not None:
            self._roots[run_id] = self._roots.get(parent_run_id, parent_run_id)
            return
        self._roots[run_id] = run_id
        self._runs[run_id] = self._steps.start(_task(inputs))

    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        inputs: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Keeps what is called until it has ended."""
        root = run_id if parent_run_id is None else self._roots.get(parent_run_id, parent_run_id)
        self._roots[run_id] = root
        self._calls[run_id] = ((serialized or {}).get("name") or "tool", input_str if inputs is None else inputs)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        """Observes a call that worked, or answered with an error."""
        is_error = isinstance(output, ToolMessage) and output.status == "error"
        self._ended(run_id, str(output.text) if is_error else None)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Observes a call that failed."""
        self._ended(run_id, error)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_: Any) -> None:
        """Ends the run with its chain."""
        self._finish(run_id, None)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Ends the run as a failure."""
        self._finish(run_id, error)

    def _ended(self, call: UUID, error: BaseException | str | None) -> None:
        tool, arguments = self._calls.pop(call, ("tool", ""))
        root = self._roots.pop(call, call)
        self._steps.note(self._runs.get(root), tool, arguments, error)

    def _finish(self, chain: UUID, error: BaseException | None) -> None:
        self._roots.pop(chain, None)
        if chain in self._runs:
            self._steps.finish(self._runs.pop(chain), "failure" if error else None)


def _task(inputs: Any) -> str:
    messages = inputs.get("messages") if isinstance(inputs, dict) else None
    if not messages:
        return inputs if isinstance(inputs, str) else ""
    last = messages[-1]
    if isinstance(last, (tuple, list)):
        return str(last[-1])
    return str(last.get("content", "") if isinstance(last, dict) else last.text)
