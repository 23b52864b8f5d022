/** Starts a scan. */
import {
  type BudgetSpent,
  KeywordId,
  type NotFound,
  type NotReady,
  type OrganizationSuspended,
  type PlatformsMissing,
  type QuotaExhausted,
  type Rejected
} from "@sov/core/common"
import { listPlatforms, PlatformId } from "@sov/core/platforms"
import { estimateScan, makeIdempotencyKey, startScans } from "@sov/core/scanning"
import { listViews, readKeywords, standardView } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { type NewScanData, newScanPage, type ScanChoice } from "../pages/newScan.ts"
import { inOrganization } from "../pages/sections.ts"
import { refusedFilter } from "./query.ts"

const isPlatformId = Schema.is(PlatformId)
const isKeywordId = Schema.is(KeywordId)

/** The platforms, views and keywords in a query or form, without duplicates; empty = all. */
const readChoice = Effect.fnUntraced(function*(fields: URLSearchParams) {
  const platforms = [...new Set(fields.getAll("platform"))]
  const keywordIds = [...new Set(fields.getAll("keyword_id"))]
  if (!platforms.every(isPlatformId)) return yield* refusedFilter("platform")
  if (!keywordIds.every(isKeywordId)) return yield* refusedFilter("keyword_id")
  return { platforms, keywordIds, views: [...new Set(fields.getAll("view"))] }
})

type Chosen = Effect.Success<ReturnType<typeof readChoice>>

const makeRequest = ({ keywordIds, platforms, views }: Chosen, samples: number) => ({
  scanType: "manual" as const,
  usesQuota: true,
  samples,
  ...platforms.length > 0 ? { platforms } : {},
  ...views.length > 0 ? { views } : {},
  ...keywordIds.length > 0 ? { keywordIds } : {}
})

/** A sentence that says why the chosen scan cannot start. */
const describeFault = (
  error: BudgetSpent | NotFound | OrganizationSuspended | PlatformsMissing | Rejected
): string => {
  switch (error._tag) {
    case "NotFound":
      return error.what === "view"
        ? `There is no view ${error.id}.`
        : "One of the chosen questions is not active."
    case "OrganizationSuspended":
      return `No scan can start: ${error.message}. The operator of this server can resume it.`
    case "BudgetSpent":
      return `No scan can start: ${error.message}. The operator of this server can raise it.`
    default:
      return `This scan is not possible: ${error.message}.`
  }
}

const readPlan = (organizationId: OrganizationRequest["organization"]["id"], chosen: Chosen, samples: number) =>
  estimateScan(organizationId, makeRequest(chosen, samples)).pipe(
    Effect.map((estimate): NewScanData["plan"] => ({ estimate })),
    Effect.catchTags({
      NotReady: ({ missing }) => Effect.succeed<NewScanData["plan"]>({ missing })
    }),
    Effect.catchIf(
      (error) => error._tag !== "StoreError",
      (error) => Effect.succeed<NewScanData["plan"]>({ fault: describeFault(error) })
    )
  )

/** GET /o/{slug}/scans/new?platform=&view=&keyword_id= */
export const showNewScan = Effect.fnUntraced(
  function*({ configured, frame, organization: { id }, query, samples }: OrganizationRequest) {
    const choice: ScanChoice & Chosen = yield* readChoice(query)
    return showPage(newScanPage(frame, {
      choice,
      ready: (yield* listPlatforms()).map((platform) => platform.id),
      configured,
      views: [standardView, ...(yield* listViews(id)).map(({ name }) => name)],
      keywords: yield* readKeywords(id, ["active"]),
      plan: yield* readPlan(id, choice, samples),
      idempotencyKey: yield* makeIdempotencyKey
    }))
  }
)

const refuse = (status: 409 | 422, words: string) => Effect.fail(new PageRefused({ status, words }))

/** The idempotency key of a page is a UUID. Any other text did not come from a page. */
const keyForm = /^[0-9a-f-]{36}$/

/** POST /o/{slug}/scans: starts a scan. A second click redirects to the scan that the first click started. */
export const startNewScan = Effect.fnUntraced(
  function*({ form, organization: { id, slug }, samples }: OrganizationRequest) {
    const key = form.get("idempotency_key") ?? ""
    if (!keyForm.test(key)) {
      return yield* new PageRefused({ status: 400, words: "The form is incomplete. Reload its page." })
    }
    const [started] = yield* startScans(id, makeRequest(yield* readChoice(form), samples), key)
    return seeOther(inOrganization(slug, `/scans/${started.id}`, { done: "scan-started" }))
  },
  Effect.catchTags({
    NotFound: (error: NotFound) => refuse(422, describeFault(error)),
    OrganizationSuspended: (error: OrganizationSuspended) => refuse(409, describeFault(error)),
    BudgetSpent: (error: BudgetSpent) => refuse(409, describeFault(error)),
    PlatformsMissing: (error: PlatformsMissing) => refuse(422, describeFault(error)),
    Rejected: (error: Rejected) => refuse(422, describeFault(error)),
    NotReady: ({ message }: NotReady) => refuse(422, `The scan cannot start: ${message}.`),
    QuotaExhausted: ({ message, resetsAt }: QuotaExhausted) =>
      refuse(422, `The scan cannot start: ${message}. The quota resets on ${resetsAt.toISOString().slice(0, 10)}.`),
    IdempotencyMismatch: () => refuse(409, "This form has already started another scan. Reload its page."),
    StartInProgress: () => refuse(409, "This scan is already starting. Look at the list of scans.")
  })
)
