/**
 * Defines which values the fields of a business card accept, and how people type them. It loads the world's phone
 * numbers and countries, which takes time, so only code that reads values should import it.
 */
import { Result } from "effect"
// Imported from a file, because the package's main entry loads the names of countries in all its languages
import countries from "i18n-iso-countries/index.js"
import english from "i18n-iso-countries/langs/en.json" with { type: "json" }
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { canonicalJson } from "../canonicalJson.ts"
import { didYouMean } from "../didYouMean.ts"
import {
  type CardField,
  cardFieldNames,
  cardFields,
  type CardItem,
  type CardKind,
  type CardValue,
  isCardField
} from "./BusinessCard.ts"
import {
  cardForm,
  formWords,
  isThing,
  maxProseLength,
  maxTextLength,
  type Plain,
  type Thing,
  type thingMembers
} from "./BusinessCardForms.ts"
import { cardText } from "./BusinessCardText.ts"
import { factTypes, readAmount } from "./claims/values.ts"

/** The reason why the card does not accept a value: one line that names the field and the allowed form. */
export interface CardFault {
  readonly field: string
  readonly message: string
}

const maxUrlLength = 2_000
/** Maximum number of items in a list. */
const maxItems = 100

interface Form {
  /** A phrase that follows "must be". */
  readonly form: string
  /** The text as it is stored; null if it does not have the form. */
  readonly read: (text: string) => string | null
}

const webAddress = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null
  return url.hostname.includes(".") && url.href.length <= maxUrlLength ? url.href : null
}

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address, with a dot in the host
const address =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/

const phoneNumber = (text: string): string | null => {
  const number = parsePhoneNumberFromString(text, { extract: false })
  return number?.isValid() === true && number.ext === undefined ? number.number : null
}

/** Whether a day, month or year exists: `2026-02-29` does not. */
const exists = (date: string): boolean => {
  const time = Date.parse(date)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

countries.registerLocale(english)

const countryCode = (text: string): string | null => {
  const code = countries.toAlpha2(text.toUpperCase()) ?? countries.getAlpha2Code(text, "en")
  return code !== undefined && /^[A-Z]{2}$/.test(code) && countries.isValid(code) ? code : null
}

const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })
const languageTag = (text: string): string | null => {
  try {
    const [tag] = Intl.getCanonicalLocales(text)
    return tag !== undefined && languageNames.of(tag) !== undefined ? tag : null
  } catch {
    return null
  }
}

/** ISO 17442: 18 letters or digits and two check digits, ISO 7064 mod 97-10. */
const legalEntity = (text: string): string | null => {
  const code = text.toUpperCase()
  if (!/^[A-Z0-9]{18}\d\d$/.test(code)) return null
  const digits = code.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n ? code : null
}

const matching = (pattern: RegExp) => (text: string): string | null => (pattern.test(text) ? text : null)

const forms: { readonly [K in Plain]: Form } = {
  text: { form: formWords.text, read: (text) => text },
  prose: { form: formWords.prose, read: (text) => text },
  url: { form: formWords.url, read: webAddress },
  email: { form: formWords.email, read: matching(address) },
  telephone: { form: formWords.telephone, read: phoneNumber },
  date: {
    form: formWords.date,
    read: (text) => /^\d{4}(-\d\d(-\d\d)?)?$/.test(text) && exists(text) ? text : null
  },
  country: { form: formWords.country, read: countryCode },
  language: { form: formWords.language, read: languageTag },
  integer: { form: formWords.integer, read: matching(/^(0|[1-9]\d{0,8})$/) },
  identifier: {
    form: formWords.identifier,
    read: matching(/^[\p{L}\p{N}][\p{L}\p{N} ./-]{0,39}$/u)
  },
  lei: { form: formWords.lei, read: legalEntity }
}

const maxLengthOf = (kind: Plain): number =>
  kind === "prose" ? maxProseLength : kind === "url" ? maxUrlLength : maxTextLength

const day: Form = {
  form: "a day such as 2027-05-31",
  read: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && exists(text) ? text : null
}

/** The members of things besides their name. A `text` member is checked like a text field. */
const members: { readonly [T in Thing]: { readonly [member in typeof thingMembers[T][number]]: Form } } = {
  offering: {
    type: { form: "product or service", read: matching(/^(product|service)$/) },
    description: forms.text,
    url: forms.url
  },
  person: { job_title: forms.text, url: forms.url },
  certification: { issuer: forms.text, number: forms.text, valid_from: day, expires: day, url: forms.url },
  fact: {
    type: { form: `one of ${factTypes.join(", ")}`, read: (text) => factTypes.find((kind) => kind === text) ?? null },
    value: forms.text,
    about: forms.text,
    words: forms.text,
    options: forms.text,
    as_of: day
  }
}

const membersOf = (kind: Thing): { readonly [member: string]: Form } => members[kind]

/** Reads one part of an item, which a person typed or a document contains. */
const readText = (text: string, form: Form, most: number): Result.Result<string, string> =>
  Result.flatMap(cardText(text, most), (clean) => {
    const value = form.read(clean)
    return value === null ? Result.fail(`must be ${form.form}`) : Result.succeed(value)
  })

