import { wholeHistory } from "@sov/core/organizations"
import { funnelsJson, readFunnels, readSources } from "@sov/core/sources"
import { Effect, type Schema } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import type { Funnel } from "../contract/funnelResource.ts"
import { defaultLimit, type funnelQuery } from "../contract/parameters.ts"
import { orProblem, respondJson } from "./respond.ts"

/** GET /api/v1/funnel */
export const getFunnel = Effect.fnUntraced(
  function*({ query }: { readonly query: Schema.Struct.Type<typeof funnelQuery> }) {
    const { organization } = yield* CurrentCaller
    const { platform, scans = defaultLimit.funnel, tag } = query
    const report = yield* readSources(organization.id, wholeHistory, { scans, platform, tag })
    const [{ completedAt, simulated, startedAt }] = report.scans
    const found: typeof Funnel.Encoded = {
      as_of: (completedAt ?? startedAt).toISOString(),
      scans: report.scans.length,
      ...funnelsJson(yield* readFunnels(organization.id, report)),
      ...simulated ? { simulated } : {}
    }
    return yield* respondJson(found, organization.id)
  },
  orProblem
)
