/** Runs the real command through its launcher, as a user does. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject, onTestFinished } from "vitest"
import { copyDataDirectory } from "./embeddedTemplate.ts"

/** The launcher that starts the command from its sources, as in a checkout. */
export const sourceLauncher = fileURLToPath(new URL("../../packages/cli/bin/sov", import.meta.url))
/** The launcher of the bundled command, if the run has created it; it needs a third of the CPU time. */
export const launcher: string = inject("bundledLauncher") ?? sourceLauncher

/** A separate directory for one test, removed afterwards. */
export const workspace = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "sov-test-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  return dir
}

export interface Ran {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running extends Promise<Ran> {
  readonly child: ChildProcess
  /** The text that has arrived on stderr. */
  readonly errors: () => string
}

interface SovOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** The launcher to use; default: that of the bundled command. */
  readonly launcher?: string
}

/** Starts `sov` in `cwd`; its environment contains none of the tester's own settings. */
export const sov = (cwd: string, args: ReadonlyArray<string>, options: SovOptions = {}): Running => {
  const { SOV_DATABASE_URL: _, SOV_ORG: __, SOV_DATA_DIR: ___, SOV_CONFIG: ____, SOV_URL: _____, ...inherited } =
    process.env
  const child = spawn(options.launcher ?? launcher, args, {
    cwd,
    env: { ...inherited, CI: "true", ...options.env },
    stdio: "pipe"
  })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => stdout += chunk)
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => stderr += chunk)
  child.stdin.on("error", () => {})
  child.stdin.end(options.input ?? "")
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return Object.assign(ended, { child, errors: () => stderr })
}

/** Runs `sov … --json` and returns the parsed output; throws with stderr unless the exit code is 0. */
export const sovJson = async <A>(
  cwd: string,
  args: ReadonlyArray<string>,
  env?: Readonly<Record<string, string>>
): Promise<A> => {
  const ran = await sov(cwd, [...args, "--json"], env === undefined ? {} : { env })
  if (ran.code !== 0) throw new Error(`sov ${args.join(" ")} exited ${ran.code}:\n${ran.stderr}`)
  return JSON.parse(ran.stdout) as A
}

/**
 * Runs `sov init --json` in `cwd`, for tests of later steps. An embedded home gets a copy of the run's migrated
 * database first, which saves three of four seconds.
 */
export const sovInit = <A>(
  cwd: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<A> => {
  const dataDir = env["SOV_DATA_DIR"] ?? join(cwd, ".sov")
  if (env["SOV_DATABASE_URL"] === undefined && !existsSync(dataDir)) {
    copyDataDirectory(inject("embeddedTemplate"), dataDir)
  }
  return sovJson<A>(cwd, ["init", "--no-input", ...args], env)
}

/** Minimum time before any wait of a test fails, because a machine may be busy with other things. */
const patienceMs = 120_000

/** Waits until `check` is true; fails after `ms`, but not before two minutes have passed. */
export const until = async (check: () => boolean | Promise<boolean>, ms: number, what: string): Promise<void> => {
  const begun = Date.now()
  while (!(await check())) {
    const waited = Date.now() - begun
    if (waited > Math.max(ms, patienceMs)) throw new Error(`not within ${waited} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
