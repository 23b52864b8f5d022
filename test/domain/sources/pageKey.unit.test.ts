import { parsePage } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"

const pageKey = (url: string) => parsePage(url)?.page ?? null

describe("spellings of one page are one page", () => {
  it.each([
    ["https://www.rtings.com/tv?utm_source=chatgpt.com", "https://rtings.com/tv"],
    ["https://rtings.com/tv/?utm_source=openai", "https://rtings.com/tv"],
    ["HTTP://WWW.RTINGS.COM:80/tv#:~:text=a,b", "https://rtings.com/tv"],
    ["https://en.wikipedia.org/wiki/Sony#History", "https://en.wikipedia.org/wiki/Sony"],
    ["https://en.m.wikipedia.org/wiki/Sony", "https://en.wikipedia.org/wiki/Sony"],
    ["https://m.yelp.com/search?a=1&amp;b=2", "https://yelp.com/search?a=1&b=2"],
    ["https://www.youtube.com/watch?v=x&t=8", "https://youtube.com/watch?t=8&v=x"],
    ["https://m.youtube.com/watch?t=8&v=x", "https://youtube.com/watch?t=8&v=x"],
    ["https://amp.cnn.com/a/index.html", "https://cnn.com/a"],
    ["https://www.techradar.com/tvs/amp/", "https://techradar.com/tvs"],
    ["https://www-bbc-com.cdn.ampproject.org/c/s/www.bbc.com/1.amp", "https://bbc.com/1"],
    ["https://www.google.com/url?q=https%3A%2F%2Facme.com%2Fa", "https://acme.com/a"],
    ["https://google.com/amp/s/acme.com/a/amp", "https://acme.com/a"],
    ["https://m.com/", "https://m.com/"],
    ["https://www.com/", "https://www.com/"],
    ["https://alice.github.io/x", "https://alice.github.io/x"],
    ["https://shop.example.co.uk/Page", "https://shop.example.co.uk/Page"],
    ["https://bücher.example/ß", "https://xn--bcher-kva.example/%C3%9F"],
    ["https://acme.com/%7eu/a%2fb", "https://acme.com/~u/a%2Fb"],
    ["https://acme.com/a/../c//", "https://acme.com/c"],
    ["https://acme.com:8443/x?b=2&a=1&", "https://acme.com:8443/x?a=1&b=2"],
    ["https://user:pw@acme.com./x", "https://acme.com/x"],
    ["https://app.acme.com/#!/p", "https://app.acme.com/#!/p"],
    ["https://shop.example/p?variant=4&_gsid=u&srsltid=A", "https://shop.example/p?variant=4"],
    ["https://192.0.2.7/x", "https://192.0.2.7/x"],
    ["http://acme.com:443/x", "https://acme.com/x"]
  ])("the address %s is the page %s", (url, page) => {
    expect(pageKey(url)).toBe(page)
  })

  it("a path with other capitals is another page", () => {
    expect(pageKey("https://acme.com/Blog")).not.toBe(pageKey("https://acme.com/blog"))
  })

  it.each([
    "",
    "javascript:alert(1)",
    "ftp://acme.com/x",
    "see the guide",
    "https://",
    "https://a..b/",
    "https://.com/"
  ])(
    "the text %j is not a page",
    (url) => {
      expect(pageKey(url)).toBeNull()
    }
  )

  it("an address of 8,192 characters is a page, but one of 8,193 is not", () => {
    const url = (length: number) => `https://acme.com/${"a".repeat(length - "https://acme.com/".length)}`
    expect(pageKey(url(8192))).toBe(url(8192))
    expect(pageKey(url(8193))).toBeNull()
  })
})

describe("the domain is the registrable one", () => {
  it.each([
    ["https://www.shop.example.co.uk/x", "shop.example.co.uk", "example.co.uk"],
    ["https://alice.github.io/x", "alice.github.io", "alice.github.io"],
    ["https://en.m.wikipedia.org/", "en.wikipedia.org", "wikipedia.org"],
    ["https://192.0.2.7/x", "192.0.2.7", "192.0.2.7"],
    ["https://github.io/x", "github.io", "github.io"]
  ])("the address %s has the registrable domain", (url, host, domain) => {
    expect(parsePage(url)).toMatchObject({ host, domain })
  })
})

const awkward = fc.constantFrom(
  "https://",
  "http://",
  "www.",
  "m.",
  "google.com",
  "/url?q=",
  "/amp/s/",
  "/amp",
  "/index.html",
  ".amp",
  "cdn.ampproject.org/c/s/",
  "%",
  "%7e",
  "%2525",
  "&amp;",
  "utm_source=a",
  "?",
  "&",
  "#",
  "#/",
  "#!/",
  "//",
  "..",
  ".",
  ":",
  ":443",
  ":80",
  "@",
  "a.com",
  "ß",
  "co.uk",
  "\u0000",
  "\u001b[31m",
  "\u202e",
  "\ud800",
  "=",
  "x",
  "\n",
  "[::1]"
)
const anyUrl = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.array(awkward, { maxLength: 24 }).map((parts) => parts.join("")),
  fc.array(awkward, { maxLength: 24 }).map((parts) => `https://google.com${parts.join("")}`)
)

describe("for any text", () => {
  it("a page's normalized address is normalized to itself", () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        const page = parsePage(url)
        if (page !== null) expect(parsePage(page.page)).toEqual(page)
      }),
      { numRuns: propertyRuns(5000) }
    )
  })

  it("a page is a web address without credentials, under its domain", () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        const page = parsePage(url)
        if (page === null) return
        const parsed = new URL(page.page)
        expect(parsed.protocol).toBe("https:")
        expect(parsed.username + parsed.password).toBe("")
        expect(parsed.hostname).toBe(page.host)
        expect(page.host === page.domain || page.host.endsWith(`.${page.domain}`)).toBe(true)
      }),
      { numRuns: propertyRuns(5000) }
    )
  })

  it("an address inside eight wrappers is read, and a deeper one is rejected", () => {
    const within = (depth: number) => `https://google.com/${"amp/s/google.com/".repeat(depth - 1)}amp/s/acme.com/a`
    expect(parsePage(within(8))?.page).toBe("https://acme.com/a")
    expect(parsePage(within(9))).toBeNull()
  })

  // Each takes a fraction of a millisecond; one that took time in proportion to its square would take the test's whole
  // deadline
  it.each([
    `https://google.com/${"amp/google.com/".repeat(530)}`,
    `https://acme.com/${"/amp".repeat(2000)}`,
    `https://acme.com/${"/".repeat(8000)}x`,
    `https://google.com/url?q=${"https://google.com/url?q=".repeat(300)}https://acme.com`,
    `https://google.com/${"amp/s/google.com/".repeat(470)}x`,
    `https://acme.com/${"%2525".repeat(1600)}`,
    `https://${"a.".repeat(4000)}com/`
  ])("many addresses that were made to be slow are parsed in time", (url) => {
    for (let n = 0; n < 500; n++) parsePage(url)
  })
})
