/** `twiceshy:memory/episodes`: generated from the contract. */

import type { EpisodeHit, EpisodeQuery, FailureSignature, SimilarFailure } from './episode-search-types.js';
import type { Aging, Artifact, FullEpisode, LearningSummary, Lifecycle, NewEpisode } from './episode-types.js';
import type { Given } from './given.js';
import type { Episode, EpisodeFilter, TraceStep } from './memory-types.js';

/** Runs that have ended. */
export interface Episodes {
  /**
   * Adds an episode from elsewhere as if it had been observed: its failed actions become events, and lessons are
   * mined from it. `conflict` if its id is taken.
   */
  add(episode: Given<NewEpisode>): Promise<Episode>;
  /**
   * Lists episodes by their attributes, newest first. Deleted and consolidated ones are left out, unless the
   * filter asks for their phase.
   */
  find(filter: Given<EpisodeFilter>): Promise<Episode[]>;
  /** Returns an episode by its id. Changes nothing. */
  get(episode: string): Promise<Episode>;
  /** Returns everything that is known about an episode, even from cold storage. Counts as an access. */
  retrieve(episode: string): Promise<FullEpisode>;
  /**
   * Returns the steps of an episode or of an open run, in order, beginning with the step `first`, even from cold
   * storage. At most 200.
   */
  trace(episode: string, first: number): Promise<TraceStep[]>;
  /**
   * Searches episodes by meaning or words, or by attributes only, ranked by relevance. At least the 20 most
   * similar are ranked. Changes nothing.
   */
  search(query: Given<EpisodeQuery>): Promise<EpisodeHit[]>;
  /** Finds episodes with the same or a similar failure, and what worked there. Changes nothing. */
  similarFailures(failure: Given<FailureSignature>): Promise<SimilarFailure[]>;
  /** Returns what happened to an episode after the end of its run. Changes nothing. */
  lifecycleOf(episode: string): Promise<Lifecycle>;
  /**
   * Moves the steps and accounts of old episodes to cold storage, at most `limit` episodes, oldest first.
   * `dry-run` only counts. `unavailable` if the host has no archive.
   */
  age(limit: number, dryRun: boolean): Promise<Aging>;
  /** Brings the steps and the account of an episode back from cold storage. They stay at hand for at least 30 days. */
  restore(episode: string): Promise<Lifecycle>;
  /**
   * Deletes an episode. It is no longer found, and can be brought back until it is purged. Lessons that were learned in it
   * alone are withdrawn with it; its lifecycle names them.
   */
  softDelete(episode: string, reason: string): Promise<Lifecycle>;
  /** Brings back a deleted episode, with the lessons that were withdrawn with it. What it was merged with before stays apart. */
  undelete(episode: string): Promise<Lifecycle>;
  /**
   * Removes for good the episodes that were deleted longer ago than `retention-days` (default: 30), and returns
   * their ids. One in which alone a lesson was learned stays, and so does one with links: `purge-one` removes
   * it. `dry-run` removes nothing.
   */
  purge(retentionDays: number, dryRun: boolean): Promise<string[]>;
  /**
   * Removes one episode for good, deleted before or not. `conflict` if a lesson was learned in it alone; with
   * `with-lessons` these lessons are removed with it, and their ids returned.
   */
  purgeOne(episode: string, withLessons: boolean): Promise<string[]>;
  /** Keeps a content outside the store, under its hash. Secrets in texts are masked first. At most 16 MiB. */
  keepArtifact(name: string, mediaType: string, content: Uint8Array): Promise<Artifact>;
  /** Returns a content by its hash. */
  artifactContent(hash: string): Promise<Uint8Array>;
  /** Stores an episode with reflections on it, and updates lessons and patterns, in one call. */
  learn(episode: Given<NewEpisode>, insights: string[]): Promise<LearningSummary>;
}
