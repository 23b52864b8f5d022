/** One answer with its names, sources, seal, and the same question in the scans beside it. */
import { ArchiveStore, type OrganizationId, readAnswerDetail, readArchive, type Scan, wholeHistory } from "@sov/core"
import { addScan, answerTo, at, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { answeredScan, scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

/** The answer of a scan to the first question on a platform. */
const answerOf = Effect.fnUntraced(function*(id: OrganizationId, { id: scanId }: Scan, platform = "assistant_a") {
  const { rows } = yield* readArchive(id, wholeHistory, { scanId }, { limit: 100 })
  return rows.find((row) => row.platform === platform && row.promptUsed.endsWith("0?"))!
})

describe("readAnswerDetail", () => {
  it("the detail shows whom the answer mentions, how it was obtained, and what changed between scans", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const first = yield* scanWith(id, 10, () => "Acme Forge leads.")
      const second = yield* scanWith(id, 20, () => "Globex, then Acme Forge.")
      const third = yield* answeredScan(id, 30, () => "Initech alone.")
      const row = yield* answerOf(id, second)
      const detail = yield* readAnswerDetail(id, wholeHistory, row.id)
      expect(detail.row.rawResponse).toBe("Globex, then Acme Forge.")
      expect(detail.keyword.text).toBe(row.promptUsed)
      expect(detail.call).toMatchObject({ model: "test-model", latencyMs: 1234, finish: "stop", sample: 1 })
      const names = detail.measured!.mentions.map(({ end, name, start, who }) => [
        who,
        name,
        detail.row.rawResponse.slice(start, end)
      ])
      expect(names).toEqual([["competitor", "Globex", "Globex"], ["brand", "Acme Forge", "Acme Forge"]])
      expect(detail.sources?.sources).toHaveLength(2)
      expect(detail.sources?.queries).toHaveLength(2)
      expect(detail.seal).toMatchObject({ scanId: second.id, sequence: 2 })
      expect(detail.before).toMatchObject({ answer: { scanId: first.id } })
      expect(detail.before!.changes).toContain("place 1 → 2")
      // Its scan runs: neither measured here nor sealed
      expect(detail.after).toMatchObject({ answer: { scanId: third.id }, changes: null })
      const last = yield* readAnswerDetail(id, wholeHistory, (yield* answerOf(id, third)).id)
      expect(last).toMatchObject({ seal: null, measured: null, after: null })
    })))

  it("the detail omits an earlier answer outside the window", () =>
    storage.run(Effect.gen(function*() {
      const { cells, keywords: asked, organizationId } = yield* seedScan()
      const later = yield* addScan(organizationId, asked, { startedAt: at(200) })
      const archive = yield* ArchiveStore
      const old = yield* answerTo(cells[0]!, { createdAt: at(100) })
      const young = yield* answerTo(later.cells[0]!, { createdAt: at(200) })
      for (const answer of [old, young]) yield* archive.append(organizationId, answer)
      const read = (seconds: number) => readAnswerDetail(organizationId, { since: at(seconds) }, young.id)
      expect((yield* read(100)).before).toMatchObject({ answer: { id: old.id } })
      expect((yield* read(101)).before).toBe(null)
      expect(yield* Effect.flip(read(201))).toMatchObject({ _tag: "OutsideWindow", what: "answer", id: young.id })
    })))
})
