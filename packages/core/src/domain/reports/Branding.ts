/** How an organization's reports, shared reports and e-mails look to their readers. */
import { Schema } from "effect"
import { isLocale } from "../formats.ts"
import { Name } from "../organizations/Organization.ts"
import type { Logo } from "./Logo.ts"

/** Minimum contrast of text (WCAG 2.2, success criterion 1.4.3). */
export const minContrast = 4.5

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

const channelsOf = (color: string): ReadonlyArray<number> =>
  [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))

const toColor = (channels: ReadonlyArray<number>): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`

/** Relative luminance of a colour, 0–1 (WCAG 2.2). */
const luminanceOf = (color: string): number => {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** Contrast ratio of two colours, 1–21 (WCAG 2.2). */
export const computeContrast = (one: string, other: string): number => {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Mixes `end` into a colour in steps of 1 % until it has at least the minimum contrast on `paper`. */
const mixUntilReadable = (color: string, end: string, paper: string): string => {
  const to = channelsOf(end)
  for (let step = 0; step < 100; step++) {
    const mixed = toColor(channelsOf(color).map((value, i) => value + (to[i]! - value) * step / 100))
    if (computeContrast(mixed, paper) >= minContrast) return mixed
  }
  return end
}

/** The colour, or a darker one of the same hue, that can be read on white paper. */
export const darkenUntilReadable = (color: string): string => mixUntilReadable(color, "#000000", "#ffffff")

/** The colour, or a lighter one of the same hue, that can be read on `paper`, a dark colour. */
export const lightenUntilReadable = (color: string, paper: string): string => mixUntilReadable(color, "#ffffff", paper)

/** Black or white, whichever is easier to read on the colour: at least 4.58 : 1 on any. */
export const chooseTextColor = (color: string): string =>
  computeContrast("#000000", color) > computeContrast("#ffffff", color) ? "#000000" : "#ffffff"

/** Why a colour may not be that of lines and text, and what to do; null if it may be. */
export const findContrastFault = (color: string): string | null => {
  const contrast = computeContrast(color, "#ffffff")
  return contrast >= minContrast
    ? null
    // Rounded down, so that 4.49 is not shown as the minimum
    : `${color} has a contrast of ${
      (Math.floor(contrast * 10) / 10).toFixed(1)
    } : 1 on white, and lines and text need ${minContrast} : 1. Use a darker colour, such as ${
      darkenUntilReadable(color)
    }.`
}

/** A colour such as `#8f6300`, also typed as `8F6300` or `#fa0`; null for other text. */
export const parseColor = (text: string): string | null => {
  const digits = text.trim().toLowerCase().replace(/^#/, "")
  const color = `#${/^[0-9a-f]{3}$/.test(digits) ? digits.replace(/./g, "$&$&") : digits}`
  return isColor(color) ? color : null
}

/** The longest sender and last line, in UTF-16 code units. */
export const maxBrandedLine = 120

/**
 * One visible line. Characters that change the reading direction are refused, and in a sender those that would make it
 * look like an address.
 */
const line = (refused: RegExp) =>
  Name.check(
    Schema.makeFilter((text) =>
      text.length <= maxBrandedLine && !/[\p{Cf}]/u.test(text) && !refused.test(text)
        ? true
        : `must be 1–${maxBrandedLine} characters without invisible ones${
          refused.test(text) ? " and without @ < > \\ or quotation marks" : ""
        }`
    )
  )

/** The longest language tag without extensions (RFC 5646, section 4.4.1). */
const maxLocaleLength = 35
/** Begins an extension, such as another calendar or other digits, or a private part: a single letter or digit. */
const extension = /(^|-)[0-9a-z]-/i

const isPlainLocale = (text: string): boolean =>
  text.length <= maxLocaleLength && !extension.test(text) && isLocale(text)

const neverMatches = /(?!)/

/** What reports show of the branding, in addition to title and logo. */
export const ReportBranding = Schema.Struct({
  /** Lines, links and headings: readable on white. */
  color: Schema.NullOr(Schema.String.check(
    Schema.makeFilter((text) => isColor(text) ? findContrastFault(text) ?? true : "must be a colour such as #8f6300")
  )),
  /** Behind the title. */
  band: Schema.NullOr(
    Schema.String.check(Schema.makeFilter((text) => isColor(text) ? true : "must be a colour such as #8f6300"))
  ),
  /** Who sends e-mails and prepares reports. */
  sender: Schema.NullOr(line(/[@<>"\\]/)),
  /** Replaces "Made by sov" in reports; the last line of e-mails. */
  footer: Schema.NullOr(line(neverMatches))
})
export type ReportBranding = typeof ReportBranding.Type

/** What an organization sets, without its logo. */
export const BrandingText = Schema.Struct({
  /** Title of reports; null = the brand's name. */
  title: Schema.NullOr(Name),
  /** BCP 47 language of the numbers and dates in reports and share links; null = that of the house. */
  locale: Schema.NullOr(
    Schema.String.check(
      Schema.makeFilter((text) => isPlainLocale(text) ? true : "must be a language tag such as de or en-GB")
    )
  ),
  ...ReportBranding.fields
})
export type BrandingText = typeof BrandingText.Type

export interface Branding extends BrandingText {
  readonly logo: Logo | null
}

/** Of an organization that has set nothing. */
export const noBranding: Branding = {
  title: null,
  locale: null,
  color: null,
  band: null,
  sender: null,
  footer: null,
  logo: null
}
