/**
 * A worker process for the makespan benchmark: `scanWorker.ts CONFIG KEYWORDS`, with the database in SOV_DATABASE_URL
 * or SOV_DATA_DIR. Prints `ready`. Then each line on stdin starts a scan of a new organization (`behind`: a short scan
 * behind a long one), and the time from its commit to its last archived answer is printed as JSON, with its cost.
 */
import { ArchiveStore, cancelScan, initialize, startScan, startWorker } from "@sov/core"
import { layerPlatforms, parsePlatformConfig } from "@sov/core/outbound"
import { type Home, layerMigrated, layerPlacement } from "@sov/core/postgres"
import { Deferred, Effect, Layer, Redacted, Result, Tracer } from "effect"
import { SecureRandom } from "effect/crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { deliveryServices } from "../support/webhooks.ts"

const [config, keywords] = process.argv.slice(2)
const home: Home = process.env["SOV_DATABASE_URL"] === undefined
  ? { dataDir: process.env["SOV_DATA_DIR"] ?? "" }
  : { url: Redacted.make(process.env["SOV_DATABASE_URL"]) }

let statements = 0
const counting = Tracer.make({
  span: (options) => {
    const span = new Tracer.NativeSpan(options)
    if (options.kind === "client") statements++
    return span
  }
})

/** How many answers of an organization are still missing, and when the last one was archived. */
const awaited = new Map<string, { left: number; readonly last: Deferred.Deferred<number> }>()
const timed = Layer.effect(
  ArchiveStore,
  Effect.map(ArchiveStore, (archive) => ({
    ...archive,
    archive: (...given: Parameters<typeof archive.archive>) =>
      Effect.tap(archive.archive(...given), () => {
        const one = awaited.get(given[0])
        return one !== undefined && --one.left === 0 ? Deferred.succeed(one.last, performance.now()) : Effect.void
      })
  }))
)

let made = 0
/** Starts a scan of a new organization; returns the time from its commit to its last archived answer. */
const startOne = Effect.fnUntraced(function*(count: number) {
  const { organization } = yield* initialize({
    name: `Bench ${made++}`,
    plan: "enterprise",
    tracking: {
      brand: { name: "Acme" },
      keywords: Array.from({ length: count }, (_, n) => ({ text: `question ${n}?` }))
    }
  })
  const last = Deferred.makeUnsafe<number>()
  awaited.set(organization.id, { left: count * 5, last })
  const { id } = yield* startScan(organization.id, { scanType: "manual", usesQuota: true, samples: 1 })
  const committed = performance.now()
  return {
    ms: Effect.map(Deferred.await(last), (at) => at - committed),
    cancel: cancelScan(organization.id, id)
  }
})

const scanOnce = Effect.fnUntraced(function*() {
  const [before, cpu] = [statements, process.cpuUsage()]
  const ms = yield* (yield* startOne(Number(keywords))).ms
  const { system, user } = process.cpuUsage(cpu)
  return {
    ms,
    statements: statements - before,
    cpuMs: (user + system) / 1000,
    rssMb: process.memoryUsage().rss / 1e6
  }
})

/** Measures a scan of ten questions of one organization while 5,000 questions of another are being asked. */
const scanBehind = Effect.fnUntraced(function*() {
  const long = yield* startOne(1000)
  yield* Effect.sleep("2 seconds")
  const ms = yield* (yield* startOne(2)).ms
  yield* long.cancel
  return { ms, statements: 0, cpuMs: 0, rssMb: 0 }
})

const program = Effect.gen(function*() {
  yield* startWorker()
  yield* Effect.sleep("2 seconds")
  console.log("ready")
  while (true) {
    const [line] = yield* Effect.promise(() => once(process.stdin, "data"))
    console.log(JSON.stringify(yield* String(line).startsWith("behind") ? scanBehind() : scanOnce()))
  }
})

const storage = layerPlacement(home).pipe(Layer.provideMerge(layerMigrated(home)))
const services = timed.pipe(
  Layer.provideMerge(storage),
  Layer.merge(layerPlatforms(Result.getOrThrow(parsePlatformConfig(readFileSync(config ?? "", "utf8"), "bench")), {})),
  Layer.merge(deliveryServices),
  Layer.merge(SecureRandom.layerWebCrypto)
)
process.on("SIGINT", () => process.exit())
await Effect.runPromise(
  Effect.scoped(program).pipe(Effect.provide(services), Effect.provideService(Tracer.Tracer, counting))
)
