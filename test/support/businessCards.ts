/** Business cards for tests: a complete one, arbitrary ones, and facts made from typed text. */
import { type BusinessCard, type CardField, cardFieldNames, cardFields, type CardKind, cardText } from "@sov/core"
import { parseCardField } from "@sov/core/business-card"
import { Result } from "effect"
import fc from "fast-check"

/** A value for every field, as typed text. */
export const typedFacts: { readonly [F in CardField]: ReadonlyArray<string> } = {
  name: ["Acme"],
  legal_name: ["Acme Schmiede GmbH & Co. KG"],
  alternate_names: ["AcmeForge", "אקמי"],
  description: ["Anvils, \"forged\" by hand since 1998."],
  slogan: ["Harder."],
  founding_date: ["1998-04"],
  vat_id: ["DE123456789"],
  tax_id: ["27/123/45678"],
  lei: ["529900T8BM49AURSDO55"],
  email: ["info@acme.example"],
  telephone: ["+49 30 901820"],
  street_address: ["Amboßweg 1"],
  postal_code: ["10115"],
  locality: ["Berlin"],
  region: ["BE"],
  country: ["DE"],
  languages: ["de", "en-GB"],
  url: ["https://acme.example/"],
  logo: ["https://acme.example/logo.svg"],
  profiles: ["https://www.wikidata.org/wiki/Q1", "https://social.example/@acme"],
  offerings: ["Anvil No. 1; type=product; url=https://acme.example/anvil", "Sharpening; type=service"],
  topics: ["anvils", "forging"],
  area_served: ["DE", "AT"],
  founders: ["Ada Example; job_title=CEO; url=https://acme.example/ada"],
  leaders: ["Ada Example; job_title=CEO", "Bo \\; Sons"],
  employees: ["250"],
  facts: ["Warranty; type=number; value=3 years; words=warranty"],
  certifications: ["ISO 9001; issuer=TÜV; number=12 100; valid_from=2026-01-01; expires=2028-12-31"],
  awards: ["Anvil of the year 2025"],
  memberships: ["Guild of Smiths"]
}

/** A fact from typed text; throws if the text is refused. */
export const typedFact = (field: CardField, texts: ReadonlyArray<string>, updatedAt: Date, source = "a test") => {
  const read = parseCardField(field, texts)
  if (Result.isFailure(read)) throw new Error(read.failure.message)
  return { value: read.success.value, source, updatedAt }
}

/** A card with these fields of `typedFacts`. */
export const cardOf = (updatedAt: Date, fields: ReadonlyArray<CardField> = cardFieldNames): BusinessCard =>
  new Map(fields.map((field) => [field, typedFact(field, typedFacts[field], updatedAt)]))

const text = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom("<", "/script>", "\"", "\\", ";", "=", "&", "\u200d", "é", "ß", "日", " ", "a"),
    maxLength: 20
  }),
  fc.constantFrom("</script><script>alert(1)</script>", "null", "\\u0000", "x; url=y", "-->", "=1+1", "__proto__")
).filter((value) => Result.isSuccess(cardText(value, 200)))
const url = fc.webUrl({ withQueryParameters: true, withFragments: true })
const day = fc.integer({ min: 0, max: 20_000 }).map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10))
const escaped = text.map((value) => value.replace(/[\\;]/g, "\\$&"))
const thing = (parts: { readonly [part: string]: fc.Arbitrary<string> }) =>
  fc.tuple(escaped, fc.record(parts, { requiredKeys: [] })).map(([name, given]) =>
    [name, ...Object.entries(given).map(([part, value]) => `${part}=${value}`)].join("; ")
  )

const ofKind: { readonly [K in CardKind]: fc.Arbitrary<string> } = {
  text,
  prose: text,
  url,
  email: fc.emailAddress(),
  telephone: fc.constantFrom("+49 30 901820", "+1 202 456 1111", "+81 3-3581-5111", "+353 1 619 4000"),
  date: fc.oneof(day, day.map((value) => value.slice(0, 7)), day.map((value) => value.slice(0, 4))),
  country: fc.constantFrom("DE", "at", "USA", "Japan", "XK"),
  language: fc.constantFrom("de", "en-gb", "zh-Hant", "pt-BR"),
  integer: fc.nat(1_000_000).map(String),
  identifier: fc.constantFrom("DE123456789", "27/123", "10 115"),
  lei: fc.constantFrom("529900T8BM49AURSDO55", "5493001KJTIIGC8Y1R12"),
  offering: thing({
    type: fc.constantFrom("product", "service"),
    description: escaped,
    url: url.map((one) => one.replaceAll(";", "%3B"))
  }),
  person: thing({ job_title: escaped, url: url.map((one) => one.replaceAll(";", "%3B")) }),
  fact: fc.tuple(escaped, escaped, escaped).map(([name, value, words]) =>
    `${name}; type=person; value=${value}; words=${words}`
  ),
  certification: thing({
    issuer: escaped,
    number: escaped,
    expires: day,
    url: url.map((one) => one.replaceAll(";", "%3B"))
  })
}

/** Arbitrary times from 2020 on, in milliseconds. */
export const anyTime = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2026, 0, 1) }).map((ms) => new Date(ms))

const anyFact = (field: CardField) =>
  fc.record({
    texts: fc.array(ofKind[cardFields[field].kind], { minLength: 1, maxLength: cardFields[field].many ? 4 : 1 }),
    source: text,
    at: anyTime
  }).filter(({ texts }) => Result.isSuccess(parseCardField(field, texts)))
    .map(({ at, source, texts }) => typedFact(field, texts, at, Result.getOrThrow(cardText(source, 500))))

/** Arbitrary cards: any subset of the fields, with any values. */
export const anyCard: fc.Arbitrary<BusinessCard> = fc.record(
  Object.fromEntries(cardFieldNames.map((field) => [field, anyFact(field)])) as Record<
    CardField,
    ReturnType<typeof anyFact>
  >,
  { requiredKeys: [] }
).map((facts) => new Map(cardFieldNames.flatMap((field) => facts[field] === undefined ? [] : [[field, facts[field]]])))
