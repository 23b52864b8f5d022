/** Checks the name, market and line of context of a view. */
import { Schema } from "effect"
import { Name } from "../organizations/Organization.ts"
import type { View } from "../platforms/surface.ts"
import { pluralized } from "../wording.ts"
import { KeywordText } from "./Keyword.ts"

/** The name of the view without market and context. All questions were asked from it before views existed. */
export const standardView = "standard"

/** The view of answers that people captured in apps. No scan asks from it. */
export const capturedView: View = { name: "captured", country: null, language: null, context: null }

/** Describes the answers behind the share of captured answers: one scan, which is one import. */
export const describeImport = (answers: number): string =>
  `of one import alone, the newest by its first capture (${pluralized(answers, "answer")})`

/** Maximum length of the name of a view, in UTF-16 code units. */
export const maxViewName = 60

/** Maximum number of views per organization, because each view asks every question once more. */
export const maxViews = 20

const regionNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })

/** Codes of groups of countries, and codes for tests. */
const noCountries = ["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]

/** Whether ICU knows the code, as the present one of a country: `UK` and `DD` are aliases of others. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && regionNames.of(code) !== undefined && !noCountries.includes(code) &&
  new Intl.Locale(`und-${code}`).region === code

const isLanguage = (code: string): boolean => /^[a-z]{2}$/.test(code) && languageNames.of(code) !== undefined

export const ViewInput = Schema.Struct({
  name: Name.check(
    Schema.makeFilter((name) =>
      name.trim() === name && name.length <= maxViewName &&
        ![standardView, capturedView.name].includes(name.toLowerCase())
        ? true
        : `must have at most ${maxViewName} characters and not be "${standardView}" or "${capturedView.name}"`
    )
  ),
  country: Schema.NullOr(
    Schema.String.check(Schema.makeFilter((code) => isCountry(code) ? true : "must be a country code such as DE"))
  ),
  language: Schema.NullOr(
    Schema.String.check(Schema.makeFilter((code) => isLanguage(code) ? true : "must be a language code such as de"))
  ),
  context: Schema.NullOr(KeywordText)
}).check(
  Schema.makeFilter(({ context, country, language }) =>
    country !== null || language !== null || context !== null
      ? true
      : "needs a country, a language or a line of context"
  )
)
