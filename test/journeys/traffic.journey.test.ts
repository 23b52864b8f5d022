// Only with SOV_LONG_TESTS: many runs of the command; domain/traffic and http/dashboard/traffic show each rule
/**
 * sov traffic as people use it: the page's commands, formats, mistakes, a terminal's view, and a kill in the middle.
 */
import { layerConnection, stores } from "@sov/core/postgres"
import { Layer, ManagedRuntime } from "effect"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sov, sovInit, sovJson, startSov, until } from "../support/sov.ts"
import { countedTraffic } from "../support/trafficLog.ts"

const page = readFileSync(new URL("../../docs/ai-traffic.md", import.meta.url), "utf8")
const blocks = (language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1]!)

interface Imported {
  readonly found: Counts
  readonly added: Counts
  readonly sources_version: string
  readonly files: ReadonlyArray<{ readonly notes: ReadonlyArray<string>; readonly lines: number }>
}
interface Counts {
  readonly referrer_signals: number
  readonly tag_only_visits: number
  readonly crawler_requests: number
}

const counts = (referrer: number, tag = 0, crawler = 0): Counts => ({
  referrer_signals: referrer,
  tag_only_visits: tag,
  crawler_requests: crawler
})

const line = (target: string, referrer: string, n = 1, agent = "Mozilla/5.0") =>
  `203.0.113.1 - - [01/Mar/2026:10:00:00 +0000] "GET ${target} HTTP/1.1" 200 ${n} "${referrer}" "${agent}"\n`

let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "sov-traffic-"))
  await sovInit(cwd, ["--brand", "Acme", "--domain", "acme.example", "--keyword", "best anvil?"])
})
afterAll(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(cwd, name), content)

describe("docs/ai-traffic.md", () => {
  it("the page shows commands that work, and its statements are true", async () => {
    write(
      "access.log",
      line("/pricing?utm_source=chatgpt.com", "https://chatgpt.com/") + "broken\n" +
        line("/%1b[31m\\x1b]0;x\\x07?ref=claude", "https://news.example/")
    )
    write(
      "access.log.1.gz",
      gzipSync(line("/", "-", 1, "GPTBot/1") + line("/?ref=perplexity", "https://acme.example/"))
    )
    write(
      "visits.csv",
      "date,url,referrer,browser\n2026-03-02T10:00:00Z,/csv?ref=claude,https://shop.acme.example/,x\n"
    )
    write("own-sources.json", blocks("json")[0]!)
    const printed: Array<string> = []
    for (const command of blocks("sh").flatMap((block) => block.trim().split("\n"))) {
      const [words = "", input] = command.split(" < ")
      expect(words).toMatch(/^sov traffic /)
      const jsonLine = { time: 1772445600, request: { path: "/j?ref=claude" } }
      const ran = await sov(cwd, words.split(" ").slice(1), {
        input: input === undefined ? "" : `${JSON.stringify(jsonLine)}\n`
      })
      expect({ command, code: ran.code, stderr: ran.stderr }).toMatchObject({ command, code: 0 })
      printed.push(ran.stdout)
    }
    const [dry, first, shown, json, csv, jsonLines, again, , sources] = printed
    expect(dry).toMatch(/access\.log: 3 lines, combined, 1 of them bad\n {2}line 2: no time such as/)
    expect(dry).toMatch(/referrer signals +1 +1 would be counted\n.*tag-only visits +2 +2 would be counted\n/)
    expect(dry).toContain("nothing was stored")
    expect(first).toMatch(/crawler requests +1 +1 counted now\n/)
    expect(again).toMatch(/tag-only visits +2 +0 counted now, 2 were before\n/)
    // A row each: name, bar, count; a path from outside gives no orders to the terminal
    expect(shown).toMatch(/Referrer signals: 1 request .*\n(?:.*\n)?? {2}ChatGPT +█+ +1 {2}1 with tag\n/)
    expect(shown).toMatch(/Tag-only visits: 2 .*\n(?:.*\n)*? {2}Claude +█+ +1 {2}1 from other sites\n/)
    expect(shown).toContain("A lower bound")
    expect(shown).toMatch(/Requests are counted, not people/)
    expect(shown).not.toContain("GPTBot")
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/)
    expect(JSON.parse(json!)).toMatchObject({
      from: "2026-03-01",
      to: "2026-03-31",
      referrer_signals: { count: 1, tagged: 1, assistants: [{ assistant: "chatgpt" }] },
      tag_only_visits: { count: 2, foreign_referrer: 1 },
      crawlers: { count: 1, agents: [{ agent: "GPTBot", purpose: "training_or_index" }] },
      source_versions: ["2026-11-21"],
      lower_bound: { reasons: expect.any(Array) as unknown }
    })
    expect(csv).toMatch(/visits\.csv: 1 lines?, csv\n.*\n.*tag-only visits +1 +1 counted now/)
    expect(jsonLines).toMatch(/tag-only visits +1 +1 would be counted/)
    expect(jsonLines).toContain("note: no line has a referrer")
    expect(JSON.parse(sources!)).toMatchObject({ version: "2026-11-21+acme-1" })
  })
})

