/** A business card as schema.org JSON-LD: written, read from web sites' documents, and with hostile text. */
import {
  type BusinessCard,
  type CardField,
  cardFieldNames,
  cardFields,
  cardItemText,
  cardJsonLd,
  jsonLdElement,
  jsonLdText
} from "@sov/core"
import { parseCardField, readCardJsonLd } from "@sov/core/business-card"
import { Result } from "effect"
import jsonld from "jsonld"
import { describe, expect, it } from "vitest"
import { cardOf, typedFacts } from "../../support/businessCards.ts"

const day0 = new Date("2026-01-01T12:00:00.000Z")

/**
 * Of schema.org (version 29) what a card uses: types with their own and inherited properties, and what these expect.
 */
const schemaOrgTypes: { readonly [type: string]: { readonly [property: string]: string } } = {
  Organization: {
    name: "Text",
    legalName: "Text",
    alternateName: "Text",
    description: "Text",
    slogan: "Text",
    foundingDate: "Date",
    vatID: "Text",
    taxID: "Text",
    leiCode: "Text",
    email: "Text",
    telephone: "Text",
    address: "PostalAddress",
    knowsLanguage: "Text",
    url: "URL",
    logo: "URL",
    sameAs: "URL",
    makesOffer: "Offer",
    knowsAbout: "Text",
    areaServed: "Text",
    founder: "Person",
    employee: "Person",
    numberOfEmployees: "QuantitativeValue",
    hasCertification: "Certification",
    award: "Text",
    memberOf: "Organization",
    subjectOf: "CreativeWork"
  },
  PostalAddress: {
    streetAddress: "Text",
    postalCode: "Text",
    addressLocality: "Text",
    addressRegion: "Text",
    addressCountry: "Text"
  },
  Offer: { itemOffered: "Product or Service" },
  Product: { name: "Text", description: "Text", url: "URL" },
  Service: { name: "Text", description: "Text", url: "URL" },
  Person: { name: "Text", jobTitle: "Text", url: "URL" },
  QuantitativeValue: { value: "Number" },
  Certification: {
    name: "Text",
    issuedBy: "Organization",
    certificationIdentification: "Text",
    validFrom: "Date",
    expires: "Date",
    url: "URL"
  },
  CreativeWork: { identifier: "Text", citation: "Text", dateModified: "DateTime" }
}

const fits = (value: unknown, expected: string): boolean => {
  if (expected === "Number") return typeof value === "number"
  if (typeof value !== "string" || value === "") return false
  if (expected === "URL") return URL.canParse(value)
  if (expected === "Date") return /^\d{4}(-\d\d(-\d\d)?)?$/.test(value)
  return expected === "DateTime" ? new Date(value).toISOString() === value : expected === "Text"
}

const vocabulary = "https://schema.org/"
const bare = (iri: string): string => iri.startsWith(vocabulary) ? iri.slice(vocabulary.length) : `foreign ${iri}`

/** What is wrong with an expanded node, as paths. */
const structuralFaults = (node: unknown, path: string): ReadonlyArray<string> => {
  const { "@type": types = [], ...properties } = node as { readonly "@type"?: ReadonlyArray<string> }
  const type = bare(types[0] ?? "")
  const known = schemaOrgTypes[type]
  if (known === undefined || types.length !== 1) return [`${path}: type ${type}`]
  return Object.entries(properties).flatMap(([iri, values]) => {
    const property = bare(iri)
    const expected = known[property]
    if (expected === undefined) return [`${path}: ${type} has no ${property}`]
    return (values as ReadonlyArray<{ readonly "@value"?: unknown; readonly "@type"?: ReadonlyArray<string> }>)
      .flatMap((value) => {
        const at = `${path}.${property}`
        if ("@value" in value) return fits(value["@value"], expected) ? [] : [`${at}: not ${expected}`]
        const given = bare(value["@type"]?.[0] ?? "")
        return expected.split(" or ").includes(given) ? structuralFaults(value, at) : [`${at}: ${given}`]
      })
  })
}

/** Expands a document with the vocabulary alone; anything else that it would load fails. */
const faultsOf = async (document: object): Promise<ReadonlyArray<string>> => {
  const nodes = await jsonld.expand(document, {
    documentLoader: (url) =>
      url === "https://schema.org"
        ? Promise.resolve({ documentUrl: url, document: { "@context": { "@vocab": vocabulary } } })
        : Promise.reject(new Error(`loads ${url}`))
  })
  expect(nodes).toHaveLength(1)
  // Products have pairs of a name and a value; validators only warn where an organization has them, too
  return structuralFaults(nodes[0], "$").filter((fault) => fault !== "$: Organization has no additionalProperty")
}

