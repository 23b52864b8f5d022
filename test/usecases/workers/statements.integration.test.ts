/** How many statements background work sends to the database: a loop that turns too often fails here and nowhere else. */
import { startScan, startWorker } from "@sov/core"
import { Effect, Tracer } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import {
  awaitScanEnd,
  initializeOrganization,
  layerLocalPlacement,
  layerPlatforms,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

/** Counts statements by their text. */
const makeCounter = () => {
  const counts = new Map<string, number>()
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const attribute = span.attribute.bind(span)
      span.attribute = (key, value) => {
        if (key === "db.query.text") counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
        attribute(key, value)
      }
      return span
    }
  })
  const count = (isCounted: (statement: string) => boolean) =>
    [...counts].reduce((sum, [statement, times]) => isCounted(statement) ? sum + times : sum, 0)
  return { count, tracer }
}

const claims = "attempts >= "
const answers = "'answered'"

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it(
    "claiming 300 questions of three scans takes one statement each, at most one more per scan, and few others",
    () =>
      storage.run(
        Effect.gen(function*() {
          const { count, tracer } = makeCounter()
          const ask = () => Effect.delay(Effect.succeed(scriptedAnswer("Acme.")), "2 millis")
          const organizations = yield* Effect.forEach([1, 2, 3], () => initializeOrganization(100))
          let polls = 0
          yield* Effect.scoped(Effect.gen(function*() {
            const scans = yield* Effect.forEach(organizations, (id) => startScan(id, scanRequest))
            const begun = performance.now()
            yield* Effect.provideService(startWorker(), Tracer.Tracer, tracer)
            yield* Effect.forEach(scans, (scan, n) => awaitScanEnd(organizations[n]!, scan.id), { discard: true })
            polls = 1 + (performance.now() - begun) / 2_000
          })).pipe(Effect.provide(layerPlatforms(scriptedPlatform("assistant_a", ask, 4))))
          const claimed = count((statement) => statement.includes(claims))
          expect(claimed).toBeGreaterThan(300 / 4 - 1)
          // The last claim of each scan may find nothing left
          expect(claimed).toBeLessThanOrEqual(300 + 3)
          const others = count((statement) => !statement.includes(claims) && !statement.includes(answers))
          // Completing a scan, and finding what to do next, takes about 60; a poll of all loops takes ten
          expect(others).toBeLessThan(3 * 66 + 10 * polls)
        }).pipe(Effect.provide(layerLocalPlacement))
      ),
    60_000
  )
})
