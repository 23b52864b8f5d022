/**
 * Valid and invalid requests generated from docs/openapi.json: each response matches the document, none is a 500, none
 * contains data of another organization, and scans are counted correctly. SOV_FUZZ_REQUESTS (1500) sets the number,
 * SOV_FUZZ_SEED the seed.
 */
import { OrganizationStore, QuotaLedger, quotaPeriod, revokeApiKey } from "@sov/core"
import { addScan, at, seedAnswers } from "@sov/core/testing"
import { Effect } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { completeScan } from "../support/completeScan.ts"
import { type FuzzRequest, fuzzRequests } from "../support/fuzzRequests.ts"
import { homes } from "../support/homes.ts"
import { readOpenApi } from "../support/openApi.ts"

const numRuns = Number(process.env["SOV_FUZZ_REQUESTS"] ?? 1500)
const seed = Number(process.env["SOV_FUZZ_SEED"] ?? 20_261_121)
const document = readOpenApi(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"))
const poorLimit = 2

type Tenant = Effect.Success<ReturnType<typeof tenant>>
const tenants = ["rich", "poor", "free"] as const
type Name = typeof tenants[number]
const keyKinds = [...tenants, "revoked", "none", "basic", "mistyped", "control"] as const
type Key = typeof keyKinds[number]
const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Key>("rich") },
  { weight: 5, arbitrary: fc.constant<Key>("poor") },
  { weight: 1, arbitrary: fc.constantFrom(...keyKinds) }
)

let api: TestApi
const who = {} as Record<Name, Tenant>
let revoked = ""
const statuses = new Set<number>()
/** Number of next pages that were requested with the link of the previous page. */
let followed = 0
/** The organization that each id belongs to. */
const ownerOf = new Map<string, Name>()
/** Started scans, with or without an Idempotency-Key; each must be counted once. */
const started: Record<Name, Set<string>> = { rich: new Set(), poor: new Set(), free: new Set() }
const pool = { ids: [] as Array<string>, cursors: [] as Array<string>, tags: [] as Array<string> }

beforeAll(async () => {
  api = await openApi(homes.at(-1)!)
  await api.run(Effect.gen(function*() {
    who.rich = yield* tenant({ scanQuota: 1_000_000 })
    who.poor = yield* tenant({ scanQuota: poorLimit })
    who.free = yield* tenant()
    const gone = yield* tenant()
    revoked = gone.key
    yield* revokeApiKey(gone.organizationId, gone.keyId)
    for (const name of tenants) {
      const { keywords, organizationId } = who[name]
      const own = (id: string) => ownerOf.set(id, name)
      for (const keyword of keywords) own(keyword.id)
      for (let n = 0; n < 4; n++) {
        const { cells, scan } = yield* addScan(organizationId, keywords, { startedAt: at(n) })
        const answers = yield* seedAnswers({ organizationId, cells })
        for (const { id } of [scan, ...answers]) own(id)
        if (n === 0 && name === "poor") yield* completeScan(organizationId, scan.id, 33.5, at(31))
      }
    }
    yield* (yield* OrganizationStore).setPlan(who.free.organizationId, "free")
    // Its own keywords, often enough that some scans start
    pool.ids.push(...ownerOf.keys(), ...Array(10).fill(who.rich.keywords.map(({ id }) => id)).flat() as Array<string>)
  }))
  for (const name of ["rich", "poor"] as const) {
    const { headers, json } = await api.ask("/api/v1/archive?limit=1", { key: who[name].key })
    pool.cursors.push((json as { readonly meta: { readonly next_cursor: string } }).meta.next_cursor)
    pool.tags.push(headers["etag"]!)
  }
})
afterAll(() => api.close())

