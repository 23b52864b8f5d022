/** The business card through its use cases, while time passes; on each home. */
import {
  attestBusinessCard,
  businessCardJson,
  BusinessCardStore,
  cardFieldNames,
  cardJsonLd,
  editBusinessCard,
  type EnteredFact,
  jsonLdText,
  type OrganizationId,
  readBusinessCard
} from "@sov/core"
import { readCardJsonLd } from "@sov/core/business-card"
import { seedOrganization, type Stores } from "@sov/core/testing"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { cardOf, typedFact, typedFacts } from "../../support/businessCards.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const start = new Date("2026-03-01T09:00:00.000Z")
const all = cardFieldNames.map((field): EnteredFact => ({
  field,
  value: typedFact(field, typedFacts[field], start).value,
  source: "a test",
  updatedAt: null
}))
const fact = (field: EnteredFact["field"], ...texts: ReadonlyArray<string>): EnteredFact => ({
  field,
  value: texts.length === 0 ? null : typedFact(field, texts, start).value,
  source: null,
  updatedAt: null
})
const byHand = { source: "entered by hand" }

/** Score, factors in percent, attestation, and the groups' freshness by their first letters. */
const readTrustSummary = (id: OrganizationId) =>
  Effect.map(readBusinessCard(id), (report) => {
    const { attestation, components, field_groups, trust_score } = businessCardJson(report)
    const states = field_groups.map(({ freshness }) => freshness[0]).join("")
    return [
      trust_score,
      Math.round(100 * components.completeness),
      Math.round(100 * components.freshness),
      attestation,
      states
    ]
  })

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run = <A, E>(program: Effect.Effect<A, E, Stores>): Promise<A> =>
    storage.run(Effect.andThen(TestClock.setTime(start.getTime()), program).pipe(Effect.provide(TestClock.layer())))

  it("a card is filled, attested, edited and ages, and its score and components change as documented", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      expect(yield* readTrustSummary(id)).toEqual([0, 0, 0, "never", "mmmmmm"])
      yield* editBusinessCard(id, all, byHand)
      expect(yield* readTrustSummary(id)).toEqual([80, 100, 100, "never", "ffffff"])
      expect((yield* readBusinessCard(id)).card).toEqual(cardOf(start))

      yield* TestClock.adjust("1 hour")
      const attestation = yield* attestBusinessCard(id, " Ada\n Example ")
      expect(attestation).toMatchObject({ by: "Ada Example", at: new Date("2026-03-01T10:00:00.000Z") })
      expect(yield* readTrustSummary(id)).toEqual([100, 100, 100, "attested", "ffffff"])

      yield* TestClock.adjust("59 days")
      expect((yield* readTrustSummary(id))[4]).toBe("ffffff")
      yield* TestClock.adjust("1 day")
      expect(yield* readTrustSummary(id)).toEqual([97, 100, 90, "attested", "ffafff"])
      yield* TestClock.adjust("30 days")
      expect(yield* readTrustSummary(id)).toEqual([94, 100, 80, "attested", "ffsfff"])

      // Confirming is no edit; changing is one, and changing it back undoes it
      yield* editBusinessCard(id, all.filter(({ field }) => ["url", "logo", "profiles"].includes(field)), byHand)
      expect(yield* readTrustSummary(id)).toEqual([100, 100, 100, "attested", "ffffff"])
      yield* editBusinessCard(id, [fact("slogan", "Louder.")], byHand)
      expect(yield* readTrustSummary(id)).toEqual([90, 100, 100, "outdated", "ffffff"])
      yield* editBusinessCard(id, [{ ...fact("slogan", ...typedFacts.slogan), source: "a test" }], byHand)
      expect((yield* readTrustSummary(id))[3]).toBe("attested")
      yield* editBusinessCard(id, [fact("employees")], byHand)
      expect(yield* readTrustSummary(id)).toEqual([87, 97, 100, "outdated", "ffffff"])
      yield* attestBusinessCard(id, "Bo")
      expect(yield* readTrustSummary(id)).toEqual([97, 97, 100, "attested", "ffffff"])

      // All is older than its limit, but the certification goes by its own expiry: the end of 2028
      yield* TestClock.adjust("365 days")
      expect(yield* readTrustSummary(id)).toEqual([68, 97, 0, "attested", "ssssss"])
      yield* editBusinessCard(id, [fact("awards"), fact("memberships")], byHand)
      expect(yield* readTrustSummary(id)).toEqual([64, 97, 10, "outdated", "sssssf"])
      yield* TestClock.setTime(Date.UTC(2028, 11, 31, 23, 59))
      expect((yield* readTrustSummary(id))[4]).toBe("sssssa")
      yield* TestClock.adjust("1 minute")
      expect(yield* readTrustSummary(id)).toEqual([61, 97, 0, "outdated", "ssssss"])
    })))

  it("an edit keeps the source only of unchanged values, and a future time counts as now", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const enter = (...facts: ReadonlyArray<EnteredFact>) => editBusinessCard(id, facts, byHand)
      yield* enter({ ...fact("name", "Acme"), source: "register", updatedAt: new Date(0) })
      const of = Effect.map(readBusinessCard(id), ({ card }) => card.get("name"))
      expect(yield* of).toEqual({ value: ["Acme"], source: "register", updatedAt: new Date(0) })
      yield* enter(fact("name", "Acme"))
      expect(yield* of).toEqual({ value: ["Acme"], source: "register", updatedAt: start })
      yield* enter({ ...fact("name", "Acme"), source: "web site", updatedAt: new Date("2100-01-01") })
      expect(yield* of).toEqual({ value: ["Acme"], source: "web site", updatedAt: start })
      yield* enter({ ...fact("name", "Acme"), updatedAt: new Date("2020-01-01") })
      expect(yield* of).toEqual({ value: ["Acme"], source: "web site", updatedAt: start })
      yield* enter(fact("name", "Globex"))
      expect((yield* of)?.source).toBe("entered by hand")
      expect(yield* enter(fact("slogan"))).toEqual([])
      yield* enter(fact("name"))
      expect(yield* of).toBe(undefined)
      const history = yield* (yield* BusinessCardStore).history(id, { limit: 9 })
      expect(history.map(({ previous, value }) => [previous?.[0], value?.[0]])).toEqual([
        ["Globex", undefined],
        ["Acme", "Globex"],
        ["Acme", "Acme"],
        ["Acme", "Acme"],
        ["Acme", "Acme"],
        [undefined, "Acme"]
      ])
    })))

  it("a card can be moved to another organization as a document; a dry run changes nothing; replacing clears the rest", () =>
    run(Effect.gen(function*() {
      const [from, to] = [yield* seedOrganization(), yield* seedOrganization()]
      yield* editBusinessCard(from.id, all, byHand)
      const exported = yield* readBusinessCard(from.id)
      yield* TestClock.adjust("10 days")
      const { facts } = Result.getOrThrow(readCardJsonLd(jsonLdText(cardJsonLd(exported.card, { sources: true }))))
      const planned = yield* editBusinessCard(to.id, facts, { source: "a file", dryRun: true })
      expect((yield* readBusinessCard(to.id)).card.size).toBe(0)
      expect(yield* editBusinessCard(to.id, facts, { source: "a file" })).toEqual(planned)
      const imported = yield* readBusinessCard(to.id)
      expect(imported.card).toEqual(exported.card)
      expect(imported.hash).toBe(exported.hash)

      const cleared = yield* editBusinessCard(to.id, facts.slice(0, 2), { source: "a file", replace: true })
      expect(cleared.filter(({ value }) => value === null)).toHaveLength(cardFieldNames.length - 2)
      expect([...(yield* readBusinessCard(to.id)).card.keys()].toSorted())
        .toEqual(facts.slice(0, 2).map(({ field }) => field).toSorted())
    })))

  it("a card that is empty or has no name cannot be attested; concurrent edits are both kept", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      expect(yield* Effect.flip(attestBusinessCard(id, "Ada"))).toMatchObject({ _tag: "Rejected", field: "card" })
      const names = ["a", "b", "c", "d", "e"]
      yield* Effect.forEach(names, (name) => editBusinessCard(id, [fact("name", name)], byHand), {
        concurrency: "unbounded"
      })
      const history = yield* (yield* BusinessCardStore).history(id, { limit: 9 })
      expect(new Set(history.map(({ value }) => value?.[0]))).toEqual(new Set(names))
      expect(history).toHaveLength(names.length)
      for (const [n, { previous }] of history.entries()) expect(previous ?? null).toEqual(history[n + 1]?.value ?? null)
      for (const by of ["", " \n", "A\u0000", "\u202Eada", "x".repeat(201)]) {
        expect(yield* Effect.flip(attestBusinessCard(id, by))).toMatchObject({ _tag: "Rejected", field: "by" })
      }
      expect((yield* readBusinessCard(id)).attestation).toBe(null)
    })))

  it("an attestation covers the card that was shown, not a card that has changed since", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      yield* editBusinessCard(id, [fact("name", "Acme GmbH")], byHand)
      const { hash } = yield* readBusinessCard(id)
      yield* editBusinessCard(id, [fact("slogan", "Anvils first")], byHand)
      const refused = yield* Effect.flip(attestBusinessCard(id, "Ada Example", hash))
      expect(refused).toMatchObject({ _tag: "Rejected", field: "hash" })
      expect((yield* readBusinessCard(id)).attestation).toBeNull()
      const seen = (yield* readBusinessCard(id)).hash
      expect((yield* attestBusinessCard(id, "Ada Example", seen)).cardHash).toBe(seen)
    })))
})
