/** Reads a business card from a schema.org document in JSON-LD: sov's own, or that of a web site. */
import { Result } from "effect"
import { describeJsonFault, parseJson } from "../parseJson.ts"
import { type CardField, type CardValue, isCardField } from "./BusinessCard.ts"
import { findOrganization } from "./BusinessCardDocument.ts"
import { cardForm } from "./BusinessCardForms.ts"
import { cardTerms, fieldOfProperty, isObject, type JsonObject, listOf, textOf } from "./BusinessCardTerms.ts"
import { cardText, maxSourceLength } from "./BusinessCardText.ts"
import { type CardFault, decodeCardValue, type RawItem } from "./BusinessCardValues.ts"
import { factTypes } from "./claims/values.ts"

/** A fact in a document; null if the document does not contain the source or time. */
export interface ReadFact {
  readonly field: CardField
  readonly value: CardValue
  readonly source: string | null
  readonly updatedAt: Date | null
}

/** A business card as read from a document. */
export interface CardDocument {
  readonly facts: ReadonlyArray<ReadFact>
  /** Properties that no field of the card corresponds to, as paths. */
  readonly ignored: ReadonlyArray<string>
}

const parseDocument = (text: string): Result.Result<unknown, CardFault> =>
  Result.mapError(parseJson(text), (fault) => ({
    field: "document",
    message: text.trimStart().startsWith("<")
      ? "the document is HTML: give the JSON within <script type=\"application/ld+json\">"
      : `the document is ${describeJsonFault(fault)}`
  }))

interface Provenance {
  readonly source: string
  readonly updatedAt: Date
}

// RFC 3339: a day, or a day with time and zone
const moment = /^(\d{4}-\d\d-(\d\d))(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/i
const firstMoment = new Date("0001-01-01T00:00:00Z")

/** Reads a time that databases and calendars support, from year 1 on; null for any other text. */
const readMoment = (text: string): Date | null => {
  const [, day, dayOfMonth] = moment.exec(text) ?? []
  const time = new Date(text)
  // `Date` would turn 31 February into a day in March
  return day !== undefined && new Date(day).getUTCDate() === Number(dayOfMonth) && time >= firstMoment ? time : null
}

const readProvenance = (json: unknown): readonly [CardField, Provenance] | null => {
  if (!isObject(json)) return null
  const field = textOf(json["identifier"]) ?? ""
  const source = Result.getOrUndefined(cardText(textOf(json["citation"]) ?? "", maxSourceLength))
  const updatedAt = readMoment(textOf(json["dateModified"]) ?? "")
  return isCardField(field) && source !== undefined && updatedAt !== null
    ? [field, { source, updatedAt }]
    : null
}

const isTypedFact = (json: unknown): boolean =>
  isObject(json) && factTypes.some((kind) => kind === textOf(json["propertyID"]))

const schemes: { readonly [F in CardField]?: RegExp } = { email: /^mailto:/i, telephone: /^tel:/i }

/** Reads the node's properties. All faults are collected, so that one message can list them. */
const readNode = (node: JsonObject) => {
  const facts: Array<{ readonly field: CardField; readonly value: CardValue }> = []
  const faults: Array<CardFault> = []
  const ignored = new Set<string>()
  const sources = new Map<CardField, Provenance>()

  const read = (field: CardField, property: string, json: unknown) => {
    // Documents also use pairs of a name and a value for properties that are no facts of the card
    const given = field === "facts" ? listOf(json).filter(isTypedFact) : listOf(json)
    if (field === "facts" && given.length === 0) return void ignored.add(property)
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
 * Reads a schema.org document about one organization. Fails with the values that the card does not accept (the first
 * five in words). Properties without a field are listed in `ignored`.
 */
export const readCardJsonLd = (text: string): Result.Result<CardDocument, CardFault> =>
  Result.gen(function*() {
    const { dangling, node } = yield* findOrganization(yield* parseDocument(text))
    const { facts, faults, ignored, sources } = readNode(node)
    for (const property of dangling) ignored.add(property)
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
