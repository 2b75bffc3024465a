"""LangChain, LangGraph and the OpenAI Agents SDK, with models that follow a script."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import twiceshy

langchain = pytest.importorskip("langchain")
agents = pytest.importorskip("agents")

from langchain.agents import create_agent  # noqa: E402
from langchain.tools import tool  # noqa: E402
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel  # noqa: E402
from langchain_core.messages import AIMessage, ToolMessage  # noqa: E402

from twiceshy.langchain import TwiceshyCallback, TwiceshyMiddleware  # noqa: E402
from twiceshy.openai_agents import TwiceshyHooks  # noqa: E402


class Scripted(FakeMessagesListChatModel):
    """A model that says what it was given to say."""

    def bind_tools(self, tools: Any, **_: Any) -> Scripted:
        return self


def calls(table: str) -> Scripted:
    """First the mistake, then what works, then the end."""
    wrong = AIMessage("", tool_calls=[{"name": "read", "args": {"table": table}, "id": "1"}])
    right = AIMessage("", tool_calls=[{"name": "read", "args": {"table": table, "base": "main"}, "id": "2"}])
    return Scripted(responses=[wrong, right, AIMessage("done")])


@tool
def read(table: str, base: str = "") -> str:
    """Reads a table."""
    if not base:
        raise LookupError(f"table {table!r} needs a base")
    return "rows"


@pytest.fixture
def sure(memory: twiceshy.Memory, monkeypatch: pytest.MonkeyPatch) -> twiceshy.Memory:
    """A memory that withholds nothing."""
    start = memory.run
    monkeypatch.setattr(memory, "run", lambda *given, **named: start(*given, **named | {"hold_out": 0.0}))
    return memory


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_an_agent_of_langchain_reads_what_is_known(sure: twiceshy.Memory, way: str) -> None:
    def work(table: str) -> str:
        agent = create_agent(calls(table), [read], middleware=[TwiceshyMiddleware(sure)])
        given = {"messages": [("user", f"read the table {table}")]}
        state = agent.invoke(given) if way == "invoke" else asyncio.run(agent.ainvoke(given))
        first, second = (one for one in state["messages"] if isinstance(one, ToolMessage))
        assert first.status == "error" and second.status == "success"
        return str(first.text)

    assert "twiceshy-memory" not in work("users")
    assert 'CORRECT: read(table="orders", base="main")' in work("orders")
    episode = sure.episodes.find()[0]
    assert (episode.task, episode.steps, episode.failures) == ("read the table orders", 2, 1)
    assert sure.runs.open(10) == ()


def test_an_exception_goes_on_with_a_note_if_that_is_wanted(sure: twiceshy.Memory) -> None:
    agent = create_agent(calls("users"), [read], middleware=[TwiceshyMiddleware(sure, raise_errors=True)])
    with pytest.raises(LookupError):
        agent.invoke({"messages": [("user", "read")]})


def test_a_callback_learns_from_any_graph(sure: twiceshy.Memory) -> None:
    agent = create_agent(calls("users"), [read], middleware=[HandleErrors()])
    agent.invoke({"messages": [("user", "read the table")]}, config={"callbacks": [TwiceshyCallback(sure)]})
    (episode,) = sure.episodes.find()
    assert (episode.task, episode.steps, episode.failures) == ("read the table", 2, 1)
    assert any("CORRECT: read(" in one.rule_text for one in sure.lessons.find())


class HandleErrors(langchain.agents.middleware.AgentMiddleware):  # type: ignore[misc, name-defined]
    """What a graph without the memory does with an error."""

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        try:
            return handler(request)
        except LookupError as error:
            return ToolMessage(str(error), tool_call_id=request.tool_call["id"], status="error")


class ScriptedModel(agents.Model):  # type: ignore[misc, name-defined]
    """The same for the Agents SDK."""

    def __init__(self, table: str) -> None:
        from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

        def call(number: str, arguments: str) -> Any:
            return ResponseFunctionToolCall(
                arguments=arguments, call_id=number, name="read", type="function_call", id=number
            )

        text = ResponseOutputText(text="done", type="output_text", annotations=[])
        end = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        wrong, right = f'{{"table": "{table}"}}', f'{{"table": "{table}", "base": "main"}}'
        self.script: list[Any] = [call("1", wrong), call("2", right), end]
        self.read: list[Any] = []

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> Any:
        self.read.append(input)
        return agents.ModelResponse(output=[self.script.pop(0)], usage=agents.Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def test_an_agent_of_the_agents_sdk_reads_what_is_known(sure: twiceshy.Memory) -> None:
    agents.set_tracing_disabled(True)

    def work(table: str) -> str:
        hooks = TwiceshyHooks(sure, f"read the table {table}")

        @agents.function_tool(failure_error_function=hooks.failure)
        def read(table: str, base: str = "") -> str:
            if not base:
                raise LookupError(f"table {table!r} needs a base")
            return "rows"

        model = ScriptedModel(table)
        agent = agents.Agent(name="reader", tools=[read], model=model)
        asyncio.run(agents.Runner.run(agent, "read the table", hooks=hooks))
        return str(model.read[1])

    assert "twiceshy-memory" not in work("users")
    told = work("orders")
    assert "twiceshy-memory" in told and "CORRECT: read(" in told
    episode = sure.episodes.find()[0]
    assert (episode.agent, episode.steps, episode.failures) == ("reader", 2, 1)
