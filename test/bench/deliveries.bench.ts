/**
 * Measures 10,000 deliveries to 16 endpoints on loopback, from the first read to the last stored outcome, against a
 * plain undici loop that posts the same bytes with the same concurrency and stores nothing. The receiver is a separate
 * process. Then measures the same number of deliveries to 800 endpoints against one endpoint: the cost of a post must
 * not grow with the number of endpoints. SOV_BENCH_DELIVERIES sets another number. Prints ratios.
 */
import { addEndpoint, EventOutbox, type OrganizationId, startWorker } from "@sov/core"
import { seedOrganization, type Stores } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Agent, request } from "undici"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { chatMessage, scanCompleted } from "../contracts/webhookSeeds.ts"
import { homes } from "../support/homes.ts"
import { layerLocalPlacement, layerPlatforms } from "../support/scriptedPlatforms.ts"
import { openStorage } from "../support/storage.ts"

const total = Number(process.env["SOV_BENCH_DELIVERIES"] ?? "10000")
const rounds = Number(process.env["SOV_BENCH_ROUNDS"] ?? "3")
const inFlight = 64
/** Number of organizations, and of endpoints in each. */
const [usual, single, many] = [[16, 1], [1, 1], [16, 50]] as const

const startReceiver = async (): Promise<string> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./plainReceiver.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.stdin.end())
  const [port] = await once(child.stdout, "data")
  return `http://127.0.0.1:${String(port).trim()}/`
}

/** Measures elapsed time and CPU time since its creation. */
const stopwatch = () => {
  const [begun, cpu] = [performance.now(), process.cpuUsage()]
  return () => {
    const { system, user } = process.cpuUsage(cpu)
    return { ms: performance.now() - begun, cpuMs: (user + system) / 1000 }
  }
}

const plain = async (url: string, body: Uint8Array) => {
  const dispatcher = new Agent({ connections: inFlight })
  let left = total
  const watch = stopwatch()
  await Promise.all(Array.from({ length: inFlight }, async () => {
    while (left-- > 0) await (await request(url, { method: "POST", body, dispatcher })).body.dump()
  }))
  const taken = watch()
  await dispatcher.close()
  return taken
}

/** Creates organizations with endpoints, and their events in the outbox. */
const seed = Effect.fnUntraced(function*(url: string, [organizations, endpoints]: readonly [number, number]) {
  const outbox = yield* EventOutbox
  const sql = yield* SqlClient.SqlClient
  const ids: Array<OrganizationId> = []
  for (let n = 0; n < organizations; n++) {
    const { id } = yield* seedOrganization()
    for (let m = 0; m < endpoints; m++) yield* addEndpoint(id, `${url}${id}/${m}`, ["scan.completed"])
    ids.push(id)
  }
  for (const id of ids) {
    yield* sql.withTransaction(Effect.forEach(
      Array.from({ length: Math.floor(total / organizations / endpoints) }),
      () => Effect.flatMap(scanCompleted(new Date()), (event) => outbox.put(id, event, chatMessage)),
      { discard: true }
    ))
  }
})

const stateOf = Effect.fnUntraced(function*(state: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    select count(*)::int as count from webhook_delivery where state = ${state}
  `
  return row!.count
})

const delivered = Effect.scoped(Effect.gen(function*() {
  const [before, pending] = [yield* stateOf("delivered"), yield* stateOf("pending")]
  const watch = stopwatch()
  const worker = yield* startWorker()
  while ((yield* stateOf("pending")) > 0) yield* Effect.sleep("20 millis")
  const taken = watch()
  yield* worker.stop("1 second")
  expect((yield* stateOf("delivered")) - before).toBe(pending)
  return { rate: pending / taken.ms, cpuMs: taken.cpuMs / pending }
}))

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  it("deliveries are measured", async () => {
    const url = await startReceiver()
    const run = <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient.SqlClient>) => storage.run(effect)
    const deliver = async (to: readonly [number, number]) => {
      await run(Effect.provide(seed(url, to), layerPlatforms()))
      return run(Effect.provide(delivered, Layer.merge(layerPlatforms(), layerLocalPlacement)))
    }
    const ratios: Array<string> = []
    for (let round = 0; round < rounds; round++) {
      const loop = await plain(url, new Uint8Array(220).fill(97))
      const own = await deliver(usual)
      const [toOne, toMany] = [await deliver(single), await deliver(many)]
      ratios.push(
        `${(own.rate / (total / loop.ms)).toFixed(2)} of the plain loop's rate (${own.rate.toFixed(1)} a ms; its ` +
          `processor time ${own.cpuMs.toFixed(3)} ms each, the loop's ${(loop.cpuMs / total).toFixed(3)}); to 800 ` +
          `endpoints ${(toMany.cpuMs / toOne.cpuMs).toFixed(2)} × the processor time of one (${
            toMany.cpuMs.toFixed(3)
          } and ${toOne.cpuMs.toFixed(3)} ms each)`
      )
    }
    console.log(`${total} deliveries, ${home}: ${ratios.join("; ")}`)
  }, 600_000)
})
