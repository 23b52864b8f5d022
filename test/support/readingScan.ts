/** Completed scans in which a platform shows which pages it read, or none does. */
import { ArchiveStore, completeScan, deriveSources, sourceVersion } from "@sov/core"
import { addScan, answerTo, at, captureOf, type SeededScan, seedScan } from "@sov/core/testing"
import { Effect } from "effect"

const adapter = "openai-responses"
const own = "https://www.acmeforge.example/anvils"
const rawResponse = "Acme Forge leads."

/** A body of the Responses API that read `read` and cites `cited`. */
const payloadOf = (read: ReadonlyArray<string>, cited: ReadonlyArray<string>) =>
  new TextEncoder().encode(JSON.stringify({
    output: [
      {
        type: "web_search_call",
        action: { type: "search", queries: ["anvil test"], sources: read.map((url) => ({ type: "url", url })) }
      },
      {
        type: "message",
        content: [{
          type: "output_text",
          text: rawResponse,
          annotations: cited.map((url) => ({ type: "url_citation", url }))
        }]
      }
    ]
  }))

const answerAll = Effect.fnUntraced(
  function*({ cells, organizationId, scan }: Pick<SeededScan, "cells" | "organizationId" | "scan">, isShown: boolean) {
    const seen = new Set<string>()
    for (const cell of cells) {
      const isFirst = !seen.has(cell.platform)
      seen.add(cell.platform)
      const payload = cell.platform === "assistant_a"
        ? payloadOf(isShown ? [own] : [], isFirst ? [own] : [])
        : payloadOf([], [own])
      const found = deriveSources({ adapter, payload, text: rawResponse, citations: [] })
      const capture = captureOf({ sourceVersion, found })
      const answer = yield* answerTo(cell, { adapter, payload, rawResponse, capture })
      yield* (yield* ArchiveStore).archive(organizationId, answer, null)
    }
    yield* completeScan(organizationId, scan.id)
  }
)

/**
 * Scans of two questions on two platforms, a day apart, whose answers name the brand first. `assistant_a` cites an own
 * page for one of them, and shows that it read it for both if `isShown` of the scan; `assistant_b` cites it for both
 * and does not show what it reads.
 */
export const seedReadingScans = Effect.fnUntraced(function*(isShown: ReadonlyArray<boolean>) {
  const { keywords, organizationId, ...first } = yield* seedScan()
  for (const [n, shown] of isShown.entries()) {
    const made = n === 0 ? first : yield* addScan(organizationId, keywords, { startedAt: at(10 + 86_400 * n) })
    yield* answerAll({ ...made, organizationId }, shown)
  }
  return organizationId
})
