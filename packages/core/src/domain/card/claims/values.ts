/** Finds values in a sentence, and compares them with the value of a fact. */
import { countryOf, sameCity } from "./places.ts"
import { about, atLeast, atMost } from "./words.ts"

/** Types of facts that are compared with answers. */
export const claimKinds = ["year", "number", "price", "place", "person", "yes_no", "choice", "identifier"] as const
export type ClaimKind = (typeof claimKinds)[number]
/** Types of facts that people enter: those that rules compare, and free text, which only a judge compares. */
export const factTypes = [...claimKinds, "text"] as const

/** null: the sentence does not show whether the values are the same. */
export type Comparison = "same" | "other" | null

/** A value in a sentence, with its UTF-16 offsets. */
export interface Candidate {
  readonly start: number
  readonly end: number
  /** The value as it is compared; its words are separated by a space. */
  readonly text: string
  /** For numbers: the bounds that the sentence allows, which are equal for an exact number. */
  readonly from?: number
  readonly to?: number
  readonly unit?: string
}

const numberWords: ReadonlyMap<string, number> = new Map(
  [
    "one ein eine un une uno um uma een",
    "two zwei deux dos due dois duas twee",
    "three drei trois tres tre três drie",
    "four vier quatre cuatro quattro quatro",
    "five fünf cinq cinco cinque vijf",
    "six sechs seis sei zes",
    "seven sieben sept siete sette sete zeven",
    "eight acht huit ocho otto oito",
    "nine neun neuf nueve nove negen",
    "ten zehn dix diez dieci dez tien",
    "eleven elf onze once undici",
    "twelve zwölf douze doce dodici doze twaalf"
  ].flatMap((line, n) => line.split(" ").map((word) => [word, n + 1] as const))
)

/** Units with all their names, and the factor that converts each to the first unit of its dimension. */
const units: ReadonlyArray<readonly [dimension: string, factor: number, names: string]> = [
  ["month", 1, "months?|monate?n?|mois|meses|mes|mesi|mese|mês|maand(?:en)?|か月|ヶ月|カ月"],
  ["month", 12, "years?|jahre?n?|jährige?n?|ans?|années?|años?|anni|anno|anos?|jaar|jaren|年間|年"],
  ["day", 1, "days?|tage?n?|jours?|días?|giorni?|dias?|dag(?:en)?|日間"],
  ["day", 7, "weeks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:ek|ken)|週間"],
  ["dB", 1, "db(?:\\(a\\)|a)?|decibels?|dezibel|décibels?|decibelios?|decibéis|デシベル"],
  ["%", 1, "%|percent|per cent|prozent|pour cent|por ciento|per cento|por cento|procent|パーセント"],
  ["g", 1, "g|grams?|gramm|grammes?|gramos?|grammi|gramas?|グラム"],
  ["g", 1000, "kg|kilos?|kilograms?|kilogramm|kilogrammes?|kilogramos?|chili|chilogrammi|quilos?|キロ"],
  ["m", 1, "m|met(?:er|re)s?|mètres?|metros?|metri|メートル"],
  ["m", 0.01, "cm|zentimeter|centimet(?:er|re)s?|centimètres?|centímetros?|centimetri"],
  ["m", 0.001, "mm|millimeter|millimet(?:er|re)s?|millimètres?|milímetros?|millimetri"],
  ["m", 1000, "km|kilomet(?:er|re)s?|kilomètres?|kilómetros?|chilometri|quilômetros?"],
  ["l", 1, "l|lit(?:er|re)s?|litros?|litri|リットル"],
  ["W", 1, "w|watts?|ワット"],
  ["W", 1000, "kw|kilowatts?"],
  ["bar", 1, "bars?|bares|バール"],
  ["GB", 1, "gb|gigabytes?|gigaoctets?|go"],
  ["GB", 1024, "tb|terabytes?"]
]
const currencies: ReadonlyArray<readonly [code: string, names: string]> = [
  ["EUR", "€|eur|euros?|ユーロ"],
  ["USD", "us\\$|\\$|usd|us dollars?|dollars?|dólares|dollari|ドル"],
  ["GBP", "£|gbp|pounds?|pfund|livres|libras|sterline"],
  ["CHF", "chf|sfr\\.?|swiss francs?|franken|francs suisses|francos suizos|franchi"],
  ["JPY", "¥|jpy|yen|円"]
]
const amount = String.raw`\d{1,3}(?:[.,'’ ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,9}(?:[.,]\d{1,2})?(?!\d)`
const between = String.raw`\s?(?:-|–|—|to|bis|à|a|e|y|et|and|und|und|en|tot|～|〜)\s?`
const words = [...numberWords.keys()].join("|")
const edge = String.raw`(?<![\p{Script=Latin}\p{N}.,])`

