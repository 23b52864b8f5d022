import {
  type AnswerId,
  type ArchiveFilters,
  decodeArchiveCursor,
  encodeArchiveCursor,
  type KeywordId,
  type OrganizationId,
  type ScanId
} from "@sov/core"
import { describe, expect, it } from "vitest"

const keywordId = "01a1fc84-0000-7000-8000-000000000002" as KeywordId
const former: Required<Omit<ArchiveFilters, "named" | "sentiment" | "tag" | "view" | "words">> = {
  keywordId,
  platform: "assistant_a",
  scanId: "01a1fc84-0000-7000-8000-000000000003" as ScanId,
  from: new Date("2026-11-01T00:00:00Z"),
  to: new Date("2026-11-30T23:59:59.999Z")
}
const every: Required<ArchiveFilters> = {
  ...former,
  named: false,
  sentiment: "neutral",
  tag: "a",
  view: "b",
  words: "c"
}

describe("a cursor of the archive", () => {
  const key = Buffer.alloc(32, 7)
  const organization = "01a1fc84-0000-7000-8000-000000000001" as OrganizationId
  const position = {
    createdAt: new Date("2026-11-21T05:11:54.161Z"),
    id: "01a1fc84-a631-75b7-ac09-0a8cc70a5f84" as AnswerId
  }
  const cursor = encodeArchiveCursor(key, organization, { platform: "assistant_a" }, position)

  it("a cursor decodes to its position", () => {
    expect(decodeArchiveCursor(key, organization, { platform: "assistant_a" }, cursor)).toEqual(position)
  })
  it("a cursor is refused for other filters, another organization or another installation", () => {
    expect(decodeArchiveCursor(key, organization, {}, cursor)).toBeNull()
    expect(
      decodeArchiveCursor(key, organization.replace(/1$/, "2") as OrganizationId, { platform: "assistant_a" }, cursor)
    )
      .toBeNull()
    expect(decodeArchiveCursor(Buffer.alloc(32), organization, { platform: "assistant_a" }, cursor)).toBeNull()
  })
  it("a cursor is refused when any character is changed", () => {
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1)
      expect(decodeArchiveCursor(key, organization, { platform: "assistant_a" }, changed)).toBeNull()
    }
    expect(decodeArchiveCursor(key, organization, { platform: "assistant_a" }, `${cursor}A`)).toBeNull()
  })
  it.each<[string, ArchiveFilters, string]>([
    ["no filter", {}, "AQAAAaH8hKYxAaH8hKYxdbesCQqMxwpfhHutQNksXmeB"],
    ["every filter of the first releases", former, "AQAAAaH8hKYxAaH8hKYxdbesCQqMxwpfhO6A4l8WL2eO"],
    ["two filters", { platform: "assistant_b", to: every.to }, "AQAAAaH8hKYxAaH8hKYxdbesCQqMxwpfhD7IpBgnrP59"]
  ])("a cursor with %s has the same bytes in every version", (_, filters, cursor) => {
    expect(encodeArchiveCursor(key, organization, filters, position)).toBe(cursor)
    expect(decodeArchiveCursor(key, organization, filters, cursor)).toEqual(position)
  })

  it.each(Object.keys(every) as ReadonlyArray<keyof ArchiveFilters>)(
    "a cursor is refused if the filter %s differs",
    (name) => {
      const { [name]: _, ...others } = every
      const cursor = encodeArchiveCursor(key, organization, every, position)
      expect(decodeArchiveCursor(key, organization, others, cursor)).toBeNull()
      expect(decodeArchiveCursor(key, organization, { [name]: every[name] }, cursor)).toBeNull()
    }
  )
})
