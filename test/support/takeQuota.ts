/**
 * A process that takes quota units as fast as it can: `takeQuota.ts ORGANIZATION PERIOD LIMIT STARTS`, the database's
 * URL in SOV_DATABASE_URL. Says `ready`, waits for a line, takes, and prints how many it got.
 */
import { type OrganizationId, QuotaLedger } from "@sov/core"
import { layerServer, stores } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { once } from "node:events"

const [organization, period, limit, starts] = process.argv.slice(2)

const program = Effect.gen(function*() {
  const ledger = yield* QuotaLedger
  console.log("ready")
  yield* Effect.promise(() => once(process.stdin, "data"))
  const taken = yield* Effect.replicateEffect(
    ledger.take(organization as OrganizationId, period!, Number(limit)),
    Number(starts),
    { concurrency: 8 }
  )
  console.log(taken.filter((took) => took).length)
})

const url = Redacted.make(process.env["SOV_DATABASE_URL"] ?? "")
await Effect.runPromise(program.pipe(Effect.provide(stores.pipe(Layer.provide(layerServer({ url }))))))
process.stdin.destroy()
