/** How long a client waits for an owner that does not answer yet; the owners are stand-ins. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { tryKernelLock } from "../../packages/core/src/adapters/embedded/index.ts"
import { OwnerClient } from "../../packages/core/src/adapters/embedded/OwnerClient.ts"
import { formatReadyLine } from "../../packages/core/src/adapters/embedded/ownerProtocol.ts"
import { MAX_WAIT_MS, type OwnerDelay, OwnerWait } from "../../packages/core/src/adapters/embedded/OwnerWait.ts"
import { freshDataDir, ownersOf } from "./support/directories.ts"

// Only what time it is: what happens takes the time that it takes
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

/** A process that is there and does nothing. */
const idle = (): number => {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" })
  onTestFinished(() => void child.kill("SIGKILL"))
  return child.pid!
}

/** Lets this process work for more than its wait asks of it. */
const work = (): void => {
  const { system, user } = process.cpuUsage()
  for (let used = 0; used < 150_000;) {
    const now = process.cpuUsage()
    used = now.user + now.system - user - system
  }
}

describe("the wait for a process", () => {
  test("the wait continues while the process makes progress, and ends after ten minutes", () => {
    const wait = new OwnerWait(60_000)
    const isOver = () => wait.isOver(() => [process.pid])
    expect(isOver()).toBe(false)
    while (wait.waitedMs + 59_000 < MAX_WAIT_MS) {
      pass(59_000)
      work()
      expect(isOver()).toBe(false)
    }
    expect(wait.waitedMs).toBeGreaterThan(500_000)
    pass(59_000)
    work()
    expect(isOver()).toBe(true)
  })

  test("the wait ends when the process has been idle for the quiet time", () => {
    const pid = idle()
    const wait = new OwnerWait(60_000)
    for (const expected of [false, false, true]) {
      expect(wait.isOver(() => [pid])).toBe(expected)
      pass(31_000)
    }
  })

  test("the wait ends after the quiet time if there is no process", () => {
    const wait = new OwnerWait(60_000)
    expect(wait.isOver(() => [])).toBe(false)
    pass(61_000)
    expect(wait.isOver(() => [2 ** 30])).toBe(true)
  })
})

/** Holds a data directory as the owner `pid` does that has not opened its database; `greet` is when it has. */
const opening = async (pid: number) => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  const lock = tryKernelLock(path.join(dataDir, "lock"))
  fs.writeFileSync(path.join(dataDir, "owner.json"), JSON.stringify({ pid, kind: "owner" }))
  const clients: Array<net.Socket> = []
  const server = net.createServer((client) => {
    client.on("error", () => {})
    clients.push(client)
  })
  await new Promise<void>((resolve) => server.listen(path.join(dataDir, "s"), resolve))
  onTestFinished(() => {
    server.close()
    for (const client of clients) client.destroy()
    lock?.release()
  })
  return { dataDir, clients }
}

describe("a client of an owner that is slow", () => {
  test("a client reports once a minute which process it waits for, and continues when the owner is ready", async () => {
    const { clients, dataDir } = await opening(process.pid)
    const told: Array<OwnerDelay> = []
    const client = new OwnerClient(dataDir, MAX_WAIT_MS, (delay) => told.push(delay))
    const connected = client.connectToOwner()
    await vi.waitUntil(() => clients.length === 1, { timeout: 60_000 })
    expect(told).toEqual([])
    pass(11_000)
    await vi.waitUntil(() => told.length === 1, { timeout: 60_000 })
    expect(told).toMatchObject([{ dataDir, pid: process.pid, log: path.join(dataDir, "owner.log") }])
    expect(told[0]!.waitedMs).toBeGreaterThanOrEqual(11_000)
    pass(61_000)
    await vi.waitUntil(() => told.length === 2, { timeout: 60_000 })
    clients[0]!.write(formatReadyLine(process.pid))
    const socket = await connected
    socket.destroy()
    client.close()
    expect([clients.length, told.length]).toEqual([1, 2])
  })

  test("a client reports an idle owner, its log, and what to do", async () => {
    const pid = idle()
    const { clients, dataDir } = await opening(pid)
    const failed = new OwnerClient(dataDir, 60_000).connectToOwner().catch((error: unknown) => error)
    await vi.waitUntil(() => clients.length === 1, { timeout: 60_000 })
    pass(61_000)
    expect(await failed).toMatchObject({
      reason: "unreachable",
      message: expect.stringMatching(RegExp(`process ${pid} of .* 6\\d s; end it with kill -9 ${pid} .*owner\\.log`))
    })
  })
})

test("a client retries twice if the owner ends before it is ready", async () => {
  const dataDir = freshDataDir()
  // Where an owner listens is something that it cannot remove
  fs.mkdirSync(path.join(dataDir, "s", "taken"), { recursive: true })
  const failed = new OwnerClient(dataDir, MAX_WAIT_MS).connectToOwner().catch((error: unknown) => error)
  expect(await failed).toMatchObject({
    reason: "unreachable",
    message: expect.stringMatching(/has ended before it was ready.*owner\.log/)
  })
  expect(ownersOf(dataDir)).toHaveLength(3)
})
