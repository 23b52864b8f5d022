/** How a person reads numbers, dates and CSV: chosen on the account page, or else by the browser's language. */
import { type CsvSeparator, csvSeparators, housePlace, isLocale, type Place, readLocale } from "@sov/core/common"
import type { FoundSession } from "@sov/core/people"
import { Effect } from "effect"
import { PageRefused } from "./PageRefused.ts"

/** What a person chose for this browser; null = nothing. */
export interface ChosenFormats {
  readonly locale: string | null
  readonly separator: CsvSeparator | null
}

const isSeparator = (text: string | null): text is CsvSeparator => text !== null && Object.hasOwn(csvSeparators, text)

/** The choice that a form or a cookie contains; what is not known counts as not chosen. */
export const parseFormats = (fields: URLSearchParams): ChosenFormats => {
  const [locale, separator] = [fields.get("locale") ?? "", fields.get("separator")]
  return { locale: isLocale(locale) ? locale : null, separator: isSeparator(separator) ? separator : null }
}

/** The choice as the cookie keeps it; null = nothing was chosen. */
export const formatsCookie = ({ locale, separator }: ChosenFormats): string | null =>
  locale === null && separator === null
    ? null
    : new URLSearchParams({ locale: locale ?? "", separator: separator ?? "" }).toString()

/**
 * The place of a visitor: the time zone is that of the organization that the path names, or the one that all
 * organizations of the person have.
 */
export const placeOf = (
  { locale }: ChosenFormats,
  acceptLanguage: string | undefined,
  visitor: FoundSession | null,
  slug: string | undefined
): Place => {
  const organizations = (visitor?.memberships ?? []).map(({ organization }) => organization)
  const named = organizations.find((one) => one.slug === slug)
  const zones = new Set(organizations.map(({ timeZone }) => timeZone))
  const [shared = housePlace.timeZone] = zones.size === 1 ? zones : []
  return { locale: locale ?? readLocale(acceptLanguage), timeZone: named?.timeZone ?? shared }
}

/** The separator of a CSV: that of the address, or else the chosen one, or a comma. Refuses an unknown one. */
export const readSeparator = (
  query: URLSearchParams,
  { separator }: ChosenFormats
): Effect.Effect<CsvSeparator, PageRefused> => {
  const asked = query.get("separator")
  if (asked === null) return Effect.succeed(separator ?? "comma")
  return isSeparator(asked)
    ? Effect.succeed(asked)
    : Effect.fail(new PageRefused({ status: 400, words: "The separator of a CSV is comma, semicolon or tab." }))
}
