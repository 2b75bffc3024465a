"""The interfaces of a memory as its attributes, each loaded when it is first used. Generated from the contract."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from .._calls import Caller

if TYPE_CHECKING:
    from .coordination import AsyncCoordination, Coordination
    from .decisions import AsyncDecisions, Decisions
    from .episodes import AsyncEpisodes, Episodes
    from .events import AsyncEvents, Events
    from .exchange import AsyncExchange, Exchange
    from .experience import AsyncExperience, Experience
    from .failures import AsyncFailures, Failures
    from .lessons import AsyncLessons, Lessons
    from .links import AsyncLinks, Links
    from .patterns import AsyncPatterns, Patterns
    from .recall import AsyncRecall, Recall
    from .runs import AsyncRuns, Runs
    from .skills import AsyncSkills, Skills
    from .upkeep import AsyncUpkeep, Upkeep
    from .working import AsyncWorking, Working


class Interfaces:
    """The interfaces, called directly."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    @cached_property
    def coordination(self) -> Coordination:
        """Where agents stand, and what they pass to each other."""
        from .coordination import Coordination

        return Coordination(self._caller)

    @cached_property
    def decisions(self) -> Decisions:
        """Hypotheses that were accepted, rejected or held, and why, so that nobody repeats an attempt without
        knowing. The memory only informs; whether to try a hypothesis is up to the caller. Decisions are only ever
        added. The message of a storage error begins with `STORAGE_ERROR`, that of an unknown outcome with
        `INVALID_OUTCOME`.
        """
        from .decisions import Decisions

        return Decisions(self._caller)

    @cached_property
    def episodes(self) -> Episodes:
        """Runs that have ended."""
        from .episodes import Episodes

        return Episodes(self._caller)

    @cached_property
    def events(self) -> Events:
        """Events: failed steps, and the fingerprints that tell whether two failures are the same."""
        from .events import Events

        return Events(self._caller)

    @cached_property
    def exchange(self) -> Exchange:
        """Export to files that other programs can read, and import from them, without loss. The formats are a
        directory tree and JSON Lines. A damaged input is refused with the file, the line and the reason, and
        nothing is changed.
        """
        from .exchange import Exchange

        return Exchange(self._caller)

    @cached_property
    def experience(self) -> Experience:
        """Experience that improves with use: search, synthesize, evolve. At most `max_size` entries are searched;
        pruned and merged entries are kept.
        """
        from .experience import Experience

        return Experience(self._caller)

    @cached_property
    def failures(self) -> Failures:
        """Failed attempts, and the patterns in how they fail."""
        from .failures import Failures

        return Failures(self._caller)

    @cached_property
    def lessons(self) -> Lessons:
        """Lessons: units of knowledge and their lifecycle."""
        from .lessons import Lessons

        return Lessons(self._caller)

    @cached_property
    def links(self) -> Links:
        """Typed relations between memories: lessons, patterns, skills and episodes."""
        from .links import Links

        return Links(self._caller)

    @cached_property
    def patterns(self) -> Patterns:
        """Patterns: lessons with conditions of use, content and statistics. A pattern and its lesson are one: they
        are shown, promoted and suppressed together.
        """
        from .patterns import Patterns

        return Patterns(self._caller)

    @cached_property
    def recall(self) -> Recall:
        """What the memory knows that may help now."""
        from .recall import Recall

        return Recall(self._caller)

    @cached_property
    def runs(self) -> Runs:
        """Runs: tasks being worked on. Call `start`, then `observe` after each step, then `finish`; or `submit` for
        a whole run at once. Several processes may observe steps of one run.
        """
        from .runs import Runs

        return Runs(self._caller)

    @cached_property
    def skills(self) -> Skills:
        """Skills: procedures that a person can read and edit."""
        from .skills import Skills

        return Skills(self._caller)

    @cached_property
    def upkeep(self) -> Upkeep:
        """The upkeep of a memory."""
        from .upkeep import Upkeep

        return Upkeep(self._caller)

    @cached_property
    def working(self) -> Working:
        """Working memory: the context of one run, within a budget of tokens. It outlives processes and is cleared
        when the run ends.
        """
        from .working import Working

        return Working(self._caller)


