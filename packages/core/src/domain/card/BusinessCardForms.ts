/**
 * Describes in words what the fields of a business card accept. It is separate from the rules that check values, so
 * that code that only shows these descriptions need not load them.
 */
import { type CardField, cardFields, type CardKind } from "./BusinessCard.ts"

/** Kinds whose items have a name and other members. */
export type Thing = "offering" | "person" | "certification" | "fact"
export type Plain = Exclude<CardKind, Thing>

export const maxTextLength = 200
export const maxProseLength = 5_000

/** What a value must be, in words that follow "must be". */
export const formWords: { readonly [K in Plain]: string } = {
  text: `text of 1–${maxTextLength} characters`,
  prose: `text of 1–${maxProseLength} characters`,
  url: "a web address such as https://acme.example/about",
  email: "an e-mail address such as info@acme.example",
  telephone: "a phone number with its country code, such as +49 30 901820",
  date: "a date such as 1998-04-30, 1998-04 or 1998",
  country: "a country such as DE (ISO 3166-1) or Germany",
  language: "a language tag such as de or pt-BR (BCP 47)",
  integer: "a whole number such as 250",
  identifier: "letters, digits, spaces, and . / -, at most 40",
  lei: "a legal entity identifier of 20 letters and digits with right check digits"
}

/** The members of things besides their name. */
export const thingMembers = {
  offering: ["type", "description", "url"],
  person: ["job_title", "url"],
  certification: ["issuer", "number", "valid_from", "expires", "url"],
  fact: ["type", "value", "about", "words", "options", "as_of"]
} as const satisfies { readonly [T in Thing]: ReadonlyArray<string> }

export const isThing = (kind: CardKind): kind is Thing => Object.hasOwn(thingMembers, kind)

/** Describes in words what to type for a field. */
export const cardForm = (field: CardField): string => {
  const { kind } = cardFields[field]
  if (!isThing(kind)) return formWords[kind]
  return `NAME${thingMembers[kind].map((member) => `; ${member}=…`).join("")} (each part optional)`
}
