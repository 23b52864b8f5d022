/** Bounds of a time range: strict calendar, whole UTC days, no guessing. */
import { dateBound } from "@sov/core"
import { describe, expect, it } from "vitest"

const iso = (text: string, bound: "from" | "to" = "from") => dateBound(text, bound)?.toISOString() ?? null

describe("a day", () => {
  it("a day begins at midnight UTC and, as `to`, ends with its last millisecond", () => {
    expect(iso("2026-03-01")).toBe("2026-03-01T00:00:00.000Z")
    expect(iso("2026-03-01", "to")).toBe("2026-03-01T23:59:59.999Z")
  })

  it.each(["2024-02-29", "2000-02-29", "2026-01-31", "2026-12-31", "0001-01-01", "9999-12-31"])(
    "the day %s exists",
    (day) => {
      expect(iso(day)).toBe(`${day}T00:00:00.000Z`)
    }
  )

  it.each([
    "2026-02-30",
    "2026-02-29",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-01-00",
    "0000-01-01"
  ])(
    "the day %s does not exist",
    (day) => {
      expect(iso(day)).toBeNull()
      expect(iso(`${day}T10:00:00Z`)).toBeNull()
    }
  )
})

describe("a time", () => {
  it.each([
    ["2026-03-01T08:30:00Z", "2026-03-01T08:30:00.000Z"],
    ["2026-03-01t08:30:00z", "2026-03-01T08:30:00.000Z"],
    ["2026-03-01T08:30:00+02:00", "2026-03-01T06:30:00.000Z"],
    ["2026-03-01T00:30:00+02:00", "2026-02-28T22:30:00.000Z"],
    ["2026-03-01T23:30:00-05:30", "2026-03-02T05:00:00.000Z"],
    ["2026-03-01T08:30:00.5Z", "2026-03-01T08:30:00.500Z"],
    ["2026-03-01T08:30:00.123Z", "2026-03-01T08:30:00.123Z"]
  ])("the time %s is read as %s for either bound", (text, expected) => {
    expect(iso(text, "from")).toBe(expected)
    expect(iso(text, "to")).toBe(expected)
  })

  it("fractions of a millisecond are rounded into the range", () => {
    expect(iso("2026-03-01T08:30:00.1230001Z", "from")).toBe("2026-03-01T08:30:00.124Z")
    expect(iso("2026-03-01T08:30:00.1239999Z", "to")).toBe("2026-03-01T08:30:00.123Z")
    expect(iso("2026-03-01T08:30:00.1230000Z", "from")).toBe("2026-03-01T08:30:00.123Z")
  })
})

describe("other texts", () => {
  it.each([
    "",
    " 2026-03-01",
    "2026-03-01 ",
    "2026-3-1",
    "20260301",
    "2026-03",
    "2026",
    "yesterday",
    "Nov 21 2026",
    "2026-03-01T08:30:00",
    "2026-03-01T08:30Z",
    "2026-03-01 08:30:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T23:60:00Z",
    "2026-12-31T23:59:60Z",
    "2026-03-01T08:30:00+24:00",
    "2026-03-01T08:30:00+02:60",
    "2026-03-01T08:30:00+0200",
    "2026-03-01T08:30:00.Z",
    "+12026-03-01",
    "2026-03-01\n",
    "٢٠٢٦-٠٣-٠١",
    "0001-01-01T00:00:00+10:00",
    "9999-12-31T23:59:59-10:00"
  ])("the text %j is refused", (text) => expect(iso(text)).toBeNull())
})
