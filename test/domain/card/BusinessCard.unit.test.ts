/** Accepted values of a business card, its freshness, and its JSON. */
import {
  type BusinessCard,
  businessCardJson,
  businessCardReport,
  type CardField,
  cardFields,
  cardHash,
  cardItemText,
  cardTrust,
  cardVerb,
  type Freshness
} from "@sov/core"
import { parseCardField } from "@sov/core/business-card"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { cardOf, typedFact } from "../../support/businessCards.ts"

const day0 = new Date("2026-01-01T12:00:00.000Z")
const later = (days: number) => new Date(day0.getTime() + days * 86_400_000)
const messageOf = (name: string, ...texts: ReadonlyArray<string>): string | null => {
  const read = parseCardField(name, texts)
  return Result.isFailure(read) ? read.failure.message : null
}
const valueOf = (name: string, ...texts: ReadonlyArray<string>) => Result.getOrThrow(parseCardField(name, texts)).value

describe("values", () => {
  it.each([
    ["url", "HTTPS://Acme.Example/a b", "https://acme.example/a%20b"],
    ["url", "https://münchen.example", "https://xn--mnchen-3ya.example/"],
    ["email", "a.b+c@mail.acme.example", "a.b+c@mail.acme.example"],
    ["telephone", "+49 (0) 30-901820", "+4930901820"],
    ["telephone", "+12024561111", "+12024561111"],
    ["founding_date", "2024-02-29", "2024-02-29"],
    ["country", "de", "DE"],
    ["country", "DEU", "DE"],
    ["country", "Côte d'Ivoire", "CI"],
    ["country", "United Kingdom", "GB"],
    ["languages", "DE-at", "de-AT"],
    ["languages", "zh-hant-tw", "zh-Hant-TW"],
    ["employees", "0", "0"],
    ["lei", "529900t8bm49aursdo55", "529900T8BM49AURSDO55"],
    ["name", "  A\t\r\n  cme  ", "A cme"],
    ["description", "x".repeat(5000), "x".repeat(5000)],
    ["name", "👩\u200d🚀 क्\u200dष", "👩\u200d🚀 क्\u200dष"],
    ["name", "❤\ufe0f\u200d🔥 می\u200cخواهم", "❤\ufe0f\u200d🔥 می\u200cخواهم"]
  ])("the field %s accepts %j", (name, given, kept) => expect(valueOf(name, given)).toEqual([kept]))

  it.each([
    ["url", "javascript:alert(1)", "web address"],
    ["url", "data:text/html,<b>", "web address"],
    ["url", "https://user:secret@acme.example/", "web address"],
    ["url", "https://localhost/", "web address"],
    ["url", "acme.example", "web address"],
    ["email", "info@acme", "e-mail address"],
    ["email", "info@acme.example\u0000", "U+0000"],
    ["email", "a b@acme.example", "e-mail address"],
    ["telephone", "030 901820", "country code"],
    ["telephone", "+49 1", "country code"],
    ["telephone", "+1 111 111 1111", "country code"],
    ["telephone", "call +49 30 901820", "country code"],
    ["telephone", "+49 30 901820 ext. 5", "country code"],
    ["founding_date", "2026-02-29", "a date such as"],
    ["founding_date", "2026-13", "a date such as"],
    ["founding_date", "30.04.1998", "a date such as"],
    ["country", "EU", "ISO 3166-1"],
    ["country", "DD", "ISO 3166-1"],
    ["country", "Atlantis", "ISO 3166-1"],
    ["languages", "English", "BCP 47"],
    ["languages", "xx", "BCP 47"],
    ["employees", "1e3", "whole number"],
    ["employees", "-5", "whole number"],
    ["lei", "529900T8BM49AURSDO56", "check digits"],
    ["name", "", "clear the field"],
    ["name", "x".repeat(201), "at most 200 characters, not 201"],
    ["name", "\u202Eecma", "U+202E"],
    ["name", "a\uD800", "U+D800"],
    ["name", "hidden\u{E0041}", "U+E0041"],
    ["name", "hidden\u{E0100}", "U+E0100"],
    ["name", "hidden\u{E01EF}", "U+E01EF"],
    ["name", "hid\u200d\u200dden", "U+200D"],
    ["name", "hid\u200c\u200dden", "U+200C"],
    ["name", "hid\ufe0f\ufe0eden", "U+FE0F"],
    ["name", "hid\u200d\ufe0fden", "U+200D"],
    ["name", "\u3164", "U+3164"],
    ["name", "\u2800", "U+2800"],
    ["name", "a\u034fb", "U+034F"],
    ["name", "\u200d", "must not be empty"],
    ["leaders", "Ada; role=CEO", "no part \"role\"; parts: job_title, url"],
    ["leaders", "Ada; __proto__=x", "no part \"__proto__\""],
    ["leaders", "Ada; name=Bo", "cannot be read at \"name=Bo\""],
    ["leaders", "Ada; url=https://a.example; url=https://b.example", "cannot be read at \"url=https://b.example\""],
    ["leaders", "Ada; CEO", "cannot be read at \"CEO\""],
    ["leaders", "Ada; url=ftp://x.example", "url must be a web address"],
    ["leaders", "; job_title=CEO", "name must not be empty"],
    ["offerings", "Anvil; type=thing", "product or service"],
    ["certifications", "ISO; expires=2027-02-30", "expires must be a day"],
    ["certifications", "ISO; valid_from=2027-01-02; expires=2027-01-01", "must not be later"]
  ])("the field %s refuses %j", (name, given, why) => {
    expect(messageOf(name, given)).toContain(why)
    expect(messageOf(name, given)).toMatch(new RegExp(`^${name} `))
  })

  it("one value too many, no value and too many values are refused, and duplicates count once", () => {
    expect(messageOf("name", "a", "b")).toBe("name takes one value, not 2")
    expect(messageOf("topics")).toContain("must not be empty")
    expect(messageOf("topics", ...Array.from({ length: 101 }, (_, n) => `${n}`))).toContain("at most 100 values")
    expect(valueOf("topics", "a", "b", "a")).toEqual(["a", "b"])
    expect(valueOf("area_served", "DE", "Germany", "deu")).toEqual(["DE"])
  })

  it.each([
    ["legalname", "did you mean legal_name?"],
    ["legalName", "did you mean legal_name?"],
    ["telefone", "did you mean telephone?"],
    ["constructor", "fields: name, legal_name"],
    ["__proto__", "fields: name, legal_name"]
  ])("the field %s does not exist", (name, hint) => {
    expect(messageOf(name, "x")).toContain(`a business card has no field "${name}"`)
    expect(messageOf(name, "x")).toContain(hint)
  })

  it("values with several parts are parsed and shown, even if they contain semicolons", () => {
    expect(valueOf("leaders", "A\\; B\\\\ ; job_title = C\\;O ; url=https://a.example", "Bo")).toEqual([
      { name: "A; B\\", job_title: "C;O", url: "https://a.example/" },
      { name: "Bo" }
    ])
    expect(cardItemText({ name: "A; B\\", job_title: "C;O" })).toBe("A\\; B\\\\; job_title=C\\;O")
  })
})

