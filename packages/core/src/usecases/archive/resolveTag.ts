import { Effect } from "effect"
import type { AnswerFilters, ArchiveFilters } from "../../domain/archive/ArchiveFilters.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { findTagged } from "../tracking/readTags.ts"

/**
 * Converts filters to those that stores accept: replaces the tag by its present keywords. A tag without keywords
 * matches nothing.
 */
export const resolveTag = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { tag, ...filters }: ArchiveFilters | AnswerFilters) {
    const resolved: AnswerFilters = tag === undefined
      ? filters
      : { ...filters, keywordIds: yield* findTagged(organizationId, tag) }
    return resolved
  }
)