const authorization = (key: Key): Readonly<Record<string, string>> => {
  if (key === "none") return {}
  if (key === "basic") return { authorization: "Basic c292" }
  if (key === "control") return { authorization: "Bearer \u00ff\u0080" }
  if (key === "mistyped") return { authorization: `Bearer ${who.rich.key.slice(0, -1)}!` }
  return { authorization: `Bearer ${key === "revoked" ? revoked : who[key].key}` }
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** What is wrong with the response to a request; null if it is correct. */
const check = async (request: FuzzRequest<Key>): Promise<string | null> => {
  const { body, headers, key, method, operation, target } = request
  const answer = await api.ask(target, {
    method,
    headers: {
      ...headers,
      ...authorization(key),
      // Node's client would send the body of HEAD or DELETE without its length
      ...body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    },
    ...body === undefined ? {} : { body }
  })
  statuses.add(answer.status)
  if (answer.status >= 500) return `status ${answer.status}: ${answer.text}`
  if (!/^req_[\da-f-]{36}$/.test(answer.headers["x-request-id"] ?? "")) return "no X-Request-Id"
  if (/sov_live_|node_modules|\bat .*\.ts:|select .* from/.test(answer.text)) return `inner text: ${answer.text}`
  const known = target.split("?", 1)[0] === operation.path
  if (answer.status >= 400 && method !== "HEAD") {
    const { status, type } = answer.json as { readonly type?: string; readonly status?: number }
    const listed = document.problems.some((one) => one.type === type && one.status === answer.status)
    if (!listed || status !== answer.status) return `no problem that is listed: ${answer.text}`
  }
  if (known && method === operation.method) {
    const fault = document.faultOf(operation, answer)
    if (fault !== null) return `${fault}: ${answer.text}`
  } else if (
    answer.status < 400 && !["HEAD", "OPTIONS"].includes(method) &&
    !document.operations.some((one) => one.method === method && one.path === target.split("?", 1)[0])
  ) return `${answer.status} for what is not documented`

  const caller = tenants.find((name) => name === key)
  const sent = `${target} ${JSON.stringify(headers)} ${String(body)}`.toLowerCase()
  for (const id of answer.text.match(uuid) ?? []) {
    const owner = ownerOf.get(id)
    if (owner !== undefined && owner !== caller && !sent.includes(id)) {
      return `${id} belongs to ${owner}: ${answer.text}`
    }
  }
  if (answer.status === 200 && answer.headers["etag"] !== undefined) pool.tags.push(answer.headers["etag"])
  const { meta, scan_id: scanId } = (answer.json ?? {}) as {
    readonly meta?: { readonly next_cursor: string | null }
    readonly scan_id?: string
  }
  if (meta != null && meta.next_cursor !== null) pool.cursors.push(meta.next_cursor)
  if (answer.status === 202 && scanId !== undefined && caller !== undefined) {
    const replayed = answer.headers["idempotent-replayed"] === "true"
    if (started[caller].has(scanId) !== replayed) return `replayed: ${replayed}, but ${scanId} says otherwise`
    started[caller].add(scanId)
    ownerOf.set(scanId, caller)
  }
  const next = /^<(\?[^>]+)>; rel="next"$/.exec(answer.headers["link"] ?? "")?.[1]
  if (next === undefined || target.includes("cursor=")) return null
  followed++
  const page = await api.ask(`${operation.path}${next}`, { headers: authorization(key) })
  return page.status === 200 ? null : `the next page is ${page.status}: ${page.text}`
}

/**
 * Scans and answers are requested most often, so that enough scans start and pages follow; paths with many operations
 * are requested rarely.
 */
const weightOf = (path: string): number =>
  /^\/api\/v1\/(?:archive|scans)$/.test(path) ? 40 : /^\/api\/v1\/(?:annotations|sov)/.test(path) ? 8 : 1
const weighted = {
  ...document,
  operations: document.operations.flatMap((one) => Array.from({ length: weightOf(one.path) }, () => one))
}

it(`the responses to ${numRuns} random requests match the document`, async () => {
  await fc.assert(
    fc.asyncProperty(fuzzRequests(weighted, keys, pool), async (request) => {
      const fault = await check(request)
      if (fault !== null) throw new Error(fault)
    }),
    { numRuns, seed, interruptAfterTimeLimit: 3_000_000, markInterruptAsFailure: true }
  )
  const used = (name: Name) =>
    api.run(Effect.flatMap(QuotaLedger, (ledger) => ledger.used(who[name].organizationId, quotaPeriod(new Date()))))
  expect(await used("rich")).toBe(started.rich.size)
  expect(await used("poor")).toBe(started.poor.size)
  expect([await used("poor"), await used("free")]).toEqual([poorLimit, 0])
  expect(started.rich.size).toBeGreaterThan(numRuns / 300)
  expect([...statuses]).toEqual(
    expect.arrayContaining([200, 202, 204, 304, 400, 401, 403, 404, 405, 415, 421, 422, 429])
  )
  expect(followed).toBeGreaterThanOrEqual(numRuns / 1500)
}, 3_000_000)
