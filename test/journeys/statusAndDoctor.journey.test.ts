// Only in `npm run test:all`: dozens of runs of the command
/** The operator looks on: status, doctor and config, with whatever is or is not there. */
import {
  CellStore,
  KeywordStore,
  OrganizationStore,
  type RegisteredWorker,
  ScheduleStore,
  TrackedSetStore,
  type WorkerId,
  WorkerRegistry
} from "@sov/core"
import { layerConnection, stores } from "@sov/core/postgres"
import { addScan, at, keywords, seedAnswers, trackedSet } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { scheduleOf } from "../contracts/scheduleStoreContract.ts"
import { postgresUrl } from "../support/homes.ts"
import { launcher, sov, sovInit, sovJson, workspace } from "../support/sov.ts"
import { emptyDatabase, freshDatabase } from "../support/storage.ts"

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}
const canary = "pa55-8f14e45fceea"
const unreachable = { SOV_DATABASE_URL: `postgres://me:${canary}@127.0.0.1:1/sov?application_name=${canary}` }

interface Checked {
  readonly ok: boolean
  readonly checks: ReadonlyArray<{ readonly name: string; readonly status: string; readonly message: string }>
}
const finding = ({ checks }: Checked, name: string) => checks.find((check) => check.name === name)

const init = (cwd: string) => sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])

/** Works on the data directory beside the commands, as another process would. */
const inside = <A, E>(cwd: string, effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof home>>>): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.provide(effect, home(cwd))))
/** Nothing is migrated: `sov init` has done that. */
const home = (cwd: string) =>
  stores.pipe(
    Layer.provideMerge(layerConnection({ dataDir: join(cwd, ".sov") })),
    Layer.merge(SecureRandom.layerWebCrypto)
  )

const worker = (fields: Partial<RegisteredWorker>): Omit<RegisteredWorker, "seenAt"> => ({
  id: "01900000-0000-7000-8000-000000000001" as WorkerId,
  host: "anvil.example",
  pid: 4711,
  version: "0.1.0",
  digest: "d1",
  platforms: ["assistant_a"],
  doing: ["platform/assistant_a"],
  stays: true,
  startedAt: new Date(),
  ...fields
})

describe("in an empty directory", () => {
  it("status and doctor say how to begin, and create nothing", async () => {
    const cwd = workspace()
    const status = await sov(cwd, ["status"])
    expect(status).toMatchObject({ code: 3, stderr: expect.stringContaining("`sov init`") })
    expect(status.stdout).toContain(`none yet: embedded, in ${join(cwd, ".sov")} (default)`)
    expect(JSON.parse((await sov(cwd, ["status", "--json"])).stdout)).toMatchObject({
      database: { kind: "embedded", source: "default", from: null, state: "absent", error: null },
      owner: null,
      organizations: [],
      organizations_total: null,
      workers: []
    })
    const doctor = await sov(cwd, ["doctor"])
    expect(doctor.code).toBe(0)
    expect(doctor.stdout).toMatch(/^warn +database: there is no database .*\n +fix: begin with `sov init`/m)
    expect(doctor.stdout).toMatch(/^warn +config: /m)
    expect((await sov(cwd, ["config", "list"])).code).toBe(0)
    expect(readdirSync(cwd)).toEqual([])
  })
})

