/** The owner seen from outside: each state it can be in, and that looking changes nothing. */
import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import {
  inspectOwner,
  layer,
  layerInProcess,
  listUnknownFiles,
  tryKernelLock
} from "../../packages/core/src/adapters/embedded/index.ts"
import { formatRefusalLine } from "../../packages/core/src/adapters/embedded/ownerProtocol.ts"
import { Refusal } from "../../packages/core/src/adapters/embedded/refusal.ts"
import { alive, freshDataDir, ownersOf, until } from "./support/directories.ts"

/** Somebody who listens on the socket of a new data directory and says this to each client. */
const speaking = async (line: string | null): Promise<string> => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  const server = net.createServer((client) => {
    client.on("error", () => {})
    if (line !== null) client.end(line)
  })
  server.listen(path.join(dataDir, "s"))
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return dataDir
}

/** Whether another process gets the lock. */
const freeForOthers = async (file: string): Promise<boolean> => {
  const module = new URL("../../packages/core/src/adapters/embedded/kernelLock.ts", import.meta.url).href
  const script = "const { tryKernelLock } = await import(process.argv[1]);" +
    "process.exit(tryKernelLock(process.argv[2]) === undefined ? 3 : 0)"
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, module, file], { stdio: "inherit" })
  const [code] = await once(child, "exit") as [number]
  return code === 0
}

test("the inspection reports that no owner runs, and starts none", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  const before = fs.readdirSync(dataDir)
  expect(await inspectOwner(dataDir)).toEqual({ state: "none", pid: null, since: null, message: null })
  expect(fs.readdirSync(dataDir)).toEqual(before)
})

test("a serving owner is reported, and so is its end", async () => {
  const dataDir = freshDataDir()
  const begun = Date.now()
  await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    yield* Layer.build(layer({ dataDir, lingerMs: 0 }))
    const look = yield* Effect.promise(() => inspectOwner(dataDir))
    expect(look).toEqual({ state: "serving", pid: ownersOf(dataDir)[0], since: expect.any(Date), message: null })
    expect(look.since!.getTime()).toBeGreaterThanOrEqual(begun)
    expect(look.since!.getTime()).toBeLessThanOrEqual(Date.now())
    expect(listUnknownFiles(dataDir)).toEqual([])
  })))
  await until(() => ownersOf(dataDir).every((pid) => !alive(pid)), 10_000)
  expect(await inspectOwner(dataDir)).toMatchObject({ state: "none", pid: null })
  expect(listUnknownFiles(dataDir)).toEqual([])
  fs.writeFileSync(path.join(dataDir, "notes"), "")
  expect(listUnknownFiles(dataDir)).toEqual(["notes"])
})

test("a program that locks the directory exclusively is named, and keeps its lock", async () => {
  const dataDir = freshDataDir()
  await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    yield* Layer.build(layerInProcess({ dataDir }))
    expect(yield* Effect.promise(() => inspectOwner(dataDir))).toMatchObject({ state: "held", pid: process.pid })
    // Closing any descriptor of the file would have dropped the lock of this very process
    expect(yield* Effect.promise(() => freeForOthers(path.join(dataDir, "lock")))).toBe(false)
  })))
  expect(await freeForOthers(path.join(dataDir, "lock"))).toBe(true)
})

test("a lock that owner.json does not mention is also found", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  const lock = tryKernelLock(path.join(dataDir, "lock"))
  expect(await inspectOwner(dataDir)).toMatchObject({ state: "held", pid: process.pid, since: null })
  lock?.release()
  expect(await inspectOwner(dataDir)).toMatchObject({ state: "none" })
})

test("owners that refuse, have another version or do not answer are distinguished", async () => {
  const refusing = await speaking(formatRefusalLine(new Refusal("disk_full", "no space left")))
  expect(await inspectOwner(refusing)).toMatchObject({ state: "refused", message: "no space left" })
  expect(await inspectOwner(await speaking("sov-owner/99 ready 1\n"))).toMatchObject({ state: "incompatible" })
  expect(await inspectOwner(await speaking("x".repeat(100_000)))).toMatchObject({ state: "incompatible" })
  // It says nothing for as long as it is asked
  expect(await inspectOwner(await speaking(null))).toMatchObject({ state: "opening" })
})
