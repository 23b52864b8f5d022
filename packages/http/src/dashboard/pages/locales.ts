/** Languages of numbers and dates, for fields. */
import { formatsOf, housePlace } from "@sov/core/common"
import type { Choice } from "./fields.ts"

const locales = [
  "en",
  "en-GB",
  "en-US",
  "cs",
  "da",
  "de",
  "de-CH",
  "es",
  "fi",
  "fr",
  "it",
  "ja",
  "nb",
  "nl",
  "pl",
  "pt",
  "pt-BR",
  "sv",
  "tr",
  "zh"
]

/** Example: `Deutsch: 28. Nov. 2026, 1.234,5` */
const localeWords = (locale: string, at: Date): string => {
  const { calendarDay, number } = formatsOf({ ...housePlace, locale })
  const name = new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale
  return `${name}: ${calendarDay(at)}, ${number(1234.5, 1)}`
}

/** The languages to choose from, each with an example. */
export const localeChoices = (at: Date): ReadonlyArray<Choice> =>
  locales.map((locale) => [locale, localeWords(locale, at)])