describe("freshness", () => {
  const stateOf = (field: CardField, text: string, days: number): Freshness => {
    const card = new Map([[field, typedFact(field, [text], day0)]])
    return cardTrust(card, "never", later(days)).groups.find(({ group }) => group === cardFields[field].group)!
      .freshness
  }
  const minute = 1 / 1440

  it.each(
    [
      ["name", "Acme", 365],
      ["locality", "Berlin", 365],
      ["url", "https://acme.example", 90],
      ["topics", "anvils", 180],
      ["employees", "5", 180],
      ["awards", "best", 365],
      ["certifications", "ISO 9001", 365]
    ] as const
  )("the field %s with the value %s ages within %s days", (field, text, limit) => {
    const aging = limit * 2 / 3
    expect([0, aging - minute, aging + minute, limit - minute, limit, 10_000].map((days) => stateOf(field, text, days)))
      .toEqual(["fresh", "fresh", "aging", "aging", "stale", "stale"])
  })

  it("a certification that expires in the year 9999 turns stale in that year", () => {
    const card = new Map([["certifications" as const, typedFact("certifications", ["ISO; expires=9999-12-31"], day0)]])
    const group = cardTrust(card, "never", day0).groups.find((one) => one.group === "credentials")
    expect(group?.staleAt?.toISOString()).toBe("9999-12-31T23:59:59.999Z")
  })

  it("a certification ages from its first valid day, or else its entry, until the end of the day it expires", () => {
    // 2026-01-01 noon; entered: 365.5 days to the end of 2027-01-01
    const entered = "ISO; expires=2027-01-01"
    expect([243, 244, 365, 365.5].map((days) => stateOf("certifications", entered, days)))
      .toEqual(["fresh", "aging", "aging", "stale"])
    const valid = "ISO; valid_from=2025-01-01; expires=2027-01-01"
    expect([120, 123].map((days) => stateOf("certifications", valid, days))).toEqual(["fresh", "aging"])
    expect(stateOf("certifications", "ISO; expires=2025-12-31", 0)).toBe("stale")
  })

  it("a group is as fresh as its oldest fact, and states when that changes", () => {
    const card: BusinessCard = new Map([
      ["url", typedFact("url", ["https://acme.example"], later(0))],
      ["logo", typedFact("logo", ["https://acme.example/l"], later(80))]
    ])
    const web = (at: Date) => cardTrust(card, "never", at).groups[2]!
    expect(web(later(80))).toMatchObject({ freshness: "aging", updatedAt: day0, staleAt: later(90) })
    expect(web(later(80)).missing).toEqual(["profiles"])
    expect(web(later(100)).freshness).toBe("stale")
    expect(cardTrust(new Map(), "never", day0).groups[2]).toMatchObject({
      freshness: "missing",
      completeness: 0,
      updatedAt: null,
      staleAt: null
    })
  })

  it("a full, fresh, attested card scores 100, and an empty card scores 0", () => {
    expect(cardTrust(cardOf(day0), "attested", day0).score).toBe(100)
    expect(cardTrust(cardOf(day0), "outdated", day0).score).toBe(90)
    expect(cardTrust(cardOf(day0), "never", day0).score).toBe(80)
    expect(cardTrust(cardOf(day0), "attested", later(9999)).score).toBe(70)
    expect(cardTrust(new Map(), "never", day0).score).toBe(0)
  })
})

