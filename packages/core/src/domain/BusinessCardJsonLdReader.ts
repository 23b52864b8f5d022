/** A business card from a schema.org document in JSON-LD: sov's own, or that of a web site. */
import { Result } from "effect"
import { type CardField, type CardValue, isCardField } from "./BusinessCard.ts"
import { schemaOrg } from "./BusinessCardJsonLd.ts"
import { cardTerms, fieldOfProperty, isObject, type JsonObject, listOf, textOf } from "./BusinessCardTerms.ts"
import { cardText, longestSource } from "./BusinessCardText.ts"
import { type CardFault, cardForm, decodeCardValue, type RawItem } from "./BusinessCardValues.ts"

/** A fact as a document has it; null = it does not say. */
export interface ReadFact {
  readonly field: CardField
  readonly value: CardValue
  readonly source: string | null
  readonly updatedAt: Date | null
}

export interface CardDocument {
  readonly facts: ReadonlyArray<ReadFact>
  /** Properties that have no place on a card, as paths. */
  readonly ignored: ReadonlyArray<string>
}

// https://schema.org/Organization and its subtypes that say what kind it is
const organizationTypes =
  /^(https?:\/\/schema\.org\/)?(Organization|Airline|Consortium|Cooperative|Corporation|EducationalOrganization|CollegeOrUniversity|School|FinancialService|GovernmentOrganization|LibrarySystem|LocalBusiness|LegalService|MedicalBusiness|MedicalOrganization|NGO|NewsMediaOrganization|OnlineBusiness|OnlineStore|PerformingGroup|PoliticalParty|ProfessionalService|ResearchOrganization|Restaurant|Hotel|SportsOrganization|Store|WorkersUnion)$/

const typesOf = (node: unknown): ReadonlyArray<string> =>
  isObject(node) ? listOf(node["@type"]).filter((type) => typeof type === "string") : []

const speaksSchemaOrg = (json: unknown): boolean =>
  listOf(json).some((one) =>
    /^https?:\/\/schema\.org\/?$/.test((isObject(one) ? textOf(one["@vocab"]) : textOf(one)) ?? "")
  )

const fault = (message: string) => Result.fail<CardFault>({ field: "document", message: `the document ${message}` })

const parseJson = (text: string): Result.Result<unknown, CardFault> =>
  Result.try({
    try: () => JSON.parse(text.replace(/^\ufeff/, "")) as unknown,
    catch: () => ({
      field: "document",
      message: text.trimStart().startsWith("<")
        ? "the document is HTML: give the JSON within <script type=\"application/ld+json\">"
        : "the document is not JSON"
    })
  })

/** The one organization of a document: the document itself, or in its list or graph. */
const findOrganization = (json: unknown): Result.Result<JsonObject, CardFault> => {
  const roots = listOf(json).filter(isObject)
  const nodes = roots.flatMap((root) => [root, ...listOf(root["@graph"]).filter(isObject)])
  if (!roots.some((root) => speaksSchemaOrg(root["@context"]))) return fault(`must have "@context": "${schemaOrg}"`)
  const found = nodes.filter((node) => typesOf(node).some((type) => organizationTypes.test(type)))
  if (found.length === 1) return Result.succeed(found[0]!)
  const types = [...new Set(nodes.flatMap(typesOf))].slice(0, 5).map((type) => type.slice(0, 40)).join(", ")
  return found.length > 1
    ? fault(`describes ${found.length} organizations; keep the one that the card is about`)
    : fault(`must describe one Organization (found: ${types === "" ? "no @type" : types})`)
}

interface Provenance {
  readonly source: string
  readonly updatedAt: Date
}

const readProvenance = (json: unknown): readonly [CardField, Provenance] | null => {
  if (!isObject(json)) return null
  const field = textOf(json["identifier"]) ?? ""
  const source = Result.getOrUndefined(cardText(textOf(json["citation"]) ?? "", longestSource))
  const updatedAt = new Date(textOf(json["dateModified"]) ?? Number.NaN)
  return isCardField(field) && source !== undefined && !Number.isNaN(updatedAt.getTime())
    ? [field, { source, updatedAt }]
    : null
}

const schemes: { readonly [F in CardField]?: RegExp } = { email: /^mailto:/i, telephone: /^tel:/i }

/** Reads the node's properties; faults are gathered, so that all of them can be said at once. */
const readNode = (node: JsonObject) => {
  const facts: Array<{ readonly field: CardField; readonly value: CardValue }> = []
  const faults: Array<CardFault> = []
  const ignored = new Set<string>()
  const sources = new Map<CardField, Provenance>()

  const read = (field: CardField, property: string, json: unknown) => {
    const given = listOf(json)
    const raws = given.map((one) => cardTerms[field].shape.read(one, (name) => ignored.add(`${property}.${name}`)))
    if (raws.length === 0) return void ignored.add(`${property} (empty)`)
    if (raws.includes(null)) {
      return void faults.push({ field, message: `${field} (${property}) must be ${cardForm(field)}` })
    }
    const scheme = schemes[field]
    const items = (raws as ReadonlyArray<RawItem>)
      .map((raw) => scheme !== undefined && typeof raw === "string" ? raw.replace(scheme, "") : raw)
    const value = decodeCardValue(field, items)
    if (Result.isSuccess(value)) facts.push({ field, value: value.success })
    else faults.push(value.failure)
  }

  const readAll = (object: JsonObject, inAddress: boolean) => {
    for (const [property, json] of Object.entries(object)) {
      const field = fieldOfProperty(property, inAddress)
      if (field !== undefined) read(field, property, json)
      else if (property === "address" && !inAddress) {
        for (const one of listOf(json)) {
          if (isObject(one)) readAll(one, true)
          else ignored.add("address (as text: give a PostalAddress)")
        }
      } else if (property === "subjectOf" && !inAddress) {
        for (const one of listOf(json)) {
          const found = readProvenance(one)
          if (found === null) ignored.add(property)
          else sources.set(...found)
        }
      } else if (!property.startsWith("@")) ignored.add(inAddress ? `address.${property}` : property)
    }
  }
  readAll(node, false)
  return { facts, faults, ignored, sources }
}

const shownFaults = 5

/**
 * Reads a schema.org document about one organization. Fails with every value that cannot stand on the card; what has no
 * place on it is ignored and named.
 */
export const readCardJsonLd = (text: string): Result.Result<CardDocument, CardFault> =>
  Result.gen(function*() {
    const node = yield* findOrganization(yield* parseJson(text))
    const { facts, faults, ignored, sources } = readNode(node)
    const [first] = faults
    if (first !== undefined) {
      const more = faults.length > shownFaults ? `; and ${faults.length - shownFaults} more` : ""
      const message = faults.slice(0, shownFaults).map((one) => one.message).join("; ") + more
      return yield* Result.fail({ field: first.field, message })
    }
    const twice = facts.find((fact, n) => facts.findIndex(({ field }) => field === fact.field) !== n)
    if (twice !== undefined) {
      return yield* Result.fail({ field: twice.field, message: `${twice.field} is given twice; keep one address` })
    }
    return {
      facts: facts.map((fact) => ({
        ...fact,
        source: sources.get(fact.field)?.source ?? null,
        updatedAt: sources.get(fact.field)?.updatedAt ?? null
      })),
      ignored: [...ignored]
    }
  })
