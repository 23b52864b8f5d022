/** LISTEN and NOTIFY between processes that share a data directory. */
// Only in `npm run test:all`: kills and owner processes
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { layer } from "../../packages/core/src/adapters/embedded/index.ts"
import { writeOwnerSettings } from "../../packages/core/src/adapters/embedded/ownerSettings.ts"
import { freshDataDir, ownersOf, until } from "./support/directories.ts"

const listenerFile = fileURLToPath(new URL("./support/listener.ts", import.meta.url))

interface Said {
  readonly listening?: string
  readonly got?: { readonly channel: string; readonly payload: string }
  readonly lost?: string
  readonly stopped?: string
}

/** Starts a listening process; ready when it said that it listens. */
const listener = async (dataDir: string, channel: string, stopAfter = 1000) => {
  const child = spawn(process.execPath, [listenerFile, dataDir, channel, String(stopAfter)], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  let out = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => out += chunk)
  const said = () => out.split("\n").slice(0, -1).map((line) => JSON.parse(line) as Said)
  const wait = (what: (said: Said) => unknown, times = 1) => until(() => said().filter(what).length >= times, 15_000)
  await wait(({ listening }) => listening)
  return { said, wait, payloads: () => said().flatMap(({ got }) => got?.payload ?? []) }
}

const prepared = (): string => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  writeOwnerSettings(dataDir, { ownerLingerMs: 500 })
  return dataDir
}

const use = <A, E>(dataDir: string, use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(PgClient.PgClient, use), layer({ dataDir })))

test("notifications reach other processes by name, complete, and after the commit", async () => {
  const dataDir = prepared()
  const mixed = "Sov \"Cells\" é;--"
  const [one, other] = [await listener(dataDir, mixed), await listener(dataDir, "sov \"cells\" é;--")]
  const long = "ä".repeat(3_999) + "." // 7,999 bytes: Postgres takes fewer than 8,000
  await use(dataDir, (sql) =>
    Effect.gen(function*() {
      yield* sql.notify(mixed, "first")
      // PgClient.notify takes a connection of its own, so it cannot be part of a transaction
      const notify = (payload: string) => sql`select pg_notify(${mixed}, ${payload})`
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(notify("rolled back"), Effect.fail("no"))))
      yield* sql.withTransaction(Effect.andThen(notify("committed"), sql`select 1`))
      yield* sql.notify(mixed, long)
      const error = yield* Effect.flip(sql.notify(mixed, `${long}.`))
      expect(error._tag).toBe("SqlError")
      yield* sql.notify(mixed, "last")
    }))
  await one.wait(({ got }) => got?.payload === "last")
  expect(one.payloads()).toEqual(["first", "committed", long, "last"])
  expect(other.payloads()).toEqual([])
})

test("a process that stops listening does not affect another one", async () => {
  const dataDir = prepared()
  const [brief, lasting] = [await listener(dataDir, "cells", 1), await listener(dataDir, "cells")]
  await use(dataDir, (sql) => sql.notify("cells", "1"))
  await brief.wait(({ stopped }) => stopped)
  await use(dataDir, (sql) => sql.notify("cells", "2"))
  await lasting.wait(({ got }) => got?.payload === "2")
  expect([brief.payloads(), lasting.payloads()]).toEqual([["1"], ["1", "2"]])
})

test("listeners are notified when the owner is killed, and get notifications again after listening again", async () => {
  const dataDir = prepared()
  const ear = await listener(dataDir, "cells")
  process.kill(ownersOf(dataDir).at(-1) ?? 0, "SIGKILL")
  await ear.wait(({ lost }) => lost)
  await ear.wait(({ listening }) => listening, 2)
  await use(dataDir, (sql) => sql.notify("cells", "after"))
  await ear.wait(({ got }) => got?.payload === "after")
  expect(ear.said().find(({ lost }) => lost)?.lost).toContain("SqlError")
})