describe("schema.org", () => {
  it.each([true, false])("a full card is a valid document (sources: %s)", async (sources) => {
    const document = cardJsonLd(cardOf(day0), { sources })
    expect(await faultsOf(document)).toEqual([])
    expect(Object.keys(document)).toHaveLength(sources ? 29 : 28)
    expect(jsonLdText(document).includes("a test")).toBe(sources)
  })

  it("the validity check itself finds errors", async () => {
    const document = cardJsonLd(cardOf(day0), { sources: false })
    expect(await faultsOf({ ...document, logoo: "x", url: "no url", founder: { "@type": "Horse", name: "x" } }))
      .toEqual(["$.founder: Horse", "$: Organization has no logoo", "$.url: not URL"])
  })

  it("the JSON-LD of web sites is read, and ignored members are named", () => {
    const { facts, ignored } = Result.getOrThrow(readCardJsonLd(`\ufeff${
      JSON.stringify({
        "@context": ["http://schema.org/", { custom: "https://x.example/" }],
        "@graph": [
          { "@type": "WebSite", name: "Not this", publisher: { "@id": "#org" } },
          {
            "@type": ["Corporation", "Brand"],
            "@id": "#org",
            name: { "@value": "Acme", "@language": "en" },
            logo: { "@type": "ImageObject", contentUrl: "https://acme.example/l.png", width: 5 },
            sameAs: "https://social.example/acme",
            email: "mailto:info@acme.example",
            telephone: "tel:+49-30-901820",
            address: {
              "@type": "PostalAddress",
              addressCountry: { "@type": "Country", name: "Germany" },
              hours: "9–5"
            },
            knowsLanguage: [{ "@type": "Language", name: "German", alternateName: "de" }],
            numberOfEmployees: 12,
            founder: ["Ada", { "@type": "Person", name: "Bo", sameAs: "https://bo.example" }],
            makesOffer: { "@type": "Offer", price: "5", itemOffered: { "@type": "Service", name: "Sharpening" } },
            slogan: "",
            openingHours: "Mo-Fr"
          }
        ]
      })
    }`))
    expect(Object.fromEntries(facts.map(({ field, value }) => [field, value]))).toEqual({
      name: ["Acme"],
      logo: ["https://acme.example/l.png"],
      profiles: ["https://social.example/acme"],
      email: ["info@acme.example"],
      telephone: ["+4930901820"],
      country: ["DE"],
      languages: ["de"],
      employees: ["12"],
      founders: [{ name: "Ada" }, { name: "Bo" }],
      offerings: [{ name: "Sharpening", type: "service" }]
    })
    expect(ignored).toEqual(["address.hours", "founder.sameAs", "makesOffer.price", "slogan (empty)", "openingHours"])
  })

  it("references within the document are followed, as content management systems write them", () => {
    const { facts, ignored } = Result.getOrThrow(readCardJsonLd(JSON.stringify({
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "WebPage", "@id": "https://acme.example/", isPartOf: { "@id": "https://acme.example/#website" } },
        {
          "@type": "WebSite",
          "@id": "https://acme.example/#website",
          publisher: { "@id": "https://acme.example/#organization" }
        },
        {
          "@type": "Organization",
          "@id": "https://acme.example/#organization",
          name: "Acme",
          url: "https://acme.example/",
          logo: {
            "@type": "ImageObject",
            inLanguage: "en-US",
            "@id": "https://acme.example/#/schema/logo/image/",
            url: "https://acme.example/logo.png",
            contentUrl: "https://acme.example/wp-content/logo.png",
            caption: "Acme"
          },
          image: { "@id": "https://acme.example/#/schema/logo/image/" },
          sameAs: ["https://social.example/acme", { "@id": "https://www.wikidata.org/entity/Q1" }],
          founder: [
            { "@id": "https://acme.example/#/schema/person/1" },
            { "@type": "Person", "@id": "https://www.wikidata.org/entity/Q2" }
          ],
          employee: { "@id": "#nobody" },
          address: { "@id": "#address" },
          memberOf: { "@id": "https://acme.example/#organization" },
          makesOffer: [
            { "@type": "Offer", itemOffered: { "@id": "#nothing" } },
            { "@type": "Offer", itemOffered: { "@id": "#sharpening" } }
          ]
        },
        { "@type": "PostalAddress", "@id": "#address", addressCountry: "DE" },
        { "@type": "Service", "@id": "#sharpening", name: "Sharpening" },
        {
          "@type": "Person",
          "@id": "https://acme.example/#/schema/person/1",
          name: "Ada",
          url: "https://acme.example/author/ada/",
          worksFor: { "@id": "https://acme.example/#organization" }
        }
      ]
    })))
    expect(Object.fromEntries(facts.map(({ field, value }) => [field, value]))).toEqual({
      name: ["Acme"],
      url: ["https://acme.example/"],
      logo: ["https://acme.example/logo.png"],
      profiles: ["https://social.example/acme", "https://www.wikidata.org/entity/Q1"],
      founders: [{ name: "Ada", url: "https://acme.example/author/ada/" }],
      country: ["DE"],
      offerings: [{ name: "Sharpening", type: "service" }]
    })
    const outside = "(refers to what the document does not describe)"
    expect(ignored).toEqual([
      "image",
      "founder.worksFor (refers back)",
      `founder ${outside}`,
      `employee ${outside}`,
      "memberOf (refers back)",
      `makesOffer.itemOffered ${outside}`
    ])
  })

  it("circular and frequently repeated references are followed no further than necessary", () => {
    const many = Array.from({ length: 20_000 }, () => ({ "@id": "#b" }))
    const { facts } = Result.getOrThrow(readCardJsonLd(JSON.stringify({
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "Organization", "@id": "#a", name: "Acme", parent: many },
        { "@id": "#b", name: "Globex", memberOf: { "@id": "#a" }, parts: Array.from({ length: 20_000 }, () => "x") }
      ]
    })))
    expect(facts.map(({ field }) => field)).toEqual(["name"])
  })

  it.each([
    "Dentist",
    "Bakery",
    "TravelAgency",
    "AutoDealer",
    "Attorney",
    "https://schema.org/Store",
    "schema:Organization"
  ])("a %s is an organization", (type) => {
    const document = { "@context": "https://schema.org", "@type": type, name: "Acme" }
    expect(Result.getOrThrow(readCardJsonLd(JSON.stringify(document))).facts).toMatchObject([{ field: "name" }])
  })

  it("properties are also read with the vocabulary as a prefix", () => {
    const { facts, ignored } = Result.getOrThrow(readCardJsonLd(JSON.stringify({
      "@context": { schema: "http://schema.org/" },
      "@type": "schema:Organization",
      "schema:name": "Acme",
      "schema:makesOffer": { "schema:itemOffered": { "@type": "schema:Service", "schema:name": "Sharpening" } }
    })))
    expect(facts.map(({ value }) => value)).toEqual([["Acme"], [{ name: "Sharpening", type: "service" }]])
    expect(ignored).toEqual([])
  })

  it.each([
    ["2026-03-07T10:00:00+01:00", "2026-03-07T09:00:00.000Z"],
    ["2026-03-07", "2026-03-07T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["-200000-01-01T00:00:00Z", null],
    ["0000-12-31T00:00:00Z", null],
    ["0001-01-01T00:00:00+01:00", null],
    ["2026-02-30T00:00:00Z", null],
    ["2026-03-07T10:00:00", null],
    ["2026-03-07T25:00:00Z", null],
    ["March 7", null],
    ["5", null]
  ])("a fact that was last modified on %s is %s", (dateModified, time) => {
    const { facts, ignored } = Result.getOrThrow(readCardJsonLd(JSON.stringify({
      "@context": "https://schema.org",
      "@type": "Organization",
      name: "Acme",
      subjectOf: { identifier: "name", citation: "register", dateModified }
    })))
    expect(facts[0]?.updatedAt?.toISOString() ?? null).toBe(time)
    expect(ignored).toEqual(time === null ? ["subjectOf"] : [])
  })

  const faultOf = (document: unknown): string => {
    const read = readCardJsonLd(typeof document === "string" ? document : JSON.stringify(document))
    return Result.isFailure(read) ? read.failure.message : "read"
  }
  const organization = { "@context": "https://schema.org", "@type": "Organization" }

  it.each([
    ["{", "is not valid JSON at line 1, column 2"],
    ["<html>", "is HTML: give the JSON within"],
    ["[]", "\"@context\": \"https://schema.org\""],
    ["7", "\"@context\""],
    [{ "@type": "Organization", name: "x" }, "\"@context\""],
    [{ ...organization, "@type": "Recipe" }, "found: Recipe"],
    [{ "@context": "https://schema.org" }, "found: no @type"],
    [{ "@context": "https://schema.org", "@graph": [organization, organization] }, "describes 2 organizations"],
    [
      { ...organization, telephone: "123", url: "x", email: ["a@b.example", "c@d.example"] },
      "telephone \"123\": must be a phone number with its country code, such as +49 30 901820; url \"x\": must be"
    ],
    [{ ...organization, email: ["a@b.example", "c@d.example"] }, "email takes one value, not 2"],
    [{ ...organization, name: { deep: {} } }, "name (name) must be text"],
    [{ ...organization, numberOfEmployees: { minValue: 5 } }, "employees (numberOfEmployees) must be a whole number"],
    [{ ...organization, founder: [{ jobTitle: "CEO" }] }, "founders \"\": name must not be empty"],
    [{ ...organization, address: [{ addressCountry: "DE" }, { addressCountry: "AT" }] }, "country is given twice"],
    [{ ...organization, sameAs: Array.from({ length: 101 }, () => "https://a.example") }, "at most 100 values"]
  ])("the document %j is refused", (document, why) => {
    expect(faultOf(document)).toContain(why)
    expect(faultOf(document)).not.toContain("\n")
  })

  it("the first five faults are named, and the other faults are counted", () => {
    const wrong = { telephone: "1", url: "1", email: "1", logo: "1", leiCode: "1", foundingDate: "x", sameAs: "1" }
    expect(faultOf({ ...organization, ...wrong })).toMatch(/; and 2 more$/)
  })
})