it("the import reads stdin and files together, with the table named in the environment", async () => {
  write(
    "more.log",
    line("/house", "https://ai.acme.example/", 2) + line("/portal", "https://portal.example/assistant", 3)
  )
  const ran = await sov(cwd, ["traffic", "import", "-", "more.log", "--json"], {
    env: { SOV_SOURCE_TABLE: "own-sources.json" },
    input: line("/stdin", "https://you.com/") + line("/stdin", "https://claude.ai/")
  })
  // Two of four: you.com is taken away by the table, ai.acme.example is the own site
  const imported = JSON.parse(ran.stdout) as Imported
  expect(imported).toMatchObject({ sources_version: "2026-11-21+acme-1", added: counts(2) })
  expect(imported.files.map(({ lines }) => lines)).toEqual([2, 2])
})

describe("mistakes", () => {
  it.each<[string, ReadonlyArray<string>, number, RegExp]>([
    ["a file that is not there", ["import", "none.log"], 3, /there is no file none\.log/],
    ["a folder", ["import", "folder"], 2, /cannot read folder: it is a folder/],
    ["stdin twice", ["import", "-", "-"], 2, /only once/],
    [
      "an unknown field",
      ["import", "access.log", "--field", "ip=x"],
      2,
      /--field "ip=x": give FIELD=NAME, .*referrer/
    ],
    [
      "another format",
      ["import", "access.log", "--format", "json"],
      2,
      /access\.log: none of its 3 lines .* json: not JSON/
    ],
    [
      "a site that is a URL",
      ["import", "access.log", "--site", "https://acme.example/"],
      2,
      /--site .*must be a bare host such as acme\.com/
    ],
    ["no log", ["import", "own-sources.json"], 2, /own-sources\.json: the format cannot be told\nhint: --format/],
    ["a file that is no table", ["sources", "--source-table", "sov.config.json"], 2, /sov\.config\.json: platforms/],
    ["days the wrong way round", ["show", "--from", "2026-03-02", "--to", "2026-03-01"], 2, /from is later than to/]
  ])("%s is refused in one line that names the next step", async (_, args, code, says) => {
    mkdirSync(join(cwd, "folder"), { recursive: true })
    const ran = await sov(cwd, ["traffic", ...args])
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: "" })
    expect(ran.stderr).toMatch(says)
    expect(ran.stderr).toMatch(/^error: .*\n(hint: .*\n)?$/)
  })

  it("a truncated gzip file is counted as far as it can be read", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => line(`/cut-${n % 9}`, "https://claude.ai/", 1000 + n)).join(
      ""
    )
    const whole = gzipSync(lines)
    write("cut.log.gz", whole.subarray(0, whole.length - 2_000))
    const ran = await sov(cwd, ["traffic", "import", "cut.log.gz"])
    expect(ran).toMatchObject({ code: 6, stdout: "" })
    expect(ran.stderr).toMatch(/^error: cut\.log\.gz is damaged or cut short/)
    write("cut.log.gz", whole)
    const { added, found } = await sovJson<Imported>(cwd, ["traffic", "import", "cut.log.gz"])
    expect(found).toEqual(counts(20_000))
    expect(added.referrer_signals).toBeGreaterThan(0)
    expect(added.referrer_signals).toBeLessThan(10_000)
  })
})

it("an import that was killed and then repeated counts every line once", async () => {
  const size = 120_000
  const log = Array.from({ length: size }, (_, n) => line(`/kill-${n % 50}`, "https://www.perplexity.ai/", n)).join("")
  write("kill.log", log)
  const database = ManagedRuntime.make(stores.pipe(Layer.provideMerge(layerConnection({ dataDir: join(cwd, ".sov") }))))
  try {
    const perplexity = async () =>
      [...await database.runPromise(countedTraffic())]
        .reduce((sum, [key, count]) => key.includes("/kill-") ? sum + count : sum, 0)
    const killed = startSov(cwd, ["traffic", "import", "kill.log"])
    await until(async () => (await perplexity()) > 0, 60_000, "the first lines are counted")
    killed.child.kill("SIGKILL")
    expect((await killed).signal).toBe("SIGKILL")
    const middle = await perplexity()
    expect(middle).toBeGreaterThan(0)
    expect(middle).toBeLessThan(size)

    const stopped = startSov(cwd, ["traffic", "import", "kill.log"])
    await until(async () => (await perplexity()) > middle, 60_000, "more lines are counted")
    stopped.child.kill("SIGINT")
    const { code, stderr } = await stopped
    expect({ code, said: stderr.includes("what is counted stays") }).toEqual({ code: 130, said: true })

    await sovJson(cwd, ["traffic", "import", "kill.log"])
    expect(await perplexity()).toBe(size)
  } finally {
    await database.dispose()
  }
})
