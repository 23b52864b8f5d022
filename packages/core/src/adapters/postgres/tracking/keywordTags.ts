/** Statements that add and remove the tags of keywords. */
import { Array, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { KeywordId, type OrganizationId } from "../../../domain/ids.ts"
import { Tag, type TaggedKeyword, tagKey } from "../../../domain/tracking/Tag.ts"
import { decodeRows, rowOf } from "../rows.ts"
import { inBatches } from "../values.ts"

/** A row of table `keyword_tag`. */
export const TagRow = rowOf({ keywordId: KeywordId, tag: Tag })

const keyOf = ({ keywordId, tag }: TaggedKeyword): string => `${keywordId} ${tagKey(tag)}`

/**
 * Removes duplicates and sorts in a fixed order: concurrent changes to the tags of the same keywords wait instead of
 * deadlocking.
 */
const sortTagged = (tagged: ReadonlyArray<TaggedKeyword>): ReadonlyArray<TaggedKeyword> =>
  [...new Map(tagged.toReversed().map((one) => [keyOf(one), one]))]
    .sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one)

/** Adds the tags that are missing, and returns the added ones. */
export const addTags = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  tagged: ReadonlyArray<TaggedKeyword>
) =>
  inBatches(sql, sortTagged(tagged), (batch) =>
    sql`
      insert into keyword_tag ${
      sql.insert(Array.map(batch, ({ keywordId, tag }) => ({
        organization_id: organizationId,
        keyword_id: keywordId,
        key: tagKey(tag),
        tag
      })))
    } on conflict do nothing returning keyword_id, tag
    `.pipe(decodeRows(TagRow))).pipe(Effect.map(Array.flatten))

/** Removes the tags that exist, and returns the removed ones. */
export const removeTags = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  tagged: ReadonlyArray<TaggedKeyword>
) =>
  inBatches(sql, sortTagged(tagged), (batch) =>
    sql`
      delete from keyword_tag
      where organization_id = ${organizationId} and ${
      sql.or(batch.map(({ keywordId, tag }) => sql`(keyword_id = ${keywordId} and key = ${tagKey(tag)})`))
    } returning keyword_id, tag
    `.pipe(decodeRows(TagRow))).pipe(Effect.map(Array.flatten))
