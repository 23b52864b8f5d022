/** Which redirects may be asked, what their answers mean, and where a source then lies. */
import {
  isInterposedPage,
  isResolvable,
  moveToTarget,
  parseRedirectTarget,
  pauseAfterTries,
  redirectPrefix
} from "@sov/core"
import { describe, expect, it } from "vitest"

describe("isResolvable", () => {
  it.each([
    [`${redirectPrefix}AUZIYQ`, true],
    [`${redirectPrefix}a?b=c#d`, true],
    ["http://vertexaisearch.cloud.google.com/grounding-api-redirect/a", false],
    ["https://vertexaisearch.cloud.google.com:8443/grounding-api-redirect/a", false],
    ["https://vertexaisearch.cloud.google.com/other/a", false],
    ["https://vertexaisearch.cloud.google.com.evil.example/grounding-api-redirect/a", false],
    ["https://u:p@vertexaisearch.cloud.google.com/grounding-api-redirect/a", false],
    ["HTTPS://VERTEXAISEARCH.CLOUD.GOOGLE.COM/grounding-api-redirect/a", false],
    [`${redirectPrefix}../../admin`, false],
    [`${redirectPrefix}%2e%2e/%2e%2e/admin`, false],
    [`${redirectPrefix}..\\admin`, false],
    [`${redirectPrefix}${"a".repeat(8_192)}`, false],
    ["http://169.254.169.254/", false],
    ["", false]
  ])("whether the address %s can be resolved is: %s", (url, expected) => expect(isResolvable(url)).toBe(expected))
})

describe("parseRedirectTarget", () => {
  it.each([
    ["https://www.rtings.com/tv?utm_source=x", "https://www.rtings.com/tv?utm_source=x"],
    ["http://169.254.169.254", "http://169.254.169.254/"],
    ["b", `${redirectPrefix}b`],
    ["//test.example/ä\u001b", "https://test.example/%C3%A4"],
    ["javascript:alert(1)", null],
    ["ftp://test.example/", null],
    ["https://", null],
    [`https://test.example/${"a".repeat(8_192)}`, null],
    [`https://test.example/${"ä".repeat(3_000)}`, null],
    [undefined, null]
  ])(
    "the target of the redirect to %s is read or rejected",
    (location, expected) => expect(parseRedirectTarget(location, `${redirectPrefix}a`)).toBe(expected)
  )
})

describe("isInterposedPage", () => {
  it.each([
    ["https://www.google.com/sorry/index?continue=https://rtings.com/", true],
    ["https://google.de/sorry", true],
    ["https://consent.google.com/ml?continue=x", true],
    ["https://accounts.google.co.uk/ServiceLogin", true],
    ["https://www.google.com/sorryabout", false],
    ["https://store.google.com/product", false],
    ["https://accounts.google.com.evil.example/", false],
    ["https://consent.example.com/sorry/", false]
  ])(
    "whether the page %s is shown instead of the target is: %s",
    (url, expected) => expect(isInterposedPage(url)).toBe(expected)
  )
})

it("the fifth failed attempt is the last, and all five attempts are within a day", () => {
  const pauses = [1, 2, 3, 4, 5].map(pauseAfterTries)
  expect(pauses.slice(0, 4).every((pause) => pause !== null && pause > 0)).toBe(true)
  expect(pauses[4]).toBeNull()
  expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBeLessThan(86_400_000)
})

describe("moveToTarget", () => {
  const source = {
    url: `${redirectPrefix}a`,
    title: "rtings.com",
    page: null,
    host: "rtings.com",
    domain: "rtings.com"
  }
  const move = (target: string) => moveToTarget(source, new Map([[source.url, target]]))

  it("a source moves to the page of its target", () => {
    expect(move("https://www.rtings.com/tv/?utm_source=x")).toEqual({
      ...source,
      page: "https://rtings.com/tv",
      host: "rtings.com",
      domain: "rtings.com"
    })
  })

  it("a source whose target is unknown or not a page stays unchanged", () => {
    expect(moveToTarget(source, new Map())).toBe(source)
    expect(move(`${redirectPrefix}b`)).toBe(source)
  })

  it("a source keeps its named site if the target is a page of an engine, or a page of Google before the target", () => {
    expect(move("https://www.google.com/search?q=tv")).toBe(source)
    expect(move("https://www.google.com/sorry/index?continue=x")).toBe(source)
    expect(move("https://consent.google.com/ml?continue=x")).toBe(source)
    expect(move("https://chatgpt.com/share/1")).toBe(source)
  })
})