const unitOf = (text: string) => units.find(([, , names]) => new RegExp(`^(?:${names})$`, "iu").test(text))
const currencyOf = (text: string) => currencies.find(([, names]) => new RegExp(`^(?:${names})$`, "iu").test(text))?.[0]

const unitNames = units.map(([, , names]) => names).join("|")
const currencyNames = currencies.map(([, names]) => names).join("|")
const measured = new RegExp(
  `${edge}(?:(${amount}|${words})${between})?(${amount}|${words})[\\s-]?(${unitNames})(?![\\p{Script=Latin}\\p{N}])`,
  "giu"
)
const counted = new RegExp(
  `${edge}(?:(${amount})${between})?(${amount})(?![\\p{Script=Latin}\\p{N}]|[.,]\\d|\\s?%)`,
  "giu"
)
const priced = new RegExp(
  `${edge}(?:(?:${currencyNames})\\s?)?(?:(${amount})\\s?(?:${currencyNames})?${between}(?:(?:${currencyNames})\\s?)?)?` +
    `(${amount})\\s?(${currencyNames})(?![\\p{Script=Latin}\\p{N}])` +
    `|(${currencyNames})\\s?(?:(${amount})${between}(?:(?:${currencyNames})\\s?)?)?(${amount})(?![\\p{N}])`,
  "giu"
)

/**
 * The number that a text in one of the languages states: `1,200` and `1.200` mean 1200, `5,9` means 5.9.
 */
