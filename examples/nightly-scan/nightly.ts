/** Scans at three each night, in Effect: a home as one layer, platforms as another. */
import { initialize, listOrganizations, runScan, startScan } from "@sov/core"
import { layerPlatforms, parsePlatformConfig } from "@sov/core/outbound"
import * as Sov from "@sov/core/sov"
import { Deferred, Effect, Layer, Schedule } from "effect"
import { parentPort, workerData } from "node:worker_threads"

const { dataDir, now } = workerData as { readonly dataDir: string; readonly now: boolean }

/** Simulated: replace it by what your sov.config.json holds. */
const config = JSON.stringify({
  platforms: { assistant_a: { adapter: "simulated", seed: 7, brand: "Acme", competitors: ["Globex"] } }
})

const say = (line: string) => parentPort?.postMessage(line)

const platforms = Layer.unwrap(
  Effect.map(Effect.fromResult(parsePlatformConfig(config, "config")), (parsed) => layerPlatforms(parsed, process.env))
)

const organization = Effect.gen(function*() {
  const [first] = yield* listOrganizations()
  if (first !== undefined) return first
  const made = yield* initialize({
    name: "Acme",
    plan: "pro",
    tracking: {
      brand: { name: "Acme" },
      competitors: [{ name: "Globex" }],
      keywords: [{ text: "Who makes the best anvils?" }]
    }
  })
  return made.organization
})

const scanOnce = Effect.gen(function*() {
  const { id } = yield* organization
  const scan = yield* startScan(id, { scanType: "scheduled", usesQuota: false, samples: 1 })
  const { score } = yield* runScan(id, scan)
  say(`share of voice: ${score?.avgSov ?? "-"} %`)
})

const nightly = Effect.andThen(
  Effect.sync(() => say("waiting for 03:00")),
  Effect.schedule(scanOnce, Schedule.cron("0 3 * * *"))
)

const program = Effect.gen(function*() {
  const stopped = yield* Deferred.make<void>()
  parentPort?.once("message", () => Deferred.doneUnsafe(stopped, Effect.void))
  yield* Effect.raceFirst(now ? scanOnce : nightly, Deferred.await(stopped))
})

await Effect.runPromise(program.pipe(Effect.provide([Sov.layerEmbedded({ dataDir }), platforms])))
parentPort?.close()
