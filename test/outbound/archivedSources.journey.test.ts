/** What the answers of each adapter say about their sources, from the wire to the output of `archive show --json`. */
// Only with SOV_LONG_TESTS: many runs of the command; contracts/ and docs/sources show each rule
import { platformIds } from "@sov/core"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"
import { adapterCases } from "./adapterCases.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"

interface Shown {
  readonly sources: ReadonlyArray<{ readonly kind: string }>
  readonly sources_status: string
}

/** Serves these bodies one after the other, pretty-printed, because a body may contain line feeds. */
const serve = async (bodies: ReadonlyArray<unknown>): Promise<string> => {
  let turn = 0
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(bodies[turn++ % bodies.length], null, 2))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

it("the kinds of sources of each adapter are as on the page, also for pretty-printed and paused bodies", async () => {
  const cwd = workspace()
  const platforms = await Promise.all(adapterCases.map(async ({ adapter, withCitations }, i) => {
    const paused = { ...anthropic.withCitations, stop_reason: "pause_turn" }
    const bodies = adapter === "anthropic-messages" ? [paused, anthropic.withCitations] : [withCitations.body]
    return [platformIds[i]!, {
      adapter,
      model: adapter === "perplexity" ? "perplexity/sonar" : "m",
      baseUrl: await serve(bodies),
      ...adapter === "openai-compatible" || adapter === "perplexity" ? {} : { webSearch: true }
    }] as const
  }))
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: Object.fromEntries(platforms) }))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
  expect(await sovJson(cwd, ["scan"])).toMatchObject({ status: "completed" })
  const { data } = await sovJson<{ data: ReadonlyArray<{ id: string; platform: string }> }>(cwd, ["archive", "list"])
  const shown = await Promise.all(data.map(async ({ id, platform }) => {
    const { sources, sources_status } = await sovJson<Shown>(cwd, ["archive", "show", id])
    const adapter = platforms.find(([one]) => one === platform)![1].adapter
    return [adapter, `${[...new Set(sources.map(({ kind }) => kind))].join()} ${sources_status}`] as const
  }))
  expect(Object.fromEntries(shown)).toEqual({
    "openai-responses": "cited,retrieved sealed",
    "anthropic-messages": "cited,retrieved sealed",
    gemini: "cited,retrieved sealed",
    perplexity: "cited,retrieved sealed",
    "openai-compatible": "cited sealed"
  })
  expect(await sov(cwd, ["archive", "verify", "--payloads"])).toMatchObject({ code: 0 })
})
