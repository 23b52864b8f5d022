/** Experiments in the REST API, over a real socket. */
import { createApiKey, type OrganizationId, setPlan } from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectProblem, post } from "../support/apiAnswers.ts"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { day, scanAt, seedTopics, usual } from "../support/experiments.ts"
import { oneHome } from "../support/homes.ts"

const path = "/api/v1/experiments"
const plan = { name: "Guides", change: "a guide for each topic", from: "2999-01-31", until: "2999-02-28" }

describe("experiments over REST", () => {
  let api: TestApi
  let key: string
  let other: string
  const keyOf = (id: OrganizationId) =>
    Effect.map(createApiKey(id, "all", { scopes: ["read", "scan"] }), ({ secret }) => secret)
  beforeAll(async () => {
    api = await openApi(oneHome[0]!)
    key = await api.run(Effect.gen(function*() {
      const id = yield* seedTopics(17)
      yield* setPlan(id, "enterprise")
      for (const days of [5, 12]) yield* scanAt(id, days * day, usual)
      return yield* keyOf(id)
    }))
    other = await api.run(Effect.flatMap(tenant(), ({ organizationId }) => keyOf(organizationId)))
  })
  afterAll(() => api.close())
  const send = (by: string, body: unknown, to = path) => api.ask(to, post(by, JSON.stringify(body)))

  it("a key can seal, list, read and end the experiments of its own organization only", async () => {
    const first = await send(key, plan)
    expect([first.status, first.json]).toMatchObject([201, { ...plan, state: "planned", verdict: null, effect: null }])
    const { id, pairs, seal } = first.json as { id: string; pairs: ReadonlyArray<unknown>; seal: string }
    expect(pairs).toHaveLength(8)
    // The plan is sent again, twice at once: nothing is drawn again
    const again = await Promise.all([send(key, plan), send(key, plan)])
    for (const one of again) expect([one.status, one.json]).toMatchObject([201, { id, seal }])
    expectProblem(await send(key, { ...plan, until: "2999-03-01" }), 400, "invalid-request")
    expect((await api.ask(path, { key })).json).toMatchObject({ experiments: [{ id, seal }] })
    expect((await api.ask(path, { key: other })).json).toEqual({ experiments: [] })
    expect((await api.ask(`${path}/${id.toUpperCase()}`, { key })).json).toMatchObject({ id, pairs })
    expectProblem(await api.ask(`${path}/${id}`, { key: other }), 404, "not-found")
    const end = (by: string, reason: string) => send(by, { reason }, `${path}/${id}/end`)
    expectProblem(await end(other, "x"), 404, "not-found")
    expectProblem(await end(key, " "), 400, "invalid-request")
    const ended = await end(key, "withdrawn")
    expect([ended.status, ended.json]).toMatchObject([200, { id, state: "stopped", stopped: { reason: "withdrawn" } }])
    expect((await end(key, "withdrawn")).json).toEqual(ended.json)
    expectProblem(await end(key, "another reason"), 400, "invalid-request")
    // A name can be used again once its experiment has ended, and both experiments stay in the list
    expect((await send(key, plan)).status).toBe(201)
    expect((await api.ask(path, { key })).json).toMatchObject({ experiments: [{ state: "planned" }, { id }] })
  })

  it("an invalid experiment is refused, and the error names the invalid field", async () => {
    for (
      const [body, place] of [
        [{ ...plan, name: "a", from: "2020-01-01" }, ["body", "from"]],
        [{ ...plan, name: "" }, ["body", "name"]],
        [{ ...plan, name: "b", scans: 99 }, ["body", "scans"]],
        [{ ...plan, name: "c", tags: ["nothing"] }, ["body", "keywords"]],
        [{ name: "d" }, ["body", "change"]],
        [null, ["body"]]
      ] as const
    ) {
      const refused = await send(key, body)
      expect(expectProblem(refused, 400, "invalid-request")["errors"]).toContainEqual(
        expect.objectContaining({ path: place })
      )
    }
    expectProblem(await send(other, plan), 404, "no-completed-scan")
    const reads = await api.run(
      Effect.flatMap(tenant(), ({ organizationId }) => createApiKey(organizationId, "r", { scopes: ["read"] }))
    )
    expectProblem(await send(reads.secret, plan), 403, "insufficient-scope")
  })
})
