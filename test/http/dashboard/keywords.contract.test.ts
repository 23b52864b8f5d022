/** Questions over HTTP: the list with its filters, adding, pausing and removing, and the page of one question. */
import {
  addKeywords,
  KeywordStore,
  listKeywordStandings,
  makeFormId,
  type OrganizationId,
  readAuditLog,
  readKeywordHistory,
  readTagShares,
  setKeywordStatus,
  setPlan,
  tagKeywords,
  wholeHistory
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let member: TestBrowser
let viewer: TestBrowser

const findKeywordId = (text: string) =>
  server.run(Effect.gen(function*() {
    const all = yield* (yield* KeywordStore).list(organizationId, ["active", "paused", "archived"])
    return all.find((keyword) => keyword.text === text)!.id
  }))

/** Answers that name the brand for even keywords, and also Globex on one platform; one question fails. */
const half = (keyword: number, platform: string) =>
  keyword === 2 && platform === "assistant_b"
    ? null
    : keyword % 2 === 0
    ? `Acme Forge${platform === "assistant_b" ? " and Globex" : ""}.`
    : "Initech."

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!, {}, { platformLabels: new Map([["assistant_a", "Parrot"]]) })
  organizationId = await server.run(seed)
  home = await server.run(pathOf(organizationId))
  await server.run(scanWith(organizationId, 0, () => "Globex."))
  await server.run(scanWith(organizationId, 600, half))
  member = await server.signIn(organizationId, "member")
  viewer = await server.signIn(organizationId, "viewer")
})
afterAll(() => server.close())

const rowsOf = (csv: string) => {
  const [header, ...lines] = csv.trimEnd().split("\r\n").map((line) => line.split(","))
  return lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [header![i]!, cell])))
}

describe("topics", () => {
  it("a found topic can be confirmed, split and joined by forms, which viewers do not see", async () => {
    const id = await server.run(seed)
    const path = await server.run(pathOf(id))
    const [editor, reader] = [await server.signIn(id, "member"), await server.signIn(id, "viewer")]
    const same = ["best anvil for beginners", "which anvil is best for beginners?"]
    const added = await server.run(addKeywords(id, same))
    const [first, second] = added.map(({ keyword }) => keyword.id)
    const open = async () => {
      const { text } = await editor.get(`${path}/keywords`)
      return { words: wordsOf(text), form: readForm(text, `${path}/keywords/topics`) }
    }
    const send = (form: ReturnType<typeof readForm>, values: Record<string, string>) =>
      editor.post(`${path}/keywords/topics`, { ...form, ...values })
    const found = await open()
    expect(found.words).toContain("8 questions, 7 topics")
    expect(found.words).toContain("2 questions, found by the program")
    const seen = wordsOf((await reader.get(`${path}/keywords`)).text)
    expect(seen).toContain("2 questions, found by the program best anvil for beginners which anvil is best")
    expect(seen).not.toContain("Split off")

    expect((await send(found.form, { act: "keep" })).headers["location"]).toBe(`${path}/keywords?done=topics-decided`)
    const kept = await open()
    expect(kept.words).toContain("2 questions, confirmed")
    await send(kept.form, { act: "split", keyword: second! })
    expect((await open()).words).toContain("8 questions, 8 topics")
    const again = { act: "split", keyword: first!, form_id: await server.run(makeFormId) }
    const stale = await send(kept.form, again)
    expect([stale.status, wordsOf(stale.text).includes("Someone else changed this topic")]).toEqual([409, true])

    const lost = await send((await open()).form, { act: "join", texts: `${same[0]}\nwho sells <anvils>?` })
    expect(lost.status).toBe(422)
    expect(wordsOf(lost.text)).toContain("You have no question with the text of one of these lines.")
    expect(lost.text).toContain("who sells &lt;anvils&gt;?")
    await send((await open()).form, { act: "join", texts: same.join("\n") })
    expect((await open()).words).toContain("2 questions, confirmed")
  })
})

