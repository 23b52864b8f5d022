/** Tests docs/archive.md: its commands run as shown, and the checker program in it agrees with sov's own. */
// Only in `npm run test:all`: a page of commands, and a checker in another language
import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { launcher, sov, sovJson, workspace } from "../support/sov.ts"

const page = readFileSync(new URL("../../docs/archive.md", import.meta.url), "utf8")
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((block) => block[1]!)
const has = (tool: string) => spawnSync(tool, ["--version"]).error === undefined

it("the commands on the page work, and its checker program finds the same faults as sov", async () => {
  const cwd = workspace()
  const org = { SOV_DATA_DIR: ".sov-demo", SOV_ORG: "demo" }
  await sovJson(cwd, ["demo", "--weeks", "2"])
  const { data: [row] } = await sovJson<{ data: ReadonlyArray<{ id: string; prompt_used: string }> }>(
    cwd,
    ["archive", "list"],
    org
  )
  const lines = blocks("sh").flatMap((block) => block.trim().split("\n"))
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines.filter((one) => one.startsWith("sov "))) {
    const script = line.replaceAll(/\bsov (?=archive|org)/g, `'${launcher}' `).replaceAll(/\bID\b/g, row!.id)
      .replace("best anvil for beginners?", row!.prompt_used)
    const ran = spawnSync("bash", ["-c", script], {
      cwd,
      env: { ...process.env, ...org, CI: "true" },
      encoding: "utf8"
    })
    expect({ line, code: ran.status, stderr: ran.stderr }).toMatchObject({ line, code: 0 })
  }
  if (has("jq") && has("openssl")) {
    const [digest, leaf] = lines.filter((line) => line.startsWith("jq ")).map((line) =>
      spawnSync("bash", ["-c", line], { cwd, encoding: "utf8" }).stdout.trim()
    )
    expect(digest).toMatch(new RegExp(`${leaf}$`))
  }

  writeFileSync(join(cwd, "check.mjs"), blocks("js")[0]!)
  const check = (file: string) => {
    const ran = spawnSync(process.execPath, ["check.mjs", file], { cwd, encoding: "utf8" })
    expect(ran.stderr).toBe("")
    return ran.stdout.trim()
  }
  const head = readFileSync(join(cwd, "head.txt"), "utf8").trim()
  expect(check("archive.ndjson")).toBe(`ok, 0 not sealed, head ${head}`)
  const copy = (name: string, rows: (text: string) => string, context = (text: string) => text) => {
    writeFileSync(join(cwd, name), rows(readFileSync(join(cwd, "archive.ndjson"), "utf8")))
    const beside = readFileSync(join(cwd, "archive.ndjson.context.ndjson"), "utf8")
    writeFileSync(join(cwd, `${name}.context.ndjson`), context(beside))
    cpSync(join(cwd, "archive.ndjson.manifest.json"), join(cwd, `${name}.manifest.json`))
    return name
  }
  const byte = copy("byte.ndjson", (text) => text.replace("\"raw_response\":\"", "\"raw_response\":\"x"))
  const source = copy("source.ndjson", (text) => text.replace("\"kind\":\"cited\"", "\"kind\":\"retrieved\""))
  const gone = copy("gone.ndjson", (text) => text.slice(text.indexOf("\n") + 1))
  const seal = copy("seal.ndjson", (text) => text, (text) => text.replace("\"sequence\":1", "\"sequence\":4"))
  const other = "00000000-0000-7000-8000-00000000bbbb"
  const added = copy("added.ndjson", (text) => text.replace(/.*\n/, (one) => one + one.replace(row!.id, other)))
  const twice = copy("twice.ndjson", (text) => text.replace(/.*\n/, (one) => one + one))
  const disguised = copy("disguised.ndjson", (text) => text.replace("{", "{\"raw_response\":\"forged\","))
  const nameless = copy(
    "nameless.ndjson",
    (text) => text,
    (text) => text.replace(/"leaves":\[\["[^"]*"/, "\"leaves\":[[null")
  )
  expect(check(added)).toBe(`answer ${other}: added`)
  expect(check(twice)).toBe(`answer ${row!.id}: added`)
  expect(check(disguised)).toBe(`answer ${row!.id}: not as an export writes it`)
  expect(check(nameless)).toContain("seal 1: ids")
  expect(check(byte)).toBe(`answer ${row!.id}: changed`)
  expect(check(source)).toMatch(/^answer [0-9a-f-]{36}: changed$/)
  expect(check(gone)).toBe(`answer ${row!.id}: removed`)
  expect(check(seal)).toContain("seal 4: hash")
  for (const file of [byte, source, gone, seal, added]) {
    expect(await sov(cwd, ["archive", "verify", "--file", file, "--json"])).toMatchObject({ code: 7 })
  }
})
