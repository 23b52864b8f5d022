/** The archive as files: parts and proofs, a cut export goes on to the same bytes, and it comes back. */
// Only in `npm run test:all`: exports that are killed and go on
import { type AnswerId, ArchiveStore, hashLeaf, makeSeal, OrganizationStore, ScanStore, SealStore } from "@sov/core"
import { layerEmbedded, layerServer, stores } from "@sov/core/postgres"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { beside, demo, exportedDemo } from "../support/demoExport.ts"
import { postgresUrl, serverHomeOrAll } from "../support/homes.ts"
import { sov, sovJson, startSov, until, workspace } from "../support/sov.ts"
import { makeAuthority, startAuthority } from "../support/timeStampAuthority.ts"

interface Verdict {
  readonly valid: boolean
  readonly problems: ReadonlyArray<{ readonly what: string; readonly id: string; readonly problem: string }>
}
const made = exportedDemo()

it("filtered, packed and CSV exports are verified as parts of the archive", async () => {
  const some = ["--platform", "assistant_b"]
  await sovJson(made.cwd, ["archive", "export", "--out", "b.gz", "--gzip", ...some, ...demo])
  expect(gunzipSync(readFileSync(join(made.cwd, "b.gz"))).toString("utf8").split("\n")).toHaveLength(24 + 1)
  const part = await sov(made.cwd, ["archive", "verify", "--file", "b.gz"])
  expect(part.code).toBe(0)
  expect(part.stdout).toMatch(/^24 rows as sealed.*\na part of the archive: that nothing was taken out .*\nvalid\n$/)
  await sovJson(made.cwd, ["archive", "export", "--out", "b.csv", "--format", "csv", ...some, ...demo])
  expect(await sovJson(made.cwd, ["archive", "verify", "--file", "b.csv"])).toMatchObject({ valid: true, rows: 24 })
  writeFileSync(join(made.cwd, "b.csv"), readFileSync(join(made.cwd, "b.csv"), "utf8").replace("a", "b"))
  const changed = await sov(made.cwd, ["archive", "verify", "--file", "b.csv", "--json"])
  expect(changed.code).toBe(7)
  expect((JSON.parse(changed.stdout) as Verdict).problems).toMatchObject([{ what: "file", problem: "changed" }])
  const parquet = ["--out", "b.parquet", "--format", "parquet"]
  expect(await sov(made.cwd, ["archive", "export", ...parquet, "--gzip", ...demo])).toMatchObject({ code: 2 })
  await sovJson(made.cwd, ["archive", "export", ...parquet, ...demo])
  expect(await sovJson(made.cwd, ["archive", "verify", "--file", "b.parquet"])).toMatchObject({ valid: true })
  expect((await sov(made.cwd, ["archive", "import", "b.parquet", ...demo])).stderr).toContain(
    "Parquet, which is not lossless"
  )
  const partial = await sov(made.cwd, ["archive", "import", "b.gz", ...demo])
  expect(partial).toMatchObject({ code: 2, stdout: "" })
})

