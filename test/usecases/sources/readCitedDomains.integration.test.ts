/** What single answers of a scan cite: the same that the report over the scan counts. */
import { ArchiveStore, KeywordStore, readCitedDomains, redirectPrefix, ResolvedUrlStore } from "@sov/core"
import { addScan, answerTo, at, captureOf, keywords, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const none = { sources: [], queries: [], cut: 0 }

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("a page behind a redirect belongs to its owner once the redirect is resolved", () =>
    storage.run(Effect.gen(function*() {
      const { cells, organizationId, scan } = yield* seedScan()
      const url = `${redirectPrefix}own`
      const site = { page: null, host: "sites.example", domain: "sites.example" }
      const source = { kind: "cited" as const, url, title: "sites.example", start: null, end: null, ...site }
      const answer = yield* answerTo(cells[0]!, {
        capture: captureOf({ found: { ...none, status: "complete", sources: [source] } })
      })
      yield* (yield* ArchiveStore).append(organizationId, answer)
      const read = readCitedDomains(organizationId, scan.id, [answer.id])
      expect(yield* read).toEqual(new Map([[answer.id, { domains: ["sites.example"], ownCited: false }]]))
      const target = "https://www.acmeforge.example/anvils"
      yield* (yield* ResolvedUrlStore).insert(organizationId, { url, target, outcome: "resolved", resolvedAt: at(30) })
      expect(yield* read).toEqual(new Map([[answer.id, { domains: ["acmeforge.example"], ownCited: true }]]))
    })))

  it("answers without a search or without derived sources are left out; one without a list cites nothing if others list", () =>
    storage.run(Effect.gen(function*() {
      const { keywords: seeded, organizationId } = yield* seedScan()
      const added = yield* (yield* KeywordStore).add(organizationId, yield* keywords(["third?", "fourth?", "fifth?"]))
      const { cells, scan } = yield* addScan(organizationId, [...seeded, ...added])
      const [one, two, three, four, five] = cells.filter(({ platform }) => platform === "assistant_a")
      const other = cells.find(({ platform }) => platform === "assistant_b")
      const listless = captureOf({ found: { ...none, status: "unsupported" } })
      const reporting = yield* answerTo(one!)
      const answers = [
        yield* answerTo(two!, { capture: listless }),
        yield* answerTo(three!, { capture: listless, payload: new Uint8Array() }),
        yield* answerTo(four!, { capture: captureOf({ search: "off", found: { ...none, status: "complete" } }) }),
        yield* answerTo(five!, {}, 1),
        yield* answerTo(other!, { capture: listless })
      ]
      for (const answer of [reporting, ...answers]) {
        expect(yield* (yield* ArchiveStore).append(organizationId, answer)).toBe(true)
      }
      const found = yield* readCitedDomains(organizationId, scan.id, answers.map(({ id }) => id))
      expect(found).toEqual(new Map([[answers[0]!.id, { domains: [], ownCited: false }]]))
    })))
})
