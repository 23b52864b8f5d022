/** The quota is exact over real processes that start scans on one server. */
// Only in `npm run test:all`: three processes that start scans at once
import { initialize, OrganizationStore, QuotaLedger, quotaPeriod, ScanStore } from "@sov/core"
import { layerServer, stores } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { freshDatabase } from "../support/storage.ts"

const script = fileURLToPath(new URL("../support/startScans.ts", import.meta.url))

/** Starts the processes, lets them begin together, and adds up what they got. */
const race = async (url: string, organization: string, processes: number, starts: number) => {
  const children = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, [script, organization, String(starts)], {
      env: { ...process.env, SOV_DATABASE_URL: url },
      stdio: ["pipe", "pipe", "inherit"],
      timeout: 100_000
    })
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  })
  for (const { lines } of children) expect((await lines.next()).value).toBe("ready")
  for (const { child } of children) child.stdin.end("go\n")
  const results = await Promise.all(children.map(async ({ lines }) => String((await lines.next()).value)))
  const sum = (field: 0 | 1) => results.reduce((total, line) => total + Number(line.split(" ")[field]), 0)
  return { accepted: sum(0), refused: sum(1) }
}

const storesOf = (url: string) =>
  Layer.mergeAll(
    stores.pipe(Layer.provide(layerServer({ url: Redacted.make(url) }))),
    SecureRandom.layerWebCrypto
  )

describe.runIf(homes.includes("postgres"))("three processes with 100 starts each", () => {
  it.each([{ limit: 60, used: 10, left: 50 }, { limit: 0, used: 0, left: 0 }])(
    "concurrent starts get exactly $left scans if the limit is $limit and $used are used",
    ({ left, limit, used }) =>
      Effect.runPromise(Effect.scoped(Effect.gen(function*() {
        const { url } = yield* freshDatabase
        yield* Effect.gen(function*() {
          const ledger = yield* QuotaLedger
          const tracking = { brand: { name: "Acme" }, keywords: [{ text: "best anvil?" }] }
          const { organization: { id } } = yield* initialize({ name: "Acme", plan: "pro", tracking })
          yield* (yield* OrganizationStore).setScanQuota(id, limit)
          const period = quotaPeriod(new Date())
          for (let n = 0; n < used; n++) yield* ledger.take(id, period, used)
          expect(yield* Effect.promise(() => race(url, id, 3, 100))).toEqual({ accepted: left, refused: 300 - left })
          expect(yield* ledger.used(id, period)).toBe(used + left)
          expect(yield* (yield* ScanStore).list(id, { limit: 1000 })).toHaveLength(left)
        }).pipe(Effect.provide(storesOf(url)))
      }))),
    120_000
  )
})
