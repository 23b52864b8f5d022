/** Every request in docs/sov.http and every program in docs/clients.md works. */
import { addScan, at, seedAnswers } from "@sov/core/testing"
import * as effectClient from "@sov/http/client"
import * as fetchClient from "@sov/http/fetch-client"
import * as effect from "effect"
import { Effect } from "effect"
import * as effectHttp from "effect/http"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { completeScan } from "../support/completeScan.ts"
import { homes } from "../support/homes.ts"
import { readHttpFile, runHttpFile } from "../support/httpFile.ts"

const file = readHttpFile(readFileSync(new URL("../../docs/sov.http", import.meta.url), "utf8"))

let api: TestApi
let who: Effect.Success<ReturnType<typeof tenant>>
beforeAll(async () => {
  api = await openApi(homes.at(-1)!)
  await api.run(Effect.gen(function*() {
    who = yield* tenant()
    for (let n = 0; n < 12; n++) {
      const { cells, scan } = yield* addScan(who.organizationId, who.keywords, { startedAt: at(n) })
      yield* seedAnswers({ organizationId: who.organizationId, cells })
      if (n === 0) yield* completeScan(who.organizationId, scan.id, 33.5)
    }
  }))
})
afterAll(() => api.close())

it("the collection declares the variables that users must set, and contains no key", () => {
  expect(file.variables).toEqual({
    baseUrl: "http://127.0.0.1:4680",
    apiKey: "{{$processEnv SOV_API_KEY}}",
    keywordId: expect.stringMatching(/^[\da-f-]{36}$/)
  })
})

it("all requests of the collection run in order; only those that need more data are refused", async () => {
  const values = { baseUrl: api.base, apiKey: who.key, keywordId: who.keywords[0]!.id }
  const answers = await runHttpFile(file, values)
  // An experiment needs two scans of sixteen topics, and this organization has no views
  const refused = answers.filter(({ status }) => status >= 300)
  expect(
    new Set(refused.map(({ method, status, url }) => {
      const { pathname, searchParams } = new URL(url)
      return `${status} ${method} ${pathname} ${searchParams.get("view") ?? ""}`
    }))
  ).toEqual(
    new Set([
      "400 POST /api/v1/experiments ",
      "404 GET /api/v1/sov germany",
      "404 GET /api/v1/sov/definitions germany"
    ])
  )
  expect(new Set(answers.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).size).toBe(14)
  expect(answers.length).toBeGreaterThan(7)
})

const modules: { readonly [name: string]: object } = {
  "@sov/http/fetch-client": fetchClient,
  "@sov/http/client": effectClient,
  effect,
  "effect/http": effectHttp
}

/**
 * Runs a program from the documentation against this server; returns the value that it assigns to `program`, if any.
 */
const run = (source: string): Promise<unknown> => {
  const code = source
    .replaceAll(/^import (\{[^}]+\}) from (".*")$/gm, "const $1 = modules[$2]")
    .replaceAll("http://127.0.0.1:4680", api.base)
    .replaceAll("sov_live_…", who.key)
    .replaceAll("process.env.SOV_API_KEY", JSON.stringify(who.key))
    .replaceAll("console.log", "said.push")
  const AsyncFunction = (async () => undefined).constructor as new(...source: ReadonlyArray<string>) => (
    ...values: ReadonlyArray<unknown>
  ) => Promise<unknown>
  const said: Array<unknown> = []
  return new AsyncFunction("modules", "said", `${code}\nreturn typeof program === "undefined" ? said : program`)(
    modules,
    said
  )
}

it("the programs shown on the page work", async () => {
  const page = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8")
  const [plain, withEffect, ...more] = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1]!)
  expect(more).toEqual([])
  expect(await run(plain!.replace("2026-03-01", "2026-01-01"))).toContain(true)
  const program = await run(withEffect!) as Effect.Effect<object>
  expect(await Effect.runPromise(program)).toEqual({
    named: expect.any(Number),
    started: expect.objectContaining({ status: "running" })
  })
})
