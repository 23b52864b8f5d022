import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterEach } from "vitest"

/** Whether a process is there (a zombie counts as gone). */
export const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return !fs.existsSync("/proc/self/status")
  }
}

/**
 * Waits until `condition` holds; fails after `ms`, and not before two minutes have passed. Returns the milliseconds it
 * took.
 */
export const until = async (condition: () => boolean, ms: number): Promise<number> => {
  const started = performance.now()
  while (!condition()) {
    if (performance.now() - started > Math.max(ms, 120_000)) {
      throw new Error(`not within ${ms} ms: ${String(condition)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return performance.now() - started
}

/** Pids of all owners that ever logged a start in a data directory. */
export const ownersOf = (dataDir: string): Array<number> => {
  const log = path.join(dataDir, "owner.log")
  if (!fs.existsSync(log)) return []
  return [...fs.readFileSync(log, "utf8").matchAll(/^\S+ (\d+) start$/gm)].map((match) => Number(match[1]))
}

const made: Array<string> = []
const owners = new Set<number>()

/** Remembers the owners of a directory that is about to be removed. */
export const rememberOwners = (dataDir: string): void => ownersOf(dataDir).forEach((pid) => owners.add(pid))

/** A path for a data directory; it does not exist yet. After the test its owners are ended and it is removed. */
export const freshDataDir = (...under: ReadonlyArray<string>): string => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "sov-embedded-"))
  made.push(home)
  const dataDir = path.join(home, ...under, ".sov")
  made.push(dataDir)
  return dataDir
}

afterEach(async () => {
  for (const dataDir of made) rememberOwners(dataDir)
  for (const pid of owners) {
    if (alive(pid)) process.kill(pid, "SIGKILL")
    await until(() => !alive(pid), 30_000)
  }
  owners.clear()
  for (const directory of made.splice(0)) fs.rmSync(directory, { recursive: true, force: true })
})
