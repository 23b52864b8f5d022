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
  /** Time of its newest answer; null when it was never answered. */
  readonly lastScannedAt: Date | null
  /** Whether an answer to it in that answer's scan names the brand; null when none is measured. */
  readonly lastMentioned: boolean | null
  /** Whether its newest answer is made up; false when it was never answered. */
  readonly simulated: boolean
}

/** KeywordStore stores the tracked prompts and their tags. A keyword is never deleted, because answers refer to it. */
export class KeywordStore extends Context.Service<KeywordStore, {
  /**
   * Adds the keywords whose text is new and makes archived ones active again; returns all of them as they now are, in
   * the given order. A text that exists keeps its id.
   */
  readonly add: (
    organizationId: OrganizationId,
    keywords: ReadonlyArray<Keyword>
  ) => Effect.Effect<ReadonlyArray<Keyword>, StoreError>
  /** Keywords with one of the statuses, oldest first. */
  readonly list: (
    organizationId: OrganizationId,
    statuses: ReadonlyArray<KeywordStatus>
  ) => Effect.Effect<ReadonlyArray<Keyword>, StoreError>
  /**
   * Up to `limit` keywords with one of the statuses, oldest first, strictly after `after`; with `query` only those
   * whose text contains it, whatever the case; with `ids` only these.
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
  /** The keyword with its new status; null if absent. */
  readonly setStatus: (
    organizationId: OrganizationId,
    id: KeywordId,
    status: KeywordStatus
  ) => Effect.Effect<Keyword | null, StoreError>
  /** Gives keywords their new statuses in one statement; ids that there are not are passed over. */
  readonly setStatuses: (
    organizationId: OrganizationId,
    changes: ReadonlyArray<Pick<Keyword, "id" | "status">>
  ) => Effect.Effect<void, StoreError>
  /** Gives keywords tags, and returns those that they did not have: two spellings of one `tagKey` are one tag. */
  readonly addTags: (
    organizationId: OrganizationId,
    tagged: ReadonlyArray<TaggedKeyword>
  ) => Effect.Effect<ReadonlyArray<TaggedKeyword>, StoreError>
  /** Takes tags from keywords, in any spelling, and returns those that they had. */
  readonly removeTags: (
    organizationId: OrganizationId,
    tagged: ReadonlyArray<TaggedKeyword>
  ) => Effect.Effect<ReadonlyArray<TaggedKeyword>, StoreError>
  /** All tags of all keywords, those of a keyword by `tagKey`. */
  readonly listTags: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<TaggedKeyword>, StoreError>
  /** Views beside the standard one, by name. */
  readonly listViews: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<View>, StoreError>
  /** Adds a view; false if there is one with this name. */
  readonly addView: (organizationId: OrganizationId, view: View, at: Date) => Effect.Effect<boolean, StoreError>
  /** Removes a view with its wordings; false if there is no such view. */
  readonly removeView: (organizationId: OrganizationId, name: string) => Effect.Effect<boolean, StoreError>
  /** Sets how a view asks a keyword; null = by the keyword's own text. */
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
