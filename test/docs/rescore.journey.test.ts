/** Tests docs/measuring.md: the commands in "Measuring again" are run in order, on an archive. */
// Only with SOV_LONG_TESTS: a page of the documentation, command by command; journeys/rescore runs the same commands
import { measureVersion } from "@sov/core"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startReplay } from "../support/ReplayServer.ts"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

const page = readFileSync(new URL("../../docs/measuring.md", import.meta.url), "utf8")
const section = /^## Measuring again\n(.*?)^## /ms.exec(page)![1]!
const commands = [...section.matchAll(/^```sh\n(.*?)^```/gms)].flatMap((block) => block[1]!.trim().split("\n"))

it("the commands on the page work, and its statements are true", async () => {
  const cwd = workspace()
  const replay = await startReplay({ answer: () => "Take the one of Acme Corp." })
  writeFileSync(join(cwd, "sov.config.json"), replay.config(2))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
  // A brand with another name, which no answer names
  await sovJson(cwd, ["brand", "set", "--name", "Acme Tools"])
  await sovJson(cwd, ["scan"])
  expect(commands.length).toBeGreaterThanOrEqual(6)
  const printed = new Map<string, string>()
  for (const line of commands) {
    const args = [...line.slice("sov ".length).matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
    const ran = await sov(cwd, args)
    expect({ line, code: ran.code, stderr: ran.stderr }).toMatchObject({ line, code: 0 })
    printed.set(line, ran.stdout + ran.stderr)
  }
  const [change = ""] = commands.filter((line) => !line.includes("--dry-run"))
  expect(printed.get(change)).toContain("sov rescore measures the archive again")
  expect(printed.get("sov rescore --dry-run")).toMatch(/all platforms +2 +0 → 2 +0\.0 → 100\.0 +2 +0 +0/)
  expect(printed.get("sov rescore")).toContain("Measured 2 answers")
  expect(printed.get("sov score")).toContain("share of voice 100 %")
  expect(printed.get("sov rescore --scan latest")).toContain("Nothing to do")
})

it("the page describes every version of the measuring rules", () => {
  const versions = [...section.matchAll(/^\| +(\d+) +\|/gm)].map((match) => Number(match[1]))
  expect(versions).toEqual(Array.from({ length: measureVersion }, (_, n) => n + 1))
})
