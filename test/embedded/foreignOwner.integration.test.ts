// Only in `npm run test:all`: owner processes, and waits for those that do not answer
/** Owners that a client cannot use at once: of another sov version, stopped, asked to end while they work. */
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { EmbeddedError, layer, tryKernelLock } from "../../packages/core/src/adapters/embedded/index.ts"
import { OwnerClient } from "../../packages/core/src/adapters/embedded/OwnerClient.ts"
import { writeOwnerSettings } from "../../packages/core/src/adapters/embedded/ownerSettings.ts"
import { makeRetirePacket } from "../../packages/core/src/adapters/embedded/wireFrames.ts"
import { alive, freshDataDir, ownersOf, until } from "./support/directories.ts"

const select = Effect.flatMap(SqlClient, (sql) => sql<{ n: number }>`select 1 as n`)
const ask = (dataDir: string, waitMs = 20_000) => Effect.runPromise(Effect.provide(select, layer({ dataDir, waitMs })))

const refused = async (dataDir: string, waitMs?: number): Promise<EmbeddedError> => {
  const error = await ask(dataDir, waitMs).then(() => undefined, (error: unknown) => error)
  expect(error).toBeInstanceOf(EmbeddedError)
  return error as EmbeddedError
}

/** More than a test may take: an error that comes at all does not come from waiting for that long. */
const endlessMs = 600_000

/**
 * Holds a data directory as an owner of another version does; `asked` has what clients sent it, `greeted` how many of
 * them it greeted.
 */
const standIn = async (greeting: string, endsWhenAsked: boolean) => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  const lock = tryKernelLock(path.join(dataDir, "lock"))
  const asked: Array<string> = []
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    sockets.add(client)
    client.on("error", () => {})
    client.write(greeting)
    client.on("data", (bytes) => {
      asked.push(bytes.toString("hex"))
      if (endsWhenAsked) end()
    })
  })
  const end = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    lock?.release()
  }
  onTestFinished(end)
  await new Promise<void>((resolve) => server.listen(path.join(dataDir, "s"), resolve))
  return { dataDir, asked, greeted: () => sockets.size }
}

test("the owner of an older sov is asked to end, and its successor serves the clients", async () => {
  const { asked, dataDir } = await standIn("sov-owner/0 ready 4242 and what nobody knows yet\n", true)
  expect(await ask(dataDir)).toEqual([{ n: 1 }])
  expect(asked).toEqual([makeRetirePacket().toString("hex")])
})

test("the owner of an older sov that still has clients is reported within a bounded time", async () => {
  const { asked, dataDir } = await standIn("sov-owner/0 ready 4242\n", false)
  const error = await refused(dataDir, 4_000)
  expect(error).toMatchObject({
    reason: "incompatible_owner",
    message: expect.stringMatching(/older sov; end .*4242.* try again/)
  })
  expect(asked.length).toBeGreaterThan(1)
})

test.each([
  ["a newer sov's", "sov-owner/2 ready 4242\n", /newer sov.*4242/],
  ["one that speaks something else", "SSH-2.0-OpenSSH_9.6\r\n", /another sov; end/]
])("%s owner keeps running, and is reported after its first greeting", async (_name, greeting, message) => {
  const { asked, dataDir, greeted } = await standIn(greeting, true)
  const client = new OwnerClient(dataDir, endlessMs)
  await expect(client.connectToOwner()).rejects.toThrow(message)
  expect([greeted(), asked]).toEqual([1, []])
  expect((await refused(dataDir, endlessMs)).message).toMatch(message)
})

test("an owner that a newer sov asks to end still serves its clients, and ends with the last one", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  writeOwnerSettings(dataDir, { ownerLingerMs: 60_000, ownerTermMs: 100 })
  const inner = Effect.gen(function*() {
    yield* select
    const newer = net.connect(path.join(dataDir, "s"))
    newer.once("data", () => newer.end(makeRetirePacket()))
    yield* Effect.promise(() => new Promise((resolve) => newer.once("close", resolve)))
    yield* Effect.sleep(500)
    return yield* select
  })
  expect(await Effect.runPromise(Effect.provide(inner, layer({ dataDir })))).toEqual([{ n: 1 }])
  const owners = ownersOf(dataDir)
  expect(owners).toHaveLength(1)
  await until(() => !alive(owners[0] ?? 0), 30_000)
})

test("a client does not wait for a suspended owner: its error gives the pid and how to resume it, and nothing is lost", async () => {
  const dataDir = freshDataDir()
  const inner = Effect.gen(function*() {
    yield* select
    const pid = ownersOf(dataDir)[0] ?? 0
    process.kill(pid, "SIGSTOP")
    const error = yield* Effect.promise(() => refused(dataDir, endlessMs))
    expect(error.message).toContain(`kill -CONT ${pid}`)
    expect(error.message).not.toContain("\n")
    const waiting = yield* Effect.forkChild(select)
    yield* Effect.sleep(200)
    process.kill(pid, "SIGCONT")
    return yield* Fiber.join(waiting)
  })
  expect(await Effect.runPromise(Effect.provide(inner, layer({ dataDir })))).toEqual([{ n: 1 }])
})

test("a client that closes while it waits for a greeting returns at once", async () => {
  const { dataDir } = await standIn("", false)
  const client = new OwnerClient(dataDir, 20_000)
  const attached = client.connectToOwner().then(() => "attached", (error: Error) => error.message)
  setTimeout(() => client.close(), 200)
  expect(await attached).toContain("closed")
})
