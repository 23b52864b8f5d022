import { type Digest, EmailAddress, factsOf, leadOf, type OrganizationId, renderDigest, weekOf } from "@sov/core"
import {
  isTokenOf,
  makeUnsubscribeToken,
  noBranding,
  organizationOfToken,
  withBranding,
  withUnsubscribeLink
} from "@sov/core"
import { describe, expect, it } from "vitest"

const flat = { before: 40, after: 41, delta: 1, nCells: 50, z: 0.4, direction: "flat" } as const
const digest: Digest = {
  organization: "Acme Inc.",
  brand: "Acme",
  timeZone: "Europe/Berlin",
  from: new Date("2026-11-16T07:00:00Z"),
  to: new Date("2026-11-23T07:00:00Z"),
  scans: 2,
  score: {
    scanId: "01900000-0000-7000-8000-000000000001" as never,
    completedAt: new Date("2026-11-22T10:00:00Z"),
    simulated: false,
    surface: "API answers, web search on, no market",
    sov: 41.26,
    interval: { low: 35.04, high: 47.5 },
    answers: 50,
    mentioned: 27,
    asked: null
  },
  comparison: { beforeStartedAt: new Date("2026-11-15T10:00:00Z"), trend: flat, breaks: [], moved: [] },
  ends: [],
  funnel: null,
  next: null,
  alerts: [],
  url: "https://sov.example/o/acme"
}
const moved = { kind: "platform", name: "assistant_a", before: 20, after: 31 } as const
const changed = (trend: object, more: ReadonlyArray<typeof moved> = []): Digest => ({
  ...digest,
  comparison: { ...digest.comparison!, trend: { ...flat, ...trend }, moved: more }
})

describe("the first line", () => {
  it.each([
    ["nothing beyond noise", digest, "Nothing changed by more than noise this week."],
    [
      "a rise",
      changed({ direction: "up", delta: 5.23 }),
      "The share of voice of Acme rose by 5.2 points this week, more than noise."
    ],
    [
      "a fall",
      changed({ direction: "down", delta: -1 }),
      "The share of voice of Acme fell by 1 point this week, more than noise."
    ],
    [
      "a part that moved",
      changed({}, [moved]),
      "The share of voice of Acme did not change by more than noise this week, but these did: assistant_a."
    ],
    [
      "no earlier scan",
      { ...digest, comparison: null },
      "There is no comparable scan from before this week."
    ],
    [
      "an earlier scan that asked something else",
      { ...digest, comparison: { beforeStartedAt: digest.from, trend: null, breaks: [], moved: [] } },
      "Not compared with the last scan before this week: too few common questions, or measured differently."
    ],
    [
      "no scan in the week",
      { ...digest, scans: 0, comparison: null },
      "No scan completed this week. These are the figures of the previous scan."
    ],
    [
      "no scan at all",
      { ...digest, scans: 0, score: null },
      "No scan has completed yet, so there is nothing to report."
    ]
  ])("the first line reports %s", (_, given, line) => {
    expect(leadOf(given)).toBe(line)
    expect(renderDigest(given)).toMatchObject({
      subject: `Acme: ${line}`,
      text: expect.stringMatching(new RegExp(`^${line.replaceAll(/[.()]/g, "\\$&")}\n`))
    })
  })
})

it("the digest contains the same facts as text and as HTML, and shows hostile names as plain text", () => {
  const name = "<b>Acme</b> & \"x\"\r\nBcc: a@evil.example"
  const hostile: Digest = { ...changed({}, [{ ...moved, name: name as never }]), brand: name, alerts: [`${name} fell`] }
  const { html, subject, text } = renderDigest(hostile)
  const words = html.replaceAll(/<(?:style|title)[^]*?<\/(?:style|title)>/g, "").replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", "\"").replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
  for (const [fact, value] of factsOf(hostile)) {
    const shown = value.replaceAll(/\s+/g, " ")
    expect(text).toContain(shown)
    expect(words).toContain(`${fact} ${shown}`)
  }
  expect(text).toContain("Alert: ")
  expect(html).not.toContain("<b>Acme")
  expect(subject).not.toMatch(/[\r\n]/)
})