it("anchors with time stamps are verified by sov and, with the commands of the docs, by openssl alone", async () => {
  const { cwd } = made
  const { file, url } = await startAuthority()
  copyFileSync(file("root.pem"), join(cwd, "tsa-ca.pem"))
  writeFileSync(join(cwd, "other-ca.pem"), makeAuthority().root)
  await sovJson(cwd, ["archive", "anchor", "--out", "anchors.ndjson", ...demo])
  const stamped = await sovJson<object>(cwd, ["archive", "anchor", "--out", "anchors.ndjson", "--tsa", url, ...demo])
  expect(stamped).toMatchObject({ sov_anchor: 1, time_stamp: { tsa: url } })
  expect(statSync(join(cwd, "anchors.ndjson")).mode & 0o777).toBe(0o600)
  const verify = (...args: ReadonlyArray<string>) => sov(cwd, ["archive", "verify", "--anchors", ...args, "--json"])
  const good = await verify("anchors.ndjson", "--tsa-ca", "tsa-ca.pem", ...demo)
  expect(good).toMatchObject({ code: 0, stderr: "" })
  const { head } = JSON.parse(good.stdout) as { readonly head: { readonly sequence: number; readonly hash: string } }
  expect(JSON.parse(good.stdout)).toMatchObject({
    valid: true,
    anchors: { checked: 2, newest_sequence: head.sequence, time_stamps: 1, signers_checked: true }
  })
  const untrusted = await verify("anchors.ndjson", "--tsa-ca", "other-ca.pem", ...demo)
  expect(untrusted.code).toBe(7)
  expect((JSON.parse(untrusted.stdout) as Verdict).problems).toMatchObject([{ what: "anchor", id: "2" }])

  const other = readFileSync(join(cwd, "anchors.ndjson"), "utf8").replaceAll(head.hash, "0".repeat(64))
  writeFileSync(join(cwd, "other.ndjson"), other)
  const found = await verify("other.ndjson", "--file", "a.ndjson")
  expect(found.code).toBe(7)
  const seal = { what: "seal", id: String(head.sequence), problem: "changed" }
  expect(JSON.parse(found.stdout)).toMatchObject({
    problems: [{ what: "anchor", id: "2" }, seal, seal],
    anchors: { checked: 2, time_stamps: 0, signers_checked: false }
  })
  writeFileSync(
    join(cwd, "foreign.ndjson"),
    other.replaceAll(/"organization_id":"......../g, "\"organization_id\":\"00000000")
  )
  expect((await verify("foreign.ndjson", "--file", "a.ndjson")).code).toBe(7)

  const page = readFileSync(new URL("../../docs/archive.md", import.meta.url), "utf8")
  const commands = page.split("```").find((block) => block.includes("openssl ts -verify"))!.replace(/^bash\n/, "")
  const run = () => spawnSync("bash", ["-euo", "pipefail", "-c", commands], { cwd, encoding: "utf8" })
  expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining("Verification: OK") as string })
  writeFileSync(join(cwd, "anchors.ndjson"), other)
  expect(run().status).not.toBe(0)
})

it("a proof is checked without a database", async () => {
  const { id } = made.rowsOf("a.ndjson")[50]!
  const proof = (await sov(made.cwd, ["archive", "proof", id, ...demo])).stdout
  const elsewhere = workspace()
  const check = (input: string) => sov(elsewhere, ["archive", "verify", "--proof", "-", "--json"], { input })
  const good = await check(proof)
  expect(good.code).toBe(0)
  expect(JSON.parse(good.stdout)).toMatchObject({ valid: true, answer_id: id, head: made.manifest.chain_head })
  const bad = await check(proof.replace("\"raw_response\": \"", "\"raw_response\": \"x"))
  expect(bad.code).toBe(7)
  expect((JSON.parse(bad.stdout) as Verdict).problems).toMatchObject([{ what: "answer", id, problem: "changed" }])
  expect((await check("{}")).code).toBe(7)
  const early = ["archive", "verify", "--proof", "-", "--head", `1:${"0".repeat(64)}`]
  const unfit = await sov(elsewhere, early, { input: proof })
  expect(unfit.code).toBe(2)
  expect(unfit.stderr).toContain("sealed later, by seal")
  expect(readdirSync(elsewhere)).toEqual([])
})

