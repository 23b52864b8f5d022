/** docs/sov.http and docs/clients.md: every request and every program in them works. */
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

const [head = "", ...blocks] = readFileSync(new URL("../../docs/sov.http", import.meta.url), "utf8").split(/^### /m)

interface HttpRequest {
  readonly title: string
  readonly name: string | undefined
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const read = (block: string): HttpRequest => {
  const [title = "", ...lines] = block.split("\n")
  const name = lines.map((line) => /^# @name (\S+)/.exec(line)?.[1]).find((one) => one !== undefined)
  const [start = "", ...rest] = lines.filter((line) => !line.startsWith("#"))
  const end = rest.indexOf("")
  const [method = "", url = ""] = start.split(" ")
  const headers = Object.fromEntries(rest.slice(0, end).map((line) => line.split(/: (.*)/, 2)))
  return {
    title,
    name,
    method,
    url,
    headers: headers as Record<string, string>,
    body: rest.slice(end).join("\n").trim()
  }
}

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

it("declares what its user has to fill in, and no key", () => {
  expect([...head.matchAll(/^@(\w+) = (.*)$/gm)].map((match) => match[1])).toEqual(["baseUrl", "apiKey", "keywordId"])
  expect(head).toContain("@apiKey = {{$processEnv SOV_API_KEY}}\n")
})

it("has requests that work, one after the other", async () => {
  const known: Record<string, string> = { baseUrl: api.base, apiKey: who.key, keywordId: who.keywords[0]!.id }
  const fill = (text: string): string =>
    text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => {
      expect(known, `${name} in ${text}`).toHaveProperty([name], expect.any(String))
      return known[name]!
    })
  const operations = new Set<string>()
  for (const block of blocks) {
    const { body, headers, method, name, title, url } = read(block)
    const filled = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, fill(value)]))
    const response = await fetch(fill(url), { method, headers: filled, ...body === "" ? {} : { body: fill(body) } })
    const answer = await response.json() as { readonly meta?: { readonly next_cursor: string | null } }
    expect([title, response.status, answer]).toEqual([title, method === "POST" ? 202 : 200, expect.anything()])
    if (name !== undefined) known[`${name}.response.body.$.meta.next_cursor`] = answer.meta?.next_cursor ?? ""
    operations.add(`${method} ${new URL(fill(url)).pathname}`)
  }
  expect(operations.size).toBe(4)
  expect(blocks.length).toBeGreaterThan(7)
})

const modules: { readonly [name: string]: object } = {
  "@sov/http/fetch-client": fetchClient,
  "@sov/http/client": effectClient,
  effect,
  "effect/http": effectHttp
}

/** Runs a program of the manual on this server; gives what it calls `program`, if it does. */
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

it("shows programs that run", async () => {
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