it("the digest covers the week that ends on the organization's local day", () => {
  expect(weekOf(new Date("2026-11-22T21:00:00Z"), "Pacific/Auckland")).toBe("2026-11-23")
  expect(weekOf(new Date("2026-11-23T16:00:00Z"), "America/Los_Angeles")).toBe("2026-11-23")
})

it("the digest labels numbers of simulated answers", () => {
  const { subject, text } = renderDigest({ ...digest, score: { ...digest.score!, simulated: true } })
  expect(subject).toMatch(/^\[SIMULATED\] /)
  expect(text).toContain("SIMULATED: these numbers come from simulated answers.")
})

describe("the unsubscribe link", () => {
  const organizationId = "01900000-0000-7000-8000-00000000000a" as OrganizationId
  const [ann, bob] = [EmailAddress.make("ann@acme.example"), EmailAddress.make("bob@acme.example")]
  const key = Buffer.alloc(32, 1)
  const token = makeUnsubscribeToken(key, organizationId, ann)

  it("an unsubscribe link is valid only for one recipient, one organization and this installation", () => {
    expect(organizationOfToken(token)).toBe(organizationId)
    expect(isTokenOf(token, key, organizationId, ann)).toBe(true)
    expect(isTokenOf(token, key, organizationId, bob)).toBe(false)
    expect(isTokenOf(token, Buffer.alloc(32, 2), organizationId, ann)).toBe(false)
    expect(isTokenOf(token, key, "01900000-0000-7000-8000-00000000000b" as OrganizationId, ann)).toBe(false)
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
      const same = organizationOfToken(changed) === organizationId && isTokenOf(changed, key, organizationId, ann)
      expect(same, `character ${at}`).toBe(false)
    }
    expect([organizationOfToken(""), organizationOfToken(`${token}A`), organizationOfToken("../x")]).toEqual([
      null,
      null,
      null
    ])
  })

  it("the unsubscribe link is in the text and the HTML that are sent, but in neither stored form", () => {
    const stored = renderDigest(digest)
    const url = `https://sov.example/unsubscribe/${token}`
    const sent = withUnsubscribeLink(stored, url)
    expect([sent.text.split(url).length, sent.html.split(`href="${url}"`).length]).toEqual([2, 2])
    expect(sent.html).toMatch(/<\/body><\/html>\n$/)
    expect(stored.text + stored.html).not.toContain("/unsubscribe/")
  })
})

it("a scan of some of the keywords is described as such beside its share", () => {
  const part = { ...digest, score: { ...digest.score!, asked: "2 of 6 keywords" } }
  expect(factsOf(part)).toContainEqual(["Asked only", "2 of 6 keywords"])
  expect(factsOf(digest).map(([name]) => name)).not.toContain("Asked only")
})

it("the last line of an organization is escaped, and stands before the link that unsubscribes", () => {
  const simulated = { ...digest, score: { ...digest.score!, simulated: true } }
  const plain = renderDigest(simulated)
  const branded = withUnsubscribeLink(
    withBranding(plain, { sender: "Nordlicht", footer: "$& <b>Confidential</b>" }),
    "https://sov.example/unsubscribe/x"
  )
  expect(branded.sender).toBe("Nordlicht")
  expect(branded.subject).toMatch(/^\[SIMULATED\] /)
  expect(branded.text).toBe(
    `${plain.text.trimEnd()}\n$& <b>Confidential</b>\nUnsubscribe from this digest: https://sov.example/unsubscribe/x\n`
  )
  expect(branded.html).toMatch(
    />\$&amp; &lt;b&gt;Confidential&lt;\/b&gt;<\/p>\n<p [^>]*><a href="https:\/\/sov\.example/
  )
  expect(branded.html.match(/<\/body>/g)).toHaveLength(1)
  expect(withBranding(plain, noBranding)).toEqual(plain)
})
