/**
 * Duty: `sov measure` and `sov keyword test` say what counts in a text and why, with flags and with what is tracked.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sov, sovInit, sovJson, startSov, workspace } from "../support/sov.ts"

const answer = [
  "Is Acme good?",
  "",
  "1. **Acme** is solid ([acme.com](https://acme.com/x)).",
  "2. Acmeland and acme are not; Acme Bay neither.",
  "3. Globex \u001b[31mis\u001b[0m\u202e loud",
  "",
  "```js",
  "new Acme()",
  "```",
  ""
].join("\r\n")

interface Found {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  readonly accepted: boolean
  readonly rule: string
  readonly verdict: string
}

interface Report {
  readonly brand_mentioned: boolean
  readonly mention_count: number
  readonly mention_position: number | null
  readonly competitors_mentioned: ReadonlyArray<string>
  readonly candidates: ReadonlyArray<Found>
}

const flags = ["--brand", "Acme", "--domain", "acme.com", "--competitor", "Globex", "--exclude", "Acme Bay"]

it("every occurrence is listed with its rule and position, without a database", async () => {
  const cwd = workspace()
  writeFileSync(join(cwd, "answer.md"), answer)
  const report = await sovJson<Report>(cwd, ["measure", "answer.md", ...flags, "--prompt", "is acme good"])
  expect(report).toMatchObject({
    brand_mentioned: true,
    mention_count: 1,
    mention_position: 1,
    competitors_mentioned: ["Globex"]
  })
  expect(report.candidates.map(({ column, line, rule, verdict }) => [line, column, rule, verdict])).toEqual([
    [1, 4, "M12", "echo"],
    [3, 6, "M2", "name"],
    [3, 24, "M3", "citation"],
    [3, 42, "M3", "citation"],
    [4, 4, "M8", "insideWord"],
    [4, 17, "M10", "spelling"],
    [4, 31, "M11", "excluded"],
    [4, 31, "M11", "overlap"],
    [5, 4, "M2", "name"],
    [8, 5, "M4", "code"]
  ])
  for (const { end, start, text } of report.candidates) expect(answer.slice(start, end)).toBe(text)
})

it("people see occurrences without characters that control the terminal", async () => {
  const cwd = workspace()
  const ran = await sov(cwd, ["measure", "-", ...flags], { input: answer })
  expect(ran).toMatchObject({ code: 0, stderr: "" })
  expect(ran.stdout).toContain("Acme is named 2×, position 1")
  expect(ran.stdout).toContain("✓ 3:6     M2  brand Acme: the name stands on its own")
  expect(ran.stdout).toContain("»Acme«land and acme")
  expect(ran.stdout).toContain("Globex« is loud")
  // oxlint-disable-next-line no-control-regex -- what must not be printed
  expect(ran.stdout).not.toMatch(/[\u001b\u202e\r]/)
  const coloured = await sov(cwd, ["measure", "-", ...flags, "--color", "always"], { input: answer })
  expect(coloured.stdout).toContain("\u001b[7mAcme\u001b[27m** is solid")
})

it("rejected occurrences beyond the first twenty are only counted", async () => {
  const cwd = workspace()
  const input = "Acmeland ".repeat(30)
  const ran = await sov(cwd, ["measure", "-", "--brand", "Acme"], { input })
  expect(ran.stdout.match(/✗/g)).toHaveLength(20)
  expect(ran.stdout).toContain("… and 10 more")
  const all = await sov(cwd, ["measure", "-", "--brand", "Acme", "--all"], { input })
  expect(all.stdout.match(/✗/g)).toHaveLength(30)
})

it("the command uses the organization's tracked names", async () => {
  const cwd = workspace()
  await sovInit(cwd, ["--brand", "Acme", "--competitor", "Acme Bay", "--keyword", "best anvil?"])
  const report = await sovJson<Report>(cwd, ["keyword", "test", "Is Acme Bay better?"])
  expect(report).toMatchObject({ brand_mentioned: false, competitors_mentioned: ["Acme Bay"] })
})

it("a long text is measured on a separate thread", async () => {
  const cwd = workspace()
  const threadsFor = async (text: string) => {
    writeFileSync(join(cwd, "answer.md"), text)
    const NODE_OPTIONS = "--import=data:text/javascript,process.on('worker',()=>console.error('a%20thread%20started'))"
    const { code, stderr } = await startSov(cwd, ["measure", "answer.md", "--brand", "Acme"], { env: { NODE_OPTIONS } })
    expect(code).toBe(0)
    return stderr.split("a thread started").length - 1
  }
  expect(await threadsFor("Acme is solid. ".repeat(1000))).toBe(0)
  expect(await threadsFor("Acme is solid. ".repeat(1200))).toBe(1)
})

it("an invalid input causes an error that explains it", async () => {
  const cwd = workspace()
  const failing = async (...args: ReadonlyArray<string>) => {
    const { code, stderr } = await sov(cwd, args)
    return { code, stderr: stderr.split("\n")[0] }
  }
  expect(await failing("measure", "none.md", "--brand", "Acme")).toEqual({
    code: 3,
    stderr: "error: there is no file none.md"
  })
  expect(await failing("keyword", "test", "x", "--alias", "Acme")).toEqual({
    code: 2,
    stderr: "error: --alias, --domain, --context, --competitor and --exclude go with --brand"
  })
  expect(await failing("keyword", "test", "x", "--brand", "Acme", "--competitor", "acme")).toEqual({
    code: 2,
    stderr: "error: \"acme\" is given for two of them"
  })
  expect(await failing("keyword", "test", "x", "--brand", "")).toMatchObject({ code: 2 })
})
