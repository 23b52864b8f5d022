/**
 * The business card: structured facts about the organization, in six groups. Each fact has a value, a source, and the
 * time at which it was last known to be true.
 */
import { createHash } from "node:crypto"
import { canonicalJson } from "../canonicalJson.ts"

/** The six groups of fields, in the order in which they are shown. */
export const cardGroups = ["identity", "contact", "web", "offerings", "people", "credentials"] as const
export type CardGroup = (typeof cardGroups)[number]

/** The kinds of items; `BusinessCardValues.ts` defines the allowed form of each. */
export type CardKind =
  | "text"
  | "prose"
  | "url"
  | "email"
  | "telephone"
  | "date"
  | "country"
  | "language"
  | "integer"
  | "identifier"
  | "lei"
  | "offering"
  | "person"
  | "certification"
  | "fact"

/** `many`: the field is a list of items rather than one item. `expected`: a card without the field is incomplete. */
export interface CardFieldSpec {
  readonly group: CardGroup
  readonly kind: CardKind
  readonly many: boolean
  readonly expected: boolean
}

const field = (group: CardGroup, kind: CardKind, ...marks: ReadonlyArray<"many" | "expected">): CardFieldSpec => ({
  group,
  kind,
  many: marks.includes("many"),
  expected: marks.includes("expected")
})

/** Every field of a card, by name, in the order in which it is shown. */
export const cardFields = {
  name: field("identity", "text", "expected"),
  legal_name: field("identity", "text", "expected"),
  alternate_names: field("identity", "text", "many"),
  description: field("identity", "prose", "expected"),
  slogan: field("identity", "text"),
  founding_date: field("identity", "date", "expected"),
  vat_id: field("identity", "identifier"),
  tax_id: field("identity", "identifier"),
  lei: field("identity", "lei"),
  email: field("contact", "email", "expected"),
  telephone: field("contact", "telephone", "expected"),
  street_address: field("contact", "text", "expected"),
  postal_code: field("contact", "identifier"),
  locality: field("contact", "text", "expected"),
  region: field("contact", "text"),
  country: field("contact", "country", "expected"),
  languages: field("contact", "language", "many", "expected"),
  url: field("web", "url", "expected"),
  logo: field("web", "url", "expected"),
  profiles: field("web", "url", "many", "expected"),
  offerings: field("offerings", "offering", "many", "expected"),
  topics: field("offerings", "text", "many", "expected"),
  facts: field("offerings", "fact", "many"),
  area_served: field("offerings", "country", "many", "expected"),
  founders: field("people", "person", "many", "expected"),
  leaders: field("people", "person", "many", "expected"),
  employees: field("people", "integer", "expected"),
  certifications: field("credentials", "certification", "many", "expected"),
  awards: field("credentials", "text", "many"),
  memberships: field("credentials", "text", "many")
} as const satisfies { readonly [name: string]: CardFieldSpec }
export type CardField = keyof typeof cardFields

/** The names of all fields, in the order in which they are shown. */
export const cardFieldNames = Object.keys(cardFields) as ReadonlyArray<CardField>
/** Whether `name` is a field of the card. */
export const isCardField = (name: string): name is CardField => Object.hasOwn(cardFields, name)

/** One item of a value: a text, or a named thing with its members as texts. */
export type CardItem = string | { readonly name: string; readonly [member: string]: string }
/** One item, or the list of a `many` field; never empty. */
export type CardValue = ReadonlyArray<CardItem>

/** The value of a field, with its source and time. */
export interface CardFact {
  readonly value: CardValue
  /** Where the value comes from, in words or as a URL. */
  readonly source: string
  /** When the value was last known to be true. */
  readonly updatedAt: Date
}

/** The fields that have a value. */
export type BusinessCard = ReadonlyMap<CardField, CardFact>

/** The state of a field after an edit; `value` null means that it was cleared. */
export interface CardEdit {
  readonly field: CardField
  readonly value: CardValue | null
  readonly source: string
  readonly updatedAt: Date
}

/** One edit of one field, as stored in the history. */
export interface CardChange extends CardEdit {
  /** 1, 2, 3 … within the organization. */
  readonly sequence: number
  /** The value before the edit; null if there was no value. */
  readonly previous: CardValue | null
  /** When the edit was made. */
  readonly changedAt: Date
}

/** A person's statement that the card was correct at a time. */
export interface CardAttestation {
  readonly by: string
  readonly at: Date
  /** `cardHash` of the card that was attested. */
  readonly cardHash: string
}

/** Whether two values are equal; the order of members does not matter. */
export const sameCardValue = (a: CardValue | null, b: CardValue | null): boolean =>
  canonicalJson(a) === canonicalJson(b)

/** What an edit did to a field. `confirmed`: the value is unchanged and known to be true at a later time. */
export const cardVerb = (
  { previous, value }: Pick<CardChange, "previous" | "value">
): "set" | "changed" | "confirmed" | "cleared" =>
  value === null ? "cleared" : previous === null ? "set" : sameCardValue(value, previous) ? "confirmed" : "changed"

/**
 * sha256 (hex) over the canonical JSON (RFC 8785) of `{field: {value, source}}`. Times are left out: confirming
 * a value does not change the card's content.
 */
export const cardHash = (card: BusinessCard): string =>
  createHash("sha256").update(
    canonicalJson(Object.fromEntries([...card].map(([name, { source, value }]) => [name, { source, value }])))
  ).digest("hex")
