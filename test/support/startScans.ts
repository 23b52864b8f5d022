/**
 * A process that starts scans as fast as it can: `startScans.ts ORGANIZATION STARTS`, with the database's URL in
 * SOV_DATABASE_URL. Prints `ready`, waits for a line, starts the scans, and prints how many were accepted and how many
 * the quota refused.
 */
import { AnswerPlatforms, type OrganizationId, startScan } from "@sov/core"
import { layerPlatforms } from "@sov/core/outbound"
import { layerServer, stores } from "@sov/core/postgres"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { once } from "node:events"

const [organization, starts] = process.argv.slice(2)

const program = Effect.gen(function*() {
  yield* AnswerPlatforms
  console.log("ready")
  yield* Effect.promise(() => once(process.stdin, "data"))
  const start = startScan(organization as OrganizationId, { scanType: "manual", usesQuota: true, samples: 1 })
  const outcomes = yield* Effect.replicateEffect(
    start.pipe(Effect.as("accepted"), Effect.catchTag("QuotaExhausted", () => Effect.succeed("refused"))),
    Number(starts),
    { concurrency: 8 }
  )
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length
  console.log(`${count("accepted")} ${count("refused")}`)
})

const binding = {
  adapter: "openai-compatible",
  baseUrl: "http://127.0.0.1:9/v1",
  model: "never asked",
  concurrency: 1,
  timeout: Duration.seconds(1),
  maxAnswerBytes: 1
} as const
const services = Layer.mergeAll(
  stores.pipe(Layer.provide(layerServer({ url: Redacted.make(process.env["SOV_DATABASE_URL"] ?? "") }))),
  layerPlatforms({ platforms: { assistant_a: binding }, scan: { samples: 1 }, sentiment: { judge: null } }, {}),
  SecureRandom.layerWebCrypto
)
await Effect.runPromise(Effect.provide(program, services))
process.stdin.destroy()
