import {
  attestationFactors,
  type BusinessCard,
  type CardField,
  cardFieldNames,
  cardHash,
  cardItemText,
  cardJsonLd,
  cardTrust,
  jsonLdElement,
  jsonLdText,
  trustScore
} from "@sov/core"
import { parseCardField, readCardJsonLd } from "@sov/core/business-card"
import { Result } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { anyCard, anyTime, typedFact, typedFacts } from "../../support/businessCards.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"

const runs = { numRuns: propertyRuns(300) }
const states = ["attested", "outdated", "never"] as const
const anyState = fc.constantFrom(...states)
const part = fc.double({ min: 0, max: 1, noNaN: true })

it("the score stays within 0–100 and never falls when one of its factors rises", () => {
  fc.assert(
    fc.property(part, part, part, part, anyState, (c1, c2, f1, f2, state) => {
      const factor = attestationFactors[state]
      const low = trustScore(Math.min(c1, c2), Math.min(f1, f2), factor)
      const high = trustScore(Math.max(c1, c2), Math.max(f1, f2), factor)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(100)
      expect(Number.isInteger(low)).toBe(true)
      expect(high).toBeGreaterThanOrEqual(low)
      expect(trustScore(c1, f1, attestationFactors.attested)).toBeGreaterThanOrEqual(trustScore(c1, f1, factor))
    }),
    runs
  )
})

it("a card's score is in 0–100, falls with time, and rises when a fact is entered or confirmed", () => {
  const anyField = fc.constantFrom(...cardFieldNames)
  fc.assert(
    fc.property(anyCard, anyField, anyTime, fc.nat(500), anyState, (card, field, now, days, state) => {
      const score = (of: BusinessCard, at = now) => cardTrust(of, state, at).score
      const before = score(card)
      expect(before).toBeGreaterThanOrEqual(0)
      expect(before).toBeLessThanOrEqual(100)
      expect(score(card, new Date(now.getTime() + days * 86_400_000))).toBeLessThanOrEqual(before)
      const fact = typedFact(field, typedFacts[field], now)
      const entered = new Map(card).set(field, field === "certifications" ? { ...fact, value: ["ISO 9001"] } : fact)
      expect(score(entered)).toBeGreaterThanOrEqual(before)
      const without = new Map(entered)
      without.delete(field)
      if (without.size > 0) {
        expect(cardTrust(without, state, now).completeness).toBeLessThanOrEqual(
          cardTrust(entered, state, now).completeness
        )
      }
    }),
    runs
  )
})

it("an exported card with sources and times is imported as the same card, and otherwise with the same values", () => {
  fc.assert(
    fc.property(anyCard, (card) => {
      const read = (sources: boolean) => {
        const { facts, ignored } = Result.getOrThrow(readCardJsonLd(jsonLdText(cardJsonLd(card, { sources }))))
        expect(ignored).toEqual([])
        return facts
      }
      const again = new Map(read(true).map(({ field, ...fact }) => [field, fact]))
      expect(again).toEqual(new Map(card))
      expect(cardHash(again as BusinessCard)).toBe(cardHash(card))
      const values = (facts: Iterable<readonly [CardField, { readonly value: unknown }]>) =>
        new Map([...facts].map(([field, { value }]) => [field, value]))
      const bare = read(false)
      expect(values(bare.map((fact) => [fact.field, fact] as const))).toEqual(values(card))
      expect(bare.every(({ source, updatedAt }) => source === null && updatedAt === null)).toBe(true)
    }),
    runs
  )
})

it("the displayed form of a value is accepted as input", () => {
  fc.assert(
    fc.property(anyCard, (card) => {
      for (const [field, { value }] of card) {
        expect(Result.getOrThrow(parseCardField(field, value.map(cardItemText))).value).toEqual(value)
      }
    }),
    runs
  )
})

it("no card closes its element in a web page, and no text of a card becomes markup", () => {
  fc.assert(
    fc.property(anyCard, (card) => {
      const lines = jsonLdElement(cardJsonLd(card, { sources: true })).split("\n")
      expect(lines[0]).toBe("<script type=\"application/ld+json\">")
      expect(lines.at(-1)).toBe("</script>")
      expect(lines.slice(1, -1).join("\n")).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(lines.slice(1, -1).join("\n"))).toEqual(
        JSON.parse(JSON.stringify(cardJsonLd(card, { sources: true })))
      )
    }),
    runs
  )
})

it("the hash covers every value and source, but not the times or the order", () => {
  fc.assert(
    fc.property(anyCard.filter((card) => card.size > 0), anyTime, fc.nat(), (card, at, n) => {
      const moved = [...card].toReversed().map(([field, fact]) => [field, { ...fact, updatedAt: at }] as const)
      expect(cardHash(new Map(moved))).toBe(cardHash(card))
      const [field, fact] = [...card][n % card.size]!
      expect(cardHash(new Map(card).set(field, { ...fact, source: `${fact.source}!` }))).not.toBe(cardHash(card))
      expect(cardHash(new Map(card).set(field, { ...fact, value: [...fact.value, "more"] }))).not.toBe(cardHash(card))
      const less = new Map(card)
      less.delete(field)
      expect(cardHash(less)).not.toBe(cardHash(card))
    }),
    runs
  )
})
