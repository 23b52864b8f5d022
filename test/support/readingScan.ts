/** Completed scans in which a platform shows which pages it read, or none does. */
import { ArchiveStore, completeScan, deriveSources, sourceVersion } from "@sov/core"
import { answerTo, captureOf, seedScan } from "@sov/core/testing"
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

/**
 * Two questions on two platforms, whose answers name the brand first. `assistant_a` cites an own page for one of them,
 * and shows that it read it for both if `isShown`; `assistant_b` cites it for both and does not show what it reads.
 */
export const seedReadingScan = Effect.fnUntraced(function*(isShown: boolean) {
  const seeded = yield* seedScan()
  const seen = new Set<string>()
  for (const cell of seeded.cells) {
    const isFirst = !seen.has(cell.platform)
    seen.add(cell.platform)
    const payload = cell.platform === "assistant_a"
      ? payloadOf(isShown ? [own] : [], isFirst ? [own] : [])
      : payloadOf([], [own])
    const found = deriveSources({ adapter, payload, text: rawResponse, citations: [] })
    const capture = captureOf({ sourceVersion, found })
    const answer = yield* answerTo(cell, { adapter, payload, rawResponse, capture })
    yield* (yield* ArchiveStore).archive(seeded.organizationId, answer, null)
  }
  yield* completeScan(seeded.organizationId, seeded.scan.id)
  return seeded.organizationId
})
