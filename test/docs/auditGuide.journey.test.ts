/** Tests docs/audit-guide.md: its commands run in order, and find a change that the owner has concealed well. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { codeBlocks, readPage } from "../support/docsPage.ts"
import { launcher, sov, sovJson, workspace } from "../support/sov.ts"

it("the commands of the audit guide work for an auditor without a database", async () => {
  const cwd = workspace()
  const owner = { SOV_DATA_DIR: ".sov-demo", SOV_ORG: "demo" }
  await sovJson(cwd, ["demo", "--weeks", "2"])
  const { data: [row] } = await sovJson<{ data: ReadonlyArray<{ id: string }> }>(cwd, ["archive", "list"], owner)
  const lines = codeBlocks(readPage("docs/audit-guide.md"), "sh").flatMap((block) => block.trim().split("\n"))
  expect(lines.length).toBeGreaterThan(9)
  const run = (line: string) =>
    spawnSync(
      "bash",
      ["-c", line.replaceAll(/\bsov (?=archive|report)/g, `'${launcher}' `).replace(/\bID\b/, row!.id)],
      {
        cwd,
        // The auditor has no data directory
        env: { ...process.env, ...line.includes("verify") ? { SOV_DATA_DIR: "nothing-here" } : owner, CI: "true" },
        encoding: "utf8"
      }
    )
  for (const line of lines) {
    const { status, stderr } = run(line)
    expect({ line, code: status, stderr }).toMatchObject({ line, code: 0 })
  }

  // A chain with another head than the one that was noted
  const head = readFileSync(join(cwd, "head.txt"), "utf8")
  writeFileSync(join(cwd, "head.txt"), head.replace(/.(?=\s*$)/, (sign) => sign === "0" ? "1" : "0"))
  for (const line of lines.filter((one) => one.includes("head.txt)"))) {
    expect({ line, code: run(line).status }).toEqual({ line, code: 7 })
  }
  const report = readFileSync(join(cwd, "report.html"), "utf8")
  writeFileSync(join(cwd, "forged.html"), report.replace("\"status\":\"completed\"", "\"status\":\"cancelled\""))
  expect(await sov(cwd, ["report", "verify", "forged.html"])).toMatchObject({ code: 7 })
})