it("a changed archive is exported unchanged, the change is reported, and no proof covers the changed answer", async () => {
  const [changed, removed] = [made.rowsOf("a.ndjson")[7]!.id, made.rowsOf("a.ndjson")[70]!.id]
  cpSync(join(made.cwd, ".sov-demo"), join(made.cwd, ".sov-forged"), { recursive: true })
  const forge = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`set local session_replication_role = replica`
      yield* sql`update answer set raw_response = 'Acme is best.' where id = ${changed}`
      yield* sql`delete from answer where id = ${removed}`
    }))
  })
  const dataDir = join(made.cwd, ".sov-forged")
  await Effect.runPromise(forge.pipe(Effect.provide(layerEmbedded({ dataDir })), Effect.scoped))
  const forged = ["--data-dir", ".sov-forged", "--json"]
  const fault = (id: string, problem: string) => ({ what: "answer", id, problem })
  const files = [["forged.ndjson"], ["forged.csv", "--format", "csv"], ["-"]] as const
  for (const [file, ...format] of files) {
    const ran = await sov(made.cwd, ["archive", "export", "--out", file, ...format, ...forged])
    expect(ran.code).toBe(7)
    const { error } = JSON.parse(ran.stderr) as { readonly error: { readonly code: string; readonly message: string } }
    expect(error.code).toBe("archive-changed")
    expect(error.message).toContain(`2 faults; answer ${changed} changed: seal `)
    if (file === "-") {
      expect(ran.stdout.split("\n")).toHaveLength(119 + 1)
      continue
    }
    const problems = [fault(changed, "changed"), fault(removed, "removed")]
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 119, archive_faults: 2, problems })
    const verified = await sov(made.cwd, ["archive", "verify", "--file", file, "--json"])
    expect(verified.code).toBe(7)
    expect((JSON.parse(verified.stdout) as Verdict).problems).toMatchObject([
      ...file === "forged.csv" ? [] : problems,
      { what: "file", id: join(made.cwd, file), problem: "changed" }
    ])
  }
})

describe("an import", () => {
  it.each(serverHomeOrAll)(
    "an import on the %s home restores everything once, except changed rows",
    async (home) => {
      const here = workspace()
      const env: Record<string, string> = home === "embedded" ? {} : { SOV_DATABASE_URL: await freshDatabaseUrl() }
      const file = join(made.cwd, "a.ndjson")
      await sovJson(here, ["org", "create", "Restored"], env)
      for (const end of beside) copyFileSync(file + end, join(here, `bad.ndjson${end}`))
      writeFileSync(
        join(here, "bad.ndjson"),
        readFileSync(file, "utf8").replace("\"raw_response\":\"", "\"raw_response\":\"x")
      )
      const refused = await sov(here, ["archive", "import", "bad.ndjson"], { env })
      expect(refused).toMatchObject({ code: 7, stdout: "" })
      expect(refused.stderr).toContain(`answer ${made.rowsOf("a.ndjson")[0]!.id} changed`)
      expect(await sovJson(here, ["archive", "import", file], env)).toMatchObject({
        answers: 120,
        scans: 3,
        seals: 3,
        resealed: 0
      })
      expect(await sovJson(here, ["archive", "verify"], env)).toMatchObject({
        valid: true,
        sealed_answers: 120,
        head: made.manifest.chain_head
      })
      const again = await sovJson<{ sha256: string }>(here, ["archive", "export", "--out", "again.ndjson"], env)
      expect(again.sha256).toBe(made.manifest.sha256)
      const twice = await sov(here, ["archive", "import", file, "--json"], { env })
      expect(twice).toMatchObject({ code: 8, stdout: "" })
      expect(twice.stderr).toContain("organization-not-empty")
    }
  )
})

