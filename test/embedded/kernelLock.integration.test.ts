import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { expect, test } from "vitest"
import { tryKernelLock } from "../../packages/core/src/adapters/embedded/index.ts"
import { LOCK_CHECK_MS, waitForPreviousOwner } from "../../packages/core/src/adapters/embedded/waitForPreviousOwner.ts"
import { freshDataDir } from "./support/directories.ts"

const module = new URL("../../packages/core/src/adapters/embedded/kernelLock.ts", import.meta.url).href

/** Takes the lock in another process, does what `then` says, and tells whether it was free besides. */
const freeBesides = async (file: string, then: string, kill = false): Promise<boolean> => {
  const script = `
    import * as fs from "node:fs"
    const { tryKernelLock } = await import(process.argv[1])
    const lock = tryKernelLock(process.argv[2])
    if (!lock.isHeld()) throw new Error("not held")
    ${then}
    // Only after the module ran is its lock out of reach for good
    setTimeout(() => { gc(); gc(); console.log("done") }, 30)
    process.stdin.resume().on("end", () => process.exit())`
  const holder = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", script, module, file], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const ended = new Promise((resolve) => holder.once("exit", resolve))
  await new Promise((resolve) => holder.stdout.once("data", resolve))
  if (kill) {
    holder.kill("SIGKILL")
    await ended
  }
  const lock = tryKernelLock(file)
  lock?.release()
  holder.stdin.end()
  await ended
  return lock !== undefined
}

const lockFile = () => path.join(path.dirname(freshDataDir()), "lock")

test("an unreferenced lock is kept until it is released or its holder is killed", async () => {
  const file = lockFile()
  expect(await freeBesides(file, "")).toBe(false)
  expect(await freeBesides(file, "lock.release()")).toBe(true)
  expect(await freeBesides(file, "", true)).toBe(true)
  const lock = tryKernelLock(file)
  expect(tryKernelLock(file)).toBeUndefined()
  expect(await freeBesides(lockFile(), "")).toBe(false)
  lock?.release()
  expect(tryKernelLock(file)?.release()).toBeUndefined()
})

test("a process that reads or copies its own lock file drops the lock, which is why a rule forbids it", async () => {
  expect(await freeBesides(lockFile(), "fs.readFileSync(process.argv[2])")).toBe(true)
  expect(await freeBesides(lockFile(), "fs.cpSync(process.argv[2], process.argv[2] + '.copy')")).toBe(true)
  expect(await freeBesides(lockFile(), "fs.statSync(process.argv[2])")).toBe(false)
})

/** What is wrong with how a source file handles lock files; undefined when nothing is. */
const lockMisuse = (source: string): string | undefined => {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
  if (/\b(?:cp|cpSync|copyFile|copyFileSync)\(/.test(code)) return "copies files, maybe a lock file"
  if (!/["'`/](?:worker\.)?lock["'`]|ownerFiles\.lock\b/.test(code)) return undefined
  if (/const ownerFiles\b/.test(code)) return undefined
  if (!/\btryKernelLock\(/.test(code)) return "names a lock file without taking it"
  return /\b(?:readFile|open|createReadStream)(?:Sync)?\([^)]*lock/i.test(code) ? "opens a lock file" : undefined
}

test("no source file can open or copy a lock file except to take the lock", () => {
  const packages = new URL("../../packages/", import.meta.url)
  const sources = fs.readdirSync(packages, { recursive: true, encoding: "utf8" })
    .filter((name) => /^[^/]+\/src\/.*\.ts$/.test(name) && !name.includes("node_modules"))
  expect(sources.length).toBeGreaterThan(100)
  const misused = sources.flatMap((name) => {
    // It names the file to look for its inode in the kernel's list, as its own test shows
    if (name.endsWith("/inspectOwner.ts")) return []
    // `lock` is a method of a store there
    if (name.endsWith("/roles/scopeStores.ts")) return []
    const misuse = lockMisuse(fs.readFileSync(new URL(name, packages), "utf8"))
    return misuse === undefined ? [] : [`${name} ${misuse}`]
  })
  expect(misused).toEqual([])
  expect(lockMisuse("fs.readFileSync(path.join(dir, \"lock\"))")).toBeDefined()
  expect(lockMisuse("const lock = tryKernelLock(f)\nreadFileSync(join(dir, 'worker.lock'))")).toBeDefined()
  expect(lockMisuse("fs.cpSync(dataDir, backup, { recursive: true })")).toBeDefined()
})

test("a lock whose file was removed or replaced reports that it protects nothing", () => {
  const file = lockFile()
  const lock = tryKernelLock(file)
  expect(lock?.isHeld()).toBe(true)
  fs.rmSync(file)
  expect(lock?.isHeld()).toBe(false)
  fs.writeFileSync(file, "")
  expect(lock?.isHeld()).toBe(false)
  lock?.release()
})

test("a process that recreates the lock file beside a database waits until the old holder has noticed", async () => {
  const root = path.dirname(lockFile())
  /** For how long it waits; 0 when it returns before the event loop has turned once. */
  const waits = async () => {
    const lock = tryKernelLock(path.join(root, "lock"))
    if (lock === undefined) throw new Error("not free")
    const started = performance.now()
    const waiting = waitForPreviousOwner(lock, root).then(() => "returned")
    const first = await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve))])
    await waiting
    lock.release()
    return first === "returned" ? 0 : performance.now() - started
  }
  expect(await waits()).toBe(0) // a first start
  fs.mkdirSync(path.join(root, "db"))
  expect(await waits()).toBe(0) // an ordinary one
  fs.rmSync(path.join(root, "lock"))
  expect(await waits()).toBeGreaterThan(2 * LOCK_CHECK_MS)
})
