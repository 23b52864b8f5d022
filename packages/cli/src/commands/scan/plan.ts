/** sov scan plan: the smallest change that a panel can show, and the panel needed to show a given change. */
import type { OrganizationId } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { changeToPlan, describeBlindAlert, findBlindAlert, planPanel } from "@sov/core/scoring"
import { Effect } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { makeCanvas } from "../../output/canvas.ts"
import type { Output } from "../../output/Output.ts"
import { findConfig, noPlatforms, platformsToPlan, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { planJson, planText } from "./planReport.ts"

/** The configured platforms with their prices. Without a readable configuration there are no platforms and no costs. */
export const layerToPlan = (options: GlobalOptions) => {
  const config = findConfig(options)
  return config === null || config.decoded instanceof CliError
    ? noPlatforms
    : platformsToPlan(options, config.decoded).layer
}

export const plan = (options: GlobalOptions & { readonly change: string }) => {
  const points = Number(options.change)
  const checked = /^\d{1,3}(?:\.\d{1,3})?$/.test(options.change) && points > 0 && points <= 100
    ? Effect.succeed(points)
    : Effect.fail(usageError(`--change must be points above 0, at most 100, not ${JSON.stringify(options.change)}`))
  return runForOrganization(options, { before: checked, repeatable: true }, function*({ out }, { id }) {
    const found = yield* Effect.provide(planPanel(id, wholeHistory, yield* checked), layerToPlan(options))
    out.result(planJson(found), () => planText(found, makeCanvas(out)))
  })
}

/** Notes an alert threshold that is smaller than the change a panel can show. */
export const noteBlindAlert = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId) {
  const found = yield* findBlindAlert(organizationId, wholeHistory)
  if (found === null) return
  out.note(`${describeBlindAlert(found)}: sov scan plan --change ${changeToPlan(found)}`)
})
