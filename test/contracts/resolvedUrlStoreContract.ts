import { ArchiveStore, redirectPrefix, type ResolvedUrl, ResolvedUrlStore, resolveOutcomes } from "@sov/core"
import { answerTo, at, captureOf, seedOrganization, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

export const resolvedUrlOf = (fields: Partial<ResolvedUrl> = {}): ResolvedUrl => ({
  url: `${redirectPrefix}a`,
  target: "https://test.example/a",
  outcome: "resolved",
  resolvedAt: at(50),
  ...fields
})

/** What is kept with an answer that names these addresses. */
const capturing = (...urls: ReadonlyArray<string>) => {
  const [source] = captureOf().found.sources
  const sources = urls.map((url) => ({ ...source!, url, page: null }))
  return { capture: captureOf({ found: { ...captureOf().found, sources } }) }
}

/** What every ResolvedUrlStore must keep. */
export const resolvedUrlStoreContract = storeContract("ResolvedUrlStore", {
  "gives targets, and leaves a row that exists as it is": Effect.fnUntraced(function*() {
    const store = yield* ResolvedUrlStore
    const { id } = yield* seedOrganization()
    const odd = `${redirectPrefix}ß\u{1F6E0}'"\\`
    yield* store.insert(id, resolvedUrlOf())
    yield* store.insert(id, resolvedUrlOf({ target: "https://other.example/" }))
    yield* store.insert(id, resolvedUrlOf({ url: odd, target: "http://169.254.169.254/" }))
    for (const outcome of resolveOutcomes.filter((one) => one !== "resolved")) {
      yield* store.insert(id, resolvedUrlOf({ url: `${redirectPrefix}${outcome}`, target: null, outcome }))
    }
    const many = Array.from({ length: 12_000 }, (_, n) => `${redirectPrefix}none/${n}`)
    const asked = [...many, `${redirectPrefix}a`, `${redirectPrefix}gone`, odd]
    assert.deepEqual(
      yield* store.listTargets(id, asked),
      new Map([[`${redirectPrefix}a`, "https://test.example/a"], [odd, "http://169.254.169.254/"]])
    )
    assert.deepEqual(yield* store.listTargets(id, []), new Map())
  }),

  "lists recent answers of the platforms with addresses that have no row, page by page": Effect.fnUntraced(
    function*() {
      const store = yield* ResolvedUrlStore
      const archive = yield* ArchiveStore
      const { cells, organizationId } = yield* seedScan()
      const url = (name: string) => `${redirectPrefix}${name}`
      const add = Effect.fnUntraced(function*(n: number, seconds: number, ...urls: ReadonlyArray<string>) {
        const answer = yield* answerTo(
          cells[n]!,
          { ...capturing(...urls), createdAt: at(seconds) },
          n === 0 ? undefined : 1
        )
        yield* archive.append(organizationId, answer)
        return answer
      })
      const old = yield* add(0, 10, url("a"))
      const both = yield* add(1, 20, url("b"), url("a"), "https://test.example/a")
      const plain = yield* add(
        2,
        30,
        "https://test.example/a",
        "http://vertexaisearch.cloud.google.com/grounding-api-redirect/x"
      )
      const last = yield* add(3, 40, url("c"))
      const platforms = [...new Set([old, both, plain, last].map(({ platform }) => platform))]
      const list = (options: Partial<Parameters<typeof store.listUnresolved>[1]> = {}) =>
        store.listUnresolved(organizationId, { prefix: redirectPrefix, platforms, since: at(0), limit: 9, ...options })
      const entry = ({ id, platform }: typeof old, ...urls: ReadonlyArray<string>) => ({ answerId: id, platform, urls })
      const all = [entry(old, url("a")), entry(both, url("a"), url("b")), entry(last, url("c"))].toSorted((a, b) =>
        a.answerId < b.answerId ? -1 : 1
      )
      assert.deepEqual(yield* list(), all)
      assert.deepEqual(yield* list({ limit: 1 }), all.slice(0, 1))
      assert.deepEqual(yield* list({ after: all[0]!.answerId }), all.slice(1))
      assert.deepEqual(yield* list({ since: at(15) }), all.filter(({ answerId }) => answerId !== old.id))
      assert.deepEqual(yield* list({ platforms: [] }), [])
      const one = all.filter(({ platform }) => platform === last.platform)
      assert.deepEqual(yield* list({ platforms: [last.platform] }), one)
      yield* store.insert(organizationId, resolvedUrlOf({ url: url("a") }))
      yield* store.insert(organizationId, resolvedUrlOf({ url: url("c"), target: null, outcome: "gone" }))
      assert.deepEqual(yield* list(), [entry(both, url("b"))])
    }
  )
})