/** The reason why answers cannot be compared with a typed fact; null if they can. */
const typedFault = ({ about, options = "", type = "", value = "" }: { readonly [member: string]: string }) => {
  switch (type) {
    case "":
      return `type is missing: type=… is one of ${factTypes.join(", ")}`
    case "year":
      return /^\d{4}$/.test(value) ? null : "value must be a year such as 2014"
    case "number":
      return readAmount(type, value) === null ? "value must be a number, with a unit where it has one: 3 years" : null
    case "price":
      if (about === undefined) return "about is missing: the name of what costs that, as answers write it"
      return readAmount(type, value) === null ? "value must be an amount with its currency: 549 EUR" : null
    case "yes_no":
      return /^(yes|no)$/.test(value) ? null : "value must be yes or no"
    case "choice":
      return options.split(",").some((option) => option.split("|").some((one) => one.trim() === value))
        ? null
        : "options must be a list that has the value: options=Bronze, Silver, Gold"
    default:
      return value === "" ? "value is missing" : null
  }
}

const readThing = (kind: Thing, raw: { readonly [member: string]: string }): Result.Result<CardItem, string> => {
  const name = readText(raw["name"] ?? "", forms.text, maxTextLength)
  if (Result.isFailure(name)) return Result.fail(`name ${name.failure}`)
  const item: { name: string; [member: string]: string } = { name: name.success }
  const own = membersOf(kind)
  for (const [member, text] of Object.entries(raw)) {
    if (member === "name") continue
    const form = Object.hasOwn(own, member) ? own[member] : undefined
    if (form === undefined) {
      return Result.fail(`has no part ${JSON.stringify(member)}; parts: ${Object.keys(own).join(", ")}`)
    }
    const value = readText(text, form, form === forms.url ? maxUrlLength : maxTextLength)
    if (Result.isFailure(value)) return Result.fail(`${member} ${value.failure}`)
    item[member] = value.success
  }
  const unreadable = kind === "fact" ? typedFault(item) : null
  if (unreadable !== null) return Result.fail(unreadable)
  if (kind === "offering") item["type"] ??= "product"
  const { expires, valid_from: from } = item
  if (expires !== undefined && from !== undefined && from > expires) {
    return Result.fail("valid_from must not be later than expires")
  }
  return Result.succeed(item)
}

/** An item as read from a document; its members are not checked yet. */
export type RawItem = string | { readonly [member: string]: string }

/**
 * Splits `Name; member=text; …`. Within a text, a semicolon is written as `\;`, and a backslash before a semicolon as
 * `\\`.
 */
const splitThing = (text: string): Result.Result<RawItem, string> => {
  const [name = "", ...parts] = [...text.matchAll(/(?:^|;)((?:\\[\\;]|[^;])*)/g)]
    .map((match) => match[1]!.replace(/\\([\\;])/g, "$1").trim())
  const raw = new Map([["name", name]])
  for (const part of parts) {
    const [, member, value] = /^([a-z_]+)\s*=(.*)$/s.exec(part) ?? []
    if (member === undefined || value === undefined || raw.has(member)) {
      return Result.fail(`cannot be read at ${JSON.stringify(part.slice(0, 40))}`)
    }
    raw.set(member, value)
  }
  return Result.succeed(Object.fromEntries(raw))
}

const typed = (kind: CardKind, text: string): Result.Result<RawItem, string> =>
  isThing(kind) ? splitThing(text) : Result.succeed(text)

const readItem = (kind: CardKind, raw: RawItem): Result.Result<CardItem, string> => {
  if (isThing(kind)) return readThing(kind, typeof raw === "string" ? { name: raw } : raw)
  return typeof raw === "string"
    ? readText(raw, forms[kind], maxLengthOf(kind))
    : Result.fail(`must be ${forms[kind].form}`)
}

/** Checks the items of a field; duplicates count once. */
export const decodeCardValue = (
  field: CardField,
  raws: ReadonlyArray<RawItem>
): Result.Result<CardValue, CardFault> => {
  const { kind, many } = cardFields[field]
  const fault = (message: string) => Result.fail({ field, message: `${field} ${message}` })
  if (raws.length === 0) return fault("must not be empty; clear the field instead")
  if (!many && raws.length > 1) return fault(`takes one value, not ${raws.length}`)
  if (raws.length > maxItems) return fault(`takes at most ${maxItems} values, not ${raws.length}`)
  const items = new Map<string, CardItem>()
  for (const raw of raws) {
    const item = readItem(kind, raw)
    if (Result.isFailure(item)) {
      const shown = typeof raw === "string" ? raw : raw["name"] ?? ""
      return fault(`${JSON.stringify(shown.slice(0, 80))}: ${item.failure}`)
    }
    items.set(canonicalJson(item.success), item.success)
  }
  return Result.succeed([...items.values()])
}

/** The field with this name. Fails with the name that was probably meant. */
export const findCardField = (name: string): Result.Result<CardField, CardFault> => {
  if (isCardField(name)) return Result.succeed(name)
  const meant = didYouMean(name, cardFieldNames)
  return Result.fail({
    field: "field",
    message: `a business card has no field ${JSON.stringify(name.slice(0, 40))}; ` +
      (meant === null ? `fields: ${cardFieldNames.join(", ")}` : `did you mean ${meant}?`)
  })
}

/** Reads the text that was typed for a field. */
export const parseCardField = (
  name: string,
  texts: ReadonlyArray<string>
): Result.Result<{ readonly field: CardField; readonly value: CardValue }, CardFault> =>
  Result.gen(function*() {
    const field = yield* findCardField(name)
    const raws = texts.map((text) => typed(cardFields[field].kind, text))
    const broken = raws.findIndex(Result.isFailure)
    if (broken >= 0) {
      const why = Result.isFailure(raws[broken]!) ? raws[broken].failure : ""
      return yield* Result.fail({ field, message: `${field} ${why}; it is written ${cardForm(field)}` })
    }
    return { field, value: yield* decodeCardValue(field, raws.map((raw) => Result.getOrThrow(raw))) }
  })
