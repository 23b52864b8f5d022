/** What a key may do in the REST API, by its scopes and its expiry, over a real socket. */
import { createApiKey, type KeyScope, QuotaLedger, quotaPeriod, readAuditLog, setPlan, wholeHistory } from "@sov/core"
import { StartedScan } from "@sov/http/contract"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exactly, expectProblem, post, reading } from "../support/apiAnswers.ts"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { serverHomeOrAll } from "../support/homes.ts"

type Tenant = Effect.Success<ReturnType<typeof tenant>>

describe.each(serverHomeOrAll)("REST on the %s home", (home) => {
  let api: TestApi
  beforeAll(async () => {
    api = await openApi(home)
  })
  afterAll(() => api.close())
  const used = (who: Tenant) =>
    api.run(Effect.flatMap(QuotaLedger, (ledger) => ledger.used(who.organizationId, quotaPeriod(new Date()))))

  it("a key can do only what its scopes allow, which is checked after the plan and before the rest of the request", async () => {
    const own = await api.run(tenant())
    const keyOf = (scope: KeyScope) =>
      api.run(Effect.map(createApiKey(own.organizationId, scope, { scopes: [scope] }), ({ secret }) => secret))
    const [read, scan] = [await keyOf("read"), await keyOf("scan")]
    for (const path of reading) {
      expect([200, 404], path).toContain((await api.ask(path, { key: read })).status)
      const refused = await api.ask(`${path}?limit=x`, { key: scan })
      expect(expectProblem(refused, 403, "insufficient-scope")).toMatchObject({ scope: "read" })
      expect(refused.headers["www-authenticate"])
        .toBe("Bearer realm=\"sov\", error=\"insufficient_scope\", scope=\"read\"")
    }
    const quotaBefore = await used(own)
    for (const body of ["{}", "{bad"]) {
      const refused = await api.ask("/api/v1/scans", post(read, body))
      expect(expectProblem(refused, 403, "insufficient-scope")).toMatchObject({ scope: "scan" })
    }
    expect(await used(own)).toBe(quotaBefore)
    const started = await api.ask("/api/v1/scans", post(scan))
    expect(started.status).toBe(202)
    const { entries } = await api.run(
      readAuditLog(own.organizationId, wholeHistory, { action: "scan.started" }, { limit: 9 })
    )
    expect(entries).toMatchObject([
      { actor: { kind: "key", name: "scan" }, subject: { id: exactly(StartedScan, started.json).scan_id } }
    ])
    await api.run(setPlan(own.organizationId, "starter"))
    expectProblem(await api.ask("/api/v1/scans", post(read)), 403, "plan-required")
  })

  it("a key is refused from the time of its expiry", async () => {
    const own = await api.run(tenant())
    const expiresAt = new Date(Date.now() + 3_600_000)
    const { secret: key } = await api.run(createApiKey(own.organizationId, "short", { expiresAt }))
    expect((await api.ask("/api/v1/scans", { key })).status).toBe(200)
    api.clock.ms = 3_600_001
    const after = await api.ask("/api/v1/scans", { key })
    api.clock.ms = 0
    expectProblem(after, 401, "invalid-key")
  })
})
