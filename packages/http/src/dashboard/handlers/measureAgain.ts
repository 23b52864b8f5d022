/** Measuring earlier scans with the present names: what it would change, and doing it. */
import { listScanRows, planRescore, previewRescore, rescore } from "@sov/core"
import { Effect, Option } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { measureAgainPage } from "../pages/measureAgain.ts"
import { inOrganization } from "../pages/sections.ts"

/** Scans that are read for the preview. */
const previewedScans = 3

/** A request measures for so long; what is left then is measured by the next one. */
const measureFor = "5 seconds"

const ignore = () => {}

/** Without a brand there is nothing to measure by: leads to where it is set. */
export const toBrand = ({ organization: { slug } }: Pick<OrganizationRequest, "organization">) =>
  seeOther(inOrganization(slug, "/competitors/brand", { done: "brand-first" }))

/** GET /o/{slug}/competitors/measure */
export const showMeasureAgain = Effect.fnUntraced(
  function*({ frame, organization: { id }, query, window }: OrganizationRequest) {
    const plan = yield* planRescore(id, {})
    if (query.get("done") === "rescored-part") return showPage(measureAgainPage(frame, { plan, preview: null }))
    const { rows } = yield* listScanRows(id, window, { status: "completed" }, { limit: previewedScans })
    const since = rows.at(-1)?.scan.startedAt ?? window.since
    const preview = yield* previewRescore(id, { ...plan, since }, ignore)
    return showPage(measureAgainPage(frame, { plan, preview }))
  },
  (shown, request) => Effect.catchTag(shown, "NotReady", () => Effect.succeed(toBrand(request)))
)

/**
 * POST /o/{slug}/competitors/measure. Each page of answers is stored by itself and none is measured twice, so it may end at any
 * moment.
 */
export const measureAgain = Effect.fnUntraced(function*({ organization: { id, slug } }: OrganizationRequest) {
  const plan = yield* planRescore(id, {})
  const ended = yield* Effect.timeoutOption(rescore(id, plan, ignore), measureFor)
  return seeOther(
    Option.isSome(ended)
      ? inOrganization(slug, "/competitors", { done: "rescored" })
      : inOrganization(slug, "/competitors/measure", { done: "rescored-part" })
  )
}, (measured, request) => Effect.catchTag(measured, "NotReady", () => Effect.succeed(toBrand(request))))
