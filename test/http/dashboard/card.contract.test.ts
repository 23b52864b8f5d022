/** The business card over HTTP: its page, its forms, its attestation, its history and its documents. */
import {
  businessCardJson,
  type CardField,
  editBusinessCard,
  makeFormId,
  type OrganizationId,
  readAuditLog,
  readBusinessCard,
  wholeHistory
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { typedFact, typedFacts } from "../../support/businessCards.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let organizationId: OrganizationId
let page: `/o/${string}/card`
let member: TestBrowser
let viewer: TestBrowser

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
beforeEach(async () => {
  organizationId = (await server.run(seedOrganization())).id
  page = `${await server.run(pathOf(organizationId))}/card`
  ;[member, viewer] = [await server.signIn(organizationId, "member"), await server.signIn(organizationId, "viewer")]
})
afterAll(() => server.close())

const enter = (facts: { readonly [field in CardField]?: ReadonlyArray<string> }) =>
  server.run(editBusinessCard(
    organizationId,
    Object.entries(facts).map(([field, texts]) => ({
      field: field as CardField,
      value: typedFact(field as CardField, texts, new Date()).value,
      source: null,
      updatedAt: null
    })),
    { source: "register" }
  ))

const read = () => server.run(readBusinessCard(organizationId))

const unescape = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", "\"").replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** The fields of a group's form, as a browser sends them if nothing was edited. */
const formOf = async (group: string): Promise<Record<string, string>> =>
  fieldsIn((await member.get(`${page}/edit`)).text, group)

const fieldsIn = (text: string, group: string): Record<string, string> => {
  const form = text.split("<form").find((one) => one.includes(`name="group" value="${group}"`))!
  const fields: Record<string, string> = {}
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    if (tag.includes("checkbox")) continue
    const name = /\bname="([^"]+)"/.exec(tag)?.[1]
    if (name !== undefined) fields[name] = unescape(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "")
  }
  for (const [, name, value] of form.matchAll(/<textarea[^>]*\bname="([^"]+)"[^>]*>([^<]*)</g)) {
    fields[name!] = unescape(value!).replaceAll("\n", "\r\n")
  }
  return fields
}

it("an empty card says who may fill it in", async () => {
  const [theirs, ours] = [await viewer.get(page), await member.get(page)]
  for (const { status, text } of [theirs, ours]) {
    expect([status, wordsOf(text).includes("Your business card is empty")]).toEqual([200, true])
  }
  expect([theirs.text.includes("/card/edit"), ours.text.includes("/card/edit")]).toEqual([false, true])
  expect((await member.get(`${page}/attest`)).headers["location"]).toBe(page)
  expect((await viewer.get(`${page}.csv`)).text).toBe("field,group,value,source,updated_at,freshness\r\n")
})