describe("the list of questions", () => {
  it("the list and its CSV show each question with the numbers of the use case", async () => {
    const { rows } = await server.run(listKeywordStandings(organizationId, wholeHistory, {}, { limit: 50 }))
    const page = await member.get(`${home}/keywords`)
    const words = wordsOf(page.text)
    expect(words).toContain("6 active · 0 paused")
    for (const { recent, sov, summary } of rows) {
      const { high, low } = recent!.interval ?? { low: null, high: null }
      const range = low === null ? "" : ` ${Math.round(low)}–${Math.round(high!)}`
      expect(words).toContain(`${summary.keyword.text} ${Math.round(sov!)} % ${Math.round(recent!.sov)} %${range}`)
    }
    const csv = rowsOf((await viewer.get(`${home}/keywords.csv`)).text)
    expect(csv.map((row) => [row["id"], Number(row["sov"]), Number(row["recent_sov"])])).toEqual(
      rows.map(({ recent, sov, summary }) => [summary.keyword.id, sov, recent!.sov])
    )
    expect(csv[0]).toMatchObject({ status: "active", branded: "false", simulated: "false" })
  })

  it("the list filters by text and status, drops empty fields, and says if no question matches", async () => {
    const found = wordsOf((await member.get(`${home}/keywords?q=workshop+3`)).text)
    expect(found).toContain(texts[3])
    expect(found).not.toContain(texts[2])
    const empty = await member.get(`${home}/keywords?q=&status=active`)
    expect([empty.status, empty.headers["location"]]).toEqual([303, `${home}/keywords?status=active`])
    expect(wordsOf((await member.get(`${home}/keywords?q=nothing`)).text)).toContain("No matching questions")
    expect((await member.get(`${home}/keywords?status=lost`)).status).toBe(400)
    expect((await member.get(`${home}/keywords?cursor=x`)).status).toBe(400)
    expect(rowsOf((await viewer.get(`${home}/keywords.csv?q=workshop+3`)).text)).toHaveLength(1)
  })

  it("the list shows three examples until there is a question, and no form to viewers", async () => {
    const { id } = await server.run(seedOrganization())
    const path = await server.run(pathOf(id))
    const owner = await server.signIn(id)
    const page = await owner.get(`${path}/keywords`)
    expect(wordsOf(page.text)).toContain("What do your buyers ask?")
    expect(page.text.match(/<ul class="bullets">(?:<li>[^<]+<\/li>){3}<\/ul>/)).not.toBeNull()
    expect(page.text).toContain("<textarea name=\"texts\"")
    const seen = (await viewer.get(`${home}/keywords`)).text
    expect(seen).not.toContain("<textarea")
    expect(seen).not.toContain("/status\"")
  })

  it("the list has fifty questions per page, and continues with a cursor", async () => {
    const { id } = await server.run(seedOrganization())
    const path = await server.run(pathOf(id))
    const owner = await server.signIn(id)
    const lines = Array.from({ length: 60 }, (_, n) => `which anvil is number ${String(n).padStart(2, "0")}?`)
    await owner.submit(`${path}/keywords`, { texts: lines.join("\n") })
    const first = (await owner.get(`${path}/keywords`)).text
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first)![1]!.replaceAll("&amp;", "&")
    const second = (await owner.get(next)).text
    const listed = (page: string) => lines.filter((text) => wordsOf(page).includes(text))
    expect([listed(first).length, listed(second).length]).toEqual([50, 10])
    expect(second).toContain(`href="${path}/keywords" rel="first">First</a>`)
    expect(rowsOf((await owner.get(`${path}/keywords.csv`)).text)).toHaveLength(60)
  })
})

describe("adding questions", () => {
  it("the page says which added questions are new, which existed, and which are active again", async () => {
    const returned = await findKeywordId(texts[5]!)
    await server.run(setKeywordStatus(organizationId, returned, "archived"))
    const form = {
      form_id: await server.run(makeFormId),
      texts: `is a <b>heavy</b> anvil better?\r\n\r\n  ${texts[0]}  \n${texts[5]}`
    }
    const page = await member.post(`${home}/keywords`, form)
    expect(page.status).toBe(200)
    const [fresh, again, there] = ["New", "Active again", "Already on the list"].map((title) =>
      wordsOf(`<body>${new RegExp(`<h2>${title}</h2>[^]*?</section>`).exec(page.text)?.[0] ?? ""}`)
    )
    expect(fresh).toContain("1 question is a &lt;b&gt;heavy&lt;/b&gt; anvil better?")
    expect(again).toContain(`1 question ${texts[5]}`)
    expect(there).toContain(`1 question ${texts[0]}`)
    const sentAgain = await member.post(`${home}/keywords`, form)
    expect(sentAgain.headers["location"]).toBe(`${home}/keywords?done=sent-before`)
    const twice = await member.submit(`${home}/keywords`, { texts: form.texts })
    expect(twice.text).not.toContain("<h2>New</h2>")
    expect(wordsOf(twice.text)).toContain("3 questions")
    const entries = (await server.run(readAuditLog(organizationId, wholeHistory, {}, { limit: 50 }))).entries
    expect(entries.filter(({ action }) => action === "keyword.added")).toHaveLength(2)
  })

  it("the page accounts for every line, including repeated and empty lines", async () => {
    const { text } = await member.submit(`${home}/keywords`, {
      texts: `${texts[0]}\r\n\r\n ${texts[0]!.replace(" ", "  ")}\n`
    })
    expect(wordsOf(text)).toContain("3 lines, 1 empty")
    expect(wordsOf(text)).toContain(`Entered more than once 1 line ${texts[0]}`)
  })

  it("the form refuses too many lines and texts that are too long for platforms, and keeps what was typed", async () => {
    const many = await member.submit(`${home}/keywords`, { texts: Array(501).fill("why?").join("\n") })
    expect([many.status, wordsOf(many.text)]).toEqual([422, expect.stringContaining("You entered 501 lines")])
    const wrong = await member.submit(`${home}/keywords`, { texts: `fine?\nbell \u0007 here` })
    expect(wrong.status).toBe(422)
    expect(wordsOf(wrong.text)).toContain("Question 2 must be")
    expect(wrong.text).toContain("fine?\nbell")
    expect((await member.submit(`${home}/keywords`, { texts: " \n " })).status).toBe(422)
    expect((await viewer.submit(`${home}/keywords`, { texts: "mine?" })).status).toBe(403)
  })
})

