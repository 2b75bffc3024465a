"""`twiceshy:memory/skills`: generated from the contract."""

from collections.abc import Sequence

from .._calls import AsyncInterface, Interface
from .skill_types import Skill, SkillHit


class Skills(Interface):
    """Skills: procedures that a person can read and edit."""

    def put(self, slug: str, markdown: str) -> Skill:
        """Stores a skill as Markdown under a name of 1 to 64 lowercase letters, digits and dashes. An existing skill
        gets a new version, and a retired one is in use again; the same text changes nothing.

        The text begins with `# Skill: <name>`. The sections `## Prerequisites`, `## Steps` (numbered, required),
        `## Common Errors & Fixes` (`error: fix`) and `## Exit Criteria` are interpreted, others are kept. At most
        64 KiB. Secrets are masked. `invalid-argument` names the line that is wrong.
        """
        return self._call("skills.put", Skill, slug=slug, markdown=markdown)

    def get(self, slug: str) -> Skill:
        """Returns a skill by its name, in use or retired."""
        return self._call("skills.get", Skill, slug=slug)

    def history(self, slug: str) -> Sequence[Skill]:
        """Lists the versions of a skill that were replaced, oldest first: the newest 1,000."""
        return self._list("skills.history", Skill, slug=slug)

    def all(self) -> Sequence[Skill]:
        """Lists all skills in use, by name. At most 1,000."""
        return self._list("skills.all", Skill)

    def find(self, task: str, limit: int) -> Sequence[SkillHit]:
        """Finds skills in use by the keywords of a task, best first. The score is the share of the keywords that the
        skill has; keywords in its title count fully, others half. At most 64.
        """
        return self._list("skills.find", SkillHit, task=task, limit=limit)

    def retire(self, slug: str, reason: str) -> Skill:
        """Retires a skill. It is kept."""
        return self._call("skills.retire", Skill, slug=slug, reason=reason)

    def make_of_pattern(self, pattern: str, slug: str) -> Skill:
        """Makes a skill from a pattern with a procedure, a sequence or a decomposition, and links it to the pattern
        as `derived-from`. `conflict` if the pattern has no steps.
        """
        return self._call("skills.make-of-pattern", Skill, pattern=pattern, slug=slug)


class AsyncSkills(AsyncInterface):
    """Skills: procedures that a person can read and edit."""

    async def put(self, slug: str, markdown: str) -> Skill:
        """Stores a skill as Markdown under a name of 1 to 64 lowercase letters, digits and dashes. An existing skill
        gets a new version, and a retired one is in use again; the same text changes nothing.

        The text begins with `# Skill: <name>`. The sections `## Prerequisites`, `## Steps` (numbered, required),
        `## Common Errors & Fixes` (`error: fix`) and `## Exit Criteria` are interpreted, others are kept. At most
        64 KiB. Secrets are masked. `invalid-argument` names the line that is wrong.
        """
        return await self._call("skills.put", Skill, slug=slug, markdown=markdown)

    async def get(self, slug: str) -> Skill:
        """Returns a skill by its name, in use or retired."""
        return await self._call("skills.get", Skill, slug=slug)

    async def history(self, slug: str) -> Sequence[Skill]:
        """Lists the versions of a skill that were replaced, oldest first: the newest 1,000."""
        return await self._list("skills.history", Skill, slug=slug)

    async def all(self) -> Sequence[Skill]:
        """Lists all skills in use, by name. At most 1,000."""
        return await self._list("skills.all", Skill)

    async def find(self, task: str, limit: int) -> Sequence[SkillHit]:
        """Finds skills in use by the keywords of a task, best first. The score is the share of the keywords that the
        skill has; keywords in its title count fully, others half. At most 64.
        """
        return await self._list("skills.find", SkillHit, task=task, limit=limit)

    async def retire(self, slug: str, reason: str) -> Skill:
        """Retires a skill. It is kept."""
        return await self._call("skills.retire", Skill, slug=slug, reason=reason)

    async def make_of_pattern(self, pattern: str, slug: str) -> Skill:
        """Makes a skill from a pattern with a procedure, a sequence or a decomposition, and links it to the pattern
        as `derived-from`. `conflict` if the pattern has no steps.
        """
        return await self._call("skills.make-of-pattern", Skill, pattern=pattern, slug=slug)
