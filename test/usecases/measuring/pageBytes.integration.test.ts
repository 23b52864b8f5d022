/** A page of answers that are measured again ends at a number of bytes, however long the answers are. */
import { ArchiveStore, MeasurementStore } from "@sov/core"
import { answerTo, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

it("a page ends with the answer that reaches its byte limit, and the next page begins with the following answer", () =>
  storage.run(Effect.gen(function*() {
    const { cells, organizationId, scan } = yield* seedScan()
    const archive = yield* ArchiveStore
    for (const cell of cells.slice(0, 3)) {
      yield* archive.append(organizationId, yield* answerTo(cell, { rawResponse: "a".repeat(4_200_000) }))
    }
    const { newest, unmeasured } = yield* MeasurementStore
    const versions = { measureVersion: 1, trackedSetVersion: 1 }
    const first = yield* newest(organizationId, scan.id, 9)
    expect(first).toHaveLength(2)
    expect(yield* unmeasured(organizationId, scan.id, versions, 9)).toHaveLength(2)
    expect(yield* newest(organizationId, scan.id, 9, first.at(-1)!.answerId)).toHaveLength(1)
  })))
