/** Redirects that Gemini names, in processes: asked only where the operator says so, also after a kill; pages never. */
// Only with SOV_LONG_TESTS: several processes; usecases/sources/redirectKind shows each rule
import { writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startGroundingRedirects, startSink } from "../support/GroundingRedirects.ts"
import { sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

const prefix = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"

interface Shown {
  readonly sources: ReadonlyArray<{ readonly url: string; readonly resolved?: string; readonly page: string | null }>
}

it("if a worker is killed between archiving and measuring, the next worker resolves the redirects", async () => {
  const cwd = workspace()
  const sink = await startSink()
  const targets: Record<string, string> = {
    page: `${sink.origin}/cited?utm_source=x`,
    metadata: "http://169.254.169.254/latest/meta-data"
  }
  let silent = true
  let hanging: ServerResponse | undefined
  const google = await startGroundingRedirects(
    ({ url }, response) => {
      if (silent) hanging = response
      else response.writeHead(302, { location: targets[url!.split("/").at(-1)!]! }).end()
    },
    (request, response) => {
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
          candidates: [{
            content: { role: "model", parts: [{ text: `Acme leads (${sink.origin}/in-text).` }] },
            finishReason: "STOP",
            groundingMetadata: {
              webSearchQueries: ["best anvil"],
              groundingChunks: Object.keys(targets).map((name) => ({
                web: { uri: prefix + name, title: "test.example" }
              }))
            }
          }],
          usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
          modelVersion: "m"
        }))
      })
    }
  )
  writeFileSync(join(cwd, "ca.pem"), google.ca)
  const env = { NODE_EXTRA_CA_CERTS: join(cwd, "ca.pem") }
  const configure = (resolveRedirects: boolean) =>
    writeFileSync(
      join(cwd, "sov.config.json"),
      JSON.stringify({
        platforms: {
          assistant_c: {
            adapter: "gemini",
            model: "m",
            webSearch: true,
            baseUrl: "http://gemini.invalid/v1beta",
            proxy: google.proxy,
            ...resolveRedirects ? { resolveRedirects } : {}
          }
        }
      })
    )
  configure(false)
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"], env)
  expect(await sovJson(cwd, ["scan"], env)).toMatchObject({ status: "completed" })
  const { data: [row] } = await sovJson<{ data: ReadonlyArray<{ id: string }> }>(cwd, ["archive", "list"], env)
  const show = () => sovJson<Shown>(cwd, ["archive", "show", row!.id], env)
  const sealed = await sovJson(cwd, ["archive", "head"], env)
  expect((await show()).sources.map(({ url }) => url)).toEqual([
    ...Object.keys(targets).map((name) => prefix + name),
    `${sink.origin}/in-text`
  ])
  expect(google.tunnels).toEqual([])

  configure(true)
  const first = startSov(cwd, ["worker"], { env })
  await until(() => hanging !== undefined, 60_000, "the first worker asks")
  expect((await show()).sources.some(({ resolved }) => resolved !== undefined)).toBe(false)
  first.child.kill("SIGKILL")
  await first
  silent = false
  const second = startSov(cwd, ["worker"], { env })
  await until(
    async () => (await show()).sources.filter(({ resolved }) => resolved !== undefined).length === 2,
    90_000,
    "both"
  )
  second.child.kill("SIGTERM")
  await second
  const { sources } = await show()
  expect(sources.map(({ page, resolved }) => [page, resolved]).slice(0, 2)).toEqual([
    [null, targets["page"]],
    [null, targets["metadata"]]
  ])
  expect(new Set(google.tunnels)).toEqual(new Set(["vertexaisearch.cloud.google.com:443"]))
  expect(sink.connections()).toBe(0)
  expect(await sovJson(cwd, ["archive", "verify", "--payloads"], env)).toMatchObject({ valid: true })
  expect(await sovJson(cwd, ["archive", "head"], env)).toEqual(sealed)
})
