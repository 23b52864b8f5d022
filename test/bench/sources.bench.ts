/**
 * The cost of sources for the archive, on Postgres, with 11 sources per answer of 2 kB, in interleaved rounds:
 * archiving with sources (read from the payload, written with the answer) compared with archiving without them, and a
 * page with sources deep in the archive compared with the first page. SOV_BENCH_ROUNDS (20) of 200 answers each.
 */
import {
  type AnswerId,
  type ArchivePosition,
  ArchiveStore,
  captureAnswer,
  type Cell,
  KeywordStore,
  type OrganizationId
} from "@sov/core"
import { addScan, answerTo, keywords, measurementOf, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it, onTestFinished } from "vitest"
import { openStorage } from "../support/storage.ts"

const rounds = Number(process.env["SOV_BENCH_ROUNDS"] ?? 20)
const perRound = 200
const pageRounds = 100
const text = "Acme makes the best anvil. ".repeat(2000 / 27)

/** A response of the Responses API with eleven sources. */
const payload = new TextEncoder().encode(JSON.stringify({
  output: [
    {
      type: "web_search_call",
      action: {
        type: "search",
        queries: ["best anvil for a small workshop", "anvil test"],
        sources: Array.from({ length: 8 }, (_, n) => ({ type: "url", url: `https://www.test${n}.example/anvils/${n}` }))
      }
    },
    {
      type: "message",
      content: [{
        type: "output_text",
        text,
        annotations: Array.from({ length: 3 }, (_, n) => ({
          type: "url_citation",
          url: `https://cited${n}.example/best-anvils?utm_source=openai`,
          title: "The best anvils of the year, tested",
          start_index: n,
          end_index: n + 9
        }))
      }]
    }
  ]
}))

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const capture = () =>
  captureAnswer("openai-responses", {
    text,
    payload,
    citations: [],
    model: "m",
    finish: "stop",
    usage: { inputTokens: 1, outputTokens: 1, costUsd: null },
    latencyMs: 1,
    simulated: false,
    search: "offered"
  })

/** Milliseconds to read the sources of one answer. */
const readingMs = () =>
  median(Array.from({ length: 500 }, () => {
    const begun = performance.now()
    capture()
    return performance.now() - begun
  }))

/** Milliseconds to archive an answer for each cell, eight at a time. */
const archiveAll = Effect.fnUntraced(
  function*(organizationId: OrganizationId, cells: ReadonlyArray<Cell>, sourced: boolean) {
    const archive = yield* ArchiveStore
    const begun = performance.now()
    yield* Effect.forEach(
      cells,
      Effect.fnUntraced(function*(cell) {
        const fields = { rawResponse: text, payload, createdAt: new Date() }
        const answer = sourced
          ? yield* answerTo(cell, {
            ...fields,
            capture: capture()
          })
          : yield* answerTo(cell, fields, 1)
        yield* archive.archive(organizationId, answer, measurementOf(answer))
      }),
      { concurrency: 8, discard: true }
    )
    return performance.now() - begun
  }
)

it("the cost of sources for the archive is measured", async () => {
  const storage = openStorage("postgres")
  onTestFinished(storage.close)
  await storage.run(Effect.gen(function*() {
    const prepare = Effect.gen(function*() {
      const { organizationId } = yield* seedScan()
      const asked = yield* keywords(Array.from({ length: perRound / 2 }, (_, n) => `best anvil ${n}?`))
      yield* (yield* KeywordStore).add(organizationId, asked)
      return { organizationId, asked }
    })
    const subjects = { without: yield* prepare, with: yield* prepare }
    const times = { without: [] as Array<number>, with: [] as Array<number> }
    for (let round = 0; round < rounds; round++) {
      for (const kind of round % 2 === 0 ? ["without", "with"] as const : ["with", "without"] as const) {
        const { asked, organizationId } = subjects[kind]
        const { cells } = yield* addScan(organizationId, asked)
        expect(cells).toHaveLength(perRound)
        times[kind].push(yield* archiveAll(organizationId, cells, kind === "with"))
      }
    }
    const perAnswer = (taken: ReadonlyArray<number>) => (median(taken) / perRound).toFixed(2)
    console.log(
      `archiving with sources: ${(median(times.without) / median(times.with)).toFixed(2)} × the rate without ` +
        `(${perAnswer(times.with)} and ${perAnswer(times.without)} ms an answer), of which reading them from the ` +
        `payload takes ${readingMs().toFixed(2)} ms`
    )

    const { organizationId } = subjects.with
    const sql = yield* SqlClient.SqlClient
    yield* sql`vacuum analyze`
    const archive = yield* ArchiveStore
    const [deep] = yield* sql<ArchivePosition & { readonly id: AnswerId }>`
      select created_at as "createdAt", id from answer where organization_id = ${organizationId}
      order by created_at desc, id desc offset ${Math.floor(rounds * perRound * 0.9)} limit 1
    `
    const page = (after?: ArchivePosition) =>
      archive.page(organizationId, {}, { limit: 50, provenance: true, ...after === undefined ? {} : { after } })
    const pages = { first: [] as Array<number>, deep: [] as Array<number> }
    for (let round = 0; round < pageRounds; round++) {
      for (const [kind, after] of [["first", undefined], ["deep", deep]] as const) {
        const begun = performance.now()
        expect(yield* page(after)).toHaveLength(50)
        pages[kind].push(performance.now() - begun)
      }
    }
    console.log(
      `page with sources: first ${median(pages.first).toFixed(2)} ms, at depth 0.9 ${
        (median(pages.deep) / median(pages.first)).toFixed(2)
      } × that`
    )
  }))
}, 3_600_000)
