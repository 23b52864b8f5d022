/**
 * Redirects of archived answers, from the archive to the report: when they are tried, and what the reports make of
 * them.
 */
import {
  ArchiveStore,
  completeScan,
  exportSources,
  isGroundingRedirect,
  KeywordStore,
  listCitedSites,
  makeRedirectMemory,
  type PlatformId,
  readAnswerSources,
  readSources,
  redirectPrefix,
  type RedirectReply,
  RedirectResolver,
  ResolvedUrlStore,
  resolveRedirects,
  TrackedSetStore,
  wholeHistory
} from "@sov/core"
import { addScan, answerTo, at, captureOf, keywords, seedOrganization, seedScan, trackedSet } from "@sov/core/testing"
import type { Stores } from "@sov/core/testing"
import { Clock, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const url = (name: string) => `${redirectPrefix}${name}`

/** Answers to all cells of a new scan; each names its own redirect, in `count` sources. */
const archiveRedirects = Effect.fnUntraced(function*(count = 1) {
  const seed = yield* seedScan()
  const answers = yield* Effect.forEach(seed.cells, (cell, n) => {
    const sources = Array.from({ length: count }, (_, i) => ({
      kind: "cited" as const,
      url: url(`${n}/${i}`),
      title: "test.example",
      start: null,
      end: null,
      page: null,
      host: "test.example",
      domain: "test.example"
    }))
    const capture = captureOf({ found: { status: "complete", sources, queries: [], cut: 0 } })
    return answerTo(cell, { capture, createdAt: at(10 + n) })
  })
  for (const answer of answers) {
    expect(yield* (yield* ArchiveStore).archive(seed.organizationId, answer, null)).toBe(true)
  }
  return { ...seed, answers }
})

/** Asks platforms by this function, and keeps which addresses were asked. */
const resolving = (reply: (url: string) => Effect.Effect<RedirectReply>, ...platforms: ReadonlyArray<PlatformId>) => {
  const asked: Array<string> = []
  const resolve = (one: string) => Effect.suspend(() => (asked.push(one), reply(one)))
  const layer = Layer.succeed(RedirectResolver, new Map(platforms.map((id) => [id, resolve])))
  return { asked, layer }
}

const both = ["assistant_a", "assistant_b"] as const

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run = <A, E>(program: Effect.Effect<A, E, Stores>): Promise<A> =>
    storage.run(
      Effect.andThen(TestClock.setTime(at(60).getTime()), program).pipe(Effect.provide(TestClock.layer()))
    )

  it("the target of a redirect appears in the export, in the report and beside the answer; the archive is unchanged", () =>
    run(Effect.gen(function*() {
      const { answers, organizationId, scan } = yield* archiveRedirects()
      yield* completeScan(organizationId, scan.id)
      const before = yield* readSources(organizationId, wholeHistory, { scans: 1 })
      expect(listCitedSites(before.rows, "page")).toEqual([])
      const { asked, layer } = resolving(
        (one) =>
          Effect.succeed({ outcome: "resolved", target: `https://www.acmeforge.example/${one.at(-3)}?utm_source=x` }),
        ...both
      )
      yield* Effect.provide(resolveRedirects(makeRedirectMemory()), layer)
      yield* Effect.provide(resolveRedirects(makeRedirectMemory()), layer)
      expect(asked.filter((one) => answers.some((_, n) => one === url(`${n}/0`))).toSorted()).toEqual(
        answers.map((_, n) => url(`${n}/0`))
      )
      const report = yield* readSources(organizationId, wholeHistory, { scans: 1 })
      expect(listCitedSites(report.rows, "page").map(({ name }) => name).toSorted()).toEqual(
        answers.map((_, n) => `https://acmeforge.example/${n}`)
      )
      const exported = (yield* Stream.runCollect(exportSources(organizationId, wholeHistory, null))).flat()
      expect(exported.map(({ domain, host, owner, page }) => `${domain} ${host} ${owner.kind} ${page}`).toSorted())
        .toEqual(
          answers.map((_, n) => `acmeforge.example acmeforge.example own https://acmeforge.example/${n}`)
        )
      expect(new Set(exported.map(({ resolved }) => resolved))).toEqual(
        new Set(answers.map((_, n) => `https://www.acmeforge.example/${n}?utm_source=x`))
      )
      const shown = yield* readAnswerSources(organizationId, answers[0]!.id)
      expect(shown?.targets).toEqual(new Map([[url("0/0"), "https://www.acmeforge.example/0?utm_source=x"]]))
      expect(shown?.sources.every((source) => isGroundingRedirect(source.url) && source.page === null)).toBe(true)
    })))

  it("an address that does not answer is tried five times within a day, then marked as failed", () =>
    run(Effect.gen(function*() {
      const { organizationId } = yield* archiveRedirects()
      const times = new Map<string, Array<number>>()
      const { layer } = resolving(
        (one) =>
          Effect.map(Clock.currentTimeMillis, (ms): RedirectReply => {
            times.set(one, [...times.get(one) ?? [], ms])
            return { outcome: "unanswered" }
          }),
        "assistant_a"
      )
      const memory = makeRedirectMemory()
      for (let minute = 0; minute < 24 * 60; minute++) {
        if (minute % 10 < 3) yield* Effect.provide(resolveRedirects(memory), layer)
        yield* TestClock.adjust("1 minute")
      }
      expect(times.size).toBeGreaterThan(0)
      for (const asked of times.values()) {
        const minutes = asked.slice(1).map((ms, i) => (ms - asked[i]!) / 60_000)
        expect(minutes).toHaveLength(4)
        for (const [i, pause] of [1, 10, 60, 360].entries()) {
          expect(minutes[i]).toBeGreaterThanOrEqual(pause)
          expect(minutes[i]).toBeLessThan(pause + 10)
        }
      }
      expect(memory.tries.size).toBe(0)
      const left = yield* (yield* ResolvedUrlStore).listUnresolved(organizationId, {
        prefix: redirectPrefix,
        platforms: ["assistant_a"],
        since: at(0),
        limit: 9
      })
      expect(left).toEqual([])
    })))

  it("answers older than a day, and answers of platforms that do not redirect, are skipped", () =>
    run(Effect.gen(function*() {
      const { answers } = yield* archiveRedirects()
      const own = new Set(answers.flatMap(({ platform }, n) => platform === "assistant_b" ? [url(`${n}/0`)] : []))
      const off = resolving(() => Effect.succeed({ outcome: "gone", target: null }))
      yield* Effect.provide(resolveRedirects(makeRedirectMemory()), off.layer)
      expect(off.asked).toEqual([])
      const { asked, layer } = resolving(() => Effect.succeed({ outcome: "gone", target: null }), "assistant_b")
      yield* TestClock.setTime(at(14 + 86_400).getTime())
      yield* Effect.provide(resolveRedirects(makeRedirectMemory()), layer)
      expect(asked).toEqual([])
      yield* TestClock.setTime(at(60).getTime())
      yield* Effect.provide(resolveRedirects(makeRedirectMemory()), layer)
      expect(new Set(asked)).toEqual(own)
    })))

  it("one turn resolves a page of each organization's answers, and the next turn resolves the rest", () =>
    run(Effect.gen(function*() {
      const archiveFor = Effect.fnUntraced(function*(name: string, count: number) {
        const { id: organizationId } = yield* seedOrganization()
        yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet())
        const texts = Array.from({ length: count }, (_, n) => `question ${n}`)
        const asked = yield* (yield* KeywordStore).add(organizationId, yield* keywords(texts))
        const { cells } = yield* addScan(organizationId, asked, { platforms: ["assistant_a"] })
        for (const [n, cell] of cells.entries()) {
          const [source] = captureOf().found.sources
          const found = { ...captureOf().found, sources: [{ ...source!, url: url(`${name}/${n}`), page: null }] }
          const answer = yield* answerTo(cell, { capture: captureOf({ found }), createdAt: at(10) })
          expect(yield* (yield* ArchiveStore).append(organizationId, answer)).toBe(true)
        }
      })
      yield* archiveFor("first", 130)
      yield* archiveFor("second", 130)
      yield* archiveFor("small", 1)
      const { asked, layer } = resolving(() => Effect.succeed({ outcome: "unanswered" }), "assistant_a")
      const memory = makeRedirectMemory()
      const count = (name: string) => asked.filter((one) => one.startsWith(url(`${name}/`))).length
      yield* Effect.provide(resolveRedirects(memory), layer)
      expect([count("first"), count("second"), count("small")]).toEqual([100, 100, 1])
      yield* Effect.provide(resolveRedirects(memory), layer)
      expect([count("first"), count("second"), count("small")]).toEqual([130, 130, 1])
    })))

  it("four addresses are requested at the same time", () =>
    run(Effect.gen(function*() {
      yield* archiveRedirects(6)
      let [now, most] = [0, 0]
      const { layer } = resolving(
        () =>
          Effect.sync(() => most = Math.max(most, ++now)).pipe(
            Effect.andThen(Effect.yieldNow),
            Effect.andThen(Effect.sync((): RedirectReply => (now--, { outcome: "gone", target: null })))
          ),
        "assistant_a"
      )
      yield* Effect.provide(resolveRedirects(makeRedirectMemory()), layer)
      expect(most).toBe(4)
    })))
})
