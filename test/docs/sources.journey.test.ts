// Only in `npm run test:all`: whole scans, and some twenty processes
/** Tests docs/sources.md: its commands run, and the output that automation relies on is present. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { launcher, sov, sovJson, workspace } from "../support/sov.ts"

const page = readFileSync(new URL("../../docs/sources.md", import.meta.url), "utf8")
const commands = [...page.matchAll(/^```sh\n(.*?)^```/gms)].flatMap((block) => block[1]!.trim().split("\n"))

it("the commands on the page work on simulated platforms, whose sources are on .example", async () => {
  const cwd = workspace()
  const env = { SOV_DATA_DIR: ".sov-demo", SOV_ORG: "demo" }
  await sovJson(cwd, ["demo", "--weeks", "1"])
  const { data } = await sovJson<{ data: ReadonlyArray<{ id: string }> }>(cwd, ["archive", "list"], env)
  expect(commands.length).toBeGreaterThan(5)
  for (const line of commands) {
    const script = line.replace(/^sov /, `'${launcher}' `).replaceAll(/\bID\b/g, data[0]!.id)
      .replace("best coffee beans", "which coffee brand has the best service")
    const ran = spawnSync("bash", ["-c", script], {
      cwd,
      env: { ...process.env, ...env, CI: "true" },
      encoding: "utf8"
    })
    expect({ line, code: ran.status, stderr: ran.stderr }).toMatchObject({ line, code: 0 })
  }

  const head = { as_of: expect.any(String), scans: 1, answers: 40, grounded: expect.any(Number), simulated: true }
  const domains = await sovJson<{ domains: ReadonlyArray<{ domain: string; owner: string | null }> }>(
    cwd,
    ["sources"],
    env
  )
  expect(domains).toMatchObject({ ...head, not_listed: expect.any(Number), own_citation_rate: expect.any(Number) })
  expect(domains).toMatchObject({ changes: { since: expect.any(String), domains: expect.any(Array) } })
  expect(domains.domains.every(({ domain }) => domain.endsWith(".example"))).toBe(true)
  expect(domains.domains.map(({ owner }) => owner)).toContain("you")
  expect(await sovJson(cwd, ["sources", "gaps"], env)).toMatchObject({
    ...head,
    scans: 2,
    answers: 80,
    gaps: expect.any(Array)
  })
  const queries = await sovJson<{ queries: ReadonlyArray<object> }>(cwd, ["sources", "queries"], env)
  expect(queries.queries[0]).toEqual({
    query: expect.any(String),
    platform: expect.any(String),
    answers: expect.any(Number),
    of: 8
  })

  const shown = await sovJson<{ sources: ReadonlyArray<object> }>(cwd, ["archive", "show", data[0]!.id], env)
  expect(shown).toMatchObject({ search: "offered", queries: expect.any(Array), sources_cut: 0 })
  const csv = readFileSync(join(cwd, "sources.csv"), "utf8").split("\r\n")
  expect(csv[0]).toBe(
    "answer_id,scan_id,created_at,platform,keyword_id,ordinal,kind,url,page,domain,owner,title,start,end,resolved"
  )
  const some = await Promise.all(
    data.slice(0, 5).map(({ id }) => sovJson<{ sources: ReadonlyArray<object> }>(cwd, ["archive", "show", id], env))
  )
  const source = some.flatMap(({ sources }) => sources)[0]!
  expect(Object.keys(source)).toEqual(["kind", "url", "title", "page", "host", "domain", "start", "end"])

  expect(await sov(cwd, ["sources", "pgaes"], { env })).toMatchObject({ code: 2 })
  expect(await sov(cwd, ["sources", "--scans", "11"], { env })).toMatchObject({ code: 2 })
  expect(await sov(cwd, ["sources", "--keyword", "never asked"], { env })).toMatchObject({ code: 3 })
  const verified = await sovJson(cwd, ["archive", "verify", "--payloads"], env)
  expect(verified).toMatchObject({ valid: true, sealed_payloads: 80, unproven_payloads: 0 })
})