const numberOf = (text: string): number => {
  const word = numberWords.get(text.toLowerCase())
  if (word !== undefined) return word
  const [, whole = "", cents = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  return Number(`${whole.replace(/[^\d]/g, "")}.${cents === "" ? "0" : cents}`)
}

/** The bounds of a number that these words precede. */
const bounds = (before: string, low: string | undefined, high: string) => {
  const to = numberOf(high)
  if (low !== undefined) return { from: numberOf(low), to }
  if (about.test(before)) return { from: 0.9 * to, to: 1.1 * to }
  if (atLeast.test(before)) return { from: to, to: Infinity }
  if (atMost.test(before)) return { from: 0, to }
  return { from: to, to }
}

/** Maximum number of candidates in a sentence; a sentence with more numbers states no single fact. */
const maxCandidates = 12

const matches = (pattern: RegExp, sentence: string): ReadonlyArray<RegExpExecArray> => {
  const found: Array<RegExpExecArray> = []
  pattern.lastIndex = 0
  for (
    let match = pattern.exec(sentence);
    match !== null && found.length < maxCandidates;
    match = pattern.exec(sentence)
  ) {
    found.push(match)
  }
  return found
}

const at = (match: RegExpExecArray) => ({
  start: match.index,
  end: match.index + match[0].length,
  text: match[0].trim()
})

const year =
  /(?<![\p{L}\p{N}.,€$£-])(?:1[6-9]|20)\d\d(?![\p{L}\p{N}%€$£]|[.,-]\d|\s(?:€|EUR|Euro))|(?<!\d)(?:1[6-9]|20)\d\d(?=年)/giu
const capital = String.raw`(?:St\. )?\p{Lu}[\p{L}'’-]*`
const place = new RegExp(
  String
    .raw`(?:(?<=(?:(?<![\p{L}])(?:in|at|à|au|aux|en|em|a|ad|na|no|te|near)|:)\s+(?:(?:the|der|die|den|la|le|les|il|o|os|as)\s+)?)|(?<=\p{L},\s))` +
    `${capital}(?:(?:[ -](?:am|de|di|do|del)[ -]|[ -])${capital}){0,2}|(?<=本社は)[\\p{Script=Katakana}\\p{Script=Han}ー]{2,12}(?=に)` +
    "|(?<=は)[\\p{Script=Katakana}\\p{Script=Han}ー]{2,12}(?=に本社)",
  "gu"
)
const particle = "(?:van der|van den|van|von|de la|de|di|da|del|dos|du|le)"
const person = new RegExp(
  String
    .raw`(?<![\p{Script=Latin}])\p{Lu}[\p{Ll}'’]+(?:-\p{Lu}\p{Ll}+)?(?: \p{Lu}\.)?(?: ${particle})?(?: \p{Lu}[\p{Script=Latin}'’]+(?:-\p{Lu}\p{Script=Latin}+)?){1,2}(?![\p{Script=Latin}])`,
  "gu"
)
const identifier =
  /(?<![\p{L}\p{N}])(?:\+?[\d(][\d\s()/.-]{6,20}\d|(?=[\p{L}\d/.-]*\d)[\p{Lu}\d]+(?:[-./ ]?[\p{Lu}\d]+){0,5})(?![\p{L}\p{N}])/gu

/** Finds the values of a kind in a sentence, in order. */
export const candidatesOf = (kind: ClaimKind, unit: string | null, sentence: string): ReadonlyArray<Candidate> => {
  switch (kind) {
    case "year":
      return matches(year, sentence).map(at)
    case "place":
      return matches(place, sentence).map(at)
    case "person":
      return matches(person, sentence).map(at)
    case "identifier":
      return matches(identifier, sentence).map(at)
    case "price":
      return matches(priced, sentence).flatMap((match) => {
        const code = currencyOf(match[3] ?? match[4] ?? "")
        const spread = bounds(
          sentence.slice(Math.max(0, match.index - 24), match.index),
          match[1] ?? match[5],
          match[2] ?? match[6]!
        )
        return code === undefined ? [] : [{ ...at(match), ...spread, unit: code }]
      })
    case "number":
      return matches(unit === null ? counted : measured, sentence).flatMap((match) => {
        const found = unit === null ? undefined : unitOf(match[3]!)
        if (unit !== null && found?.[0] !== unit) return []
        const factor = found?.[1] ?? 1
        const spread = bounds(sentence.slice(Math.max(0, match.index - 24), match.index), match[1], match[2]!)
        return [{ ...at(match), from: factor * spread.from, to: factor * spread.to }]
      })
    default:
      return []
  }
}

/** A value of a fact, prepared for comparison. */
export interface OwnValue {
  readonly text: string
  /** The value of a number or price; numbers are in the first unit of their dimension. */
  readonly number: number
  /** The dimension, or the currency; null for counts. */
  readonly unit: string | null
}

/** Reads an amount such as `52 dB`, `3 years`, `549 EUR` or `250`; null for any other text. */
export const readAmount = (kind: "number" | "price", text: string): OwnValue | null => {
  const match = new RegExp(`^(${amount})\\s*(.*)$`, "u").exec(text.trim())
  if (match === null) return null
  const rest = match[2]!.trim()
  if (kind === "price") {
    const code = currencyOf(rest)
    return code === undefined ? null : { text, number: numberOf(match[1]!), unit: code }
  }
  if (rest === "") return { text, number: numberOf(match[1]!), unit: null }
  const unit = unitOf(rest)
  return unit === undefined ? null : { text, number: unit[1] * numberOf(match[1]!), unit: unit[0] }
}

const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
const isNear = (a: string, b: string): boolean =>
  a === b || a.includes(b) || b.includes(a) || (a.slice(0, 4) === b.slice(0, 4) && Math.abs(a.length - b.length) < 3)

const comparePersons = (own: string, stated: string): Comparison => {
  const [a, b] = [fold(own).split(/\s+/), fold(stated).split(/\s+/)]
  if (a.at(-1) === b.at(-1)) return a[0]![0] === b[0]![0] ? "same" : null
  return isNear(a.at(-1)!, b.at(-1)!) || a.some((part) => part.length > 2 && b.includes(part)) ? null : "other"
}

const maskOf = (text: string): string => text.replace(/\p{L}/gu, "A").replace(/\d/g, "9").replace(/[\s./()-]/g, "")
const bare = (text: string): string => fold(text).replace(/[^\p{L}\d]/gu, "")
const isPhone = (text: string): boolean => text.startsWith("+")

const compareIdentifiers = (own: string, stated: string): Comparison => {
  // "+49 (0)30" means +49 30
  const [a, b] = [bare(own), bare(stated.replace("(0)", ""))]
  if (a === b || (isPhone(own) && b.length >= 7 && a.endsWith(b.replace(/^0+/, "")))) return "same"
  if (isPhone(own)) return isPhone(stated) && b.length >= 9 && b.slice(0, 2) === a.slice(0, 2) ? "other" : null
  return maskOf(own) === maskOf(stated) ? "other" : null
}

const comparePlaces = (own: string, stated: string): Comparison => {
  const country = countryOf(own) ?? (/^[A-Z]{2}$/.test(own) ? own : null)
  if (country !== null) {
    const other = countryOf(stated)
    return other === null ? null : other === country ? "same" : "other"
  }
  const same = sameCity(own, stated)
  return same === null ? null : same ? "same" : "other"
}

/**
 * Compares a stated value with the value of the fact. A hedged number counts as the same if the fact's value is within
 * its bounds.
 */
export const compare = (kind: ClaimKind, own: OwnValue, stated: Candidate): Comparison => {
  if (kind === "year") return stated.text.slice(0, 4) === own.text.slice(0, 4) ? "same" : "other"
  if (kind === "place") return comparePlaces(own.text, stated.text)
  if (kind === "person") return comparePersons(own.text, stated.text)
  if (kind === "identifier") return compareIdentifiers(own.text, stated.text)
  if (kind === "price" && stated.unit !== own.unit) return null
  const { from = NaN, to = NaN } = stated
  // Answers leave out the cents of a price: they state 549 for 549.99
  const slack = kind === "price" && own.number >= 20 ? 1 : 0
  if (own.number >= from - slack && own.number <= to + slack) {
    return to === Infinity && own.number > 1.5 * from
      ? null
      : "same"
  }
  return kind === "price" && (to === Infinity || from === 0) ? null : "other"
}
