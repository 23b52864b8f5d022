import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { expect, test } from "vitest"
import { tryKernelLock } from "../../packages/core/src/adapters/embedded/index.ts"
import { outlastLostLock, WATCH_MS } from "../../packages/core/src/adapters/embedded/lostLock.ts"
import { freshDataDir } from "./support/directories.ts"

const room = new URL("../../packages/core/src/adapters/embedded/", import.meta.url)
const module = new URL("kernelLock.ts", room).href

/** Takes the lock in another process, does what `then` says, and tells whether it was free besides. */
const freeBesides = async (file: string, then: string, kill = false): Promise<boolean> => {
  const script = `
    import * as fs from "node:fs"
    const { tryKernelLock } = await import(process.argv[1])
    const lock = tryKernelLock(process.argv[2])
    if (!lock.guards()) throw new Error("not held")
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

test("a lock holds, also when nobody refers to it any more, until it is released or its holder killed", async () => {
  const file = lockFile()
  expect(await freeBesides(file, "")).toBe(false)
  expect(await freeBesides(file, "lock.release()")).toBe(true)
  expect(await freeBesides(file, "", true)).toBe(true)
  const lock = tryKernelLock(file)
  expect(tryKernelLock(file)).toBeUndefined()
  expect(await freeBesides(lockFile(), "")).toBe(false)
  lock?.release()
  expect(tryKernelLock(file)?.release()).toBeUndefined()
}, 20_000)

test(
  "reading the lock file in its holder drops the lock: nothing in this room names the file but its takers",
  async () => {
    expect(await freeBesides(lockFile(), "fs.readFileSync(process.argv[2])")).toBe(true)
    const naming = fs.readdirSync(room).filter((name) =>
      /ownerFiles\.lock\b|["'`/]lock["'`]/.test(fs.readFileSync(new URL(name, room), "utf8"))
    )
    // lookAtDataDirectory.ts asks for its inode only, as its own test shows
    expect(naming.sort()).toEqual(["inProcess.ts", "lookAtDataDirectory.ts", "owner.ts", "ownerProtocol.ts"])
  },
  20_000
)

test("a lock whose file was removed or replaced says that it guards nothing", () => {
  const file = lockFile()
  const lock = tryKernelLock(file)
  expect(lock?.guards()).toBe(true)
  fs.rmSync(file)
  expect(lock?.guards()).toBe(false)
  fs.writeFileSync(file, "")
  expect(lock?.guards()).toBe(false)
  lock?.release()
})

test("who makes the lock file anew beside a database waits until a holder of the old one has seen it", async () => {
  const root = path.dirname(lockFile())
  const waits = async () => {
    const lock = tryKernelLock(path.join(root, "lock"))
    if (lock === undefined) throw new Error("not free")
    const started = performance.now()
    await outlastLostLock(lock, root)
    lock.release()
    return performance.now() - started
  }
  expect(await waits()).toBeLessThan(WATCH_MS) // a first start
  fs.mkdirSync(path.join(root, "db"))
  expect(await waits()).toBeLessThan(WATCH_MS) // an ordinary one
  fs.rmSync(path.join(root, "lock"))
  expect(await waits()).toBeGreaterThan(2 * WATCH_MS)
}, 20_000)
