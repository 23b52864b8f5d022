/** Names and keywords as clients see them. */
import type { Keyword } from "../domain/tracking/Keyword.ts"
import type { Brand, Competitor } from "../domain/tracking/TrackedSet.ts"

/** A brand or competitor: the names and hosts that count as it. */
export const entityJson = ({ aliases, domains, id, name }: Brand | Competitor) => ({ id, name, aliases, domains })

/** A keyword. */
export const keywordJson = ({ createdAt, id, status, text }: Keyword) => ({
  id,
  text,
  status,
  created_at: createdAt.toISOString()
})

/** A keyword with the tags that it was given. */
export const taggedKeywordJson = (keyword: Keyword, tags: ReadonlyArray<string> = []) => ({
  ...keywordJson(keyword),
  tags
})