it.runIf(postgresUrl !== null)(
  "an import reads exactly the bytes that were checked; otherwise nothing is restored",
  async () => {
    const here = workspace()
    const url = await freshDatabaseUrl()
    const env = { SOV_DATABASE_URL: url }
    await sovJson(here, ["org", "create", "Restored"], env)
    const changed = ["", ".context.ndjson"]
    const ran = await Effect.runPromise(
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const imports = yield* sql.withTransaction(Effect.gen(function*() {
          // They check their files, and wait for the lock before they read them again
          yield* sql`select 1 from organization for update`
          const imports = changed.map((_, n) => {
            for (const end of beside) copyFileSync(join(made.cwd, `a.ndjson${end}`), join(here, `${n}.ndjson${end}`))
            return sov(here, ["archive", "import", `${n}.ndjson`, "--json"], { env })
          })
          yield* Effect.repeat(
            Effect.map(
              // Within a transaction what was seen first stays
              sql`select 1 from pg_stat_clear_snapshot(), pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
              (waiting) => waiting.length
            ),
            { until: (waiting) => waiting === imports.length, schedule: Schedule.spaced("50 millis") }
          ).pipe(Effect.timeout("2 minutes"))
          for (const [n, end] of changed.entries()) {
            const path = join(here, `${n}.ndjson${end}`)
            const text = readFileSync(path, "utf8")
            writeFileSync(path, text.replace("\"text\":", " $&").replace("\"mention_count\":", "$&1"))
          }
          return imports
        }))
        return yield* Effect.promise(() => Promise.all(imports))
      }).pipe(Effect.provide(layerServer({ url: Redacted.make(url) })), Effect.scoped)
    )
    for (const [n, end] of changed.entries()) {
      expect(ran[n]).toMatchObject({ code: 7, stdout: "" })
      expect(ran[n]!.stderr).toContain(`${n}.ndjson${end} was changed while it was read`)
    }
  }
)

describe("an export that was interrupted", () => {
  beforeAll(async () => {
    const grow = Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into cell select more.* from cell c, generate_series(2, 20) n,
          jsonb_populate_record(null::cell, to_jsonb(c) || jsonb_build_object('id', gen_random_uuid(), 'sample', n)) more
      `
      yield* sql`
        insert into answer select more.*
        from answer a join cell c using (organization_id, scan_id, keyword_id, platform),
          jsonb_populate_record(null::answer, to_jsonb(a) || jsonb_build_object(
            'id', gen_random_uuid(), 'cell_id', c.id, 'sample', c.sample, 'raw_response', repeat(a.raw_response, 20)
          )) more
        where c.sample > 1
      `
      // They are sealed like answers that come when their scan has ended
      const [archive, seals] = [yield* ArchiveStore, yield* SealStore]
      const organizationId = (yield* (yield* OrganizationStore).list)[0]!.id
      for (const { id: scanId } of yield* (yield* ScanStore).list(organizationId, { limit: 9 })) {
        const added = yield* sql<{ readonly id: AnswerId }>`
          select a.id from answer a join cell c on c.id = a.cell_id where a.scan_id = ${scanId} and c.sample > 1
        `
        const leaves = (yield* archive.listSealed(organizationId, added.map(({ id }) => id))).map((answer) => ({
          id: answer.id,
          hash: hashLeaf(answer)
        }))
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`set local session_replication_role = replica`
          for (const { hash, id } of leaves) yield* sql`update answer set leaf_hash = ${hash} where id = ${id}`
          const head = yield* seals.lockHead(organizationId)
          yield* seals.insert(organizationId, makeSeal({ scanId, leaves, head, sealedAt: new Date() }))
        }))
      }
    })
    await Effect.runPromise(
      grow.pipe(
        Effect.provide(stores.pipe(Layer.provideMerge(layerEmbedded({ dataDir: join(made.cwd, ".sov-demo") })))),
        Effect.scoped
      )
    )
  })

  const exported = (
    file: string,
    ...more: ReadonlyArray<string>
  ) => ["archive", "export", "--out", file, ...more, ...demo]
  const reached = (file: string): number => {
    try {
      return (JSON.parse(readFileSync(join(made.cwd, `${file}.part.json`), "utf8")) as { rows: number }).rows
    } catch {
      return 0
    }
  }

  it.each(
    [
      ["ndjson", "SIGKILL", []],
      ["gz", "SIGKILL", ["--gzip"]],
      ["csv", "SIGINT", ["--format", "csv"]]
    ] as const
  )("an export as %s that was stopped by %s is resumed to the same bytes", async (name, signal, options) => {
    const whole = await sovJson<{ rows: number }>(made.cwd, exported(`whole.${name}`, ...options))
    const file = `cut.${name}`
    const running = startSov(made.cwd, exported(file, ...options))
    await until(() => reached(file) > 0, 60_000, "a first piece")
    running.child.kill(signal)
    const ran = await running
    expect(existsSync(join(made.cwd, file))).toBe(false)
    expect(reached(file)).toBeLessThan(whole.rows)
    if (signal === "SIGINT") {
      expect(ran).toMatchObject({ code: 130, stdout: "" })
      expect(ran.stderr).toContain("--resume")
    }
    // What a crash may have torn after the last piece that was noted
    truncateSync(join(made.cwd, `${file}.part`), 100_000_000)
    if (name === "ndjson") {
      const other = await sov(made.cwd, exported(file, "--resume", "--platform", "assistant_a", "--json"))
      expect(other.code).toBe(8)
      expect(other.stderr).toContain("other-export")
    }
    const before = reached(file)
    const rest = await sovJson<Record<string, unknown>>(made.cwd, exported(file, "--resume", ...options))
    expect(before).toBeGreaterThan(0)
    expect(readFileSync(join(made.cwd, file)).equals(readFileSync(join(made.cwd, `whole.${name}`)))).toBe(true)
    expect(rest["sha256"]).toBe(createHash("sha256").update(readFileSync(join(made.cwd, file))).digest("hex"))
    const described = (path: string) => readFileSync(join(made.cwd, `${path}.manifest.json`), "utf8")
    expect(described(file)).toBe(described(`whole.${name}`))
    expect(readdirSync(made.cwd).filter((one) => one.startsWith(file) && one.includes(".part"))).toEqual([])
  })

  it("an export that was killed before it wrote its manifest is resumed", async () => {
    const [file, whole] = [join(made.cwd, "named.gz"), join(made.cwd, "whole.gz")]
    mkdirSync(`${file}.context.ndjson`)
    expect(await sov(made.cwd, exported("named.gz", "--gzip"))).toMatchObject({ code: 2, stdout: "" })
    rmdirSync(`${file}.context.ndjson`)
    renameSync(`${file}.part`, file)
    const other = await sov(made.cwd, exported("named.gz", "--resume"))
    expect(other).toMatchObject({ code: 8, stdout: "" })
    expect(existsSync(file)).toBe(true)
    await sovJson(made.cwd, exported("named.gz", "--gzip", "--resume"))
    for (const end of beside) expect(readFileSync(file + end).equals(readFileSync(whole + end))).toBe(true)
    expect(readdirSync(made.cwd).filter((one) => one.startsWith("named.gz.part"))).toEqual([])
  })

  it("an export whose part file is missing starts over", async () => {
    const file = join(made.cwd, "gone.gz")
    writeFileSync(file, "mine")
    mkdirSync(`${file}.context.ndjson`)
    expect(await sov(made.cwd, exported("gone.gz", "--gzip", "--yes"))).toMatchObject({ code: 2 })
    rmdirSync(`${file}.context.ndjson`)
    rmSync(`${file}.part`)
    expect(await sov(made.cwd, exported("gone.gz", "--gzip", "--resume"))).toMatchObject({ code: 8 })
    expect(readFileSync(file, "utf8")).toBe("mine")
    await sovJson(made.cwd, exported("gone.gz", "--gzip", "--resume", "--yes"))
    expect(readFileSync(file).equals(readFileSync(join(made.cwd, "whole.gz")))).toBe(true)
  })

  it("an export is not disturbed by another one to the same file", async () => {
    const running = startSov(made.cwd, exported("both.ndjson"))
    await until(() => reached("both.ndjson") > 0, 60_000, "a first piece")
    running.child.kill("SIGSTOP")
    const second = await sov(made.cwd, exported("both.ndjson", "--yes", "--json"))
    running.child.kill("SIGCONT")
    expect(second).toMatchObject({ code: 8, stdout: "" })
    expect(second.stderr).toContain("export-running")
    expect(await running).toMatchObject({ code: 0 })
    const described = (path: string) => readFileSync(join(made.cwd, `${path}.manifest.json`), "utf8")
    expect(described("both.ndjson")).toBe(described("whole.ndjson"))
  })

  it("an export is not resumed with a part file that was changed", async () => {
    const file = "torn.ndjson"
    const running = startSov(made.cwd, exported(file))
    await until(() => reached(file) > 0, 60_000, "a first piece")
    running.child.kill("SIGKILL")
    await running
    const part = join(made.cwd, `${file}.part`)
    const bytes = readFileSync(part)
    bytes[100]! ^= 1
    writeFileSync(part, bytes)
    const ran = await sov(made.cwd, exported(file, "--resume"))
    expect(ran).toMatchObject({ code: 7, stdout: "" })
    expect(ran.stderr).toContain("leave out --resume")
    expect(statSync(part).size).toBe(bytes.length)
  })
})
