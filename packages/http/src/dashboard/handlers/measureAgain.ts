/** Measures earlier scans again with the current names, after a preview of the changes. */
import { makeFormId } from "@sov/core/audit"
import { AuditEntryId } from "@sov/core/common"
import { measureAgain as measure, planMeasuring, previewRescore, recordRescore } from "@sov/core/measuring"
import { listScanRows } from "@sov/core/scanning"
import { Effect, Option, Schema } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { measureAgainPage } from "../pages/measureAgain.ts"
import { inOrganization } from "../pages/sections.ts"
import { readFormId } from "./forms.ts"
import { redirectTo } from "./replies.ts"

/** Number of scans in the preview. */
const previewedScans = 3

/** Maximum time for measuring within one request. The next request continues. */
const measureFor = "5 seconds"

const ignore = () => {}

/** Without a brand, nothing can be measured: redirects to the form for the brand. */
const toBrand = (request: Pick<OrganizationRequest, "organization">) =>
  redirectTo(request, "/competitors/brand", "brand-first")

const isEntryId = Schema.is(AuditEntryId)

/** GET /o/{slug}/competitors/measure */
export const showMeasureAgain = Effect.fnUntraced(
  function*({ frame, organization: { id }, query, window }: OrganizationRequest) {
    const plan = yield* planMeasuring(id, {})
    const run = query.get("run")
    if (query.get("done") === "rescored-part" && isEntryId(run)) {
      return showPage(measureAgainPage(frame, { plan, preview: null, formId: run }))
    }
    const { rows } = yield* listScanRows(id, window, { status: "completed" }, { limit: previewedScans })
    const since = rows.at(-1)?.scan.startedAt ?? window.since
    const preview = yield* previewRescore(id, { ...plan, since }, ignore)
    return showPage(measureAgainPage(frame, { plan, preview, formId: yield* makeFormId }))
  },
  (shown, request) => Effect.catchTag(shown, "NotReady", () => Effect.succeed(toBrand(request)))
)

/**
 * POST /o/{slug}/competitors/measure. Each page of answers is stored separately and no answer is measured twice, so the
 * request may stop at any moment. The forms that continue the work carry the id of the first form, so that the audit
 * log has one entry for all of them.
 */
export const measureAgain = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization: { id, slug } } = request
  const formId = yield* readFormId(request)
  const plan = yield* planMeasuring(id, {})
  const run = yield* recordRescore(id, plan, formId)
  const ended = yield* Effect.timeoutOption(measure(id, plan, ignore), measureFor)
  return seeOther(
    Option.isSome(ended)
      ? inOrganization(slug, "/competitors", { done: "rescored" })
      : inOrganization(slug, "/competitors/measure", { done: "rescored-part", run })
  )
}, (measured, request) => Effect.catchTag(measured, "NotReady", () => Effect.succeed(toBrand(request))))
