/** An organization's own look: what it may be, and that it hides nothing of what a report or an e-mail has to say. */
import {
  type BrandingText,
  chooseTextColor,
  computeContrast,
  darkenUntilReadable,
  findContrastFault,
  formReport,
  lightenUntilReadable,
  noBranding,
  type OrganizationId,
  parseColor,
  readBranding,
  readReport,
  type ReportEvidence,
  setBranding,
  setLogo,
  wholeHistory
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { checkReportFile, makeReportFile } from "@sov/http/report"
import { Effect } from "effect"
import fc from "fast-check"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { failureOf } from "../../contracts/storeContract.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { png } from "../../support/logos.ts"
import { reportRequest } from "../../support/reportRequest.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const look: BrandingText = {
  title: "KI-Antworten über Acme",
  locale: null,
  color: "#8f6300",
  band: "#e8a200",
  sender: "Nordlicht Digital",
  footer: "Confidential, for the board & nobody else"
}

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`)

describe("the contrast of a colour", () => {
  it.each([
    ["#000000", "#ffffff", 21],
    ["#ffffff", "#ffffff", 1],
    ["#777777", "#ffffff", 4.48],
    ["#e8a200", "#ffffff", 2.18]
  ])("the contrast of %s on %s is that of WCAG", (one, other, ratio) => {
    expect(computeContrast(one, other)).toBeCloseTo(ratio, 1)
  })

  it("a colour that is hard to read on white is refused with its ratio and a colour that is not", () => {
    expect(findContrastFault("#777777")).toBe(
      `#777777 has a contrast of 4.4 : 1 on white, and lines and text need 4.5 : 1. Use a darker colour, such as ${
        darkenUntilReadable("#777777")
      }.`
    )
    fc.assert(fc.property(anyColor, (color) => {
      expect(findContrastFault(darkenUntilReadable(color))).toBeNull()
      expect(computeContrast(lightenUntilReadable(color, "#17181c"), "#17181c")).toBeGreaterThanOrEqual(4.5)
      expect(computeContrast(chooseTextColor(color), color)).toBeGreaterThanOrEqual(4.5)
    }))
  })

  it("a colour may be typed short, in capitals and without its sign", () => {
    expect(["8F6300", "#fa0", " #8f6300 "].map(parseColor)).toEqual(["#8f6300", "#ffaa00", "#8f6300"])
    expect(["red", "#12345", "#8f6300;}*{display:none", "url(x)", ""].map(parseColor)).toEqual(Array(5).fill(null))
  })
})

describe("setting the branding", () => {
  it.each([
    ["color", "#e8a200", /^#e8a200 has a contrast of 2\.1 : 1 on white, .* such as #[0-9a-f]{6}\.$/],
    ["color", "red", /^must be a colour such as #8f6300$/],
    ["band", "red}*{display:none", /^must be a colour/],
    ["sender", "a\r\nBcc: all@acme.example", /^must be/],
    ["sender", "ceo@bank.example", /@/],
    ["sender", "Bank\" <ceo", /quotation marks/],
    ["sender", "\u202Eknab", /invisible/],
    ["footer", "x".repeat(121), /1–120 characters/],
    ["footer", "\u2028", /^must be/],
    ["title", "", /^must be 1–200/],
    ["locale", "en-u-ca-buddhist", /^must be a language tag such as de or en-GB$/],
    ["locale", "de-U-nu-thai", /^must be a language tag/],
    ["locale", "de-t-en", /^must be a language tag/],
    ["locale", "en-x-acme", /^must be a language tag/],
    ["locale", "x-acme", /^must be a language tag/],
    ["locale", "de-Latn-DE-1901-1996-fonipa-fonupa-fonxsamp", /^must be a language tag/]
  ])("a %s %j is refused with what to change", (field, value, message) =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const refused = yield* failureOf(setBranding(id, { ...noBranding, [field]: value }))
      expect(refused).toMatchObject({ _tag: "Rejected", field, message: expect.stringMatching(message) })
      expect(yield* readBranding(id)).toEqual(noBranding)
    })))

  it.each([
    ["a drawing with a script", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
    ["a page", "<!doctype html><script>alert(1)</script>"],
    ["nothing", ""],
    ["too large", Buffer.concat([png, Buffer.alloc(102_400)])]
  ])("a logo that is %s is refused, whatever its name", (_, bytes) =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      yield* setLogo(id, png)
      expect(yield* failureOf(setLogo(id, Buffer.from(bytes)))).toMatchObject({ _tag: "Rejected", field: "logo" })
      expect((yield* readBranding(id)).logo?.type).toBe("image/png")
    })))

  it("texts and logo are set apart, and neither removes the other", () =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      yield* setLogo(id, png)
      yield* setBranding(id, look)
      expect(yield* readBranding(id)).toMatchObject({ ...look, logo: { type: "image/png" } })
      yield* setLogo(id, null)
      expect(yield* readBranding(id)).toEqual({ ...look, logo: null })
    })))
})

describe("a branded report", () => {
  let id: OrganizationId
  let made: { readonly evidence: ReportEvidence; readonly text: string }
  const make = (answers = true) =>
    Effect.map(
      readReport({ id, name: "Acme" }, wholeHistory, { ...reportRequest, answers }),
      ({ evidence, figures, logo }) => ({ evidence, text: makeReportFile(evidence, figures, logo) })
    )
  beforeAll(async () => {
    id = await storage.run(seed)
    await storage.run(Effect.gen(function*() {
      yield* scanWith(id, 100, () => "Acme Forge and Globex.")
      yield* setBranding(id, look)
      yield* setLogo(id, png)
    }))
    made = await storage.run(make())
  })

  const problemsOf = (text: string) => checkReportFile(text).problems.map(({ problem, what }) => `${what} ${problem}`)

  it("a branded report has title, logo, colours, sender and last line, and is valid", () => {
    expect(problemsOf(made.text)).toEqual([])
    expect(made.text).toContain("<h1>KI-Antworten über Acme</h1>")
    expect(made.text).toContain("<img alt=\"\" src=\"data:image/png;base64,")
    expect(made.text).toMatch(/Prepared by Nordlicht Digital · Confidential, for the board &amp; nobody else · \d/)
    expect(made.text).toContain("--accent:light-dark(#8f6300,#")
    expect(made.text).not.toContain("Made by sov")
  })

  it("a branded report keeps its method, its proof and the note on simulated answers", () => {
    for (const part of ["Method and proof", "sov report verify FILE", "Not proven:", "colours, sender, last line"]) {
      expect(made.text, part).toContain(part)
    }
    const simulated = { ...made.evidence, scans: made.evidence.scans.map((scan) => ({ ...scan, simulated: true })) }
    expect(makeReportFile(simulated, formReport(simulated), null)).toContain("no number here is real")
  })

  it.each([
    [
      "a style that hides the proof",
      (text: string) => text.replace("<style>.report{", "<style>#method{display:none}.report{")
    ],
    ["another colour", (text: string) => text.replace("light-dark(#8f6300", "light-dark(#8f6301")],
    ["a policy for another style", (text: string) => text.replace(/' 'sha256-[^']*'/, "' 'unsafe-inline'")],
    ["no last line", (text: string) => text.replace("Confidential, for", "For")],
    ["another logo", (text: string) => text.replace("base64,iVBOR", "base64,iVBOS")],
    ["no proof", (text: string) => text.replace("Not proven:", "Proven:")]
  ])("a branded report with %s is not valid", (_, change) => {
    const changed = change(made.text)
    expect(changed).not.toBe(made.text)
    expect(problemsOf(changed)).not.toEqual([])
  })

  it.each<[string, Partial<BrandingText>]>([
    ["white lines", { color: "#ffffff" }],
    ["a style in a colour", { color: "#000000;}#method{display:none" }],
    ["a style in the band", { band: "red}#method{display:none}{" }]
  ])("evidence with %s makes no valid report, even with a page made from it", (_, change) => {
    const branding = { ...made.evidence.header.branding!, ...change }
    const forged = { ...made.evidence, header: { ...made.evidence.header, branding, logo: null } }
    expect(() => makeReportFile(forged, formReport(forged), null)).toThrow()
    // A forger writes the line without this program, and adds its check
    const lines = made.text.split("\n")
    const at = lines.findIndex((line) => line.startsWith("{\"report\""))
    const header = JSON.parse(lines[at]!)
    expect(header.report.branding.color).toBe("#8f6300")
    Object.assign(header.report.branding, change)
    lines[at] = JSON.stringify(header)
    const check = createHash("sha256").update(lines[at]).digest("hex").slice(0, 8)
    const text = lines.join("\n").replace(/(\{"checks":\[")[0-9a-f]{8}/, `$1${check}`)
    expect(checkReportFile(text).problems).toMatchObject([{ what: "line", id: "1", problem: "changed" }])
  })

  it("a title and a logo that a request names replace those of the branding", () =>
    storage.run(Effect.gen(function*() {
      const { evidence } = yield* readReport({ id, name: "Acme" }, wholeHistory, { ...reportRequest, title: "March" })
      expect(evidence.header).toMatchObject({ title: "March", branding: { sender: "Nordlicht Digital" } })
    })))

  it("a report without branding is unchanged", () =>
    storage.run(Effect.gen(function*() {
      yield* setLogo(id, null)
      yield* setBranding(id, noBranding)
      const { evidence, text } = yield* make(false)
      expect(evidence.header).not.toHaveProperty("branding")
      expect(text).toContain("Made by sov, ")
      expect(text.match(/<style>/g)).toHaveLength(1)
      expect(problemsOf(text)).toEqual([])
    })))
})
