/** Reading what the query of an address says. */
import { maxTagFilterLength } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { to } from "../Address.ts"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type PageReply, seeOther } from "../guard/Reply.ts"

/** Answers a form whose empty fields were sent, too, with the address without them; null where none is empty. */
export const withoutEmptyFields = ({ query }: Pick<PageRequest, "query">, path: `/${string}`): PageReply | null => {
  if (![...query.values()].includes("")) return null
  const given = new Set(query.keys())
  return seeOther(to(path, Object.fromEntries([...given].map((name) => [name, query.getAll(name).filter(Boolean)]))))
}

/** A tag to look for; one that no keyword has matches nothing. */
export const TagFilter = Schema.String.check(Schema.isMaxLength(maxTagFilterLength))

/** A value that the query may not have. */
export const refusedFilter = (name: string): PageRefused =>
  new PageRefused({
    status: 400,
    words: `The filter “${name}” does not accept this value. Remove it from the address.`
  })

/** The value of a filter; undefined where it is not given or empty. Refused where it is no such value. */
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

/** Whether a filter that is on or off is on: with any value. */
export const isFilterOn = ({ query }: Pick<PageRequest, "query">, name: string): boolean =>
  (query.get(name) ?? "") !== ""