class AsyncInterfaces:
    """The interfaces, called from asyncio: each call waits in a thread of its own."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    @cached_property
    def coordination(self) -> AsyncCoordination:
        """Where agents stand, and what they pass to each other."""
        from .coordination import AsyncCoordination

        return AsyncCoordination(self._caller)

    @cached_property
    def decisions(self) -> AsyncDecisions:
        """Hypotheses that were accepted, rejected or held, and why, so that nobody repeats an attempt without
        knowing. The memory only informs; whether to try a hypothesis is up to the caller. Decisions are only ever
        added. The message of a storage error begins with `STORAGE_ERROR`, that of an unknown outcome with
        `INVALID_OUTCOME`.
        """
        from .decisions import AsyncDecisions

        return AsyncDecisions(self._caller)

    @cached_property
    def episodes(self) -> AsyncEpisodes:
        """Runs that have ended."""
        from .episodes import AsyncEpisodes

        return AsyncEpisodes(self._caller)

    @cached_property
    def events(self) -> AsyncEvents:
        """Events: failed steps, and the fingerprints that tell whether two failures are the same."""
        from .events import AsyncEvents

        return AsyncEvents(self._caller)

    @cached_property
    def exchange(self) -> AsyncExchange:
        """Export to files that other programs can read, and import from them, without loss. The formats are a
        directory tree and JSON Lines. A damaged input is refused with the file, the line and the reason, and
        nothing is changed.
        """
        from .exchange import AsyncExchange

        return AsyncExchange(self._caller)

    @cached_property
    def experience(self) -> AsyncExperience:
        """Experience that improves with use: search, synthesize, evolve. At most `max_size` entries are searched;
        pruned and merged entries are kept.
        """
        from .experience import AsyncExperience

        return AsyncExperience(self._caller)

    @cached_property
    def failures(self) -> AsyncFailures:
        """Failed attempts, and the patterns in how they fail."""
        from .failures import AsyncFailures

        return AsyncFailures(self._caller)

    @cached_property
    def lessons(self) -> AsyncLessons:
        """Lessons: units of knowledge and their lifecycle."""
        from .lessons import AsyncLessons

        return AsyncLessons(self._caller)

    @cached_property
    def links(self) -> AsyncLinks:
        """Typed relations between memories: lessons, patterns, skills and episodes."""
        from .links import AsyncLinks

        return AsyncLinks(self._caller)

    @cached_property
    def patterns(self) -> AsyncPatterns:
        """Patterns: lessons with conditions of use, content and statistics. A pattern and its lesson are one: they
        are shown, promoted and suppressed together.
        """
        from .patterns import AsyncPatterns

        return AsyncPatterns(self._caller)

    @cached_property
    def recall(self) -> AsyncRecall:
        """What the memory knows that may help now."""
        from .recall import AsyncRecall

        return AsyncRecall(self._caller)

    @cached_property
    def runs(self) -> AsyncRuns:
        """Runs: tasks being worked on. Call `start`, then `observe` after each step, then `finish`; or `submit` for
        a whole run at once. Several processes may observe steps of one run.
        """
        from .runs import AsyncRuns

        return AsyncRuns(self._caller)

    @cached_property
    def skills(self) -> AsyncSkills:
        """Skills: procedures that a person can read and edit."""
        from .skills import AsyncSkills

        return AsyncSkills(self._caller)

    @cached_property
    def upkeep(self) -> AsyncUpkeep:
        """The upkeep of a memory."""
        from .upkeep import AsyncUpkeep

        return AsyncUpkeep(self._caller)

    @cached_property
    def working(self) -> AsyncWorking:
        """Working memory: the context of one run, within a budget of tokens. It outlives processes and is cleared
        when the run ends.
        """
        from .working import AsyncWorking

        return AsyncWorking(self._caller)
