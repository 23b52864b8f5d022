/** All processes of a server go by its clock. */
import { layerMigrated } from "@sov/core/postgres"
import { Clock, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it, vi } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"

const readBoth = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const before = yield* Clock.currentTimeMillis
  const [server] = yield* sql<{ readonly at: Date }>`select clock_timestamp() as at`
  return { before, server: server!.at.getTime(), after: yield* Clock.currentTimeMillis }
})
const open = async () => layerMigrated({ url: Redacted.make(await freshDatabaseUrl()) })

it.skipIf(postgresUrl === null)(
  "a machine whose clock is a day ahead, and then jumps back, uses the server's time",
  async () => {
    const dayMs = 86_400_000
    const real = Date.now
    const spy = vi.spyOn(Date, "now").mockImplementation(() => real() + dayMs)
    try {
      await Effect.runPromise(
        Effect.gen(function*() {
          for (const jumpMs of [dayMs, -dayMs]) {
            spy.mockImplementation(() => real() + jumpMs)
            const { after, before, server } = yield* readBoth
            // The first question and its answer tell the server's time up to what they took
            expect(Math.abs(before - server)).toBeLessThan(dayMs / 2)
            expect(Math.abs(after - server)).toBeLessThan(dayMs / 2)
          }
        }).pipe(Effect.provide(await open()), Effect.scoped)
      )
    } finally {
      spy.mockRestore()
    }
  }
)

it.skipIf(postgresUrl === null)("a clock that a program provides is not replaced", async () => {
  const clock = Object.assign(Clock.Clock.defaultValue(), { currentTimeMillis: Effect.succeed(7) })
  const read = Effect.provide(Clock.currentTimeMillis, await open())
  expect(await Effect.runPromise(Effect.provideService(read, Clock.Clock, clock))).toBe(7)
})
