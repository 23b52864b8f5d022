/** `sov --url`: scan, score and archive over REST, without access to the server's database. */
import { addView, ScanId } from "@sov/core"
import { addScan, seedAnswers } from "@sov/core/testing"
import { SovClient } from "@sov/http/fetch-client"
import { Effect, Schema } from "effect"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { completeScan } from "../support/completeScan.ts"
import { homes } from "../support/homes.ts"
import { json, problem, scriptedHttp } from "../support/scriptedHttp.ts"
import { sov, startSov, until, workspace } from "../support/sov.ts"

let api: TestApi
let who: Effect.Success<ReturnType<typeof tenant>>
let client: SovClient
beforeAll(async () => {
  api = await openApi(homes.at(-1)!)
  await api.run(Effect.gen(function*() {
    who = yield* tenant()
    const { cells, scan } = yield* addScan(who.organizationId, who.keywords)
    yield* seedAnswers({ organizationId: who.organizationId, cells })
    yield* completeScan(who.organizationId, scan.id, 33.5)
  }))
  client = new SovClient({ baseUrl: api.base, apiKey: who.key })
})
afterAll(() => api.close())

const toServer = (env: Readonly<Record<string, string>>) => ({
  env: { SOV_URL: api.base, SOV_API_KEY: who.key, ...env }
})
const remote = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, cwd = workspace()) =>
  sov(cwd, args, toServer(env))
const startRemote = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  startSov(workspace(), args, toServer(env))

const last = (text: string): unknown => JSON.parse(text.trim().split("\n").at(-1)!)

it("sov --url reads score, scans and answers, and exports the archive", async () => {
  const cwd = workspace()
  const [score, people, scans, all, exported, piped] = await Promise.all([
    remote(["score", "--json"]),
    remote(["score"]),
    remote(["scan", "list", "--json"]),
    remote(["archive", "list", "--all", "--limit", "2", "--json"]),
    remote(["archive", "export", "--platform", "assistant_a", "--out", "a.ndjson", "--json"], {}, cwd),
    remote(["archive", "export", "--format", "csv", "--out", "-"])
  ])
  expect([score, people, scans, all, exported, piped].map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
    [0, ""],
    [0, ""],
    [0, expect.stringContaining("has no seals")],
    [0, ""]
  ])
  expect(JSON.parse(score.stdout)).toEqual(await client.sov())
  expect(people.stdout).toMatch(/^Share of voice 34 % \(95 %: \d+–\d+\)\n\w+ answers.*\n.*assistant_/)
  expect(JSON.parse(scans.stdout)).toEqual(await client.listScans())
  const page = await client.archive({ limit: 100 })
  expect(JSON.parse(all.stdout)).toEqual(page)
  const rows = page.data.filter(({ platform }) => platform === "assistant_a")
  expect(rows.length).toBeGreaterThan(0)
  const lines = readFileSync(join(cwd, "a.ndjson"), "utf8").trim().split("\n")
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows)
  expect(JSON.parse(exported.stdout)).toMatchObject({
    rows: rows.length,
    organization_id: null,
    platform: "assistant_a"
  })
  const verify = () => sov(cwd, ["archive", "verify", "--file", "a.ndjson"])
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining("only the file as a whole") })
  expect(await sov(cwd, ["archive", "import", "a.ndjson"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("came over REST")
  })
  appendFileSync(join(cwd, "a.ndjson"), "{}\n")
  expect((await verify()).code).toBe(7)
  expect(piped.stdout.split("\r\n")[0]).toMatch(/^id,scan_id,platform,.*,simulated,surface,view$/)
  expect(piped.stdout.match(/assistant_a/g)!.length).toBeGreaterThanOrEqual(rows.length)
})

it("sov --url starts scans, detaches or follows them, and says that they continue after Ctrl-C", async () => {
  const ids = new Set((await client.listScans()).scans.map(({ id }) => id))
  const detached = await remote(["scan", "--platform", "assistant_a", "--detach", "--json"])
  expect([detached.code, detached.stderr]).toEqual([0, expect.stringContaining("sov scan watch ")])
  const { scan_id: left } = JSON.parse(detached.stdout) as { scan_id: string }
  expect((await client.listScans({ limit: 1 })).scans[0]).toMatchObject({ id: left, status: "running" })
  ids.add(left)

  const watched = startRemote(["scan", "--keyword", who.keywords[0]!.id, "--json"])
  const interrupted = startRemote(["scan", "watch", left, "--json"])
  const newest = async () => (await client.listScans()).scans.find(({ id }) => !ids.has(id))
  await until(async () => (await newest()) !== undefined, 60_000, "a second scan")
  const id = Schema.decodeSync(ScanId)((await newest())!.id)
  await until(() => watched.errors().includes(id), 60_000, "the scan is watched")
  await api.run(completeScan(who.organizationId, id, 71.2))
  const ended = await watched
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([
    0,
    expect.objectContaining({ scan_id: id, status: "completed", avg_sov: 71, simulated: false })
  ])
  expect(ended.stderr).toContain(
    `REST does not say how many questions failed. Where the server's database is: sov scan`
  )
  // Before it handles signals, the process simply dies from one
  const caught = () =>
    BigInt(`0x${/^SigCgt:\s+(\w+)/m.exec(readFileSync(`/proc/${interrupted.child.pid}/status`, "utf8"))![1]!}`)
  await until(() => (caught() & 2n) !== 0n, 60_000, "SIGINT is caught")
  interrupted.child.kill("SIGINT")
  const { code, stderr, stdout } = await interrupted
  expect({ code, stdout, stderr }).toEqual({
    code: 130,
    stdout: "",
    stderr: expect.stringContaining(`The scan continues on the server: sov scan watch ${left}`)
  })
})

