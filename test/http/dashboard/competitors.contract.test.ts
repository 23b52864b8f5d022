/** Competitors over HTTP: the shares of all, changing names, and measuring again with the new names. */
import {
  ignoreSuggestion,
  makeFormId,
  type OrganizationId,
  previewNames,
  readAuditLog,
  readCompetitors,
  readTrackedSet,
  roundHalfUp,
  suggestCompetitors,
  wholeHistory
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { formatPercent } from "../../../packages/http/src/dashboard/charts/numbers.ts"
import { fingerprint } from "../../../packages/http/src/dashboard/pages/forms.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readOrganizationRows } from "../../support/organizationRows.ts"
import { readForm } from "../../support/pageForms.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let member: TestBrowser
let viewer: TestBrowser

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  organizationId = await server.run(seed)
  home = await server.run(pathOf(organizationId))
  const answer = (keyword: number) => keyword < 3 ? "Acme Forge and Globex." : keyword === 3 ? "Hooli." : "Globex."
  await server.run(scanWith(organizationId, 0, answer))
  await server.run(scanWith(organizationId, 600, answer))
  member = await server.signIn(organizationId, "member")
  viewer = await server.signIn(organizationId, "viewer")
})
afterAll(() => server.close())

/** Sends the form of a page with other values in some of its fields. */
const save = async (path: string, fields: Readonly<Record<string, string>>, page = path) => {
  const action = `${home}${path}`
  return member.post(action, {
    ...readForm((await member.get(`${home}${page}`)).text, action),
    step: "save",
    ...fields
  })
}

const set = () => server.run(readTrackedSet(organizationId))
const words = async (path: string) => wordsOf((await member.get(`${home}${path}`)).text)

describe("the list of competitors", () => {
  it("the list of competitors and its CSV show share and interval from the use case", async () => {
    const { named, scan } = await server.run(readCompetitors(organizationId, wholeHistory, 12))
    const page = await words("/competitors")
    for (const { interval, name, sov, who } of named) {
      const range = `${Math.round(interval!.low)}–${Math.round(interval!.high)}`
      expect(page).toContain(
        `${who === "nobody" ? "No tracked brand" : name} ${who === "brand" ? "you " : ""}${Math.round(sov!)} % ${range}`
      )
    }
    const [header, ...lines] = (await viewer.get(`${home}/competitors.csv`)).text.trimEnd().split("\r\n")
    expect(header).toBe("scan_id,kind,id,name,sov,interval_low,interval_high,aliases,domains,simulated,asked")
    expect(lines.map((line) => line.split(",").slice(0, 4))).toEqual(
      named.map(({ id, name, who }) => [scan!.id, who, id ?? "", name ?? ""])
    )
  })

  it("the list of competitors has forms for members, but not for viewers", async () => {
    const page = (await viewer.get(`${home}/competitors`)).text
    expect(page).not.toContain("method=\"post\" action=\"/o")
    expect(page).not.toContain("/remove")
    expect((await viewer.get(`${home}/competitors/brand`)).status).toBe(403)
    expect((await viewer.post(`${home}/competitors`, { name: "Hooli" })).status).toBe(403)
    expect((await viewer.post(`${home}/competitors/measure`)).status).toBe(403)
  })
})

