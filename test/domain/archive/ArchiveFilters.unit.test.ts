import {
  type ArchiveFilters,
  archiveParameters,
  filtersFromParameters,
  filtersToParameters,
  keepGivenFilters,
  type KeywordId,
  type ScanId
} from "@sov/core"
import { describe, expect, it } from "vitest"

const keywordId = "01a1fc84-0000-7000-8000-000000000002" as KeywordId
const every: Required<ArchiveFilters> = {
  keywordId,
  platform: "assistant_a",
  scanId: "01a1fc84-0000-7000-8000-000000000003" as ScanId,
  from: new Date("2026-11-01T00:00:00Z"),
  to: new Date("2026-11-30T23:59:59.999Z"),
  named: true,
  sentiment: "negative",
  tag: "pricing",
  view: "germany",
  words: "anvil"
}

describe("filters of a request", () => {
  const parameters = {
    keyword_id: keywordId.toUpperCase(),
    platform: "assistant_a",
    from: "2026-11-01",
    to: "2026-11-30",
    tag: "pricing",
    view: "germany"
  }
  const { named: _named, scanId: _scanId, sentiment: _sentiment, words: _words, ...filters } = every

  it("the filters are read from the request's parameters", () => {
    expect(filtersFromParameters(parameters)).toEqual(filters)
    expect(filtersFromParameters({ to: "2026-11-30" })).toEqual({ to: every.to })
    expect(filtersFromParameters({})).toEqual({})
  })
  it("parameters that are not filters are ignored", () => {
    expect(filtersFromParameters({ ...parameters, limit: 3, scan_id: every.scanId } as object)).toEqual(filters)
  })
  it("the filters appear in a manifest under the same names, as null if they are not given", () => {
    expect(filtersToParameters(filters)).toEqual({
      keyword_id: keywordId,
      platform: "assistant_a",
      from: "2026-11-01T00:00:00.000Z",
      to: "2026-11-30T23:59:59.999Z",
      tag: "pricing",
      view: "germany"
    })
    expect(filtersToParameters({})).toEqual({
      keyword_id: null,
      platform: null,
      from: null,
      to: null,
      tag: null,
      view: null
    })
    expect(Object.keys(filtersToParameters({}))).toEqual(archiveParameters)
  })
  it("filters that are not given have no member", () => {
    expect(
      Object.keys(
        keepGivenFilters({
          keywordId: undefined,
          platform: "assistant_a",
          from: undefined,
          to: undefined,
          tag: undefined,
          view: undefined
        })
      )
    )
      .toEqual(["platform"])
  })
  it("filters with a date that was not validated are refused", () => {
    expect(() => filtersFromParameters({ from: "yesterday" })).toThrow(RangeError)
  })
})