it("sov --url follows the scan of each view, and its JSON result contains all of them", async () => {
  const own = await api.run(tenant())
  const germany = { name: "germany", country: "DE", language: null, context: null }
  await api.run(addView(own.organizationId, germany))
  const run = remote(["scan", "--json"], { SOV_API_KEY: own.key })
  const sovOf = new SovClient({ baseUrl: api.base, apiKey: own.key })
  const listed = async () => (await sovOf.listScans()).scans
  await until(async () => (await listed()).length === 2, 60_000, "the scans start")
  const scans = await listed()
  const standard = scans.find(({ view }) => view == null)!
  const german = scans.find(({ view }) => view != null)!
  for (const { id } of scans) {
    await api.run(completeScan(own.organizationId, Schema.decodeSync(ScanId)(id), 71.2))
  }
  const { code, stdout } = await run
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ scan_id: standard.id, views: [expect.objectContaining({ scan_id: german.id })] })
  ])
})

it("sov --url reports what REST does not offer and what the server refuses, with the next step", async () => {
  const broken = await scriptedHttp(problem(500, "internal", { request_id: "req_7" }))
  const spent = await scriptedHttp(
    problem(429, "scan-quota-exhausted", { resets_at: "2026-12-01T00:00:00.000Z" }, { "retry-after": "864000" })
  )
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>, number, RegExp]> = [
    [["brand", "show"], {}, 2, /works on a database only, and SOV_URL names a server.*scan list/],
    [["scan", "--samples", "2"], {}, 2, /server's configuration decides --samples/],
    [["archive", "list", "--keyword", "best anvil?"], {}, 2, /takes an id.*sov keyword list/],
    [["score"], { SOV_API_KEY: "" }, 4, /SOV_API_KEY is not set.*sov key create/],
    [["score"], { SOV_API_KEY: `sov_live_${"secret".repeat(8)}x` }, 4, /not valid.*SOV_API_KEY holds the key/],
    [["scan"], { SOV_URL: spent.base }, 5, /month ends at 2026-12-01/],
    [["score", "--data-dir", ".sov"], {}, 3, /no database in/]
  ]
  await Promise.all([0, 1].map(async (half) => {
    for (const [args, env, code, said] of cases.filter((_, n) => n % 2 === half)) {
      const ran = await remote([...args, "--json"], env)
      const { error } = last(ran.stderr) as { error: { message: string; hint: string | null } }
      expect([args, ran.code, `${error.message} ${error.hint}`, ran.stdout]).toEqual([
        args,
        code,
        expect.stringMatching(said),
        ""
      ])
      expect(ran.stderr).not.toContain("secretsecret")
    }
  }))
  // A newer scan has completed since; its score must not be shown for the requested scan
  const scan = {
    id: "01a1fdc2-f7b1-73c0-9311-cd01e31ffc66",
    status: "completed",
    scan_type: "manual",
    started_at: "2026-11-21T10:00:00.000Z",
    completed_at: "2026-11-21T10:01:00.000Z"
  }
  const newer = { scan_id: "01a1fdc2-0000-73c0-9311-cd01e31ffc66", avg_sov: 42, platform_breakdown: {} }
  const moved = await scriptedHttp(json(200, { scans: [scan] }), json(200, newer))
  const watched = await remote(["scan", "watch", scan.id, "--json"], { SOV_URL: moved.base })
  expect([watched.code, last(watched.stdout)]).toMatchObject([0, { scan_id: scan.id, avg_sov: null }])

  // If the server is gone, nobody knows whether a scan continues
  const gone = await scriptedHttp(
    json(200, { scans: [{ ...scan, status: "running", completed_at: null }] }),
    problem(401, "invalid-key")
  )
  const lost = await remote(["scan", "watch", scan.id], { SOV_URL: gone.base })
  expect(lost).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`Scan ${scan.id} was started. When the server answers again`)
  })
  expect(lost.stderr).not.toContain("continues on the server")

  const tried = startRemote(["score"], { SOV_URL: broken.base })
  await until(() => broken.seen.length >= 2, 60_000, "a second attempt")
  expect(tried.errors()).toMatch(/Title of internal; trying again in 1 s/)
  tried.child.kill("SIGTERM")
  expect((await tried).code).toBe(143)
})
