/** Actions in the REST API, over a real socket. */
import { ActionStore, createApiKey } from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someReport } from "../contracts/actionStoreContract.ts"
import { expectProblem, post } from "../support/apiAnswers.ts"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { serverHomeOrAll } from "../support/homes.ts"

describe.each(serverHomeOrAll)("actions over REST on the %s home", (home) => {
  let api: TestApi
  beforeAll(async () => {
    api = await openApi(home)
  })
  afterAll(() => api.close())
  const path = `/api/v1/actions/${someReport.actions[0]!.id}/mark`

  it("a key with the scope `scan` can mark and unmark the actions of its own organization only", async () => {
    const keys = await Promise.all([0, 1].map(async (n) => {
      const { organizationId } = await api.run(tenant())
      if (n === 0) await api.run(Effect.flatMap(ActionStore, (store) => store.keep(organizationId, someReport)))
      const { secret } = await api.run(createApiKey(organizationId, "all", { scopes: ["read", "scan"] }))
      return { organizationId, secret }
    }))
    const [{ organizationId, secret: key }, { secret: other }] = [keys[0]!, keys[1]!]
    for (
      const one of ["/api/v1/actions", "/api/v1/card/claims", "/api/v1/funnel?scans=10&platform=assistant_a&tag=x"]
    ) {
      expectProblem(await api.ask(one, { key }), 404, "no-completed-scan")
    }
    const marked = await api.ask(path, post(key, JSON.stringify({ state: "later", days: 2 })))
    expect([marked.status, marked.json]).toMatchObject([201, { state: "later", title: "Get onto ünïcode.example/" }])
    const remove = (by: string) => api.ask(path, { key: by, method: "DELETE" })
    expectProblem(await api.ask(path, post(other, JSON.stringify({ state: "done" }))), 404, "not-found")
    expectProblem(await remove(other), 404, "not-found")
    expect((await remove(key)).json).toEqual(marked.json)
    expectProblem(await remove(key), 404, "not-found")
    for (
      const [body, place] of [
        [{ state: "gone" }, ["body", "state"]],
        [{ state: "later", days: 0 }, ["body", "days"]],
        [{ state: "later", days: 1.5 }, ["body", "days"]],
        [null, ["body"]]
      ] as const
    ) {
      const refused = await api.ask(path, post(key, JSON.stringify(body)))
      expect(expectProblem(refused, 400, "invalid-request")).toMatchObject({ errors: [{ path: place }] })
    }
    const { secret } = await api.run(createApiKey(organizationId, "r", { scopes: ["read"] }))
    expectProblem(await api.ask(path, post(secret, JSON.stringify({ state: "done" }))), 403, "insufficient-scope")
  })
})
