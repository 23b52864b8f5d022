/** The funnel in one line: in the highlights of sources and in the digest, only where a platform shows what it read. */
import {
  factsOf,
  readDigest,
  readFunnels,
  readSourceHighlights,
  readSources,
  renderDigest,
  wholeHistory
} from "@sov/core"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { seedReadingScans } from "../../support/readingScan.ts"
import { openStorage } from "../../support/storage.ts"

const { close, run } = openStorage("embedded")
afterAll(close)

/** Later than every scan here, which complete by the real clock. */
const later = Effect.sync(() => new Date(Date.now() + 60_000))

it("the funnel counts the platform that shows which pages it read, and the digest reports this in one line", () =>
  run(Effect.gen(function*() {
    // No platform shows what it read in the first scan, so its answers are not counted
    const id = yield* seedReadingScans([false, true])
    const { funnel } = yield* readSourceHighlights(id, wholeHistory)
    const { platforms } = yield* readFunnels(id, yield* readSources(id, wholeHistory, { scans: 4 }))
    expect(funnel).toEqual(platforms.find(({ platform }) => platform === "assistant_a")!.funnel)
    expect([funnel!.scanIds.size, funnel!.answers, ...funnel!.steps.map(({ answers, step }) => [step, answers])])
      .toEqual([
        1,
        2,
        ["retrieved", 2],
        ["cited", 1],
        ["named", 1],
        ["named_first", 1]
      ])
    const digest = yield* readDigest(id, yield* later)
    const lines = factsOf(digest).filter(([name]) => name === "Your pages")
    expect(lines).toHaveLength(1)
    expect(lines[0]![1].replaceAll(/, 95 % interval [\d.]+ % to [\d.]+ %/g, ", …")).toBe(
      "retrieved in 2 (100 %, …), cited in 1 (50 %, …), cited with your name in 1 (50 %, …), " +
        "with your name first in 1 (50 %, …) of 2 answers of 1 scan of 2 Feb 2026 (assistant_a). " +
        "Questions weigh equally. The intervals are for other questions like these."
    )
    expect(renderDigest(digest).text.replaceAll(/ +/g, " ")).toContain(`Your pages: ${lines[0]![1]}`)

    const both = factsOf(yield* readDigest(yield* seedReadingScans([true, true]), yield* later))
    expect(both.find(([name]) => name === "Your pages")![1]).toContain(
      " of 4 answers of 2 scans of 1 Feb 2026 to 2 Feb 2026 (assistant_a)."
    )
  })))

it("the digest has no funnel line if no platform shows which pages it read", () =>
  run(Effect.gen(function*() {
    const id = yield* seedReadingScans([false])
    expect((yield* readSourceHighlights(id, wholeHistory)).funnel).toBeNull()
    const digest = yield* readDigest(id, yield* later)
    expect([digest.score === null, digest.funnel]).toEqual([false, null])
    expect(factsOf(digest).map(([name]) => name)).not.toContain("Your pages")
  })))
