/** Runs the commands with which .github/workflows/release.yml publishes the packages. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { runIn } from "./packed.ts"

/** Runs the npm commands of the release job in `folder`, with the shell script `npm` in place of npm. */
export const runReleaseJob = async (folder: string, npm: string, version: string): Promise<void> => {
  const workflow = readFileSync(new URL("../../.github/workflows/release.yml", import.meta.url), "utf8")
  const { jobs } = parse(workflow) as {
    readonly jobs: { readonly npm: { readonly steps: ReadonlyArray<{ readonly run?: string }> } }
  }
  const bin = join(folder, "job-bin")
  mkdirSync(bin)
  writeFileSync(join(bin, "npm"), `#!/bin/sh\n${npm}\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env["PATH"]}`, GITHUB_REF_NAME: `v${version}` }
  for (const { run } of jobs.npm.steps) {
    if (run === undefined) continue
    const { code, stderr } = await runIn(folder, "bash", ["--norc", "-e", "-c", run], env)
    if (code !== 0) throw new Error(`${run}\nexits with ${code}: ${stderr}`)
  }
}
