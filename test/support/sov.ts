/** Runs the command: through its launcher, as a user does, or among others in one process. */
import { type ChildProcess, fork, spawn } from "node:child_process"
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
}

/** The environment of a command contains none of the tester's own settings. */
const environment = (env: SovOptions["env"]): NodeJS.ProcessEnv => {
  const { SOV_DATABASE_URL: _, SOV_ORG: __, SOV_DATA_DIR: ___, SOV_CONFIG: ____, SOV_URL: _____, ...inherited } =
    process.env
  return { ...inherited, CI: "true", ...env }
}

/**
 * Starts `sov` in `cwd` through its launcher, in a process of its own: for commands that receive signals, that run
 * beside others, or whose start is what the test is about.
 */
export const startSov = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: SovOptions & {
    /** The launcher to use; default: that of the bundled command. */
    readonly launcher?: string
  } = {}
): Running => {
  const child = spawn(options.launcher ?? launcher, args, { cwd, env: environment(options.env), stdio: "pipe" })
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

/** The process in which commands run one after the other; the first starts it, and it ends with the worker. */
let host: ChildProcess | undefined
let isBusy = false
/** How the process ended between two commands, for example because the last one left work behind that failed. */
let fault: Error | undefined

/** Commands that set flags of the process for as long as it runs. */
const flagged: ReadonlyArray<readonly [string, string]> = [
  ["archive", "export"],
  ["archive", "import"],
  ["archive", "verify"],
  ["org", "export"],
  ["traffic", "import"]
]

/**
 * Whether a command needs a process of its own, because it changes the process, or depends on how that started. With
 * SOV_LONG_TESTS, each has one, as for users.
 */
const isAlone = (cwd: string, args: ReadonlyArray<string>, { env = {}, input }: SovOptions): boolean =>
  process.env["SOV_LONG_TESTS"] !== undefined || input !== undefined || launcher === sourceLauncher ||
  flagged.some((words) => words.every((word) => args.includes(word))) || existsSync(join(cwd, ".env")) ||
  Object.keys(env).some((name) => /^NODE_|_FILE$|^CREDENTIALS_DIRECTORY$|^LD_PRELOAD$/.test(name))

const startHost = (): ChildProcess => {
  const script = fileURLToPath(new URL("commandHost.ts", import.meta.url))
  const child = fork(script, [launcher], {
    cwd: tmpdir(),
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  child.once("exit", (code, signal) => {
    host = undefined
    if (!isBusy && code !== 0) fault = new Error(`the process of commands ended between two of them: ${code ?? signal}`)
  })
  child.unref()
  child.channel?.unref()
  return child
}

/**
 * Runs `sov` in `cwd` to its end. All commands of a worker run one after the other in one process, because the start of
 * a process takes half a second of CPU time; a command that comes while another one runs gets a process of its own.
 * Throws if the process has ended since the last command.
 */
export const sov = async (cwd: string, args: ReadonlyArray<string>, options: SovOptions = {}): Promise<Ran> => {
  if (fault !== undefined) {
    const thrown = fault
    fault = undefined
    throw thrown
  }
  if (isBusy || isAlone(cwd, args, options)) return startSov(cwd, args, options)
  isBusy = true
  const child = host ??= startHost()
  const { promise, reject, resolve } = Promise.withResolvers<Ran>()
  const onRan = (ran: unknown) => resolve(ran as Ran)
  const onExit = (code: number | null) => reject(new Error(`sov ${args.join(" ")} ended its process: ${code}`))
  child.once("message", onRan).once("exit", onExit)
  try {
    child.send({ cwd, args, env: environment(options.env) })
    return await promise
  } finally {
    child.off("message", onRan).off("exit", onExit)
    isBusy = false
  }
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