describe("a competitor", () => {
  it("an added competitor has aliases and domains, and older scans count as measured differently until rescored", async () => {
    expect(await words("/competitors")).not.toContain("See what would change")
    const added = await save("/competitors", {
      name: " Hooli ",
      aliases: "Hooli Inc\r\nHooli Inc\r\n",
      domains: "hooli.example"
    })
    expect([added.status, added.headers["location"]]).toEqual([303, `${home}/competitors?done=competitor-added`])
    expect((await set()).competitors.at(-1)).toMatchObject({
      name: "Hooli",
      aliases: ["Hooli Inc"],
      domains: ["hooli.example"]
    })
    const changed = await words("/competitors")
    expect(changed).toContain("2 scans are measured with different names, topics or rules")
    expect(changed).toContain("Hooli not measured yet –")

    const preview = await words("/competitors/measure")
    expect(preview).toContain("the newest 2 scans")
    expect(preview).toContain("24 answers of 2 scans are measured")
    expect(await words("/competitors")).toContain("2 scans are measured with different names")
    const run = await server.run(makeFormId)
    const goesOn = await member.get(`${home}/competitors/measure?done=rescored-part&run=${run}`)
    expect(goesOn.text).toContain(`name="form_id" value="${run}"`)
    const done = await member.post(`${home}/competitors/measure`, { form_id: run })
    expect([done.status, done.headers["location"]]).toEqual([303, `${home}/competitors?done=rescored`])
    const after = await words("/competitors")
    expect(after).not.toContain("See what would change")
    expect(after).toMatch(/Hooli 17 %/)
    expect(await words("/competitors/measure")).toContain("All answers are already measured")
    const started = () =>
      server.run(Effect.map(
        readAuditLog(organizationId, wholeHistory, { action: "rescore.started" }, { limit: 9 }),
        ({ entries }) => entries.map(({ id }) => id)
      ))
    expect(await started()).toEqual([run])
    // A form that continues measuring belongs to the same act
    await member.post(`${home}/competitors/measure`, { form_id: run })
    expect(await started()).toEqual([run])
  })

  it("an invalid competitor is refused with an error beside its field, and the form keeps what was typed", async () => {
    for (
      const [fields, fault] of [
        [{ name: " " }, "Enter a name of 1–200 characters"],
        [{ name: "Pied Piper", domains: "piper.example/" }, "“piper.example/” is not a domain"],
        [{ name: "Pied Piper", aliases: "Acme Forge" }, "is registered for two entities"]
      ] as const
    ) {
      const page = await save("/competitors", fields)
      expect([page.status, wordsOf(page.text)]).toEqual([422, expect.stringContaining(fault)])
      expect(page.text).toContain(`value="${fields.name}"`)
    }
    expect((await set()).competitors.map(({ name }) => name)).not.toContain("Pied Piper")
  })

  it("a competitor is edited and removed, each after a confirmation", async () => {
    const { id, name } = (await set()).competitors.at(-1)!
    const page = await member.get(`${home}/competitors/${id}`)
    expect(page.text).toContain("Hooli Inc</textarea>")
    const edited = await save(`/competitors/${id}`, {
      aliases: "Hooli XYZ",
      domains: "https://hooli.example/about?x=1"
    })
    expect(edited.headers["location"]).toBe(`${home}/competitors?done=competitor-changed`)
    expect((await set()).competitors.at(-1)).toEqual({ id, name, aliases: ["Hooli XYZ"], domains: ["hooli.example"] })
    expect((await save(`/competitors/${id}`, { aliases: "Acme Forge" })).status).toBe(422)
    const again = await save(`/competitors/${id}`, { aliases: "Hooli XYZ", domains: "hooli.example" })
    expect(again.headers["location"]).toBe(`${home}/competitors?done=names-unchanged`)

    const removal = await member.get(`${home}/competitors/${id}/remove`)
    expect(wordsOf(removal.text)).toContain("Earlier scores still include it")
    expect((await set()).competitors.at(-1)!.id).toBe(id)
    const stale = readForm(removal.text, `${home}/competitors/${id}/remove`)
    await save(`/competitors/${id}`, { aliases: "Hooli Media" })
    const late = await member.post(`${home}/competitors/${id}/remove`, stale)
    expect([late.status, wordsOf(late.text)]).toEqual([409, expect.stringContaining("It is now: Hooli; also known as")])
    expect((await set()).competitors.map((one) => one.id)).toContain(id)
    const form = readForm(late.text, `${home}/competitors/${id}/remove`)
    await member.post(`${home}/competitors/${id}/remove`, form)
    expect((await set()).competitors.map((one) => one.id)).not.toContain(id)
    expect(await words("/competitors")).toContain("no longer tracked")
    expect((await member.get(`${home}/competitors/${id}/remove`)).status).toBe(404)
    const twice = await member.post(`${home}/competitors/${id}/remove`, form)
    expect(twice.headers["location"]).toBe(`${home}/competitors?done=sent-before`)
    expect((await member.post(`${home}/competitors/${id}/remove`)).status).toBe(400)
  })
})

