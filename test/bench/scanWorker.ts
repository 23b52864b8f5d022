/**
 * A worker process for the makespan benchmark: `scanWorker.ts CONFIG KEYWORDS`, the database in SOV_DATABASE_URL or
 * SOV_DATA_DIR. Says `ready`; then each line on stdin starts a scan of a new organization, and the time from its commit
 * to its last archived answer is printed as JSON, with what it cost.
 */
import { ArchiveStore, initialize, startScan, startWorker } from "@sov/core"
import { layerPlatforms, parsePlatformConfig } from "@sov/core/outbound"
import { type Home, layerMigrated, layerPlacement } from "@sov/core/postgres"
import { Deferred, Effect, Layer, Redacted, Result, Tracer } from "effect"
import { SecureRandom } from "effect/crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"

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

let archived = 0
let lastArchived = Deferred.makeUnsafe<number>()
const timed = Layer.effect(
  ArchiveStore,
  Effect.map(ArchiveStore, (archive) => ({
    ...archive,
    archive: (...given: Parameters<typeof archive.archive>) =>
      Effect.tap(archive.archive(...given), () =>
        ++archived === Number(keywords) * 5
          ? Deferred.succeed(lastArchived, performance.now())
          : Effect.void)
  }))
)

const scanOnce = Effect.fnUntraced(function*(nth: number) {
  archived = 0
  lastArchived = Deferred.makeUnsafe()
  const { organization } = yield* initialize({
    name: `Bench ${nth}`,
    plan: "enterprise",
    tracking: {
      brand: { name: "Acme" },
      keywords: Array.from({ length: Number(keywords) }, (_, n) => ({ text: `question ${n}?` }))
    }
  })
  const [before, cpu] = [statements, process.cpuUsage()]
  yield* startScan(organization.id, { scanType: "manual", usesQuota: true, samples: 1 })
  const committed = performance.now()
  const ms = (yield* Deferred.await(lastArchived)) - committed
  const { system, user } = process.cpuUsage(cpu)
  return {
    ms,
    statements: statements - before,
    cpuMs: (user + system) / 1000,
    rssMb: process.memoryUsage().rss / 1e6
  }
})

const program = Effect.gen(function*() {
  yield* startWorker()
  yield* Effect.sleep("2 seconds")
  console.log("ready")
  let nth = 0
  while (true) {
    yield* Effect.promise(() => once(process.stdin, "data"))
    console.log(JSON.stringify(yield* scanOnce(nth++)))
  }
})

const storage = layerPlacement(home).pipe(Layer.provideMerge(layerMigrated(home)))
const services = timed.pipe(
  Layer.provideMerge(storage),
  Layer.merge(layerPlatforms(Result.getOrThrow(parsePlatformConfig(readFileSync(config ?? "", "utf8"), "bench")), {})),
  Layer.merge(SecureRandom.layerWebCrypto)
)
process.on("SIGINT", () => process.exit())
await Effect.runPromise(
  Effect.scoped(program).pipe(Effect.provide(services), Effect.provideService(Tracer.Tracer, counting))
)
