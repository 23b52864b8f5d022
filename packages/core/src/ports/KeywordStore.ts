import { Context, type Effect } from "effect"
import type { PagePosition } from "../domain/Cursor.ts"
import type { KeywordId, OrganizationId } from "../domain/ids.ts"
import type { View } from "../domain/platforms/surface.ts"
import type { Keyword, KeywordStatus } from "../domain/tracking/Keyword.ts"
import type { TaggedKeyword } from "../domain/tracking/Tag.ts"
import type { StoreError } from "./StoreError.ts"

/** A keyword with a summary of its newest answers. */
export interface KeywordSummary {
  readonly keyword: Keyword
  /** Time of its newest answer; null if it was never answered. */
  readonly lastScannedAt: Date | null
  /**
   * Whether the scan of the newest answer has an answer to this keyword that names the brand; null if none of these
   * answers is measured.
   */
  readonly lastMentioned: boolean | null
  /** Whether its newest answer is simulated; false if it was never answered. */
  readonly simulated: boolean
}

/** KeywordStore stores the tracked prompts and their tags. A keyword is never deleted, because answers refer to it. */
export class KeywordStore extends Context.Service<KeywordStore, {
  /**
   * Adds keywords whose text is new and reactivates archived ones; returns all of them in the given order. A text that
   * already exists keeps its id.
   */
  readonly add: (
    organizationId: OrganizationId,
    keywords: ReadonlyArray<Keyword>
  ) => Effect.Effect<ReadonlyArray<Keyword>, StoreError>
  /** Keywords with one of these statuses, oldest first. */
  readonly list: (
    organizationId: OrganizationId,
    statuses: ReadonlyArray<KeywordStatus>
  ) => Effect.Effect<ReadonlyArray<Keyword>, StoreError>
  /**
   * Up to `limit` keywords with one of these statuses, oldest first, starting after `after`; with `query`, only those
   * whose text contains it, ignoring case; with `ids`, only these.
   */
  readonly summaries: (
    organizationId: OrganizationId,
    filters: {
      readonly statuses: ReadonlyArray<KeywordStatus>
      readonly query?: string
      readonly ids?: ReadonlyArray<KeywordId>
    },
    options: { readonly limit: number; readonly after?: PagePosition }
  ) => Effect.Effect<ReadonlyArray<KeywordSummary>, StoreError>
  readonly find: (organizationId: OrganizationId, id: KeywordId) => Effect.Effect<Keyword | null, StoreError>
  /** Sets the status and returns the keyword; null if there is no such keyword. */
  readonly setStatus: (
    organizationId: OrganizationId,
    id: KeywordId,
    status: KeywordStatus
  ) => Effect.Effect<Keyword | null, StoreError>
  /** Sets the statuses of several keywords in one statement; unknown ids are ignored. */
  readonly setStatuses: (
    organizationId: OrganizationId,
    changes: ReadonlyArray<Pick<Keyword, "id" | "status">>
  ) => Effect.Effect<void, StoreError>
  /**
   * Adds tags to keywords and returns the tags that the keywords did not have: two spellings with the same `tagKey` are
   * one tag.
   */
  readonly addTags: (
    organizationId: OrganizationId,
    tagged: ReadonlyArray<TaggedKeyword>
  ) => Effect.Effect<ReadonlyArray<TaggedKeyword>, StoreError>
  /** Removes tags from keywords, in any spelling, and returns the tags that were removed. */
  readonly removeTags: (
    organizationId: OrganizationId,
    tagged: ReadonlyArray<TaggedKeyword>
  ) => Effect.Effect<ReadonlyArray<TaggedKeyword>, StoreError>
  /** The tags of all keywords; within a keyword, ordered by `tagKey`. */
  readonly listTags: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<TaggedKeyword>, StoreError>
  /** The views other than the standard one, by name. */
  readonly listViews: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<View>, StoreError>
  /** Adds a view; false if the name is taken. */
  readonly addView: (organizationId: OrganizationId, view: View, at: Date) => Effect.Effect<boolean, StoreError>
  /** Removes a view and its wordings; false if there is no such view. */
  readonly removeView: (organizationId: OrganizationId, name: string) => Effect.Effect<boolean, StoreError>
  /** Sets how a view words a keyword; null restores the keyword's own text. */
  readonly setWording: (
    organizationId: OrganizationId,
    wording: { readonly view: string; readonly keywordId: KeywordId; readonly text: string | null }
  ) => Effect.Effect<void, StoreError>
  /** The wordings of a view. */
  readonly listWordings: (
    organizationId: OrganizationId,
    view: string
  ) => Effect.Effect<ReadonlyArray<{ readonly keywordId: KeywordId; readonly text: string }>, StoreError>
}>()("@sov/core/ports/KeywordStore") {}