describe("a change of names", () => {
  it("the preview of a change of names shows the scores that recent scans would have, and stores nothing", async () => {
    const before = await server.run(readOrganizationRows(organizationId))
    const page = await save("/competitors/brand", { aliases: "Hooli", step: "preview" })
    const { archive } = await server.run(previewNames(organizationId, wholeHistory, {
      kind: "brand",
      brand: { ...(await set()).brand, aliases: ["Hooli"] }
    }))
    expect([page.status, archive.scans.length]).toEqual([200, 2])
    const shown = wordsOf(page.text)
    for (const { after, before } of archive.scans) {
      expect(after.avgSov).not.toBe(before!.avgSov)
      expect(shown).toContain(`${before!.avgSov!.toFixed(1)} % ${after.avgSov!.toFixed(1)} %`)
    }
    expect(shown).toContain("New: Acme Forge, also known as Hooli")
    expect(shown).toContain("Of 24 answers, 4 would newly name you, and 0 would no longer name you.")
    expect(readForm(page.text, `${home}/competitors/brand`)).toMatchObject({ aliases: "Hooli" })
    expect(shown).toContain("count everywhere only if you add them under “Also known as”: AcmeForge")
    expect(await server.run(readOrganizationRows(organizationId))).toEqual(before)
  })

  it("the preview says if no score would change, and refuses the same input as saving", async () => {
    expect(wordsOf((await save("/competitors/brand", { step: "preview" })).text)).toContain(
      "these are the current names"
    )
    const refused = await save("/competitors/brand", { aliases: "Globex", step: "preview" })
    expect([refused.status, wordsOf(refused.text).includes("is registered for two entities")]).toEqual([422, true])
  })

  it("the form says what a domain does, as answers are measured: bare hosts name, links and addresses do not", async () => {
    const { text } = await member.get(`${home}/competitors/brand`)
    expect(wordsOf(text)).toContain("An answer that writes acme.example in its text names it; a link")
    expect(wordsOf(text)).not.toContain("An answer that links there counts")
  })

  it("the second of two editors sees the names that the first has saved, and overwrites nothing", async () => {
    const { brand } = await set()
    const path = `${home}/competitors/brand`
    const mine = readForm((await member.get(path)).text, path)
    const theirs = readForm((await member.get(path)).text, path)
    await member.post(path, { ...mine, aliases: "Acme F", step: "save" })
    const late = await member.post(path, { ...theirs, aliases: "AF", step: "save" })
    expect(late.status).toBe(409)
    expect(wordsOf(late.text)).toContain("It is now: Acme Forge; also known as Acme F")
    expect((await set()).brand.aliases).toEqual(["Acme F"])
    const shown = readForm(late.text, path)
    expect(shown["aliases"]).toBe("AF")
    await member.post(path, { ...shown, aliases: brand.aliases.join("\n"), step: "save" })
    expect((await set()).brand).toEqual(brand)
  })
})

describe("the tracking page", () => {
  it("the tracking page shows brand, competitors and questions, and forms only to members", async () => {
    const shown = await words("/settings/tracking")
    for (const text of ["Acme Forge", "Globex", "Initech", "6 active, 0 paused, 0 removed"]) {
      expect(shown).toContain(text)
    }
    const form = readForm((await member.get(`${home}/settings/tracking`)).text, `${home}/competitors`)
    const offered = await member.post(`${home}/competitors`, { ...form, name: "Apple Inc.", step: "preview" })
    expect(wordsOf(offered.text)).toContain("count everywhere only if you add them under “Also known as”: Apple")
    const page = await member.post(`${home}/competitors`, { ...form, name: "Hooli", step: "preview" })
    expect(wordsOf(page.text)).toContain("New: the name Hooli")
    expect((await viewer.get(`${home}/settings/tracking`)).text).not.toContain(`method="post" action="${home}`)
  })
})

