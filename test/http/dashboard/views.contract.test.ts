/** The words of a view, and a file of captured answers: what is saved, refused and shown again. */
import {
  addKeywords,
  addView,
  listScans,
  type OrganizationId,
  readViewShares,
  readWordings,
  setTrackedSet,
  wholeHistory,
  wordKeyword
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { uploadForm } from "../../support/uploadForm.ts"

let server: TestDashboard
let id: OrganizationId
let path: `/o/${string}`
let member: TestBrowser
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  id = await server.run(Effect.gen(function*() {
    const { id } = yield* seedOrganization()
    const brand = { name: "Acme", aliases: [], domains: [], excludes: [] }
    yield* setTrackedSet(id, { brand, competitors: [{ name: "Globex", aliases: [], domains: [] }] })
    yield* addKeywords(id, ["best anvil?", "quiet bellows?"])
    yield* addView(id, { name: "germany", country: "DE", language: "de", context: null })
    return id
  }))
  path = await server.run(pathOf(id))
  member = await server.signIn(id, "member")
})
afterAll(() => server.close())

describe("the words of a view", () => {
  const page = () => `${path}/views/wordings?view=germany`
  const saved = async () => [...(await server.run(readWordings(id, "germany"))).values()]
  /** Sends the page's form with the texts in the order of its questions. */
  const save = async (html: string, texts: ReadonlyArray<string>) => {
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!
    const body = new URLSearchParams({ form_id: value("form_id"), seen: value("seen"), view: "germany" })
    for (const [, keyword] of html.matchAll(/name="keyword" value="([^"]+)"/g)) body.append("keyword", keyword!)
    for (const text of texts) body.append("text", text)
    return member.ask(`${path}/views/wordings`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      body: body.toString()
    })
  }

  it("each question has a field, and an empty field means that the view asks the question's own text", async () => {
    const { text } = await member.get(page())
    expect(wordsOf(text)).toContain("best anvil?")
    expect((await save(text, ["Welcher Amboss?", " "])).headers["location"]).toBe(`${path}/views?done=wordings-saved`)
    expect(await saved()).toEqual(["Welcher Amboss?"])
    expect((await member.get(page())).text).toContain("value=\"Welcher Amboss?\"")
    expect((await save((await member.get(page())).text, ["", ""])).status).toBe(303)
    expect(await saved()).toEqual([])
  })

  it("a wording that names the brand gets an error beside its field, and the form keeps what was typed", async () => {
    const answer = await save((await member.get(page())).text, ["Ist Acme gut?", "Leiser Blasebalg?"])
    expect(answer.status).toBe(422)
    expect(wordsOf(answer.text)).toContain("the wording names the brand, and the question does not")
    expect(answer.text).toContain("value=\"Leiser Blasebalg?\"")
    expect(await saved()).toEqual([])
  })

  it("a stale form does not overwrite wordings that somebody else changed", async () => {
    const { text } = await member.get(page())
    await server.run(wordKeyword(id, "germany", "best anvil?", "Bester Amboss?"))
    const answer = await save(text, ["Welcher Amboss?", ""])
    expect([answer.status, await saved()]).toEqual([409, ["Bester Amboss?"]])
    expect(answer.text).toContain("value=\"Welcher Amboss?\"")
    expect((await save(answer.text, ["Welcher Amboss?", ""])).status).toBe(303)
    expect(await saved()).toEqual(["Welcher Amboss?"])
  })

  it("the form does not exist for unknown views and the standard view, and is refused to viewers", async () => {
    for (const view of ["mars", "standard", "captured"]) {
      expect((await member.get(`${path}/views/wordings?view=${view}`)).status).toBe(404)
    }
    expect((await (await server.signIn(id, "viewer")).get(page())).status).toBe(403)
  })
})

it("the page that confirms the removal of a view exists only for existing views", async () => {
  const ask = async (name: string) => (await member.get(`${path}/views/remove?name=${name}`)).status
  expect([await ask("germany"), await ask("nope"), await ask("")]).toEqual([200, 404, 404])
})

it("an invalid country code gets an error beside its field, and the form keeps what was typed", async () => {
  const formId = /name="form_id" value="([^"]*)"/.exec((await member.get(`${path}/views`)).text)![1]!
  const typed = { form_id: formId, name: "austria", country: "Austria", language: "de", context: "" }
  const refused = await member.post(`${path}/views`, typed)
  expect(refused.status).toBe(422)
  expect(wordsOf(refused.text)).toContain("the country must be a country code such as DE")
  expect(/<input[^>]*name="country"[^>]*>/.exec(refused.text)![0]).toContain("aria-invalid")
  expect(/<input[^>]*name="name"[^>]*>/.exec(refused.text)![0]).not.toContain("aria-invalid")
})

describe("a file of captured answers", () => {
  const line = (question: string, more: object = {}) =>
    JSON.stringify({
      platform: "assistant_a",
      question,
      text: "Take Acme.",
      captured_at: "2026-01-20T09:00:00Z",
      captured_by: "Ada",
      account: "logged out",
      ...more
    })
  const send = async (file: Uint8Array | string) =>
    uploadForm(member, `${path}/surfaces/file`, "answers", file, "answers.csv")

  it("the file is imported as by the command, its refused lines are named by number, and a second time adds nothing", async () => {
    const file = [line("best anvil?"), "{", line("never asked?"), line("quiet bellows?")].join("\n")
    const first = await send(file)
    expect(first.status).toBe(200)
    const words = wordsOf(first.text)
    expect(words).toContain("2 answers archived and sealed, 0 already there, 2 lines refused.")
    expect(words).toContain("Line 3: its question is not tracked")
    expect(words).toMatch(/Line 2: /)
    expect(wordsOf((await send(file)).text)).toContain("0 answers archived and sealed, 2 already there")
    expect(await server.run(listScans(id, { limit: 9 }))).toMatchObject([{ surface: "app" }])
    const [, , captured] = await server.run(readViewShares(id, wholeHistory))
    expect(captured!.newest!.score.avgSov).toBe(100)
    const scans = wordsOf((await member.get(`${path}/scans?sort=view`)).text)
    expect(scans).toMatch(/ View Type .* 100 % .*captured, app imported /)
    expect(wordsOf((await member.get(`${path}/scans?q=captured`)).text)).toContain("1 in all")
  })

  it.each([
    ["empty", "", 422, "No file was chosen"],
    ["compressed", gzipSync("x"), 422, "refused"],
    ["without the columns", "a,b\n1,2\n", 422, "Line 1: the first line lacks the columns platform, question"],
    ["larger than it may be", Buffer.alloc(65 * 2 ** 20, "x"), 413, "64 MB"]
  ])("a file that is %s is refused with an explanation", async (_, file, status, words) => {
    const answer = await send(file)
    expect([answer.status, wordsOf(answer.text)]).toEqual([status, expect.stringContaining(words)])
  })
})
