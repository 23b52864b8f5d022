/** Commands that share a process do not notice each other, and its end is not overlooked. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { launcher, sourceLauncher, sov, sovJson, until, workspace } from "./sov.ts"

it("a command does not see the variables that an earlier command read from .env", async () => {
  const [cwd, other] = [workspace(), workspace()]
  writeFileSync(join(cwd, ".env"), "SOV_DATA_DIR=here\n")
  const sourceOf = async (dir: string, env: Readonly<Record<string, string>>) => {
    const settings = await sovJson<ReadonlyArray<{ name: string; source: string }>>(dir, ["config", "list"], env)
    return settings.find(({ name }) => name === "data-dir")!.source
  }
  const shown = [await sourceOf(cwd, {}), await sourceOf(other, { SOV_DATA_DIR: "here" })]
  expect(shown).toEqual([".env", "env"])
})

const children = `/proc/${process.pid}/task/${process.pid}/children`
const isShared = launcher !== sourceLauncher && process.env["SOV_LONG_TESTS"] === undefined

it.runIf(isShared && existsSync(children))(
  "a command fails if the shared process has ended since the previous command",
  async () => {
    const cwd = workspace()
    const run = () => sov(cwd, ["--version"])
    expect(await run()).toMatchObject({ code: 0 })
    const host = readFileSync(children, "utf8").trim().split(" ").find((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("commandHost.ts")
    )!
    process.kill(Number(host), "SIGKILL")
    await until(() => !existsSync(`/proc/${host}`), 30_000, "the end of the process")
    await expect(run()).rejects.toThrow("ended between two of them: SIGKILL")
    expect(await run()).toMatchObject({ code: 0 })
  }
)
