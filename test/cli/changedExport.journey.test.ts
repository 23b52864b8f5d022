/** An export that was changed says where: its rows, its seals, and what a forger of all its files could hide. */
// Only with SOV_LONG_TESTS: many runs of the command; usecases/archive/verifyArchive finds each change
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { checkExport } from "../../packages/cli/src/commands/archive/checkExport.ts"
import { readManifest } from "../../packages/cli/src/commands/archive/exportManifest.ts"
import { beside, demo, exportedDemo } from "../support/demoExport.ts"
import { sov, sovJson, workspace } from "../support/sov.ts"

const made = exportedDemo()

/** What is named in a copy of the export whose files were changed; what is said of the files themselves is left out. */
const named = async (
  change: { readonly rows?: (text: string) => string; readonly context?: (text: string) => string },
  recomputed: object | null = null
) => {
  const folder = workspace()
  const file = join(folder, "a.ndjson")
  for (const end of beside) copyFileSync(join(made.cwd, `a.ndjson${end}`), file + end)
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
  await Effect.runPromise(checkExport(file, readManifest(file), [], {
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

it("an unchanged export verifies", async () => {
  expect(await sovJson(made.cwd, ["archive", "verify", "--file", "a.ndjson"])).toMatchObject({
    valid: true,
    rows: 120,
    sealed_rows: 120,
    unsealed_rows: 0,
    seals: 3,
    head: made.manifest.chain_head,
    problems: []
  })
})

it("changed, removed and added rows are listed", async () => {
  const [first, second] = made.rowsOf("a.ndjson")
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

it("changed seals are listed", async () => {
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

describe("with a new manifest", () => {
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
    const context = readFileSync(join(made.cwd, "a.ndjson.context.ndjson"), "utf8")
    seal2((seal) => {
      scan = seal.scan_id
      ids = seal.leaves!.map(([id]) => id!)
    })(context)
  })
  const ofScan = (text: string) => text.includes(`"scan_id":"${scan}"`)
  const each = (how: (line: string) => ReadonlyArray<string>) => (text: string) =>
    text.split("\n").flatMap((one) => ofScan(one) ? how(one) : [one]).join("\n")
  const without = (id: string) => each((one) => one.includes(id) ? [] : [one])

  it("a row that was added to a sealed scan is named", async () => {
    const rows = first((text) => [text, forged(text.replace(/"id":"[^"]*"/, `"id":"${other}"`))])
    expect((await named({ rows }, { unsealed_rows: 1 })).problems).toEqual([`answer ${other} added`])
    const [row] = made.rowsOf("a.ndjson")
    expect((await named({ rows: first((text) => [text, forged(text)]) }, { unsealed_rows: 1 })).problems).toEqual([
      `answer ${row!.id} added`
    ])
  })

  it("a scan whose leaves are missing is named", async () => {
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

  it("a leaf that names no answer, or the answer of another leaf, is named", async () => {
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

  it("a row that another parser could read differently is named", async () => {
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

it("verification exits with 7 and prints one line per fault, and --head compares with a seal noted elsewhere", async () => {
  const head = (await sov(made.cwd, ["archive", "head", ...demo])).stdout.trim()
  expect(head).toBe(`${made.manifest.chain_head.sequence}:${made.manifest.chain_head.hash}`)
  expect((await sov(made.cwd, ["archive", "verify", "--file", "a.ndjson", "--head", head])).code).toBe(0)
  const other = await sov(made.cwd, ["archive", "verify", "--file", "a.ndjson", "--head", `3:${"0".repeat(64)}`])
  expect(other).toMatchObject({ code: 7, stderr: "" })
  expect(other.stdout).toMatch(/^✗ seal 3 changed: .*\n[^]*not valid: 1 fault\n$/)
  expect((await sov(made.cwd, ["archive", "verify", "--head", "nonsense"])).code).toBe(2)
})

it("verification reports a missing manifest or context file", async () => {
  for (const end of [".manifest.json", ".context.ndjson"]) {
    renameSync(join(made.cwd, `a.ndjson${end}`), join(made.cwd, "away"))
    const ran = await sov(made.cwd, ["archive", "verify", "--file", "a.ndjson"])
    renameSync(join(made.cwd, "away"), join(made.cwd, `a.ndjson${end}`))
    expect(ran).toMatchObject({ code: 3, stdout: "" })
    expect(ran.stderr).toContain(`a.ndjson${end}`)
  }
})