describe("the brand", () => {
  it("the brand is edited with its names, and a form without a change is not recorded", async () => {
    const { brand, version } = await set()
    const fields = {
      name: brand.name,
      aliases: brand.aliases.join("\n"),
      domains: brand.domains.join("\n"),
      excludes: brand.excludes.join("\n")
    }
    const same = await save("/competitors/brand", fields)
    expect(same.headers["location"]).toBe(`${home}/competitors?done=names-unchanged`)
    expect((await set()).version).toBe(version)
    await save("/competitors/brand", { ...fields, excludes: "Acme Bank" })
    expect((await set()).brand).toMatchObject({ id: brand.id, excludes: ["Acme Bank"] })
    expect(await words("/competitors")).toContain("Excluded terms Acme Bank")
    await save("/competitors/brand", { ...fields, context: "anvil\nforge" })
    expect((await set()).brand.context).toEqual(["anvil", "forge"])
    expect(await words("/competitors")).toContain("Context words anvil, forge")
    await save("/competitors/brand", { ...fields, context: "" })
    expect((await set()).brand.context).toBeUndefined()
    expect((await save("/competitors/brand", { ...fields, name: "" })).status).toBe(422)
  })

  it("setting the brand is the first step for members", async () => {
    const { id } = await server.run(seedOrganization())
    const path = await server.run(pathOf(id))
    const owner = await server.signIn(id)
    expect((await owner.get(`${path}/competitors`)).text).toContain(`action="${path}/competitors/brand"`)
    const added = { name: "Globex", form_id: await server.run(makeFormId), seen: fingerprint("nothing yet") }
    for (
      const answer of [
        await owner.post(`${path}/competitors`, added),
        await owner.get(`${path}/competitors/measure`),
        await owner.submit(`${path}/competitors/measure`)
      ]
    ) {
      expect([answer.status, answer.headers["location"]]).toEqual([303, `${path}/competitors/brand?done=brand-first`])
    }
    expect(wordsOf((await owner.get(`${path}/competitors/brand?done=brand-first`)).text)).toContain(
      "Set your brand first"
    )
    const guest = await server.signIn(id, "viewer")
    expect(wordsOf((await guest.get(`${path}/competitors`)).text)).toContain("No brand yet")
    expect((await guest.get(`${path}/competitors.csv`)).text.trimEnd().split("\r\n")).toHaveLength(1)
    const form = readForm((await owner.get(`${path}/competitors/brand`)).text, `${path}/competitors/brand`)
    const brand = await owner.post(`${path}/competitors/brand`, { ...form, name: "Acme <Forge>" })
    expect(brand.headers["location"]).toBe(`${path}/competitors?done=brand-set`)
    expect((await owner.get(`${path}/competitors`)).text).toContain("Acme &lt;Forge&gt;")
  })
})

