/** Filters in the address of a page, by REST's names. */
import { Effect, Schema } from "effect"
import { inOrganization } from "../pages/sections.ts"
import { PageRefused } from "./PageRefused.ts"
import type { OrganizationRequest } from "./PageRequest.ts"
import { type Reply, seeOther } from "./Reply.ts"

/** Where a form leads that was sent with empty fields: the same address without them. Null = none is empty. */
export const dropEmptyFilters = (
  { organization, query }: Pick<OrganizationRequest, "organization" | "query">,
  path: `/${string}`
): Reply | null => {
  const given = [...query].filter(([, value]) => value !== "")
  return given.length === query.size
    ? null
    : seeOther(inOrganization(organization.slug, path, Object.fromEntries(given)))
}

/** The value of a filter; undefined = not given. Refused with 400 where it is no such value. */
export const readFilter = <A>(
  { query }: Pick<OrganizationRequest, "query">,
  name: string,
  schema: Schema.Codec<A, string>
): Effect.Effect<A | undefined, PageRefused> => {
  const text = query.get(name)
  return text === null || text === ""
    ? Effect.undefined
    : Schema.decodeEffect(schema)(text).pipe(
      Effect.mapError(() => new PageRefused({ status: 400, words: `This page has no such value of ${name}.` }))
    )
}

/** A filter that is on or off: on with any value. */
export const isFilterOn = ({ query }: Pick<OrganizationRequest, "query">, name: string): boolean =>
  (query.get(name) ?? "") !== ""
