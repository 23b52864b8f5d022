/** The archive as files: an export that was changed says where, a cut one goes on to the same bytes, and it comes back. */
import { layerEmbedded, layerServer } from "@sov/core/postgres"
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkExport } from "../../packages/cli/src/archive/checkExport.ts"
import { readManifest } from "../../packages/cli/src/archive/exportManifest.ts"
import { freshDatabaseUrl } from "../support/databases.ts"
import { mainHome, postgresUrl } from "../support/homes.ts"
import { sov, sovJson, until, workspace } from "../support/sov.ts"

interface Verdict {
  readonly valid: boolean
  readonly problems: ReadonlyArray<{ readonly what: string; readonly id: string; readonly problem: string }>
}
interface Row {
  readonly id: string
  readonly scan_id: string
  readonly raw_response: string
}

const demo = ["--data-dir", ".sov-demo"]
const beside = ["", ".manifest.json", ".context.ndjson"]
let cwd: string
let manifest: { readonly sha256: string; readonly chain_head: { readonly sequence: number; readonly hash: string } }

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "sov-archive-"))
  await sovJson(cwd, ["demo", "--weeks", "2"])
  manifest = await sovJson(cwd, ["archive", "export", "--out", "a.ndjson", ...demo])
}, 120_000)
afterAll(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

const rowsOf = (file: string) =>
  readFileSync(join(cwd, file), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as Row)

describe("an export that was changed", () => {
  /** What is named in a copy of the export whose files were changed; what is said of the files themselves is left out. */
  const named = async (
    change: { readonly rows?: (text: string) => string; readonly context?: (text: string) => string },
    recomputed: object | null = null
  ) => {
    const folder = workspace()
    const file = join(folder, "a.ndjson")
    for (const end of beside) copyFileSync(join(cwd, `a.ndjson${end}`), file + end)
    const edit = (path: string, how: ((text: string) => string) | undefined) => {
      if (how === undefined) return
      const before = readFileSync(path, "utf8")
      const after = how(before)
      expect(after).not.toBe(before)
      writeFileSync(path, after)
    }
    edit(file, change.rows)
    edit(`${file}.context.ndjson`, change.context)
    if (recomputed !== null) {
      const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")
      const written = JSON.parse(readFileSync(`${file}.manifest.json`, "utf8")) as object
      const rows = readFileSync(file, "utf8").split("\n").length - 1
      const hashes = { sha256: sha256(file), context_sha256: sha256(`${file}.context.ndjson`) }
      writeFileSync(`${file}.manifest.json`, JSON.stringify({ ...written, rows, ...hashes, ...recomputed }))
    }
    const problems: Array<string> = []
    let files = 0
    await Effect.runPromise(checkExport(file, readManifest(file), null, {
      onAnswers: () => {},
      onProblem: ({ id, problem, what }) =>
        Effect.sync(() => what === "file" ? void files++ : void problems.push(`${what} ${id} ${problem}`))
    }))
    return { problems: problems.toSorted(), files }
  }
  const line = (text: string, n: number, how: (line: string) => ReadonlyArray<string>) =>
    text.trimEnd().split("\n").flatMap((one, i) => i === n ? how(one) : [one]).join("\n") + "\n"
  const sealLine = (n: number, how: (line: string) => string) => (text: string) =>
    text.replace(new RegExp(`^\\{"seal":\\{"sequence":${n},.*$`, "m"), how)

  it("is as it was exported when it was not", async () => {
    expect(await sovJson(cwd, ["archive", "verify", "--file", "a.ndjson"])).toMatchObject({
      valid: true,
      rows: 120,
      sealed_rows: 120,
      unsealed_rows: 0,
      seals: 3,
      head: manifest.chain_head,
      problems: []
    })
  })

  it("names what was changed, removed and added", async () => {
    const [first, second] = rowsOf("a.ndjson")
    const rows = (how: (line: string) => ReadonlyArray<string>) => named({ rows: (text) => line(text, 0, how) })
    expect(await rows((text) => [text.replace("\"raw_response\":\"", "\"raw_response\":\"x")])).toEqual({
      problems: [`answer ${first!.id} changed`],
      files: 1
    })
    expect((await rows(() => [])).problems).toEqual([`answer ${first!.id} removed`])
    expect((await rows((text) => [text, text])).problems).toEqual([`answer ${first!.id} added`])
    const other = "00000000-0000-7000-8000-00000000bbbb"
    expect((await rows((text) => [text, text.replace(first!.id, other)])).problems).toEqual([`answer ${other} added`])
    expect((await rows((text) => [text, text.replace(first!.scan_id, other)])).problems).toEqual([
      `answer ${first!.id} added`
    ])
    expect((await rows((text) => [text.slice(1)])).problems).toEqual([`answer ${first!.id} removed`, "line 1 changed"])
    // A part of a row that no seal covers: the file as a whole tells
    expect(await rows((text) => [text.replace(/"mention_count":\d+/, "\"mention_count\":77")])).toEqual({
      problems: [],
      files: 1
    })
    expect((await named({ rows: (text) => text.slice(0, text.indexOf(second!.id)) })).problems).toHaveLength(120)
  })

  it("names seals", async () => {
    const hash = /"hash":"(.)/
    const digit = (text: string, pattern: RegExp) =>
      text.replace(pattern, (all, one: string) => all.slice(0, -1) + (one === "0" ? "1" : "0"))
    for (const field of ["root", "hash", "previous"]) {
      const pattern = new RegExp(`"${field}":"(.)`)
      expect((await named({ context: sealLine(2, (text) => digit(text, pattern)) })).problems).toEqual([
        "seal 2 changed"
      ])
    }
    expect((await named({ context: sealLine(2, (text) => digit(text, /"leaves":\[\["[^"]*","(.)/)) })).problems)
      .toEqual([
        "seal 2 changed"
      ])
    expect((await named({ context: sealLine(2, (text) => text.replace("{", "[")) })).problems).toContain(
      "seal 2 removed"
    )
    // The last one: the manifest's head says so
    const last = await named({ context: sealLine(3, (text) => digit(text, hash)) })
    expect(last).toEqual({ problems: ["seal 3 changed"], files: 2 })
  })

  describe("with a manifest that was made anew", () => {
    interface Sealed {
      readonly scan_id: string
      leaves: null | Array<[id: string | null, hash: string]>
    }
    const seal2 = (how: (seal: Sealed) => void) =>
      sealLine(2, (text) => {
        const { seal } = JSON.parse(text) as { readonly seal: Sealed }
        how(seal)
        return JSON.stringify({ seal })
      })
    const forged = (text: string) => text.replace("\"raw_response\":\"", "\"raw_response\":\"forged ")
    const other = "00000000-0000-7000-8000-00000000bbbb"
    const first = (how: (line: string) => ReadonlyArray<string>) => (text: string) => line(text, 0, how)
    let scan: string
    let ids: ReadonlyArray<string>
    beforeAll(() => {
      const context = readFileSync(join(cwd, "a.ndjson.context.ndjson"), "utf8")
      seal2((seal) => {
        scan = seal.scan_id
        ids = seal.leaves!.map(([id]) => id!)
      })(context)
    })
    const ofScan = (text: string) => text.includes(`"scan_id":"${scan}"`)
    const each = (how: (line: string) => ReadonlyArray<string>) => (text: string) =>
      text.split("\n").flatMap((one) => ofScan(one) ? how(one) : [one]).join("\n")
    const without = (id: string) => each((one) => one.includes(id) ? [] : [one])

    it("names a row that was put into a sealed scan", async () => {
      const rows = first((text) => [text, forged(text.replace(/"id":"[^"]*"/, `"id":"${other}"`))])
      expect((await named({ rows }, { unsealed_rows: 1 })).problems).toEqual([`answer ${other} added`])
      const [row] = rowsOf("a.ndjson")
      expect((await named({ rows: first((text) => [text, forged(text)]) }, { unsealed_rows: 1 })).problems).toEqual([
        `answer ${row!.id} added`
      ])
    })

    it("names a scan whose leaves are left out", async () => {
      const context = seal2((seal) => {
        seal.leaves = null
      })
      const replaced = await named({ context, rows: each((one) => [forged(one)]) }, { unsealed_rows: ids.length })
      expect(replaced.problems).toEqual([...ids.map((id) => `answer ${id} added`), "seal 2 changed"])
      expect((await named({ context, rows: each(() => []) }, {})).problems).toEqual(["seal 2 changed"])
      // A part of the archive may leave out seals, but not put in rows
      const part = { platform: "assistant_a", unsealed_rows: ids.length }
      expect((await named({ context, rows: each((one) => [forged(one)]) }, part)).problems).toEqual(
        ids.map((id) => `answer ${id} added`)
      )
    })

    it("names a leaf that names nobody, or another's answer", async () => {
      const [gone, next] = ids as [string, string]
      const nameless = seal2(({ leaves }) => {
        leaves![0]![0] = null
      })
      const renamed = seal2(({ leaves }) => {
        leaves![0]![0] = next
      })
      for (const context of [nameless, renamed]) {
        expect((await named({ context, rows: without(gone) }, {})).problems).toContain("seal 2 changed")
      }
    })

    it("names a row that another reader might read otherwise", async () => {
      for (
        const disguise of [
          (text: string) => text.replace("{", "{\"raw_response\":\"forged\","),
          (text: string) => text.replace("{", "{\"Raw_Response\":\"forged\","),
          (text: string) => text.replace("{", "{ ")
        ]
      ) {
        const { problems } = await named({ rows: first((text) => [disguise(text)]) }, {})
        expect(problems).toContain("line 1 changed")
      }
    })
  })

  it("exits with 7, says it in a line each, and --head holds a file to a seal noted elsewhere", async () => {
    const head = (await sov(cwd, ["archive", "head", ...demo])).stdout.trim()
    expect(head).toBe(`${manifest.chain_head.sequence}:${manifest.chain_head.hash}`)
    expect((await sov(cwd, ["archive", "verify", "--file", "a.ndjson", "--head", head])).code).toBe(0)
    const other = await sov(cwd, ["archive", "verify", "--file", "a.ndjson", "--head", `3:${"0".repeat(64)}`])
    expect(other).toMatchObject({ code: 7, stderr: "" })
    expect(other.stdout).toMatch(/^✗ seal 3 changed: .*\n[^]*not valid: 1 fault\n$/)
    expect((await sov(cwd, ["archive", "verify", "--head", "nonsense"])).code).toBe(2)
  })

  it("without its manifest or its context says what is missing", async () => {
    for (const end of [".manifest.json", ".context.ndjson"]) {
      renameSync(join(cwd, `a.ndjson${end}`), join(cwd, "away"))
      const ran = await sov(cwd, ["archive", "verify", "--file", "a.ndjson"])
      renameSync(join(cwd, "away"), join(cwd, `a.ndjson${end}`))
      expect(ran).toMatchObject({ code: 3, stdout: "" })
      expect(ran.stderr).toContain(`a.ndjson${end}`)
    }
  })
})

it("parts are proven as parts: filtered, packed, CSV", async () => {
  const some = ["--platform", "assistant_b"]
  await sovJson(cwd, ["archive", "export", "--out", "b.gz", "--gzip", ...some, ...demo])
  expect(gunzipSync(readFileSync(join(cwd, "b.gz"))).toString("utf8").split("\n")).toHaveLength(24 + 1)
  const part = await sov(cwd, ["archive", "verify", "--file", "b.gz"])
  expect(part.code).toBe(0)
  expect(part.stdout).toMatch(/^24 rows as sealed.*\na part of the archive: that nothing was taken out .*\nvalid\n$/)
  await sovJson(cwd, ["archive", "export", "--out", "b.csv", "--format", "csv", ...some, ...demo])
  expect(await sovJson(cwd, ["archive", "verify", "--file", "b.csv"])).toMatchObject({ valid: true, rows: 24 })
  writeFileSync(join(cwd, "b.csv"), readFileSync(join(cwd, "b.csv"), "utf8").replace("a", "b"))
  const changed = await sov(cwd, ["archive", "verify", "--file", "b.csv", "--json"])
  expect(changed.code).toBe(7)
  expect((JSON.parse(changed.stdout) as Verdict).problems).toMatchObject([{ what: "file", problem: "changed" }])
  const partial = await sov(cwd, ["archive", "import", "b.gz", ...demo])
  expect(partial).toMatchObject({ code: 2, stdout: "" })
})

it("a proof is checked without a database", async () => {
  const { id } = rowsOf("a.ndjson")[50]!
  const proof = (await sov(cwd, ["archive", "proof", id, ...demo])).stdout
  const elsewhere = workspace()
  const check = (input: string) => sov(elsewhere, ["archive", "verify", "--proof", "-", "--json"], { input })
  const good = await check(proof)
  expect(good.code).toBe(0)
  expect(JSON.parse(good.stdout)).toMatchObject({ valid: true, answer_id: id, head: manifest.chain_head })
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

describe("an import", () => {
  it.each(mainHome)("brings everything back on the %s home, once, and not what was changed", async (home) => {
    const here = workspace()
    const env: Record<string, string> = home === "embedded" ? {} : { SOV_DATABASE_URL: await freshDatabaseUrl() }
    const file = join(cwd, "a.ndjson")
    await sovJson(here, ["org", "create", "Restored"], env)
    for (const end of beside) copyFileSync(file + end, join(here, `bad.ndjson${end}`))
    writeFileSync(
      join(here, "bad.ndjson"),
      readFileSync(file, "utf8").replace("\"raw_response\":\"", "\"raw_response\":\"x")
    )
    const refused = await sov(here, ["archive", "import", "bad.ndjson"], { env })
    expect(refused).toMatchObject({ code: 7, stdout: "" })
    expect(refused.stderr).toContain(`answer ${rowsOf("a.ndjson")[0]!.id} changed`)
    expect(await sovJson(here, ["archive", "import", file], env)).toMatchObject({
      answers: 120,
      scans: 3,
      seals: 3,
      resealed: 0
    })
    expect(await sovJson(here, ["archive", "verify"], env)).toMatchObject({
      valid: true,
      sealed_answers: 120,
      head: manifest.chain_head
    })
    const again = await sovJson<{ sha256: string }>(here, ["archive", "export", "--out", "again.ndjson"], env)
    expect(again.sha256).toBe(manifest.sha256)
    const twice = await sov(here, ["archive", "import", file, "--json"], { env })
    expect(twice).toMatchObject({ code: 8, stdout: "" })
    expect(twice.stderr).toContain("organization-not-empty")
  }, 60_000)
})

it.runIf(postgresUrl !== null)("an import reads the bytes that were checked, or brings back nothing", async () => {
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
          for (const end of beside) copyFileSync(join(cwd, `a.ndjson${end}`), join(here, `${n}.ndjson${end}`))
          return sov(here, ["archive", "import", `${n}.ndjson`, "--json"], { env })
        })
        yield* Effect.repeat(
          Effect.map(
            // Within a transaction what was seen first stays
            sql`select 1 from pg_stat_clear_snapshot(), pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            (waiting) => waiting.length
          ),
          { until: (waiting) => waiting === imports.length, schedule: Schedule.spaced("50 millis") }
        ).pipe(Effect.timeout("30 seconds"))
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
}, 60_000)

describe("an export that was cut", () => {
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
    })
    await Effect.runPromise(
      grow.pipe(Effect.provide(layerEmbedded({ dataDir: join(cwd, ".sov-demo") })), Effect.scoped)
    )
  }, 60_000)

  const exported = (
    file: string,
    ...more: ReadonlyArray<string>
  ) => ["archive", "export", "--out", file, ...more, ...demo]
  const reached = (file: string): number => {
    try {
      return (JSON.parse(readFileSync(join(cwd, `${file}.part.json`), "utf8")) as { rows: number }).rows
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
  )("as %s by %s goes on to the same bytes", async (name, signal, options) => {
    const whole = await sovJson<{ rows: number }>(cwd, exported(`whole.${name}`, ...options))
    const file = `cut.${name}`
    const running = sov(cwd, exported(file, ...options))
    await until(() => reached(file) > 0, 30_000, "a first piece")
    running.child.kill(signal)
    const ran = await running
    expect(existsSync(join(cwd, file))).toBe(false)
    expect(reached(file)).toBeLessThan(whole.rows)
    if (signal === "SIGINT") {
      expect(ran).toMatchObject({ code: 130, stdout: "" })
      expect(ran.stderr).toContain("--resume")
    }
    // What a crash may have torn after the last piece that was noted
    truncateSync(join(cwd, `${file}.part`), 100_000_000)
    if (name === "ndjson") {
      const other = await sov(cwd, exported(file, "--resume", "--platform", "assistant_a", "--json"))
      expect(other.code).toBe(8)
      expect(other.stderr).toContain("other-export")
    }
    const before = reached(file)
    const rest = await sovJson<Record<string, unknown>>(cwd, exported(file, "--resume", ...options))
    expect(before).toBeGreaterThan(0)
    expect(readFileSync(join(cwd, file)).equals(readFileSync(join(cwd, `whole.${name}`)))).toBe(true)
    expect(rest["sha256"]).toBe(createHash("sha256").update(readFileSync(join(cwd, file))).digest("hex"))
    const described = (path: string) => readFileSync(join(cwd, `${path}.manifest.json`), "utf8")
    expect(described(file)).toBe(described(`whole.${name}`))
    expect(readdirSync(cwd).filter((one) => one.startsWith(file) && one.includes(".part"))).toEqual([])
  }, 60_000)

  it("goes on when it was killed between the name of its rows and its manifest", async () => {
    const [file, whole] = [join(cwd, "named.gz"), join(cwd, "whole.gz")]
    mkdirSync(`${file}.context.ndjson`)
    expect(await sov(cwd, exported("named.gz", "--gzip"))).toMatchObject({ code: 2, stdout: "" })
    rmdirSync(`${file}.context.ndjson`)
    renameSync(`${file}.part`, file)
    const other = await sov(cwd, exported("named.gz", "--resume"))
    expect(other).toMatchObject({ code: 8, stdout: "" })
    expect(existsSync(file)).toBe(true)
    await sovJson(cwd, exported("named.gz", "--gzip", "--resume"))
    for (const end of beside) expect(readFileSync(file + end).equals(readFileSync(whole + end))).toBe(true)
    expect(readdirSync(cwd).filter((one) => one.startsWith("named.gz.part"))).toEqual([])
  }, 60_000)

  it("begins anew when its part is gone", async () => {
    const file = join(cwd, "gone.gz")
    writeFileSync(file, "mine")
    mkdirSync(`${file}.context.ndjson`)
    expect(await sov(cwd, exported("gone.gz", "--gzip", "--yes"))).toMatchObject({ code: 2 })
    rmdirSync(`${file}.context.ndjson`)
    rmSync(`${file}.part`)
    expect(await sov(cwd, exported("gone.gz", "--gzip", "--resume"))).toMatchObject({ code: 8 })
    expect(readFileSync(file, "utf8")).toBe("mine")
    await sovJson(cwd, exported("gone.gz", "--gzip", "--resume", "--yes"))
    expect(readFileSync(file).equals(readFileSync(join(cwd, "whole.gz")))).toBe(true)
  }, 60_000)

  it("is not disturbed by another one to the same file", async () => {
    const running = sov(cwd, exported("both.ndjson"))
    await until(() => reached("both.ndjson") > 0, 30_000, "a first piece")
    running.child.kill("SIGSTOP")
    const second = await sov(cwd, exported("both.ndjson", "--yes", "--json"))
    running.child.kill("SIGCONT")
    expect(second).toMatchObject({ code: 8, stdout: "" })
    expect(second.stderr).toContain("export-running")
    expect(await running).toMatchObject({ code: 0 })
    const described = (path: string) => readFileSync(join(cwd, `${path}.manifest.json`), "utf8")
    expect(described("both.ndjson")).toBe(described("whole.ndjson"))
  }, 60_000)

  it("does not go on with a part that was changed", async () => {
    const file = "torn.ndjson"
    const running = sov(cwd, exported(file))
    await until(() => reached(file) > 0, 30_000, "a first piece")
    running.child.kill("SIGKILL")
    await running
    const part = join(cwd, `${file}.part`)
    const bytes = readFileSync(part)
    bytes[100]! ^= 1
    writeFileSync(part, bytes)
    const ran = await sov(cwd, exported(file, "--resume"))
    expect(ran).toMatchObject({ code: 7, stdout: "" })
    expect(ran.stderr).toContain("leave out --resume")
    expect(statSync(part).size).toBe(bytes.length)
  }, 60_000)
})