describe("on a data directory", () => {
  it("status and doctor show the contents of a data directory, queued work, and the worker that runs it", async () => {
    const cwd = workspace()
    await init(cwd)
    await inside(
      cwd,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [organization] = yield* (yield* OrganizationStore).list
        const id = organization!.id
        yield* sql`update organization set name = ${"Acme\u001b]0;owned\u0007\nworkers  none\u202e"}`
        yield* (yield* TrackedSetStore).append(id, yield* trackedSet(2))
        const asked = yield* (yield* KeywordStore).add(id, yield* keywords(["one?", "two?", "three?"]))
        const { cells, scan } = yield* addScan(id, asked, {
          platforms: ["assistant_a", "assistant_c"],
          startedAt: new Date(),
          simulated: true
        })
        yield* seedAnswers({ organizationId: id, cells: cells.slice(0, 1) })
        yield* (yield* CellStore).postpone(id, cells[1]!.id, new Date(Date.now() + 600_000), null)
        yield* (yield* ScheduleStore).save(id, scheduleOf({ nextAt: at(60) }))
        const registry = yield* WorkerRegistry
        yield* registry.register(worker({ host: "anvil\u001b[31m.example" }), 1e12)
        const gone = worker({ id: "01900000-0000-7000-8000-000000000002" as WorkerId })
        yield* registry.register(gone, 1e12)
        yield* sql`update worker set seen_at = seen_at - interval '1 minute' where id = ${gone.id}`
        // However long a busy machine takes to start the command, the other one still counts as alive
        yield* sql`update worker set seen_at = seen_at + interval '1 minute' where id <> ${gone.id}`
        return scan
      })
    )

    const found = await sovJson(cwd, ["status"])
    expect(found).toEqual({
      sov: { version, node: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      database: {
        kind: "embedded",
        location: join(cwd, ".sov"),
        source: "default",
        from: null,
        state: "ready",
        version: expect.stringMatching(/^18\./),
        size_bytes: expect.any(Number),
        schema_version: expect.any(Number),
        pending_migrations: 0,
        error: null
      },
      owner: { state: "serving", pid: expect.any(Number), since: time, message: null },
      organizations: [{
        id: uuid,
        name: expect.stringContaining("Acme"),
        slug: "acme",
        plan: "pro",
        quota: { period: expect.any(String), limit: 100, used: 0, remaining: 100, resets_at: time },
        answers: 1,
        last_scan: {
          scan_id: uuid,
          status: "running",
          started_at: time,
          completed_at: null,
          avg_sov: null,
          simulated: true
        },
        schedule: {
          cron: "0 7 * * 1",
          time_zone: "Europe/Berlin",
          platforms: ["assistant_a", "assistant_c"],
          samples: 2,
          paused: false,
          next_run_at: "2026-02-01T00:00:58.123Z",
          overdue: true,
          attended: true
        }
      }],
      organizations_total: 1,
      platforms_ended: [],
      running: [{
        scan_id: uuid,
        organization: "acme",
        started_at: time,
        cells: 6,
        ended: 1,
        open: 5,
        due: 4,
        waiting: 1,
        retry_at: time,
        not_configured: 3,
        platforms_not_configured: ["assistant_c"],
        simulated: true
      }],
      running_total: 1,
      workers: [{
        id: uuid,
        host: expect.stringContaining("anvil"),
        pid: 4711,
        version: "0.1.0",
        platforms: ["assistant_a"],
        doing: ["platform/assistant_a"],
        taken_over: [],
        stays: true,
        started_at: time,
        seen_at: time
      }]
    })

    const { stdout } = await sov(cwd, ["status"])
    expect(stdout).not.toMatch(/[\u0007\u001b\u202e]/)
    expect(stdout.match(/^workers/gm)).toHaveLength(1)
    expect(stdout).toMatch(
      /^running +1\/6 ended · SIMULATED: 4 due; 1 wait for a retry in \d+ min \d+ s or later; 3 of assistant_c, not configured here/m
    )
    expect(stdout).toMatch(
      /^workers +process 4711 on anvil\.example, platform\/assistant_a, started [\d a-z]+ ago \([0-9a-f-]{36}\)$/m
    )
    expect(stdout).toMatch(/^schedule +0 7 \* \* 1 in Europe\/Berlin, next Sun 2026-02-01 01:00 \+01:00 · OVERDUE$/m)
    expect(stdout).toMatch(/^last scan +running.* · SIMULATED$/m)
    expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(13)

    const doctor = JSON.parse(
      (await sov(cwd, ["doctor", "--json"], { env: { OPENAI_API_KEY: canary } })).stdout
    ) as Checked
    expect(finding(doctor, "scans")).toMatchObject({ status: "warn", message: expect.stringContaining("assistant_c") })
    expect(finding(doctor, "workers")).toMatchObject({ status: "warn", message: expect.stringContaining("4711") })
    expect(finding(doctor, "schedules")).toMatchObject({ status: "warn", message: expect.stringContaining("overdue") })
    expect(finding(doctor, "owner")).toMatchObject({ status: "ok", message: expect.stringContaining("serves") })
    for (
      const name of ["node", "launcher", "config", "secrets", "api-keys", "data-dir", "database", "migrations", "clock"]
    ) {
      expect(finding(doctor, name), name).toMatchObject({ status: "ok" })
    }
    expect(JSON.stringify(doctor)).not.toContain(canary)
    const quota = await sov(cwd, ["quota", "show", "-v"], { env: { SOV_DATA_DIR: ".sov" } })
    expect(quota.stderr).toContain(`home: embedded database in ${join(cwd, ".sov")} (SOV_DATA_DIR)`)
    expect(await sov(cwd, ["status", "--org", "nobody"])).toMatchObject({ code: 3, stdout: "" })
  })

  it("pending migrations are reported but not run", async () => {
    const cwd = workspace()
    await init(cwd)
    const version = await inside(
      cwd,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from sov_migrations where migration_id = (select max(migration_id) from sov_migrations)`
        const [row] = yield* sql<{ readonly version: number }>`select max(migration_id) as version from sov_migrations`
        return row!.version
      })
    )
    for (const _ of [1, 2]) {
      expect(await sovJson(cwd, ["status"])).toMatchObject({
        database: { state: "to-migrate", schema_version: version, pending_migrations: 1 },
        organizations: [],
        organizations_total: null
      })
    }
    const doctor = JSON.parse((await sov(cwd, ["doctor", "--json"])).stdout) as Checked
    expect(finding(doctor, "migrations")).toMatchObject({ status: "warn", fix: "sov db migrate" })
    expect(finding(doctor, "workers")).toMatchObject({ status: "skipped" })
    await inside(
      cwd,
      SqlClient.SqlClient.use((sql) => sql`insert into sov_migrations (migration_id, name) values (9999, 'later')`)
    )
    expect(await sov(cwd, ["status", "--json"])).toMatchObject({
      code: 8,
      stdout: expect.stringContaining("\"newer\"")
    })
    expect(await sov(cwd, ["doctor"])).toMatchObject({
      code: 7,
      stdout: expect.stringMatching(/fail +migrations: .*9999/)
    })
  })

  it("doctor fails for a directory that others may use, a broken file and a missing key", async () => {
    const cwd = workspace()
    await init(cwd)
    chmodSync(join(cwd, ".sov"), 0o755)
    writeFileSync(join(cwd, ".sov", "settings.json"), "no")
    writeFileSync(join(cwd, ".env"), "SOV_ORG=acme\n", { mode: 0o644 })
    const doctor = await sov(cwd, ["doctor", "--json"])
    expect(doctor).toMatchObject({ code: 7, stderr: "" })
    const checked = JSON.parse(doctor.stdout) as Checked
    expect(checked.ok).toBe(false)
    for (
      const [name, status] of [["api-keys", "fail"], ["data-dir", "warn"], ["settings", "warn"], ["env-file", "warn"]]
    ) {
      expect(finding(checked, name!), name).toMatchObject({ status, fix: expect.stringMatching(/\w/) })
    }
    expect(statSync(join(cwd, ".sov")).mode & 0o777).toBe(0o755)
    expect(readFileSync(join(cwd, ".sov", "settings.json"), "utf8")).toBe("no")
  })
})

describe("with a server that cannot be reached", () => {
  it("an unreachable server is reported with exit code 9, and with 7 by doctor; the password appears nowhere", async () => {
    const cwd = workspace()
    const runs = await Promise.all([
      sov(cwd, ["status", "-v"], { env: unreachable }),
      sov(cwd, ["doctor", "-v"], { env: unreachable }),
      sov(cwd, ["config", "list"], { env: unreachable }),
      sov(cwd, ["config", "get", "database-url", "--json"], { env: unreachable })
    ])
    expect(runs.map(({ code }) => code)).toEqual([9, 7, 0, 0])
    for (const { stderr, stdout } of runs) expect(stdout + stderr).not.toContain(canary)
    expect(runs[0].stdout).toContain("ECONNREFUSED")
    expect(runs[0].stderr).toContain("home: Postgres server postgres://127.0.0.1:1/sov (SOV_DATABASE_URL)")
    expect(runs[1].stdout).toMatch(/^fail +database: .*ECONNREFUSED/m)
    expect(JSON.parse(runs[3].stdout)).toMatchObject({ value: "postgres://127.0.0.1:1/sov", source: "env" })
    expect(readdirSync(cwd)).toEqual([])
  })
})

describe.skipIf(postgresUrl === null)("with a server", () => {
  it(
    "an empty server database is reported and stays empty, and a migrated one is ready",
    () =>
      Effect.runPromise(Effect.scoped(Effect.gen(function*() {
        const cwd = workspace()
        const empty = { SOV_DATABASE_URL: (yield* emptyDatabase()).url }
        const ready = { SOV_DATABASE_URL: (yield* freshDatabase).url }
        const status = (env: Readonly<Record<string, string>>) => Effect.promise(() => sovJson(cwd, ["status"], env))
        for (const _ of [1, 2]) {
          expect(yield* status(empty)).toMatchObject({
            database: { kind: "server", source: "env", state: "to-migrate", schema_version: 0 },
            owner: null
          })
        }
        expect(yield* status(ready)).toMatchObject({ database: { state: "ready" }, organizations: [], workers: [] })
        const doctor = yield* Effect.promise(() => sovJson<Checked>(cwd, ["doctor"], ready))
        for (const name of ["database", "migrations", "clock", "workers", "scans"]) {
          expect(finding(doctor, name), name).toMatchObject({ status: "ok" })
        }
        expect(finding(doctor, "data-dir")).toMatchObject({ status: "skipped" })
        expect(readdirSync(cwd)).toEqual([])
      }))),
    120_000
  )
})

describe("config", () => {
  it("config shows whether a value comes from a flag, the environment, .env, the file or the defaults", async () => {
    const cwd = workspace()
    writeFileSync(join(cwd, ".env"), `SOV_ORG=from-file\nSOV_DATA_DIR=from-file\nSOV_SIGNING_SECRET=${canary}\n`)
    const binding = { adapter: "openai-compatible", model: "m", baseUrl: "https://api.example/v1", apiKeyEnv: "A_KEY" }
    writeFileSync(
      join(cwd, "sov.config.json"),
      JSON.stringify({
        platforms: { assistant_b: { ...binding, timeout: "5 seconds" } },
        sentiment: { judge: "assistant_b" }
      })
    )
    const env = { SOV_DATA_DIR: "from-env", SOV_PORT: "7", A_KEY: canary }
    const ran = await sov(cwd, ["config", "list", "--json", "--config", "sov.config.json"], { env })
    expect(ran.stdout + ran.stderr).not.toContain(canary)
    const rows = JSON.parse(ran.stdout) as ReadonlyArray<{ readonly name: string }>
    const named = (name: string) => rows.find((row) => row.name === name)
    const file = join(cwd, "sov.config.json")
    expect(named("data-dir")).toEqual({
      name: "data-dir",
      value: join(cwd, "from-env"),
      secret: false,
      source: "env",
      from: "SOV_DATA_DIR"
    })
    expect(named("org")).toMatchObject({ value: "from-file", source: ".env", from: "SOV_ORG" })
    expect(named("signing-secret")).toMatchObject({ value: "set", secret: true, source: ".env" })
    expect(named("config")).toMatchObject({ value: file, source: "flag", from: "--config" })
    expect(named("database-url")).toMatchObject({ value: null, source: "default", from: null })
    expect(named("platforms.assistant_b.timeout")).toMatchObject({ value: "5 seconds", source: "file", from: file })
    expect(named("platforms.assistant_b.concurrency")).toMatchObject({ value: 8, source: "default", from: null })
    expect(named("platforms.assistant_b.apiKeyEnv")).toMatchObject({ value: "A_KEY", api_key_present: true })
    expect(named("scan.samples")).toMatchObject({ value: 1, source: "default" })
    expect(named("sentiment.judge")).toMatchObject({ value: "assistant_b", source: "file", from: file })
    const used = { host: "127.0.0.1", port: "7", "rest-rate": "600", "mcp-rate": "60" }
    for (const [name, value] of Object.entries(used)) {
      expect(named(name)).toMatchObject({ value, source: name === "port" ? "env" : "default", secret: false })
    }

    expect((await sov(cwd, ["config", "get", "SOV_ORG"])).stdout).toBe("from-file\n")
    expect((await sov(cwd, ["config", "get", "platforms.assistant_b.timeout"])).stdout).toBe("5 seconds\n")
    expect((await sov(cwd, ["config", "get", "SOV_SIGNING_SECRET"])).stdout).toBe("set\n")
    expect(await sov(cwd, ["config", "get", "database-url"])).toMatchObject({ code: 3, stdout: "" })
    expect(await sov(cwd, ["config", "get", "nonsense"])).toMatchObject({ code: 2, stdout: "" })
    expect(await sov(cwd, ["config", "path"])).toMatchObject({ code: 0, stdout: `${file}\n`, stderr: "" })
  })

  it("config lists the settings even if a file is unusable, and then exits with 2", async () => {
    const cwd = workspace()
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { assistant_b: { model: canary } } }))
    const ran = await sov(cwd, ["config", "list"])
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("adapter is missing") })
    expect(ran.stdout).toMatch(/^data-dir\t/)
    expect(await sov(cwd, ["config", "get", "platforms.assistant_b.model"])).toMatchObject({ code: 2, stdout: "" })
  })
})

it("config fits a terminal of 60 columns, and is plain without a terminal or colours", async () => {
  const cwd = workspace()
  await init(cwd)
  const { CI: _ci, FORCE_COLOR: _force, NO_COLOR: _none, ...inherited } = process.env
  const inTerminal = (command: string, env: Readonly<Record<string, string>> = {}) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn("script", ["-qfec", `stty cols 60; ${launcher} ${command} 2>/dev/null`, "/dev/null"], {
        cwd,
        env: { ...inherited, TERM: "xterm", ...env },
        stdio: ["ignore", "pipe", "inherit"]
      })
      let text = ""
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => text += chunk)
      child.once("error", reject).once("close", () => resolve(text))
    })
  for (const command of ["status", "doctor", "config list"]) {
    const text = await inTerminal(command)
    expect(text).toContain("\u001b[")
    const plain = await inTerminal(command, { NO_COLOR: "1" })
    expect(plain, command).not.toContain("\u001b")
    for (const line of plain.split("\r\n")) {
      // A path or an id is one word: it stays whole
      if (line.length > 60) expect(line.trim().split(/\s+/).some((word) => word.length > 30), line).toBe(true)
    }
    expect((await sov(cwd, command.split(" "))).stdout, command).not.toContain("\u001b")
  }
})
