"""`twiceshy:memory/experience-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal



MemoryType = Literal["factual", "procedural", "episodic"]
"""What an entry is about.

* `factual`: Facts, data, static knowledge: what.
* `procedural`: Strategies, workflows, how-to: how.
* `episodic`: One task and how it went.
"""


FeedbackType = Literal["success", "failure", "partial", "in-progress"]
"""How a task went.

* `success`: It succeeded.
* `failure`: It failed.
* `partial`: Some of it succeeded.
* `in-progress`: It is still going on.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredFeedback:
    """How a task went, in detail."""

    kind: FeedbackType
    """Success, failure, partial or in progress."""

    correct: bool
    """Whether the result is correct."""

    progress_rate: float
    """How far it came, from 0 to 1."""

    steps_used: int
    """How many steps it took."""

    steps_optimal: int | None = None
    """How many steps it takes at best, if known."""

    message: str
    """A message for a reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """A member of an entry's metadata."""

    name: str
    """Its name."""

    value: str
    """Its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceEntry:
    """An entry of experience: a task, the answer, and how it went. Each entry is also an episode with the same id."""

    id: str
    """Its id, which is the id of the episode."""

    input: str
    """The task or question."""

    output: str
    """The answer."""

    feedback: str
    """How it went, as text."""

    summary: str
    """A summary."""

    raw_trace: str
    """How the answer was found."""

    metadata: Sequence[Metadata] = ()
    """The domain, the tags and anything else that is known."""

    tags: Sequence[str] = ()
    """Its tags, sorted."""

    domain: str
    """Its domain."""

    created_at: int
    """When it was created."""

    structured_feedback: StructuredFeedback | None = None
    """How it went, in numbers."""

    memory_type: MemoryType
    """The type of the entry."""

    strategy_card: str
    """A strategy card: `When confronted with …, do …. Avoid ….` Empty if there is none."""

    access_count: int
    """How often it was found."""

    last_accessed_at: int | None = None
    """When it was last found."""

    relevance_score: float
    """Its relevance now: `decay^(days since access) · (1 + 0.1·ln(1 + accesses))`."""

    merged_from: Sequence[str] = ()
    """The entries that were merged into it, by id."""

    has_embedding: bool
    """Whether it has a vector."""

    archived: bool
    """Whether it was pruned or merged into another: it is kept, but not searched."""

    merged_into: str | None = None
    """The entry that it was merged into, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewExperience:
    """An experience to add. Only `input` is required."""

    input: str
    """The task or question. 1 byte to 16 KiB."""

    output: str
    """The answer."""

    feedback: str
    """How it went, as text, such as `success`."""

    structured_feedback: StructuredFeedback | None = None
    """How it went, in numbers."""

    strategy_card: str | None = None
    """A strategy card. Default: made from a success."""

    summary: str | None = None
    """A summary. Default: made from the rest."""

    raw_trace: str | None = None
    """How the answer was found."""

    domain: str | None = None
    """Its domain. Default: `general`."""

    tags: Sequence[str] = ()
    """Its tags. At most 32."""

    metadata: Sequence[Metadata] = ()
    """Anything else that is known. At most 32."""

    memory_type: MemoryType | None = None
    """The type of the entry. Default: found from its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolution:
    """What adding or restoring an experience did."""

    entry: ExperienceEntry
    """The entry."""

    merged: Sequence[str] = ()
    """Entries that were merged into it."""

    pruned: Sequence[str] = ()
    """Entries that were pruned to make room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceQuery:
    """Which experience to search for."""

    text: str
    """The task or question."""

    memory_type: MemoryType | None = None
    """Only entries of this type."""

    tag: str | None = None
    """Only entries with this tag."""

    domain: str | None = None
    """Only entries of this domain."""

    limit: int | None = None
    """At most this many. Default: `top_k` of the settings. Maximum: 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceHit:
    """An experience that was found."""

    entry: ExperienceEntry
    """The entry."""

    score: float
    """How similar it is, from 0 to 1."""

    by_meaning: bool
    """Whether it was compared by meaning (vectors) or by words only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """Context made from experience."""

    text: str
    """The text, marked so that the memory never learns from its own words."""

    tokens: int
    """Its size in tokens (an estimate)."""

    entries: Sequence[str] = ()
    """The entries it is made from."""


EditAction = Literal["prune", "merge", "update-tag"]
"""What to do to entries.

* `prune`: Take entries out of the search.
* `merge`: Merge several entries into one.
* `update-tag`: Add a tag.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEdit:
    """One edit."""

    action: EditAction
    """What to do."""

    ids: Sequence[str] = ()
    """The entries to edit. At least 2 for a merge."""

    summary: str | None = None
    """The summary of the merged entry."""

    tag: str | None = None
    """The tag to add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditReport:
    """What edits did."""

    pruned: Sequence[str] = ()
    """Entries that were pruned."""

    merged: Sequence[str] = ()
    """Entries that were made by merging."""

    tagged: Sequence[str] = ()
    """Entries that were tagged."""

    refused: Sequence[str] = ()
    """Refused edits, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """How often a name occurs."""

    name: str
    """The name."""

    count: int
    """How many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityMetrics:
    """How similar the tasks are."""

    average_similarity: float
    """The mean similarity of pairs, from 0 to 1."""

    cluster_ratio: float
    """The share of entries with another entry at a similarity of 0.8 or more. Higher means more clustered."""

    pairs: int
    """Pairs that were compared."""

    domain_distribution: Sequence[Distribution] = ()
    """Entries by domain."""

    type_distribution: Sequence[Distribution] = ()
    """Entries by type."""

    pruning_recommendation: str
    """What to do about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceStats:
    """Counts over the entries."""

    total_entries: int
    """Entries that are searched."""

    archived_entries: int
    """Entries that were pruned or merged, and are kept."""

    max_size: int
    """The maximum number of entries that are searched."""

    type_distribution: Sequence[Distribution] = ()
    """Entries by type."""

    total_accesses: int
    """Accesses in total."""

    avg_accesses_per_entry: float
    """Accesses per entry."""

    entries_with_strategy_card: int
    """Entries with a strategy card."""

    entries_with_structured_feedback: int
    """Entries with structured feedback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceSettings:
    """How experience is kept and used."""

    enabled: bool
    """Whether runs become experience automatically."""

    max_size: int
    """The maximum number of entries that are searched: 1 to 10,000. The time of a search is proportional; 100 to
    1,000 are sensible.
    """

    top_k: int
    """How many entries a search returns: 1 to 100."""

    window_size: int
    """How many entries count as recent: 1 to 1,000."""

    enable_rag: bool
    """Whether to search similar entries, or to return only recent ones."""

    remem_enabled: bool
    """Whether ReMem may be used: a loop in which the model may edit experience before it acts."""

    max_inner_steps: int
    """How many steps that loop may take: 1 to 20."""

    enable_smart_prune: bool
    """Whether to merge near-duplicates and prune the least relevant entries, or only prune the oldest."""

    prune_threshold: float
    """The similarity from which two entries are merged: 0 to 1."""

    relevance_decay: float
    """The share of its relevance that an entry keeps per day: 0 to 1."""

    min_relevance: float
    """The relevance below which an entry is pruned first: 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReEmbedding:
    """How many entries have vectors of the current embedder."""

    embedded: int
    """Entries that got a vector in this call."""

    left: int
    """Entries that still lack one."""

    dimensions: int
    """The length of the vectors."""
