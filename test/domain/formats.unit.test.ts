/** Numbers, dates and times as people of different places read them. */
import { defaultPlace, formatsOf, isLocale, parseDecimal, readLocale } from "@sov/core/common"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../support/propertyRuns.ts"

const [winter, summer] = [new Date("2026-01-05T13:05:09Z"), new Date("2026-09-05T12:05:09Z")]

describe("a time", () => {
  it.each([
    ["Europe/Berlin", "5 Jan 2026, 14:05 CET", "5 Sep 2026, 14:05 CEST"],
    ["America/New_York", "5 Jan 2026, 08:05 EST", "5 Sep 2026, 08:05 EDT"],
    ["Europe/London", "5 Jan 2026, 13:05 GMT", "5 Sep 2026, 13:05 BST"],
    ["Asia/Tokyo", "5 Jan 2026, 22:05 GMT+9", "5 Sep 2026, 21:05 GMT+9"],
    ["Asia/Kolkata", "5 Jan 2026, 18:35 IST", "5 Sep 2026, 17:35 IST"],
    ["UTC", "5 Jan 2026, 13:05 UTC", "5 Sep 2026, 12:05 UTC"]
  ])("a time in %s has the name of its zone", (timeZone, first, second) => {
    const { minute } = formatsOf({ ...defaultPlace, timeZone })
    expect([minute(winter), minute(summer)]).toEqual([first, second])
  })
  it("a calendar day is the same in every zone, an instant is not", () => {
    const { calendarDay, date } = formatsOf({ ...defaultPlace, timeZone: "America/New_York" })
    const midnight = new Date("2026-11-20T00:00:00Z")
    expect([calendarDay(midnight), date(midnight)]).toEqual(["20 Nov 2026", "19 Nov 2026"])
  })
  it("a time is shown with weekday or seconds if requested", () => {
    const { second, weekday } = formatsOf({ ...defaultPlace, timeZone: "Europe/Berlin" })
    expect([weekday(summer), second(summer)]).toEqual(["Sat 5 Sep 2026, 14:05 CEST", "14:05:09 CEST"])
  })
})

describe("a number", () => {
  it("each locale has its own signs", () => {
    const texts = (locale: string) => {
      const { count, dollars, percent, points } = formatsOf({ ...defaultPlace, locale })
      return [percent(4.25, 1), points(-0.31), count(12_345), dollars(1.5)].map((one) => one.replaceAll("\u00a0", " "))
    }
    expect(texts("en")).toEqual(["4.3 %", "−0.3", "12,345", "$1.50"])
    expect(texts("de")).toEqual(["4,3 %", "−0,3", "12.345", "1,50 $"])
  })
  it("a typed number may have a point or a comma as its decimal sign", () => {
    expect(["25,5", "25.5", " 7 ", ",5", "+3", "0,125"].map(parseDecimal)).toEqual([25.5, 25.5, 7, 0.5, 3, 0.125])
    for (const text of ["", "1,000", " -25,000 ", "1,234.5", "1e3", "0x10", "five", "1 2", ".", "Infinity"]) {
      expect(parseDecimal(text)).toBeNaN()
    }
  })
  it("a number formatted in any listed locale with a decimal sign can be parsed again", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        fc.constantFrom("en", "de", "fr", "pl", "en-US", "sv"),
        (tenths, locale) => {
          expect(parseDecimal(formatsOf({ ...defaultPlace, locale }).number(tenths / 10, 1))).toBe(tenths / 10)
        }
      ),
      { numRuns: propertyRuns(200) }
    )
  })
})

describe("the language of a browser", () => {
  it.each([
    [undefined, "en"],
    ["*", "en"],
    ["de-DE,de;q=0.9,en;q=0.8", "de-DE"],
    ["en;q=0.5, fr;q=0.9", "fr"],
    ["fr;q=0, it", "it"],
    ["xx-unknown-tag-that-is-too-long, sv", "sv"],
    ["de-u-nu-deva", "de"],
    ["<script>, \0", "en"]
  ])("the header %j selects %s", (header, locale) => {
    expect(readLocale(header)).toBe(locale)
  })
  it("any header selects a locale that can be formatted", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (header) => {
        const locale = readLocale(header)
        expect(locale === "en" || isLocale(locale)).toBe(true)
        formatsOf({ ...defaultPlace, locale }).minute(winter)
      }),
      { numRuns: propertyRuns(300) }
    )
  })
})
