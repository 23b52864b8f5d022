// Only in `npm run test:all`: a hundred runs of the command
/** Everything that can be typed wrong ends in one clear line, a next step, its exit code, and nothing left behind. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { sov, workspace } from "../support/sov.ts"

interface Case {
  readonly name: string
  readonly args: ReadonlyArray<string>
  readonly code: number
  readonly says: RegExp
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

const config = (platform: unknown) => JSON.stringify({ platforms: { assistant_a: platform } })
const good = { adapter: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", model: "m" }

const withoutDatabase: ReadonlyArray<Case> = [
  { name: "an unknown command", args: ["scna"], code: 2, says: /scna/ },
  { name: "an unknown option", args: ["scan", "--fast"], code: 2, says: /--fast/ },
  { name: "an unknown output format", args: ["org", "list", "-o", "yaml"], code: 2, says: /table, json, ndjson, csv/ },
  { name: "no database", args: ["org", "list"], code: 3, says: /sov init/ },
  {
    name: "a tracking file that is not there",
    args: ["init", "--from", "nope.json", "--no-input"],
    code: 3,
    says: /nope\.json/
  },
  {
    name: "a tracking file that is not JSON",
    args: ["init", "--from", "t.json", "--no-input"],
    files: { "t.json": "{" },
    code: 2,
    says: /t\.json: not valid JSON at line \d+, column \d+/
  },
  {
    name: "a tracking file without a brand",
    args: ["init", "--from", "t.json", "--no-input"],
    files: { "t.json": "{\"keywords\":[]}" },
    code: 2,
    says: /brand/
  },
  {
    name: "a tracking file with a URL for a domain",
    args: ["init", "--from", "t.json", "--no-input"],
    files: { "t.json": "{\"brand\":{\"name\":\"A\",\"domains\":[\"https://a.com/x\"]}}" },
    code: 2,
    says: /bare host/
  },
  { name: "init without anything to track", args: ["init", "--no-input"], code: 2, says: /--from/ },
  {
    name: "an unknown plan",
    args: ["init", "--brand", "A", "--plan", "gold", "--no-input"],
    code: 2,
    says: /enterprise/
  },
  {
    name: "an invalid database URL",
    args: ["org", "list"],
    env: { SOV_DATABASE_URL: "not a url" },
    code: 2,
    says: /postgres:\/\//
  },
  {
    name: "a database server that is not there",
    args: ["org", "list"],
    env: { SOV_DATABASE_URL: "postgres://sov:canary-secret@127.0.0.1:9/sov" },
    code: 9,
    says: /127\.0\.0\.1/
  },
  { name: "no configuration", args: ["platform", "list"], code: 2, says: /sov\.config\.json/ },
  {
    name: "a configuration that is not JSON",
    args: ["platform", "list"],
    files: { "sov.config.json": "{ platforms" },
    code: 2,
    says: /sov\.config\.json/
  },
  {
    name: "an unknown field in the configuration",
    args: ["platform", "list"],
    files: { "sov.config.json": config({ ...good, modle: "x" }) },
    code: 2,
    says: /modle.*model/s
  },
  {
    name: "an API key variable that is not set",
    args: ["platform", "test", "assistant_a"],
    files: { "sov.config.json": config({ ...good, apiKeyEnv: "SOV_TEST_KEY_UNSET" }) },
    code: 2,
    says: /SOV_TEST_KEY_UNSET/
  },
  {
    name: "a platform that does not answer",
    args: ["platform", "test", "assistant_a"],
    files: { "sov.config.json": config(good) },
    code: 9,
    says: /assistant_a|127\.0\.0\.1/
  },
  {
    name: "a platform that is not one",
    args: ["platform", "test", "assistant_z"],
    files: { "sov.config.json": config(good) },
    code: 2,
    says: /assistant_a/
  },
  { name: "verify without a secret", args: ["verify", "-", "--signature", "00"], code: 2, says: /--secret-file/ },
  {
    name: "verify of a file that is not there",
    args: ["verify", "nope", "--signature", "00", "--secret-file", "s"],
    files: { s: "x" },
    code: 3,
    says: /nope/
  }
]

const check = async (cwd: string, one: Case) => {
  for (const [name, text] of Object.entries(one.files ?? {})) writeFileSync(join(cwd, name), text)
  const before = readdirSync(cwd)
  const ran = await sov(cwd, one.args, one.env === undefined ? {} : { env: one.env })
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({
    code: one.code,
    stderr: expect.stringMatching(one.says)
  })
  expect(ran.stdout).toBe("")
  expect(ran.stderr).not.toMatch(/\n\s+at |canary-secret|node:internal/)
  expect(ran.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3)
  return { before, after: readdirSync(cwd) }
}

describe("wrong input without a database", () => {
  it.each(withoutDatabase)("$name", async (one) => {
    const { after, before } = await check(workspace(), one)
    expect(after).toEqual(before)
  })

  it("a data directory that is a file is refused", async () => {
    await check(workspace(), {
      name: "",
      args: ["init", "--brand", "A", "--keyword", "k?", "--no-input", "--data-dir", "file"],
      files: { file: "" },
      code: 2,
      says: /file/
    })
  })

  it("a data directory with another program's files is refused, and the files stay", async () => {
    const cwd = workspace()
    mkdirSync(join(cwd, ".sov/db"), { recursive: true })
    writeFileSync(join(cwd, ".sov/db/precious.txt"), "mine")
    await check(cwd, {
      name: "",
      args: ["init", "--brand", "A", "--keyword", "k?", "--no-input"],
      code: 2,
      says: /\.sov/
    })
    expect(existsSync(join(cwd, ".sov/db/precious.txt"))).toBe(true)
  })

  it("a data directory of another Postgres version is refused", async () => {
    const cwd = workspace()
    mkdirSync(join(cwd, ".sov/db"), { recursive: true })
    writeFileSync(join(cwd, ".sov/db/PG_VERSION"), "17\n")
    await check(cwd, { name: "", args: ["org", "list"], code: 8, says: /17/ })
  })

  it.runIf(process.getuid?.() !== 0)("a directory that cannot be written is refused", async () => {
    const cwd = workspace()
    chmodSync(cwd, 0o500)
    await check(cwd, {
      name: "",
      args: ["init", "--brand", "A", "--keyword", "k?", "--no-input"],
      code: 2,
      says: /writ/
    })
  })
})

describe("wrong input beside a database", () => {
  const cases: ReadonlyArray<Case> = [
    {
      name: "an organization name that is taken",
      args: ["init", "--brand", "Acme", "--keyword", "k?", "--no-input"],
      code: 8,
      says: /Acme/
    },
    {
      name: "a second organization, unasked",
      args: ["init", "--brand", "Initech", "--keyword", "k?", "--no-input"],
      code: 2,
      says: /Acme is set up here .*sov keyword.* Add Initech\? .*--org\.\n.*--yes/
    },
    { name: "an unknown organization", args: ["keyword", "list", "--org", "nobody"], code: 3, says: /nobody/ },
    { name: "a scan without configuration", args: ["scan"], code: 2, says: /sov demo/ },
    { name: "an unknown scan", args: ["scan", "show", "nope"], code: 3, says: /nope/ },
    { name: "a score before the first scan", args: ["score"], code: 3, says: /sov scan/ },
    {
      name: "an unknown answer",
      args: ["archive", "show", "0193b3d0-0000-7000-8000-000000000000"],
      code: 3,
      says: /0193b3d0/
    },
    { name: "a limit beyond the maximum", args: ["archive", "list", "--limit", "101"], code: 2, says: /100/ },
    {
      name: "a day that does not exist",
      args: ["archive", "list", "--from", "2026-02-30"],
      code: 2,
      says: /2026-02-30/
    },
    { name: "a damaged cursor", args: ["archive", "list", "--cursor", "abc"], code: 2, says: /cursor/ },
    { name: "a negative quota", args: ["quota", "set", "--limit", "-1"], code: 2, says: /limit/ },
    { name: "two quotas", args: ["quota", "set", "--limit", "5", "--plan-limit"], code: 2, says: /exclude each other/ },
    { name: "an empty keyword", args: ["keyword", "add", "  "], code: 2, says: /keyword/ },
    { name: "a competitor that is the brand", args: ["competitor", "add", "ACME"], code: 2, says: /two/ },
    { name: "removing without being asked", args: ["competitor", "remove", "Globex"], code: 2, says: /--yes/ },
    { name: "a grace beyond 30 days", args: ["key", "roll", "ci", "--grace", "31d"], code: 2, says: /30 days.*31d/ },
    { name: "revoking an unknown key", args: ["key", "revoke", "nope", "--yes"], code: 3, says: /nope/ },
    {
      name: "an export into a directory that is not there",
      args: ["archive", "export", "--out", "no/such/file"],
      code: 2,
      says: /no\/such/
    }
  ]

  it("each wrong input ends with its message and its exit code", async () => {
    const cwd = workspace()
    const made = await sov(cwd, [
      "init",
      "--brand",
      "Acme",
      "--competitor",
      "Globex",
      "--no-input",
      "--config",
      "elsewhere.json"
    ])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/Next: .*sov keyword add "…".*, then .*scan/) })
    expect(await sov(cwd, ["keyword", "add", "best anvil?"])).toMatchObject({ code: 0 })
    for (const one of cases) {
      await check(cwd, one).catch((error: Error) => {
        throw new Error(`${one.name}: ${error.message}`, { cause: error })
      })
    }
    const keywords = await sov(cwd, ["keyword", "list", "--json"])
    expect(JSON.parse(keywords.stdout)).toHaveLength(1)
  })
})
