import type { KeywordId } from "@sov/core/common"
import type { Quota } from "@sov/core/organizations"
import { listPlatforms } from "@sov/core/platforms"
import { listedScanJson, listScoredScans, startedScanJson, startScans as start } from "@sov/core/scanning"
import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentCaller } from "../contract/Authorization.ts"
import { defaultLimit } from "../contract/parameters.ts"
import {
  BudgetExhausted,
  IdempotencyInProgress,
  IdempotencyMismatch,
  NoBrand,
  NoKeywords,
  NoPlatforms,
  OrganizationSuspended,
  PlatformNotConfigured,
  PlatformsMixed,
  ScanQuotaExhausted,
  UnknownKeyword
} from "../contract/problems.ts"
import { type ScanList, type StartedScan, StartScan } from "../contract/resources.ts"
import { RequestInfo } from "../middleware/RequestInfo.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { parseIdempotencyKey } from "./idempotencyKey.ts"
import { decodeJsonBody } from "./jsonBody.ts"
import { orProblem, respondJson } from "./respond.ts"

/** GET /api/v1/scans */
export const listScans = Effect.fnUntraced(
  function*({ query }: { readonly query: { readonly limit?: number } }) {
    const { organization } = yield* CurrentCaller
    const scans = yield* listScoredScans(
      organization.id,
      { limit: query.limit ?? defaultLimit.scans },
      yield* listPlatforms()
    )
    return yield* respondJson({ scans: scans.map(listedScanJson) } satisfies typeof ScanList.Encoded, organization.id)
  },
  orProblem
)

const problemOfMissingSetup = { brand: NoBrand, keywords: NoKeywords, platforms: NoPlatforms } as const

/** Whole seconds until `then`, at least 1. */
const secondsUntil = (then: Date) =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.max(1, Math.ceil((then.getTime() - now) / 1000)))

const countMonthSeconds = ({ period, resetsAt }: Quota): number =>
  (resetsAt.getTime() - Date.parse(`${period}-01`)) / 1000

/** Adds the scans left in the month to the rate-limit headers, next to the requests left in the minute. */
const addQuotaHeaders = Effect.fnUntraced(function*(quota: Quota) {
  const { responseHeaders } = yield* RequestInfo
  const add = (name: string, item: string) => {
    responseHeaders[name] = [responseHeaders[name], item].filter((part) => part !== undefined).join(", ")
  }
  add("ratelimit-policy", `"scans";q=${quota.limit};qu="requests";w=${countMonthSeconds(quota)}`)
  add("ratelimit", `"scans";r=${quota.remaining};t=${yield* secondsUntil(quota.resetsAt)}`)
})

const readStartScan = decodeJsonBody(StartScan)

/** POST /api/v1/scans */
export const startScan = Effect.fnUntraced(
  function*({ headers }: { readonly headers: { readonly "idempotency-key"?: string } }) {
    const { organization } = yield* CurrentCaller
    const { samples } = yield* ServerSettings
    const asked = (yield* readStartScan) ?? {}
    const header = headers["idempotency-key"]
    const key = header === undefined ? undefined : yield* parseIdempotencyKey(header)
    const [started, ...others] = yield* start(organization.id, {
      scanType: "manual",
      usesQuota: true,
      samples,
      ...asked.keyword_ids === undefined
        ? {}
        : { keywordIds: asked.keyword_ids.map((id) => id.toLowerCase() as KeywordId) },
      ...asked.platforms === undefined ? {} : { platforms: asked.platforms },
      ...asked.tags === undefined ? {} : { tags: asked.tags },
      ...asked.views === undefined ? {} : { views: asked.views }
    }, key)
    const { quota } = [started, ...others].at(-1)!
    if (quota !== null) yield* addQuotaHeaders(quota)
    return HttpServerResponse.jsonUnsafe(startedScanJson(started, others) satisfies typeof StartedScan.Encoded, {
      status: 202,
      headers: started.replayed ? { "idempotent-replayed": "true" } : {}
    })
  },
  Effect.catchTags({
    NotFound: ({ id, what }) =>
      what === "keyword"
        ? Effect.fail(new UnknownKeyword({ detail: `No active keyword ${id}` }))
        : what === "tag"
        ? Effect.fail(new UnknownKeyword({ detail: `No active keyword has the tag ${id}` }))
        : what === "view"
        ? Effect.fail(new UnknownKeyword({ detail: `No view ${id}` }))
        : Effect.die(what),
    NotReady: ({ missing }) => Effect.fail(new problemOfMissingSetup[missing]({})),
    PlatformsMissing: ({ platforms }) =>
      Effect.fail(new PlatformNotConfigured({ detail: `Not configured: ${platforms.join(", ")}` })),
    Rejected: ({ message }) => Effect.fail(new PlatformsMixed({ detail: message })),
    IdempotencyMismatch: () => Effect.fail(new IdempotencyMismatch({})),
    QuotaExhausted: Effect.fnUntraced(function*({ limit, message, period, resetsAt, used }) {
      yield* addQuotaHeaders({ period, limit, used, remaining: 0, resetsAt })
      return yield* new ScanQuotaExhausted({
        detail: message,
        limit,
        used,
        resets_at: resetsAt.toISOString(),
        retry_after: yield* secondsUntil(resetsAt)
      })
    }),
    OrganizationSuspended: ({ message, reason, since }) =>
      Effect.fail(new OrganizationSuspended({ detail: message, since: since.toISOString(), reason })),
    BudgetSpent: Effect.fnUntraced(function*({ budgetUsd, message, resetsAt, spentUsd }) {
      return yield* new BudgetExhausted({
        detail: message,
        budget_usd: budgetUsd,
        spent_usd: spentUsd,
        resets_at: resetsAt.toISOString(),
        retry_after: yield* secondsUntil(resetsAt)
      })
    }),
    StartInProgress: () => Effect.fail(new IdempotencyInProgress({ retry_after: 1 }))
  }),
  orProblem
)