describe("a suggested name", () => {
  const ignorePath = "/competitors/suggestions/ignore"
  const restorePath = "/competitors/suggestions/restore"
  const text = (keyword: number, platform: string) =>
    platform === "assistant_a"
      ? `- **Zorvik Anvil ${keyword}00**: <i>sturdy</i>\u202e.\n- **Hooli Press ${keyword}**: loud.`
      : "Most smiths like a Zorvik or a Hooli Press; Globex is dear."
  let path: string
  let own: OrganizationId
  let editor: TestBrowser

  beforeAll(async () => {
    own = await server.run(seed)
    path = await server.run(pathOf(own))
    editor = await server.signIn(own, "member")
  })
  const shown = async () => wordsOf((await editor.get(`${path}/competitors`)).text)
  const formOf = (page: string, action: string) => readForm(page, `${path}${action}`)

  it("a name is suggested after the first completed scan", async () => {
    expect(await shown()).toContain("No scan has completed yet")
    await server.run(scanWith(own, 0, () => "Globex and Acme Forge."))
    expect(await shown()).toContain("In 12 answers no untracked name appears")
  })

  it("a suggested name has its share, cells, platforms and answers from the use case, on the page and in the CSV", async () => {
    await server.run(scanWith(own, 600, text))
    const scope = { maxAnswers: 500 }
    const { suggestions } = await server.run(suggestCompetitors(own, wholeHistory, scope, () => {}))
    const page = await editor.get(`${path}/competitors`)
    expect(suggestions.map(({ name }) => name).toSorted()).toEqual(["Hooli", "Zorvik"])
    for (const { cells, examples, name, share } of suggestions) {
      expect(wordsOf(page.text)).toContain(`${name} ${formatPercent(share)} ${cells} `)
      for (const { answer } of examples) expect(page.text).toContain(`href="${path}/answers/${answer.answerId}"`)
    }
    expect(page.text).toContain("&lt;i&gt;sturdy&lt;/i&gt;⟨U+202E⟩")
    const guest = await server.signIn(own, "viewer")
    const [header, ...lines] = (await guest.get(`${path}/competitors/suggestions.csv`)).text.trimEnd().split("\r\n")
    expect(header).toBe(
      "name,share,cells,keywords,answers,platforms,example_answer_id,example,simulated,confidence,less_sure,names_market"
    )
    expect(lines.map((line) => line.split(",").slice(0, 3))).toEqual(
      suggestions.map(({ cells, name, share }) => [name, String(roundHalfUp(share, 1)), String(cells)])
    )
    const theirs = (await guest.get(`${path}/competitors`)).text
    expect([theirs.includes("Zorvik"), theirs.includes("method=\"post\" action=\"/o")]).toEqual([true, false])
  })

  it("a suggested name can be ignored and suggested again by a form that shows its current state", async () => {
    const form = formOf((await editor.get(`${path}/competitors`)).text, ignorePath)
    const late = { ...form, form_id: await server.run(makeFormId) }
    const done = await editor.post(`${path}${ignorePath}`, form)
    expect(done.headers["location"]).toBe(`${path}/competitors?done=suggestion-ignored`)
    expect((await editor.get(`${path}/competitors`)).text).not.toContain(`accept?name=${form["name"]}`)
    expect(await shown()).toContain(`1 ignored name ${form["name"]} Suggest again`)
    const refused = await editor.post(`${path}${ignorePath}`, late)
    expect([refused.status, wordsOf(refused.text)]).toEqual([
      409,
      expect.stringContaining(`It is now: ${form["name"]}, ignored.`)
    ])
    const undo = formOf(refused.text, restorePath)
    const undone = await editor.post(`${path}${restorePath}`, undo)
    expect(undone.headers["location"]).toBe(`${path}/competitors?done=suggestion-restored`)
    const twice = await editor.post(`${path}${restorePath}`, undo)
    expect(twice.headers["location"]).toBe(`${path}/competitors?done=sent-before`)
    expect(await shown()).not.toContain("ignored name")
    expect((await editor.post(`${path}${ignorePath}`, { ...form, name: "" })).status).toBe(400)
    expect((await editor.get(`${path}/competitors?done=suggestion-restored`)).text).toContain("can be suggested again")
  })

  it("the page for accepting a suggested name shows what would change and what happens next", async () => {
    const page = await editor.get(`${path}/competitors/suggestions/accept?name=Zorvik`)
    const words = wordsOf(page.text)
    expect(words).toContain("New: the name Zorvik")
    expect(words).toContain("measure the archive again (24 answers)")
    const taken = await editor.get(`${path}/competitors/suggestions/accept?name=Globex`)
    expect(wordsOf(taken.text)).toContain("these are the current names")
    const added = await editor.post(`${path}/competitors`, { ...formOf(page.text, "/competitors"), step: "save" })
    expect(added.headers["location"]).toBe(`${path}/competitors?done=competitor-added`)
    expect(await shown()).toContain("Zorvik not measured yet –")
    expect((await editor.get(`${path}/competitors`)).text).not.toContain("accept?name=Zorvik")
    expect((await editor.get(`${path}/competitors/suggestions/accept`)).headers["location"]).toBe(`${path}/competitors`)
  })

  it("a suggested name with markup is shown as text", async () => {
    await server.run(ignoreSuggestion(own, "<b>Evil\u202e</b>"))
    expect((await editor.get(`${path}/competitors`)).text).toContain("&lt;b&gt;Evil⟨U+202E⟩&lt;/b&gt;")
  })
})
