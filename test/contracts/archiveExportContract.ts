import { ArchiveStore, KeywordStore, ScanStore } from "@sov/core"
import { addScan, at, keywords as makeKeywords, seedAnswers, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** What every ArchiveStore must keep for those who read all of it. */
export const archiveExportContract = storeContract("ArchiveStore: read as a whole", {
  "estimates how many answers match by the questions of scans": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan({ startedAt: at(10) })
    const { keywords, organizationId } = seed
    yield* seedAnswers(seed)
    const estimate = (filters: Parameters<typeof store.estimate>[1]) => store.estimate(organizationId, filters)
    const exact = (filters: Parameters<typeof store.count>[1]) => store.count(organizationId, filters)
    const kinds = [
      {},
      { platform: "assistant_b" },
      { platform: "assistant_e" },
      { keywordId: keywords[0]!.id },
      { keywordIds: [] },
      { keywordIds: keywords.map(({ id }) => id), platform: "assistant_a" },
      { to: at(9) },
      { from: at(10), to: at(30) }
    ] as const
    for (const filters of kinds) assert.equal(yield* estimate(filters), yield* exact(filters), JSON.stringify(filters))

    // What a scan asked that ended before is left out, and so is a keyword that was added later
    yield* (yield* ScanStore).end(organizationId, seed.scan.id, "completed", at(40))
    const made = yield* makeKeywords(["lightest anvil?"])
    const [later] = yield* (yield* KeywordStore).add(organizationId, made.map((one) => ({ ...one, createdAt: at(50) })))
    const next = yield* addScan(organizationId, [later!, ...keywords], { startedAt: at(60), samples: 2, cellCount: 12 })
    assert.equal(yield* estimate({}), 16)
    assert.equal(yield* estimate({ from: at(41) }), 12)
    assert.equal(yield* estimate({ to: at(59) }), 4)
    assert.equal(yield* estimate({ keywordId: later!.id }), 4)
    assert.equal(yield* estimate({ keywordIds: [later!.id, keywords[0]!.id], platform: "assistant_b" }), 5)
    assert.equal(yield* estimate({ scanId: next.scan.id, platform: "assistant_a" }), 6)
    assert.equal(yield* store.estimate((yield* seedScan()).organizationId, { scanId: next.scan.id }), 0)
  })
})
