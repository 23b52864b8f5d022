import { Effect } from "effect"
import { NotFound } from "../errors.ts"
import { listOrganizations } from "./listOrganizations.ts"

/** Finds an organization by its id or its short name (slug). Fails with NotFound. */
export const findOrganization = Effect.fn("findOrganization")(function*(idOrSlug: string) {
  const found = (yield* listOrganizations()).find(({ id, slug }) => slug === idOrSlug || id === idOrSlug)
  return found ?? (yield* new NotFound({ what: "organization", id: idOrSlug }))
})
