/** Annotations in the REST API, over a real socket. */
import { createApiKey } from "@sov/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectProblem, post } from "../support/apiAnswers.ts"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { serverHomeOrAll } from "../support/homes.ts"

describe.each(serverHomeOrAll)("annotations over REST on the %s home", (home) => {
  let api: TestApi
  beforeAll(async () => {
    api = await openApi(home)
  })
  afterAll(() => api.close())
  const keyOf = async () => {
    const { organizationId } = await api.run(tenant())
    return (await api.run(createApiKey(organizationId, "all", { scopes: ["read", "scan"] }))).secret
  }
  const path = "/api/v1/annotations"
  const note = { day: "2026-11-20", text: "New pricing page" }

  it("a key can add, list and remove the annotations of its own organization only", async () => {
    const [key, other] = [await keyOf(), await keyOf()]
    const added = await api.ask(path, post(key, JSON.stringify(note)))
    expect([added.status, added.json]).toMatchObject([201, note])
    const { id } = added.json as { readonly id: string }
    expect((await api.ask(path, { key })).json).toMatchObject({ annotations: [{ ...note, id }] })
    expect((await api.ask(path, { key: other })).json).toEqual({ annotations: [] })
    const remove = (by: string) => api.ask(`${path}/${id}`, { key: by, method: "DELETE" })
    expectProblem(await remove(other), 404, "not-found")
    expect((await remove(key)).json).toMatchObject({ ...note, id })
    expectProblem(await remove(key), 404, "not-found")
    expect((await api.ask(path, { key })).json).toEqual({ annotations: [] })
  })

  it("an invalid annotation is refused, and the error names the invalid field", async () => {
    const key = await keyOf()
    for (
      const [body, place] of [
        [{ ...note, day: "2026-02-30" }, ["body", "day"]],
        [{ ...note, text: "" }, ["body", "text"]],
        [{ day: note.day }, ["body", "text"]],
        [null, ["body"]]
      ] as const
    ) {
      const refused = await api.ask(path, post(key, JSON.stringify(body)))
      expect(expectProblem(refused, 400, "invalid-request")).toMatchObject({ errors: [{ path: place }] })
    }
    const { secret } = await api.run(createApiKey((await api.run(tenant())).organizationId, "r", { scopes: ["read"] }))
    expectProblem(await api.ask(path, post(secret, JSON.stringify(note))), 403, "insufficient-scope")
  })
})
