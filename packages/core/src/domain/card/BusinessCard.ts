/**
 * The business card: structured facts about the organization, in six groups. Each fact has its value, where it comes
 * from, and when it was last known to be true.
 */
import { createHash } from "node:crypto"
import { canonicalJson } from "../canonicalJson.ts"

export const cardGroups = ["identity", "contact", "web", "offerings", "people", "credentials"] as const
export type CardGroup = (typeof cardGroups)[number]

/** What the items of a field are; `BusinessCardValues.ts` says what each may hold. */
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

/** `many`: a list of items, else one. `expected`: a card without it is not complete. */
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
  area_served: field("offerings", "country", "many", "expected"),
  founders: field("people", "person", "many", "expected"),
  leaders: field("people", "person", "many", "expected"),
  employees: field("people", "integer", "expected"),
  certifications: field("credentials", "certification", "many", "expected"),
  awards: field("credentials", "text", "many"),
  memberships: field("credentials", "text", "many")
} as const satisfies { readonly [name: string]: CardFieldSpec }
export type CardField = keyof typeof cardFields

export const cardFieldNames = Object.keys(cardFields) as ReadonlyArray<CardField>
export const isCardField = (name: string): name is CardField => Object.hasOwn(cardFields, name)

/** One item of a value: a text, or a named thing with its members as texts. */
export type CardItem = string | { readonly name: string; readonly [member: string]: string }
/** One item, or the list of a `many` field; never empty. */
export type CardValue = ReadonlyArray<CardItem>

/** What is known of a field. */
export interface CardFact {
  readonly value: CardValue
  /** Where the value comes from, in words or as a URL. */
  readonly source: string
  /** When the value was last known to be true. */
  readonly updatedAt: Date
}

/** The filled fields. */
export type BusinessCard = ReadonlyMap<CardField, CardFact>

/** What an edit leaves a field with; `value` null = nothing. */
export interface CardEdit {
  readonly field: CardField
  readonly value: CardValue | null
  readonly source: string
  readonly updatedAt: Date
}

/** One edit of one field, as the history keeps it. */
export interface CardChange extends CardEdit {
  /** 1, 2, 3 … within the organization. */
  readonly sequence: number
  /** The value before; null = there was none. */
  readonly previous: CardValue | null
  /** When it was entered. */
  readonly changedAt: Date
}

/** Somebody's word that the card is right, over what it said then. */
export interface CardAttestation {
  readonly by: string
  readonly at: Date
  /** `cardHash` of the card that was attested. */
  readonly cardHash: string
}

/** Whether two values say the same; members have no order. */
export const sameCardValue = (a: CardValue | null, b: CardValue | null): boolean =>
  canonicalJson(a) === canonicalJson(b)

/** What an edit did to a field: `confirmed` = the value stays, known to be true once more. */
export const cardVerb = (
  { previous, value }: Pick<CardChange, "previous" | "value">
): "set" | "changed" | "confirmed" | "cleared" =>
  value === null ? "cleared" : previous === null ? "set" : sameCardValue(value, previous) ? "confirmed" : "changed"

/**
 * sha256 (hex) over the canonical JSON (RFC 8785) of `{field: {value, source}}`. Not of the times: to confirm a value
 * does not change what the card says.
 */
export const cardHash = (card: BusinessCard): string =>
  createHash("sha256").update(
    canonicalJson(Object.fromEntries([...card].map(([name, { source, value }]) => [name, { source, value }])))
  ).digest("hex")
