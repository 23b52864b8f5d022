/** The quota is exact over real processes on one server. */
import { QuotaLedger } from "@sov/core"
import { layerServer, stores } from "@sov/core/postgres"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { freshDatabase } from "../support/storage.ts"

const script = fileURLToPath(new URL("../support/takeQuota.ts", import.meta.url))
const period = "2026-01"

/** Starts the processes, lets them begin together, and gives what each got. */
const race = async (url: string, organization: string, limit: number, processes: number, starts: number) => {
  const children = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, [script, organization, period, String(limit), String(starts)], {
      env: { ...process.env, SOV_DATABASE_URL: url },
      stdio: ["pipe", "pipe", "inherit"],
      timeout: 20_000
    })
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  })
  for (const { lines } of children) expect((await lines.next()).value).toBe("ready")
  for (const { child } of children) child.stdin.end("go\n")
  return Promise.all(children.map(async ({ lines }) => Number((await lines.next()).value)))
}

const ledgerOf = (url: string) =>
  Layer.provideMerge(
    stores.pipe(Layer.provide(layerServer({ url: Redacted.make(url) }))),
    SecureRandom.layerWebCrypto
  )

describe.runIf(homes.includes("postgres"))("three processes with 100 starts each", () => {
  it.each([{ limit: 60, used: 10, left: 50 }, { limit: 0, used: 0, left: 0 }, { limit: 400, used: 0, left: 300 }])(
    "get exactly $left of limit $limit with $used used",
    ({ left, limit, used }) =>
      Effect.runPromise(Effect.scoped(Effect.gen(function*() {
        const { url } = yield* freshDatabase
        yield* Effect.gen(function*() {
          const ledger = yield* QuotaLedger
          const { id } = yield* seedOrganization()
          for (let n = 0; n < used; n++) yield* ledger.take(id, period, used)
          const got = yield* Effect.promise(() => race(url, id, limit, 3, 100))
          expect(got.reduce((sum, n) => sum + n, 0)).toBe(left)
          expect(yield* ledger.used(id, period)).toBe(used + left)
        }).pipe(Effect.provide(ledgerOf(url)))
      })))
  )
})
