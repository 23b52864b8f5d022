/** Logs with known counts: exact, however often and in whatever parts they are imported. */
import {
  builtInSources,
  importTraffic,
  initialize,
  type OrganizationId,
  readAiTraffic,
  type SignalCounts,
  type TrafficImportOptions,
  wholeHistory
} from "@sov/core"
import { takeBackup } from "@sov/core/postgres"
import { Effect, Exit, Fiber, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { accessRole, openStorage } from "../../support/storage.ts"
import { chunked } from "../../support/trafficImport.ts"
import { countedTraffic, ownHosts, secrets, sorted, trafficLog } from "../../support/trafficLog.ts"

/** An organization of this name whose brand has the domains of the log's site. */
const organization = (name: string) =>
  Effect.map(
    initialize({ name, plan: "pro", tracking: { brand: { name, domains: ownHosts } } }),
    (made) => made.organization.id
  )

const importing = (
  id: OrganizationId,
  log: Uint8Array | Stream.Stream<Uint8Array, string>,
  options: Partial<TrafficImportOptions> = {}
) =>
  importTraffic(id, log instanceof Uint8Array ? Stream.fromIterable(chunked(log, 100_000)) : log, {
    sources: builtInSources,
    ...options
  })

const made = (lines: number, seed: number) => {
  const { pieces, truth } = trafficLog(lines, seed)
  const bytes = Buffer.from([...pieces].join(""))
  return { bytes, truth }
}

const total = (counts: SignalCounts): number => counts.crawler + counts.referrer + counts.tag
const nothing: SignalCounts = { referrer: 0, tag: 0, crawler: 0 }

/** What the truth has of one signal. */
const truthOf = (counts: ReadonlyMap<string, number>, signal: string): number =>
  [...counts].reduce((sum, [key, count]) => key.split(" ")[1] === signal ? sum + count : sum, 0)

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home, accessRole)
  afterAll(storage.close)

  it("a log of 20,000 lines is counted exactly, each line once, and nothing about visitors is stored", () =>
    storage.run(Effect.gen(function*() {
      const { bytes, truth } = made(20_000, 1)
      const id = yield* organization("exact")
      const first = yield* importing(id, bytes)
      expect(first.log).toMatchObject({ format: "combined", lines: truth.lines, badLines: truth.badLines })
      expect(sorted(yield* countedTraffic(id))).toEqual(sorted(truth.counts))
      expect(first.added).toEqual(first.found)

      const second = yield* importing(id, bytes)
      expect(second).toMatchObject({ found: first.found, added: nothing })
      expect(sorted(yield* countedTraffic(id))).toEqual(sorted(truth.counts))

      const traffic = yield* readAiTraffic(id, wholeHistory, { crawlers: true, pages: 1000 })
      expect([traffic.referrerSignals.count, traffic.tagOnlyVisits.count, traffic.crawlers?.count]).toEqual(
        ["referrer", "tag", "crawler"].map((signal) => truthOf(truth.counts, signal))
      )
      for (const part of [traffic.referrerSignals, traffic.tagOnlyVisits]) {
        const sums = [part.assistants, part.assistants.flatMap(({ days }) => days), part.landingPages]
          .map((rows) => rows.reduce((sum: number, { count }) => sum + count, 0))
        expect(sums).toEqual([part.count, part.count, part.count])
      }
      expect([traffic.firstDay, traffic.lastDay]).toEqual(["2026-03-01", "2026-03-10"])

      let all = ""
      yield* takeBackup({ singleSession: home === "embedded" }, (piece) => Effect.sync(() => all += piece.text))
      expect(all).toContain("/page-1")
      expect(secrets.filter((secret) => bytes.includes(secret))).toEqual(secrets)
      expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
    })))

  it("each line counts once even if a log grew, was split, overlaps, was rotated or was joined", () =>
    storage.run(Effect.gen(function*() {
      const { bytes, truth } = made(3_000, 2)
      const id = yield* organization("parts")
      const third = Math.floor(bytes.length / 3)
      const lineEnd = (from: number) => bytes.indexOf(10, from) + 1
      // As it grows, cut in the middle of lines
      for (const end of [third, third + 1, 2 * third]) yield* importing(id, bytes.subarray(0, end))
      // The last hours, as a daily export has them, beginning with the rest of a line
      yield* importing(id, bytes.subarray(third + 40))
      // Rotated: two files, and both of them in the other order
      const middle = lineEnd(third + 5_000)
      const [older, newer] = [bytes.subarray(0, middle), bytes.subarray(middle)]
      yield* importing(id, newer)
      yield* importing(id, older)
      const { added } = yield* importing(id, Buffer.concat([newer, older]))
      expect(added).toEqual(nothing)
      expect(sorted(yield* countedTraffic(id))).toEqual(sorted(truth.counts))
    })))

  it("an import that was interrupted at any moment counts exactly when it is repeated", () =>
    storage.run(Effect.gen(function*() {
      const { bytes, truth } = made(15_000, 3)
      const id = yield* organization("ends")
      let kept = 0
      for (const share of [0.2, 0.55, 0.9]) {
        const part = Stream.fromIterable(chunked(bytes.subarray(0, Math.floor(bytes.length * share)), 65_536))
        const exit = yield* Effect.exit(importing(id, Stream.concat(part, Stream.fail("unreadable"))))
        expect(Exit.isFailure(exit)).toBe(true)
        const counted = [...(yield* countedTraffic(id)).values()].reduce((a, b) => a + b, 0)
        expect(counted).toBeGreaterThan(kept)
        kept = counted
      }
      const fiber = yield* Effect.forkChild(
        importing(id, Stream.concat(Stream.fromIterable(chunked(bytes, 65_536)), Stream.never))
      )
      yield* Effect.sleep("50 millis")
      yield* Fiber.interrupt(fiber)
      const { added } = yield* importing(id, bytes)
      expect(total(added)).toBeGreaterThan(0)
      expect(sorted(yield* countedTraffic(id))).toEqual(sorted(truth.counts))
    })))

  it("two simultaneous imports of one log count it once; a dry run counts nothing", () =>
    storage.run(Effect.gen(function*() {
      const { bytes, truth } = made(4_000, 4)
      const id = yield* organization("both")
      const dry = yield* importing(id, bytes, { dryRun: true })
      expect(dry.added).toEqual(dry.found)
      expect(yield* countedTraffic(id)).toEqual(new Map())
      const both = yield* Effect.all([importing(id, bytes), importing(id, bytes)], { concurrency: 2 })
      expect(both.reduce((sum, { added }) => sum + total(added), 0)).toBe(total(dry.found))
      expect(sorted(yield* countedTraffic(id))).toEqual(sorted(truth.counts))
      expect((yield* importing(id, bytes, { dryRun: true })).added).toEqual(nothing)
    })))

  it("signals are reported by inclusive days, never added together, with the reasons why they are lower bounds", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* organization("report")
      const line = (day: number, target: string, referrer: string, agent = "x") =>
        `1 - - [0${day}/Mar/2026:23:59:59 +0000] "GET ${target} HTTP/1.1" 200 1 "${referrer}" "${agent}"\n`
      const log = [
        line(1, "/a?ref=claude", "https://chatgpt.com/"),
        line(2, "/a", "https://chatgpt.com/"),
        line(2, "/b", "https://perplexity.ai/"),
        line(2, "/c?ref=claude", "-"),
        line(2, "/d?ref=claude", "https://news.example/"),
        line(3, "/e?ref=claude", "-", "GPTBot")
      ]
      yield* importing(id, Buffer.from(log.join("")))
      expect(yield* readAiTraffic(id, wholeHistory, { from: "2026-03-01", to: "2026-03-02", pages: 1 })).toEqual({
        from: "2026-03-01",
        to: "2026-03-02",
        firstDay: "2026-03-01",
        lastDay: "2026-03-02",
        referrerSignals: {
          count: 3,
          tagged: 1,
          assistants: [
            {
              assistant: "chatgpt",
              name: "ChatGPT",
              count: 2,
              tagged: 1,
              days: [{ day: "2026-03-01", count: 1 }, { day: "2026-03-02", count: 1 }]
            },
            {
              assistant: "perplexity",
              name: "Perplexity",
              count: 1,
              tagged: 0,
              days: [{ day: "2026-03-02", count: 1 }]
            }
          ],
          landingPages: [{ path: "/a", count: 2 }]
        },
        tagOnlyVisits: {
          count: 2,
          foreignReferrer: 1,
          assistants: [{
            assistant: "claude",
            name: "Claude",
            count: 2,
            foreignReferrer: 1,
            days: [{ day: "2026-03-02", count: 2 }]
          }],
          landingPages: [{ path: "/c", count: 1 }]
        },
        crawlers: null,
        sourceVersions: [builtInSources.version],
        lowerBound: {
          reasons: expect.arrayContaining([expect.stringContaining("no referrer")]) as unknown,
          caveat: expect.stringContaining("not people") as unknown
        }
      })
      const later = yield* readAiTraffic(id, wholeHistory, { from: "2026-03-03", crawlers: true })
      expect(later).toMatchObject({
        referrerSignals: { count: 0, assistants: [], landingPages: [] },
        crawlers: { count: 1, agents: [{ agent: "GPTBot", purpose: "training_or_index", count: 1 }] }
      })
      const empty = yield* readAiTraffic(id, wholeHistory, { from: "2026-04-01" })
      expect(empty).toMatchObject({ firstDay: null, lastDay: null, sourceVersions: [] })
      expect(yield* Effect.flip(readAiTraffic(id, wholeHistory, { from: "2026-03-02", to: "2026-03-01" })))
        .toMatchObject({
          _tag: "Rejected"
        })
    })))
})
