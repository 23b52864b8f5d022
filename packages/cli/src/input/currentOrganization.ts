import { findOrganization, listOrganizations, type Organization } from "@sov/core/organizations"
import { Effect } from "effect"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"

/** The organization given by `--org` (short name or id), or the only organization. */
export const currentOrganization = Effect.fnUntraced(function*(options: GlobalOptions) {
  if (options.org !== undefined) return yield* findOrganization(options.org)
  const all = yield* listOrganizations()
  const [only, ...more] = all
  if (only === undefined) {
    return yield* Effect.fail(
      new CliError("no-organization", exitCodes.notFound, "there is no organization yet", "sov init sets one up")
    )
  }
  if (more.length === 0) return only satisfies Organization
  const shown = all.slice(0, 5).map((one) => one.slug).join(" | --org ")
  const rest = all.length > 5 ? ` | … (sov org list has all ${all.length})` : ""
  return yield* Effect.fail(usageError("there are several organizations", `choose one with --org ${shown}${rest}`))
})