it("the card shows every field with its source and the use case's numbers, and viewers see no buttons", async () => {
  await enter(typedFacts)
  const report = await read()
  const { text } = await viewer.get(page)
  const words = unescape(wordsOf(text))
  expect(words).toContain(`Trust score ${report.trust.score} of 100`)
  expect(words).toContain(`Completeness ${Math.round(100 * report.trust.completeness)} %`)
  expect(words).toContain("The card has not been attested yet.")
  for (const shown of ["Acme Schmiede GmbH & Co. KG", "Bo \\; Sons", "Anvil No. 1;", "register"]) {
    expect(words).toContain(shown)
  }
  expect(text).toContain("<a href=\"https://acme.example/\" rel=\"noreferrer noopener nofollow\">")
  expect(text).not.toMatch(/card\/(?:edit|attest)"/)
  const lines = (await viewer.get(`${page}.csv`)).text.trimEnd().split("\r\n")
  expect(lines).toHaveLength(1 + businessCardJson(report).fields.length)
  expect(lines[1]).toMatch(/^name,identity,Acme,register,.*,fresh$/)
})

it("a form that was not edited changes nothing, and an edited form changes only the edited field", async () => {
  await enter(typedFacts)
  const before = await read()
  for (const group of ["identity", "contact", "web", "offerings", "people", "credentials"]) {
    const answer = await member.submit(`${page}/edit`, await formOf(group))
    expect(answer.headers["location"], group).toBe(`${page}/edit?done=card-unchanged`)
  }
  expect((await read()).hash).toBe(before.hash)
  const form = await formOf("identity")
  // Somebody else enters another field in the meantime
  await enter({ slogan: ["Much harder."] })
  const answer = await member.submit(`${page}/edit`, { ...form, name: "Acme AG" })
  expect(answer.headers["location"]).toBe(`${page}/edit?done=card-saved`)
  const { card } = await read()
  expect(card.get("name")).toMatchObject({ value: ["Acme AG"], source: "entered in the dashboard" })
  expect(card.get("slogan")?.value).toEqual(["Much harder."])
  expect(card.get("legal_name")).toEqual(before.card.get("legal_name"))
  const { entries } = await server.run(
    readAuditLog(organizationId, wholeHistory, { action: "card.edited" }, { limit: 1 })
  )
  expect(entries).toMatchObject([{ actor: { kind: "person" }, detail: { fields: ["name"] } }])
})

it("a confirmed value keeps its source and gets a new time; an emptied value is removed", async () => {
  await enter({ name: ["Acme"], slogan: ["Harder."] })
  const before = (await read()).card
  server.clock.ms += 86_400_000
  const form = await formOf("identity")
  await member.submit(`${page}/edit`, { ...form, slogan: "", "confirm.name": "1" })
  const { card } = await read()
  expect(card.get("name")).toMatchObject({ value: ["Acme"], source: "register" })
  expect(card.get("name")!.updatedAt.getTime()).toBeGreaterThanOrEqual(
    before.get("name")!.updatedAt.getTime() + 86_400_000
  )
  expect(card.has("slogan")).toBe(false)
})

it("a form accepts lists with one item per line, objects with their members, and a source", async () => {
  await member.submit(`${page}/edit`, {
    ...await formOf("people"),
    founders: "Ada Example; job_title=CEO\r\n\r\nBo \\; Sons",
    "source.founders": "the register, 3 March"
  })
  expect((await read()).card.get("founders")).toMatchObject({
    value: [{ name: "Ada Example", job_title: "CEO" }, { name: "Bo ; Sons" }],
    source: "the register, 3 March"
  })
})

it("an error is beside its field, the form keeps what was typed, and nothing is stored", async () => {
  await enter({ name: ["Acme"] })
  const before = (await read()).hash
  const typed = "<b>yesterday</b>"
  const answer = await member.submit(`${page}/edit`, {
    ...await formOf("identity"),
    name: "Acme AG",
    founding_date: typed,
    "source.vat_id": "the register"
  })
  expect(answer.status).toBe(422)
  expect(answer.text).not.toContain(typed)
  const { text } = answer
  expect(text).toMatch(
    /<input id="founding_date-value"[^>]*aria-describedby="founding_date-fault" aria-invalid="true"[^>]*value="&lt;b&gt;yesterday&lt;\/b&gt;"/
  )
  expect(text).toMatch(/<span class="fault" id="founding_date-fault">[^<]*must be a date such as/)
  expect(text).toMatch(/id="vat_id-fault">Enter the value that this source gives\./)
  expect(text).toMatch(/<input id="name-value"[^>]*value="Acme AG"/)
  expect(wordsOf(text)).toContain("Nothing was saved: 2 fields need correcting.")
  expect((await read()).hash).toBe(before)
  // If the form is sent again, the typed values are stored
  const again = await member.submit(`${page}/edit`, {
    ...fieldsIn(text, "identity"),
    founding_date: "",
    "source.vat_id": ""
  })
  expect(again.headers["location"]).toBe(`${page}/edit?done=card-saved`)
  expect((await member.submit(`${page}/edit`, { group: "nothing" })).status).toBe(400)
})

it("the second of two editors sees what the first has saved, keeps what was typed, and can then save", async () => {
  await enter({ name: ["Acme AG"], slogan: ["Harder."] })
  const { form_id: _, ...form } = await formOf("identity")
  const save = (fields: Record<string, string>) => member.submit(`${page}/edit`, { ...form, ...fields })
  expect((await save({ name: "Acme SE" })).status).toBe(303)
  const { hash } = await read()
  const late = await save({ name: "Acme GmbH", slogan: "Hardest." })
  expect(late.status).toBe(409)
  const words = wordsOf(late.text)
  expect(words).toContain(
    "Someone else changed this in the meantime. It is now: Acme SE (source: entered in the dashboard)"
  )
  expect(words).toContain("since you opened this form, someone else has changed a field that you edited")
  expect(fieldsIn(late.text, "identity")).toMatchObject({ name: "Acme GmbH", slogan: "Hardest." })
  expect((await read()).hash).toBe(hash)
  // A value that is out of date cannot be confirmed, given a source or cleared
  for (const stale of [{ "confirm.name": "1" }, { "source.name": "the register" }, { name: "" }]) {
    expect((await save({ ...stale })).status, JSON.stringify(stale)).toBe(409)
  }
  // An invalid value in another field does not hide that somebody else has changed the card
  const faulty = await save({ name: "Acme GmbH", founding_date: "yesterday" })
  expect([faulty.status, wordsOf(faulty.text).includes("It is now: Acme SE")]).toEqual([422, true])
  expect((await read()).hash).toBe(hash)
  expect((await member.submit(`${page}/edit`, fieldsIn(late.text, "identity"))).status).toBe(303)
  const { card } = await read()
  expect([card.get("name")?.value, card.get("slogan")?.value]).toEqual([["Acme GmbH"], ["Hardest."]])
})

it("a field that somebody else has cleared is shown as empty; changing only the source counts as a change", async () => {
  await enter({ name: ["Acme"], slogan: ["Harder."] })
  const { form_id: _, ...form } = await formOf("identity")
  await member.submit(`${page}/edit`, { ...form, slogan: "", "source.name": "the register" })
  const late = await member.submit(`${page}/edit`, { ...form, "confirm.slogan": "1", name: "Acme AG" })
  expect([late.status, ...wordsOf(late.text).match(/It is now: (?:empty|Acme \(source: the register\))/g) ?? []])
    .toEqual([409, "It is now: Acme (source: the register)", "It is now: empty"])
  expect((await read()).card.has("slogan")).toBe(false)
})

it("an attestation covers the card that the form showed, under the given name", async () => {
  await enter({ name: ["Acme"] })
  const { hash } = await read()
  const shown = await member.get(`${page}/attest`)
  expect(shown.text).toContain(`<code class="break">${hash}</code>`)
  expect(shown.text).toMatch(/<input id="by"[^>]*value="Ada Example"/)
  const refused = await member.submit(`${page}/attest`, { hash, by: "  " })
  expect([refused.status, wordsOf(refused.text).includes("the name must not be empty")]).toEqual([422, true])
  await enter({ name: ["Acme AG"] })
  const late = await member.submit(`${page}/attest`, { hash, by: "Ada Example" })
  expect([late.status, wordsOf(late.text).includes("has changed since it was shown")]).toEqual([409, true])
  expect((await read()).attestation).toBeNull()
  const now = (await read()).hash
  const form = { form_id: await server.run(makeFormId), hash: now, by: "Ada <i>" }
  expect((await member.post(`${page}/attest`, form)).headers["location"]).toBe(`${page}?done=card-attested`)
  expect((await member.post(`${page}/attest`, form)).headers["location"]).toBe(`${page}?done=sent-before`)
  expect((await read()).attestation).toMatchObject({ by: "Ada <i>", cardHash: now })
  expect(wordsOf((await viewer.get(page)).text)).toContain("Attested by Ada &lt;i&gt; on")
})

it("the history lists changes newest first, in pages and by field, and the CSV contains all of them", async () => {
  for (let n = 0; n < 3; n++) await enter({ slogan: [`no ${n}`] })
  const many = Array.from({ length: 52 }, (_, n) => `v ${n}`)
  await server.run(
    Effect.forEach(
      many,
      (name) =>
        editBusinessCard(organizationId, [{ field: "name", value: [name], source: null, updatedAt: null }], {
          source: "x"
        })
    )
  )
  const first = await viewer.get(`${page}/history`)
  expect(first.text.match(/<tr><th scope="row">/g)).toHaveLength(50)
  const older = /<a class="button" href="([^"]+)" rel="next">Older/.exec(first.text)![1]!
  const second = await viewer.get(unescape(older))
  expect(second.text.match(/<tr><th scope="row">/g)).toHaveLength(5)
  expect(wordsOf(second.text)).toContain("no 0")
  expect(second.text).toContain(`<a class="button" href="${page}/history" rel="first">Newest</a>`)
  expect((await viewer.get(`${page}/history.csv`)).text.trimEnd().split("\r\n")).toHaveLength(56)
  const slogans = (await viewer.get(`${page}/history.csv?field=slogan`)).text.trimEnd().split("\r\n").slice(1)
  expect(slogans.map((line) => line.split(",").slice(1, 5).join())).toEqual([
    "slogan,changed,no 2,no 1",
    "slogan,changed,no 1,no 0",
    "slogan,set,no 0,"
  ])
  expect((await viewer.get(`${page}/history?field=&cursor=`)).headers["location"]).toBe(`${page}/history`)
  for (const bad of ["field=secret", "cursor=x"]) expect((await viewer.get(`${page}/history?${bad}`)).status).toBe(400)
})

it("the card can be downloaded with sources for machines, and without sources for a web page", async () => {
  await enter({ name: ["</script><script>alert(1)</script>"] })
  const json = await viewer.get(`${page}/json-ld`)
  expect(json.headers).toMatchObject({
    "content-type": "application/ld+json; charset=utf-8",
    "content-disposition": "attachment; filename=\"business-card.jsonld\"",
    "content-security-policy": "sandbox; default-src 'none'"
  })
  expect(JSON.parse(json.text)).toMatchObject({ "@type": "Organization", name: "</script><script>alert(1)</script>" })
  expect(json.text).toContain("register")
  const element = await viewer.get(`${page}/web-page`)
  expect(element.headers["content-disposition"]).toBe("attachment; filename=\"business-card.html\"")
  expect(element.text.match(/<\/script>/g)).toHaveLength(1)
  expect(element.text).not.toContain("register")
})
