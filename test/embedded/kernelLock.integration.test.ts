import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { expect, test } from "vitest"
import { tryKernelLock } from "../../packages/core/src/adapters/embedded/index.ts"
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
    console.log("done")
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

test("a lock holds between processes and inside one, until it is released or its holder killed", async () => {
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

test("a lock that nobody refers to any more still holds", async () => {
  expect(await freeBesides(lockFile(), "for (let i = 0; i < 5; i++) { gc(); await new Promise(setImmediate) }")).toBe(
    false
  )
}, 20_000)

test(
  "reading the lock file in its holder drops the lock: nothing in this room names the file but its takers",
  async () => {
    expect(await freeBesides(lockFile(), "fs.readFileSync(process.argv[2])")).toBe(true)
    const naming = fs.readdirSync(room).filter((name) =>
      /ownerFiles\.lock\b|["'`/]lock["'`]/.test(fs.readFileSync(new URL(name, room), "utf8"))
    )
    expect(naming.sort()).toEqual(["inProcess.ts", "owner.ts", "ownerProtocol.ts"])
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
