import { ArchiveStore, SourceStore } from "@sov/core"
import { answerTo, at, captureOf, seedAnswers, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { unmeasured } from "./archiveStoreContract.ts"
import { storeContract } from "./storeContract.ts"

/** What every ArchiveStore must keep of where answers came from. */
export const archivedSourcesContract = storeContract("ArchiveStore: sources", {
  "keeps what is captured with an answer, in both ways of adding one, and gives it where it is asked for": Effect
    .fnUntraced(
      function*() {
        const store = yield* ArchiveStore
        const sources = yield* SourceStore
        const { cells: [one, two, three, four], organizationId } = yield* seedScan()
        const first = yield* answerTo(one!, { createdAt: at(24) })
        const second = yield* answerTo(two!, {
          createdAt: at(23),
          capture: captureOf({
            search: null,
            sourceVersion: 7,
            found: { status: "unreadable", sources: [], queries: [], cut: 3 }
          })
        })
        const old = yield* answerTo(three!, { createdAt: at(22) }, 1)
        assert.equal(yield* store.append(organizationId, first), true)
        assert.equal(yield* store.archive(organizationId, second, null), true)
        assert.equal(yield* store.append(organizationId, old), true)
        assert.equal(yield* store.append(organizationId, yield* answerTo(one!)), false)
        const all = [first, second, old]
        for (const answer of all) assert.deepEqual(yield* store.find(organizationId, answer.id), unmeasured(answer))
        const limit = { limit: 9, textBytes: 10_000 }
        assert.deepEqual(yield* store.page(organizationId, {}, { ...limit, provenance: true }), all.map(unmeasured))
        const history = yield* store.history(organizationId, {}, { ...limit, provenance: true })
        assert.deepEqual(history?.rows, all.map(unmeasured))
        const bare = all.map((answer) => {
          const { provenance: _, ...row } = unmeasured(answer)
          return row
        })
        assert.deepEqual(yield* store.page(organizationId, {}, limit), bare)
        assert.deepEqual((yield* store.history(organizationId, {}, limit))?.rows, bare)
        assert.deepEqual(yield* sources.find(organizationId, first.id), {
          ...first.capture!.found,
          answerId: first.id,
          sourceVersion: first.capture!.sourceVersion,
          derivedAt: first.createdAt
        })
        assert.equal(yield* sources.find(organizationId, old.id), null)
        // Readers of a sealed answer get what is sealed, however often its sources are derived again
        const later = { status: "complete", sources: [], queries: ["later"], cut: 0, derivedAt: at(30) } as const
        yield* sources.insert(organizationId, all.map(({ id }) => ({ ...later, answerId: id, sourceVersion: 9 })))
        assert.deepEqual(yield* store.find(organizationId, first.id), unmeasured(first))
        assert.deepEqual((yield* store.find(organizationId, old.id))?.provenance?.queries, ["later"])
        assert.equal(yield* store.archive(organizationId, yield* answerTo(four!), null), true)
      }
    ),

  "counts sources into the bytes of a page": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    yield* seedAnswers(seed)
    const rows = (provenance: boolean) =>
      Effect.map(
        store.history(seed.organizationId, {}, { limit: 9, textBytes: 300, provenance }),
        (found) => found?.rows.length
      )
    assert.equal(yield* rows(false), 4)
    assert.equal(yield* rows(true), 1)
  })
})
