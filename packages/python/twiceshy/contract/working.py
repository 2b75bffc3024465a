"""`twiceshy:memory/working`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .episode_search_types import EpisodeQuery
from .working_input_types import ExecutionState, Intermediate, ParsedTask, SystemContext, Variable, VariableScope
from .working_types import (
    FoundVariable,
    Rendered,
    Rendering,
    Snapshot,
    WorkingItem,
    WorkingMemory,
    WorkingMetadata,
    WorkingSize,
)


class Working(Interface):
    """Working memory: the context of one run, within a budget of tokens. It outlives processes and is cleared when
    the run ends.
    """

    def init(self, run: str, context: SystemContext = SystemContext()) -> WorkingSize:
        """Creates an empty working memory for an open run, with its system context. Replaces an existing one."""
        return self._call("working.init", WorkingSize, run=run, context=context)

    def load_task(self, run: str, task: ParsedTask = ParsedTask()) -> WorkingSize:
        """Loads the task: its goals and constraints, found in its words if they are not given, and task variables."""
        return self._call("working.load-task", WorkingSize, run=run, task=task)

    def set(self, run: str, variable: Variable) -> WorkingSize:
        """Sets a variable, or removes it if the value is `null`. Makes space if needed. A text that is not JSON
        becomes a JSON string. `conflict` if the value alone exceeds the budget of its section.
        """
        return self._call("working.set", WorkingSize, run=run, variable=variable)

    def get(self, run: str, key: str, scope: VariableScope) -> FoundVariable:
        """Reads a variable. Counts as an access. An intermediate value that was moved out is brought back."""
        return self._call("working.get", FoundVariable, run=run, key=key, scope=scope)

    def push_state(self, run: str, state: ExecutionState) -> WorkingSize:
        """Updates the state of the work. When a subtask ends, its variables of the execution scope end with it."""
        return self._call("working.push-state", WorkingSize, run=run, state=state)

    def add_intermediate(self, run: str, intermediate: Intermediate) -> WorkingSize:
        """Adds the output of a subtask. Makes space if needed."""
        return self._call("working.add-intermediate", WorkingSize, run=run, intermediate=intermediate)

    def retrieve(self, run: str, query: EpisodeQuery) -> Sequence[WorkingItem]:
        """Searches episodes and patterns, and adds as many of their summaries as fit."""
        return self._list("working.retrieve", WorkingItem, run=run, query=query)

    def fetch(self, run: str, item: str) -> str:
        """Returns the whole content of an item. Items that were moved out stay available after the run has ended.
        Counts as an access.
        """
        return self._call("working.fetch", str, run=run, item=item)

    def prune(self, run: str) -> WorkingSize:
        """Moves out cold items: old results that nothing needs, traces, unread context. References stay."""
        return self._call("working.prune", WorkingSize, run=run)

    def take_snapshot(self, run: str, label: str) -> Snapshot:
        """Takes a snapshot to go back to. A run keeps the last 16."""
        return self._call("working.take-snapshot", Snapshot, run=run, label=label)

    def rollback(self, run: str, snapshot: str) -> WorkingSize:
        """Goes back to a snapshot."""
        return self._call("working.rollback", WorkingSize, run=run, snapshot=snapshot)

    def snapshots(self, run: str) -> Sequence[Snapshot]:
        """Lists the snapshots of a run, oldest first."""
        return self._list("working.snapshots", Snapshot, run=run)

    def view(self, run: str) -> WorkingMemory:
        """Returns everything in it."""
        return self._call("working.view", WorkingMemory, run=run)

    def render(self, run: str, rendering: Rendering = Rendering()) -> Rendered:
        """Renders it as text for a prompt, marked so that the memory never learns from its own words."""
        return self._call("working.render", Rendered, run=run, rendering=rendering)

    def continuity(self, run: str) -> str:
        """Renders it as a `CONTINUITY.md`: the state of the work, and references to what is known."""
        return self._call("working.continuity", str, run=run)

    def clear(self, run: str) -> WorkingMetadata:
        """Clears it. Only metadata is kept, for reflection. Happens automatically when the run ends."""
        return self._call("working.clear", WorkingMetadata, run=run)

    def metadata(self, run: str) -> WorkingMetadata:
        """Returns the metadata that is left after it was cleared."""
        return self._call("working.metadata", WorkingMetadata, run=run)


class AsyncWorking(AsyncInterface):
    """Working memory: the context of one run, within a budget of tokens. It outlives processes and is cleared when
    the run ends.
    """

    async def init(self, run: str, context: SystemContext = SystemContext()) -> WorkingSize:
        """Creates an empty working memory for an open run, with its system context. Replaces an existing one."""
        return await self._call("working.init", WorkingSize, run=run, context=context)

    async def load_task(self, run: str, task: ParsedTask = ParsedTask()) -> WorkingSize:
        """Loads the task: its goals and constraints, found in its words if they are not given, and task variables."""
        return await self._call("working.load-task", WorkingSize, run=run, task=task)

    async def set(self, run: str, variable: Variable) -> WorkingSize:
        """Sets a variable, or removes it if the value is `null`. Makes space if needed. A text that is not JSON
        becomes a JSON string. `conflict` if the value alone exceeds the budget of its section.
        """
        return await self._call("working.set", WorkingSize, run=run, variable=variable)

    async def get(self, run: str, key: str, scope: VariableScope) -> FoundVariable:
        """Reads a variable. Counts as an access. An intermediate value that was moved out is brought back."""
        return await self._call("working.get", FoundVariable, run=run, key=key, scope=scope)

    async def push_state(self, run: str, state: ExecutionState) -> WorkingSize:
        """Updates the state of the work. When a subtask ends, its variables of the execution scope end with it."""
        return await self._call("working.push-state", WorkingSize, run=run, state=state)

    async def add_intermediate(self, run: str, intermediate: Intermediate) -> WorkingSize:
        """Adds the output of a subtask. Makes space if needed."""
        return await self._call("working.add-intermediate", WorkingSize, run=run, intermediate=intermediate)

    async def retrieve(self, run: str, query: EpisodeQuery) -> Sequence[WorkingItem]:
        """Searches episodes and patterns, and adds as many of their summaries as fit."""
        return await self._list("working.retrieve", WorkingItem, run=run, query=query)

    async def fetch(self, run: str, item: str) -> str:
        """Returns the whole content of an item. Items that were moved out stay available after the run has ended.
        Counts as an access.
        """
        return await self._call("working.fetch", str, run=run, item=item)

    async def prune(self, run: str) -> WorkingSize:
        """Moves out cold items: old results that nothing needs, traces, unread context. References stay."""
        return await self._call("working.prune", WorkingSize, run=run)

    async def take_snapshot(self, run: str, label: str) -> Snapshot:
        """Takes a snapshot to go back to. A run keeps the last 16."""
        return await self._call("working.take-snapshot", Snapshot, run=run, label=label)

    async def rollback(self, run: str, snapshot: str) -> WorkingSize:
        """Goes back to a snapshot."""
        return await self._call("working.rollback", WorkingSize, run=run, snapshot=snapshot)

    async def snapshots(self, run: str) -> Sequence[Snapshot]:
        """Lists the snapshots of a run, oldest first."""
        return await self._list("working.snapshots", Snapshot, run=run)

    async def view(self, run: str) -> WorkingMemory:
        """Returns everything in it."""
        return await self._call("working.view", WorkingMemory, run=run)

    async def render(self, run: str, rendering: Rendering = Rendering()) -> Rendered:
        """Renders it as text for a prompt, marked so that the memory never learns from its own words."""
        return await self._call("working.render", Rendered, run=run, rendering=rendering)

    async def continuity(self, run: str) -> str:
        """Renders it as a `CONTINUITY.md`: the state of the work, and references to what is known."""
        return await self._call("working.continuity", str, run=run)

    async def clear(self, run: str) -> WorkingMetadata:
        """Clears it. Only metadata is kept, for reflection. Happens automatically when the run ends."""
        return await self._call("working.clear", WorkingMetadata, run=run)

    async def metadata(self, run: str) -> WorkingMetadata:
        """Returns the metadata that is left after it was cleared."""
        return await self._call("working.metadata", WorkingMetadata, run=run)