describe("one question", () => {
  it("the page of a question shows its trend, each platform's result, the named brands, and its answers", async () => {
    const id = await findKeywordId(texts[2]!)
    const history = await server.run(readKeywordHistory(organizationId, wholeHistory, id))
    const page = await member.get(`${home}/keywords/${id}`)
    const words = wordsOf(page.text)
    expect(words).toContain(`Share of voice for “${texts[2]}”`)
    expect(words).toContain(`Last 2 scans combined: ${Math.round(history.recent!.sov)} % of 3 answers`)
    expect(words).toMatch(/Parrot \(assistant_a\) □ not named, .* ■ named, .* 1 of 2/)
    expect(words).toMatch(/assistant_b □ not named, .* · failed, .* 0 of 1/)
    expect(words).toContain("A single question has too few answers for an interval by platform.")
    const answers = history.platforms.flatMap(({ cells }) => cells).filter(({ answerId }) => answerId !== null)
    for (const { answerId } of answers) expect(page.text).toContain(`href="${home}/answers/${answerId}"`)
    expect(words).toContain("Acme Forge 25 %")
    expect(words).toContain("named, position 1")
    const csv = rowsOf((await viewer.get(`${home}/keywords/${id}.csv`)).text)
    expect(csv.filter((row) => row["platform"] === "all").map((row) => Number(row["sov"]))).toEqual(history.course)
    expect(csv.filter((row) => row["state"] === "failed")).toMatchObject([{ platform: "assistant_b", answer_id: "" }])
  })

  it("an unknown question, another organization's question and an invalid id get the same 404", async () => {
    const other = await server.signIn((await server.run(seedOrganization())).id)
    const id = await findKeywordId(texts[0]!)
    for (const path of [`${home}/keywords/${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`, `${home}/keywords/x`]) {
      expect((await member.get(path)).status).toBe(404)
      expect((await member.get(`${path}.csv`)).status).toBe(404)
    }
    expect((await other.get(`${home}/keywords/${id}`)).status).toBe(404)
    expect((await other.submit(`${home}/keywords/${id}/status`, { status: "paused" })).status).toBe(404)
  })

  it("a question can be paused, resumed and, after a confirmation, removed", async () => {
    const id = await findKeywordId(texts[4]!)
    const action = `${home}/keywords/${id}/status`
    const paused = await member.press(`${home}/keywords/${id}`, action)
    expect([paused.status, paused.headers["location"]]).toEqual([303, `${home}/keywords/${id}?done=keyword-paused`])
    expect(wordsOf((await member.get(paused.headers["location"] as string)).text)).toContain("Question paused.")
    expect(wordsOf((await member.get(`${home}/keywords?status=paused`)).text)).toContain(texts[4])
    const fields = readForm((await member.get(`${home}/keywords`)).text, action)
    await member.post(action, fields)
    await server.run(setKeywordStatus(organizationId, id, "paused"))
    const again = await member.post(action, fields)
    expect(again.headers["location"]).toBe(`${home}/keywords?done=sent-before`)
    expect(wordsOf((await member.get(`${home}/keywords?status=paused`)).text)).toContain(texts[4])
    await server.run(setKeywordStatus(organizationId, id, "active"))
    expect(wordsOf((await member.get(`${home}/keywords?status=paused`)).text)).not.toContain(texts[4])

    const removal = await member.get(`${home}/keywords/${id}/remove`)
    expect(wordsOf(removal.text)).toContain("Its answers stay in the archive")
    expect(removal.text.match(/<button class="danger">/g)).toHaveLength(1)
    const stale = readForm(removal.text, action)
    await server.run(setKeywordStatus(organizationId, id, "paused"))
    const late = await member.post(action, stale)
    expect([late.status, wordsOf(late.text)]).toEqual([409, expect.stringContaining("It is now: paused.")])
    expect(wordsOf((await member.get(`${home}/keywords?status=paused`)).text)).toContain(texts[4])
    await member.press(`${home}/keywords/${id}/remove`, action)
    expect(wordsOf((await member.get(`${home}/keywords`)).text)).not.toContain(texts[4])
    expect(wordsOf((await member.get(`${home}/keywords?status=archived`)).text)).toContain(texts[4])
    expect(wordsOf((await member.get(`${home}/keywords/${id}`)).text)).toContain("removed")

    expect((await member.submit(`${home}/keywords/${id}/status`, { status: "gone" })).status).toBe(400)
    expect((await viewer.submit(`${home}/keywords/${id}/status`, { status: "active" })).status).toBe(403)
  })

  it("tags of a question can be saved, filter the list, and have their own share", async () => {
    const id = await findKeywordId(texts[0]!)
    const path = `${home}/keywords/${id}` as const
    const form = readForm((await member.get(path)).text, `${path}/tags`)
    const refused = await member.submit(`${path}/tags`, { ...form, tags: "x".repeat(51) })
    expect([refused.status, wordsOf(refused.text)]).toEqual([
      422,
      expect.stringContaining("Tags: a tag has 1–50 characters.") as string
    ])
    expect((await member.submit(`${path}/tags`, { ...form, tags: "Pricing, <b>" })).status).toBe(303)
    const stale = await member.submit(`${path}/tags`, { ...form, form_id: await server.run(makeFormId), tags: "" })
    expect([stale.status, stale.text]).toEqual([409, expect.stringMatching(/&lt;b(?:&gt;|>), Pricing/) as string])
    const list = await viewer.get(`${home}/keywords?tag=pricing`)
    expect(wordsOf(list.text)).toContain("Tags: ")
    expect(list.text).toContain(texts[0])
    expect(list.text).not.toContain(texts[1])
    // A single question has too few answers for an interval
    expect(wordsOf(list.text)).toMatch(/Pricing \d+ % too few answers \d/)
    const csv = rowsOf((await viewer.get(`${home}/keywords.csv?tag=Pricing`)).text)
    expect(csv.map((row) => row["id"])).toEqual([id])
    expect((await viewer.submit(`${path}/tags`, { tags: "mine" })).status).toBe(403)
  })

  it("the page of a scan shows the common share of all questions with a tag, with answers and CSV", async () => {
    const ids = [await findKeywordId(texts[2]!), await findKeywordId(texts[3]!)]
    await server.run(tagKeywords(organizationId, ids, ["Late"]))
    const { tags } = await server.run(readTagShares(organizationId, wholeHistory, 1, "late"))
    const { scan, share } = tags[0]!.newest!
    expect([share.n, share.sov]).toEqual([3, 25])
    const path = `${home}/scans/${scan.id}` as const
    expect((await viewer.get(`${path}?tag=`)).headers["location"]).toBe(path)
    const { text } = await viewer.get(`${path}?tag=late`)
    expect(wordsOf(text)).toContain(
      "All platforms 25 % too few answers 3 2 Parrot (assistant_a) 50 % assistant_b 0 %"
    )
    expect(text).toContain(`href="${home}/answers?scan_id=${scan.id}&amp;platform=assistant_b&amp;tag=late"`)
    // The scan's own share is unchanged
    const own = /Share of voice \d+ %/.exec(wordsOf((await viewer.get(path)).text))![0]
    expect(wordsOf(text)).toContain(own)
    const csv = async (tag: string) => rowsOf((await viewer.get(`${path}/results.csv?tag=${tag}`)).text)
    expect((await csv("late")).map((row) => row["keyword_id"])).toEqual([ids[0], ids[0], ids[1], ids[1]])
    expect(await csv("nosuch")).toEqual([])
    expect(wordsOf((await viewer.get(`${path}?tag=nosuch`)).text)).toContain(
      "This scan has no answers to questions tagged nosuch"
    )
  })

  it("the page of a question shows nothing older than the plan's history", async () => {
    const free = await server.run(seed)
    await server.run(scanWith(free, 600, half))
    await server.run(setPlan(free, "free"))
    const path = await server.run(pathOf(free))
    const browser = await server.signIn(free)
    const list = await browser.get(`${path}/keywords`)
    expect(wordsOf(list.text)).toMatch(new RegExp(`${texts[0]!.replace("?", "\\?")} – – –`))
    const id = /\/keywords\/([0-9a-f-]{36})/.exec(list.text)![1]!
    expect(wordsOf((await browser.get(`${path}/keywords/${id}`)).text)).toContain("Not asked since")
    expect((await browser.get(`${path}/keywords/${id}.csv`)).text.trimEnd().split("\r\n")).toHaveLength(1)
  })
})
