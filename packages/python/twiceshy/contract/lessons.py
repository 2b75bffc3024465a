"""`twiceshy:memory/lessons`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .activation_types import Activation, ActivationFilter
from .lesson_types import Explanation, Lesson, LessonCandidate, LessonFilter, LessonStatus


class Lessons(Interface):
    """Lessons: units of knowledge and their lifecycle."""

    def propose(self, lesson: LessonCandidate) -> Lesson:
        """Adds a lesson as a candidate. A known lesson is not stored twice: its tags, runs and time of change are
        updated, its status stays.
        """
        return self._call("lessons.propose", Lesson, lesson=lesson)

    def distil(self, episode: str) -> Sequence[Lesson]:
        """Asks the model for lessons from the recurring failures of an episode, checks its answer, and adds what is
        valid as candidates. `unavailable` without a model.
        """
        return self._list("lessons.distil", Lesson, episode=episode)

    def hand_in(self, episode: str, candidates: str) -> Sequence[Lesson]:
        """Adds what an agent learned in an episode: a JSON array of objects with exactly the members
        `trigger_fingerprints` (of the episode; or `trigger_fingerprint` for a single one), `rule_text` and
        `scope_hint`. Adds all of them or none.
        """
        return self._list("lessons.hand-in", Lesson, episode=episode, candidates=candidates)

    def mine(self, episode: str) -> Sequence[Lesson]:
        """Mines lessons from the steps of an episode without a model: from a failed action followed by a similar one
        that works, and from recurring failures. Happens automatically at the end of each run; the same episode
        gives the same lessons again.
        """
        return self._list("lessons.mine", Lesson, episode=episode)

    def revise(self, lesson: str, rule_text: str, reason: str) -> Lesson:
        """Changes the rule of a lesson. A changed rule is unproven, so it becomes a new candidate that supersedes
        the old lesson, which is deprecated.
        """
        return self._call("lessons.revise", Lesson, lesson=lesson, rule_text=rule_text, reason=reason)

    def activations(self, filter: ActivationFilter = ActivationFilter()) -> Sequence[Activation]:
        """Lists activations, newest first: where lessons were shown or withheld. Of each lesson the newest are kept
        one by one, and all of the last month.
        """
        return self._list("lessons.activations", Activation, filter=filter)

    def explain(self, lesson: str) -> Explanation:
        """Explains a lesson: its activations, its episodes and the steps it was learned from."""
        return self._call("lessons.explain", Explanation, lesson=lesson)

    def find(self, filter: LessonFilter = LessonFilter()) -> Sequence[Lesson]:
        """Lists lessons, most recently changed first."""
        return self._list("lessons.find", Lesson, filter=filter)

    def get(self, lesson: str) -> Lesson:
        """Returns a lesson by its id."""
        return self._call("lessons.get", Lesson, lesson=lesson)

    def set_status(self, lesson: str, status: LessonStatus, reason: str) -> Lesson:
        """Changes the status of a lesson by hand. `conflict` if the lifecycle does not allow it: an archived lesson
        stays archived, and nothing becomes a candidate again.
        """
        return self._call("lessons.set-status", Lesson, lesson=lesson, status=status, reason=reason)


class AsyncLessons(AsyncInterface):
    """Lessons: units of knowledge and their lifecycle."""

    async def propose(self, lesson: LessonCandidate) -> Lesson:
        """Adds a lesson as a candidate. A known lesson is not stored twice: its tags, runs and time of change are
        updated, its status stays.
        """
        return await self._call("lessons.propose", Lesson, lesson=lesson)

    async def distil(self, episode: str) -> Sequence[Lesson]:
        """Asks the model for lessons from the recurring failures of an episode, checks its answer, and adds what is
        valid as candidates. `unavailable` without a model.
        """
        return await self._list("lessons.distil", Lesson, episode=episode)

    async def hand_in(self, episode: str, candidates: str) -> Sequence[Lesson]:
        """Adds what an agent learned in an episode: a JSON array of objects with exactly the members
        `trigger_fingerprints` (of the episode; or `trigger_fingerprint` for a single one), `rule_text` and
        `scope_hint`. Adds all of them or none.
        """
        return await self._list("lessons.hand-in", Lesson, episode=episode, candidates=candidates)

    async def mine(self, episode: str) -> Sequence[Lesson]:
        """Mines lessons from the steps of an episode without a model: from a failed action followed by a similar one
        that works, and from recurring failures. Happens automatically at the end of each run; the same episode
        gives the same lessons again.
        """
        return await self._list("lessons.mine", Lesson, episode=episode)

    async def revise(self, lesson: str, rule_text: str, reason: str) -> Lesson:
        """Changes the rule of a lesson. A changed rule is unproven, so it becomes a new candidate that supersedes
        the old lesson, which is deprecated.
        """
        return await self._call("lessons.revise", Lesson, lesson=lesson, rule_text=rule_text, reason=reason)

    async def activations(self, filter: ActivationFilter = ActivationFilter()) -> Sequence[Activation]:
        """Lists activations, newest first: where lessons were shown or withheld. Of each lesson the newest are kept
        one by one, and all of the last month.
        """
        return await self._list("lessons.activations", Activation, filter=filter)

    async def explain(self, lesson: str) -> Explanation:
        """Explains a lesson: its activations, its episodes and the steps it was learned from."""
        return await self._call("lessons.explain", Explanation, lesson=lesson)

    async def find(self, filter: LessonFilter = LessonFilter()) -> Sequence[Lesson]:
        """Lists lessons, most recently changed first."""
        return await self._list("lessons.find", Lesson, filter=filter)

    async def get(self, lesson: str) -> Lesson:
        """Returns a lesson by its id."""
        return await self._call("lessons.get", Lesson, lesson=lesson)

    async def set_status(self, lesson: str, status: LessonStatus, reason: str) -> Lesson:
        """Changes the status of a lesson by hand. `conflict` if the lifecycle does not allow it: an archived lesson
        stays archived, and nothing becomes a candidate again.
        """
        return await self._call("lessons.set-status", Lesson, lesson=lesson, status=status, reason=reason)