describe("hostile text", () => {
  const payloads = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg/onload=alert(1)>",
    "Acme\r\nSet-Cookie: a=b\r\n\r\n<b>",
    "Acme\u0000",
    "\u202Eecma\u2066",
    "\u001b]0;owned\u0007\u001b[2J\u009b31m",
    "javascript:alert(1)//https://acme.example",
    "Acme\u2028\u2029\u0085",
    "\u{E0041}\u{E0042}\uFEFFx",
    "A\u{E0100}\u{E01EF}",
    "A\u200d\u200c\u200dB",
    "A\ufe0f\ufe0eB",
    "\u3164",
    "\u2800\u2800x",
    "A\u034fB",
    "\u200d"
  ]
  /** What a field takes, with the payload in it, and alone. */
  const spoilt = (field: CardField, payload: string): ReadonlyArray<string> => [
    payload,
    typedFacts[field][0]! + payload,
    ...cardFields[field].kind === "person"
      ? [`Ada; job_title=${payload}`, `Ada; url=https://a.example/${payload}`]
      : [],
    ...cardFields[field].kind === "certification" ? [`ISO; issuer=${payload}; number=${payload}`] : [],
    ...cardFields[field].kind === "offering" ? [`Anvil; description=${payload}`] : []
  ]

  it.each(cardFieldNames)("hostile text in %s is refused, or stored as harmless text", (field) => {
    let kept = 0
    for (const payload of payloads) {
      for (const typed of spoilt(field, payload)) {
        const read = parseCardField(field, [typed])
        if (Result.isFailure(read)) {
          expect(read.failure.message).toMatch(new RegExp(`^${field} `))
          continue
        }
        kept++
        const card: BusinessCard = new Map([[field, { value: read.success.value, source: "x", updatedAt: day0 }]])
        const element = jsonLdElement(cardJsonLd(card, { sources: true }))
        expect(element.match(/<[^>]*>/g)).toEqual(["<script type=\"application/ld+json\">", "</script>"])
        expect(cardItemText(read.success.value[0]!)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]|(?!\p{Join_C}|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]|\u2800|(?:\p{Join_C}|\ufe0e|\ufe0f){2}/u
        )
        const url = typeof read.success.value[0] === "string" ? null : read.success.value[0]!["url"]
        if (cardFields[field].kind === "url") expect(read.success.value[0]).toMatch(/^https?:\/\//)
        if (url != null) expect(url).toMatch(/^https?:\/\//)
      }
    }
    if (cardFields[field].kind === "text") expect(kept).toBeGreaterThan(5)
  })

  it("hostile text in a document is also refused, in values, members and sources", () => {
    const read = (more: object) =>
      readCardJsonLd(JSON.stringify({ "@context": "https://schema.org", "@type": "Organization", ...more }))
    for (const payload of ["a\u0000", "\u202Eb", "\u001b[2J", "\u{E0041}"]) {
      expect(Result.isFailure(read({ name: payload }))).toBe(true)
      expect(Result.isFailure(read({ founder: { name: "Ada", jobTitle: payload } }))).toBe(true)
      const provenance = { identifier: "name", citation: payload, dateModified: "2026-01-01T00:00:00.000Z" }
      expect(Result.getOrThrow(read({ name: "Acme", subjectOf: provenance })))
        .toEqual({ facts: [{ field: "name", value: ["Acme"], source: null, updatedAt: null }], ignored: ["subjectOf"] })
    }
  })
})