it("the hash is the SHA-256 of the canonical JSON, which the test spells out", () => {
  const card: BusinessCard = new Map([
    ["name", typedFact("name", ["Acme"], day0, "b")],
    ["leaders", typedFact("leaders", ["Ada; job_title=CEO"], day0, "a")]
  ])
  // printf '%s'
  // '{"leaders":{"source":"a","value":[{"job_title":"CEO","name":"Ada"}]},"name":{"source":"b","value":["Acme"]}}' |
  // sha256sum
  expect(cardHash(card)).toBe("835b988bfb1c30badc821c1d09661ab7c369307adc82db1cd6832ca40a8034fb")
})

it("an edit sets, changes, confirms or clears a field", () => {
  expect(cardVerb({ previous: null, value: ["a"] })).toBe("set")
  expect(cardVerb({ previous: ["b"], value: ["a"] })).toBe("changed")
  expect(cardVerb({ previous: [{ name: "a", url: "b" }], value: [{ url: "b", name: "a" }] })).toBe("confirmed")
  expect(cardVerb({ previous: ["a"], value: null })).toBe("cleared")
})

it("programs get one value or a list, depending on the field, and numbers as JSON numbers", () => {
  const { fields, ...status } = businessCardJson(businessCardReport(cardOf(day0), null, day0))
  const shown = Object.fromEntries(fields.map(({ field, value }) => [field, value]))
  expect(shown).toMatchObject({ name: "Acme", employees: 250, topics: ["anvils", "forging"] })
  expect(fields[0]).toEqual({
    field: "name",
    group: "identity",
    value: "Acme",
    source: "a test",
    updated_at: "2026-01-01T12:00:00.000Z",
    freshness: "fresh"
  })
  expect(status).toMatchObject({
    trust_score: 80,
    components: { completeness: 1, freshness: 1, attestation: 0.8 },
    attestation: "never",
    attested_by: null,
    attested_at: null
  })
  expect(status.field_groups.map(({ group }) => group))
    .toEqual(["identity", "contact", "web", "offerings", "people", "credentials"])
})
