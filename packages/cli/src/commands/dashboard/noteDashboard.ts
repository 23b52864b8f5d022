import { readInstanceTag } from "@sov/core/access"
import type { Organization } from "@sov/core/organizations"
import { Effect } from "effect"
import type { Output } from "../../output/Output.ts"
import { serverOrigin } from "../../settings/serverOrigin.ts"
import { askInstance } from "./askInstance.ts"

/**
 * Shows people the address of one of the organization's pages, if a dashboard with this database answers at
 * SOV_PUBLIC_URL or on this machine. `path` is the part after `/o/{slug}`.
 */
export const noteDashboard = Effect.fnUntraced(
  function*(out: Output, { slug }: Pick<Organization, "slug">, path: "" | `/${string}`) {
    if (out.machine || out.quiet) return
    const origin = yield* serverOrigin("SOV_PUBLIC_URL", process.env["SOV_PUBLIC_URL"] || undefined)
    if ((yield* askInstance(origin)) === (yield* readInstanceTag())) out.note(`Dashboard: ${origin}/o/${slug}${path}`)
  },
  (noted) => Effect.ignore(noted)
)
