/**
 * How a person's numbers, dates and CSV files are formatted: as chosen on the account page, or else by the browser's
 * language.
 */
import { type CsvSeparator, csvSeparators, defaultPlace, isLocale, type Place, readLocale } from "@sov/core/common"
import type { FoundSession } from "@sov/core/people"
import { Effect } from "effect"
import { PageRefused } from "./PageRefused.ts"

/** The formats that a person chose for this browser; null = not chosen. */
export interface ChosenFormats {
  readonly locale: string | null
  readonly separator: CsvSeparator | null
}

const isSeparator = (text: string | null): text is CsvSeparator => text !== null && Object.hasOwn(csvSeparators, text)

/** Reads the choice from a form or a cookie; unknown values count as not chosen. */
export const parseFormats = (fields: URLSearchParams): ChosenFormats => {
  const [locale, separator] = [fields.get("locale") ?? "", fields.get("separator")]
  return { locale: isLocale(locale) ? locale : null, separator: isSeparator(separator) ? separator : null }
}

/** The choice as text for the cookie; null = nothing was chosen. */
export const formatsCookie = ({ locale, separator }: ChosenFormats): string | null =>
  locale === null && separator === null
    ? null
    : new URLSearchParams({ locale: locale ?? "", separator: separator ?? "" }).toString()

/**
 * The visitor's locale and time zone. The time zone is that of the organization in the path, or the one that all of the
 * person's organizations share.
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
  const [shared = defaultPlace.timeZone] = zones.size === 1 ? zones : []
  return { locale: locale ?? readLocale(acceptLanguage), timeZone: named?.timeZone ?? shared }
}

/** The CSV separator: from the address, or else the chosen one, or a comma. Refuses an unknown separator. */
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
