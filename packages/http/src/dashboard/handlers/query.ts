/** Reads the query of an address. */
import { maxTagFilterLength } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { to } from "../Address.ts"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type PageReply, seeOther } from "../guard/Reply.ts"

/** The same address without its empty fields, as a redirect; null if no field is empty. */
export const withoutEmptyFields = ({ query }: Pick<PageRequest, "query">, path: `/${string}`): PageReply | null => {
  if (![...query.values()].includes("")) return null
  const given = new Set(query.keys())
  return seeOther(to(path, Object.fromEntries([...given].map((name) => [name, query.getAll(name).filter(Boolean)]))))
}

/** A tag to filter by; a tag that no keyword has matches nothing. */
export const TagFilter = Schema.String.check(Schema.isMaxLength(maxTagFilterLength))

/** The refusal for a value that a filter does not accept. */
export const refusedFilter = (name: string): PageRefused =>
  new PageRefused({
    status: 400,
    words: `The filter “${name}” does not accept this value. Remove it from the address.`
  })

/** The value of a filter; undefined if missing or empty. Refuses a value that the schema does not allow. */
export const readFilter = <A>(
  { query }: Pick<PageRequest, "query">,
  name: string,
  schema: Schema.Codec<A, string>
): Effect.Effect<A | undefined, PageRefused> => {
  const text = query.get(name)
  return text === null || text === ""
    ? Effect.undefined
    : Effect.mapError(Schema.decodeEffect(schema)(text), () => refusedFilter(name))
}

/** Whether an on/off filter is on, which any value turns on. */
export const isFilterOn = ({ query }: Pick<PageRequest, "query">, name: string): boolean =>
  (query.get(name) ?? "") !== ""
