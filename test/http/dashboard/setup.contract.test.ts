/**
 * Setting up an organization in the browser: who may do it, what is refused, and that sending the form twice creates
 * only one organization.
 */
import {
  consoleIdentity,
  findOrganization,
  listOrganizations,
  listPlatforms,
  makeEntry,
  PersonStore,
  providerNames,
  readKeywords,
  readQuota,
  readTrackedSet,
  setOrganizationLimits,
  setScanQuota,
  suspendOrganization
} from "@sov/core"
import { decodePlatformConfig } from "@sov/core/outbound"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openDashboard, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"
import { scriptedAnswer } from "../../support/scriptedPlatforms.ts"

let server: TestDashboard
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())

const typed = {
  brand: "  Acme Forge ",
  aliases: "Acme\r\nAF\r\n",
  domains: "https://acmeforge.example/about",
  competitors: "Globex\nInitech\n\nGlobex",
  keywords: "best anvil?\nwhich anvil lasts?"
}

it("the operator of an empty installation is redirected to the form, and from there to the new organization", async () => {
  const somebody = await server.signIn(null)
  await server.run(
    Effect.flatMap(PersonStore, (people) => people.addIdentity(somebody.person.id, consoleIdentity, new Date()))
  )
  expect((await somebody.get("/")).headers["location"]).toBe("/setup")
  const page = await somebody.get("/setup")
  expect([page.status, wordsOf(page.text)]).toEqual([200, expect.stringContaining("Step 1 of 6")])

  for (
    const [field, text, words] of [
      ["brand", "", "1–200 characters"],
      ["domains", "acme dot example", "is not a domain"],
      ["competitors", "Globex\nGLOBEX", "“GLOBEX” is listed twice"],
      ["competitors", "acme", "is a name of the brand too"],
      ["competitors", "x".repeat(201), "is not a name"],
      ["keywords", "fine?\n\u0001", "Question 2"]
    ] as const
  ) {
    const refused = await somebody.post("/setup", { ...typed, [field]: text })
    expect([refused.status, wordsOf(refused.text)]).toEqual([422, expect.stringContaining(words)])
    expect(refused.text).toContain(`id="${field}-fault"`)
    // Text typed in the other fields is kept
    expect(refused.text).toContain("Acme&#13;\nAF")
  }
  expect(await server.run(listOrganizations())).toEqual([])

  const twice = await Promise.all([somebody.post("/setup", typed), somebody.post("/setup", typed)])
  expect(twice.map(({ headers, status }) => [status, headers["location"]])).toEqual([
    [303, "/o/acme-forge"],
    [303, "/o/acme-forge"]
  ])
  const third = await somebody.post("/setup", typed)
  expect([third.status, third.headers["location"]]).toEqual([303, "/o/acme-forge"])
  const organizations = await server.run(listOrganizations())
  expect(organizations.map(({ name }) => name)).toEqual(["Acme Forge"])
  const { brand, competitors } = await server.run(readTrackedSet(organizations[0]!.id))
  expect(brand.domains).toEqual(["acmeforge.example"])
  expect([brand.name, brand.aliases, competitors.map(({ name }) => name)]).toEqual([
    "Acme Forge",
    ["Acme", "AF"],
    ["Globex", "Initech"]
  ])
  const keywords = await server.run(readKeywords(organizations[0]!.id))
  expect(keywords.map(({ text }) => text)).toEqual(expect.arrayContaining(["best anvil?", "which anvil lasts?"]))
  expect(wordsOf((await somebody.get("/o/acme-forge")).text)).toContain("Six steps to your share of voice")
  expect(wordsOf((await somebody.get("/o/acme-forge/settings/members")).text)).toContain("owner")

  // The step for platforms: only the operator can test each of them there
  const [test, [platform]] = ["/o/acme-forge/settings/platforms/assistant_a/test", await server.run(listPlatforms())]
  const ask = vi.spyOn(platform!, "ask").mockReturnValue(Effect.succeed(scriptedAnswer("Acme is one.")))
  const form = readForm((await somebody.get("/o/acme-forge")).text, test)
  const tested = await somebody.post(test, form)
  expect(wordsOf(tested.text)).toMatch(/Six steps to your share of voice .*Answered in [\d.]+ s .*Acme is one\./)
  expect((await somebody.post(test, form)).headers["location"]).toBe("/o/acme-forge?done=sent-before")
  expect(ask).toHaveBeenCalledTimes(1)
  const owner = await server.signIn(organizations[0]!.id, "owner")
  const theirs = (await owner.get("/o/acme-forge")).text
  expect([theirs.includes("/settings/platforms/"), (await owner.post(test, form)).status]).toEqual([false, 403])
})

it("only the operator may open the setup, not even an owner of all organizations", async () => {
  const { id } = await server.run(seedOrganization())
  const owner = await server.signIn(id, "owner")
  for (const answer of [await owner.get("/setup"), await owner.post("/setup", { ...typed, brand: "Other" })]) {
    expect([answer.status, wordsOf(answer.text)]).toEqual([
      403,
      expect.stringContaining("the operator of this installation")
    ])
  }
  const nobody = await server.signIn(null)
  expect(wordsOf((await nobody.get("/")).text)).toContain("You are not a member of any organization")
  expect(await server.run(Effect.flip(findOrganization("other")))).toMatchObject({ _tag: "NotFound" })
})

describe("an installation that allows owners to create organizations", () => {
  let open: TestDashboard
  beforeAll(async () => {
    open = await openDashboard(oneHome[0]!, { maxOwned: 3 })
  })
  afterAll(() => open.close())

  const named = (brand: string) => ({ ...typed, aliases: "", brand })

  it("an owner creates organizations up to a limit, each with the lowest plan and limits of the others", async () => {
    const { id } = await open.run(seedOrganization({ plan: "business" }))
    await open.run(setOrganizationLimits(id, { monthlyBudgetUsd: 20, requestRate: 60 }))
    await open.run(setScanQuota(id, 5))
    const owner = await open.signIn(id, "owner")
    expect((await owner.get("/portfolio")).text).toContain("href=\"/setup\"")
    expect(wordsOf((await owner.get("/account")).text)).toContain("Your organizations")
    expect((await owner.post("/setup", named("Second"))).headers["location"]).toBe("/o/second")
    expect(await open.run(findOrganization("second"))).toMatchObject({
      plan: "business",
      scanQuota: 5,
      requestRate: 60,
      monthlyBudgetUsd: 20
    })
    expect(wordsOf((await owner.get("/o/second/settings/members")).text)).toContain("owner")

    const racing = await Promise.all(["Third", "Fourth", "Fifth"].map((name) => owner.post("/setup", named(name))))
    expect(racing.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(racing.filter(({ status }) => status === 422)).toHaveLength(2)
    const refused = await owner.post("/setup", named("Sixth"))
    expect([refused.status, (await owner.get("/setup")).status]).toEqual([403, 403])
    expect((await owner.get("/portfolio")).text).not.toContain("href=\"/setup\"")
    expect((await owner.get("/organizations")).status).toBe(403)
  })

  it("a raised scan quota does not give a new organization more than the owner's lowest plan includes", async () => {
    const [{ id }, { id: other }] = [
      await open.run(seedOrganization({ plan: "free" })),
      await open.run(seedOrganization({ plan: "pro" }))
    ]
    await open.run(setScanQuota(other, 1000))
    const owner = await open.signIn(id, "owner")
    await open.run(
      Effect.flatMap(PersonStore, (people) => people.addMember(other, owner.person.id, "owner", new Date()))
    )
    expect((await owner.post("/setup", named("Unlifted"))).headers["location"]).toBe("/o/unlifted")
    const created = await open.run(findOrganization("unlifted"))
    expect([created.plan, (await open.run(readQuota(created.id))).limit]).toEqual(["free", 4])
  })

  it("the form for the last allowed organization redirects to that organization if it is sent twice", async () => {
    const { id } = await open.run(seedOrganization())
    const owner = await open.signIn(id, "owner")
    expect((await owner.post("/setup", named("Next to last"))).status).toBe(303)
    const twice = await Promise.all([owner.post("/setup", named("Last")), owner.post("/setup", named("Last"))])
    for (const answer of [...twice, await owner.post("/setup", named(" Last "))]) {
      expect([answer.status, answer.headers["location"]]).toEqual([303, "/o/last"])
    }
    expect((await owner.post("/setup", named("Beyond"))).status).toBe(403)
  })

  it.each(["viewer", "member"] as const)("a %s cannot create an organization", async (role) => {
    const { id } = await open.run(seedOrganization())
    const somebody = await open.signIn(id, role)
    expect((await somebody.post("/setup", named(`Of ${role}`))).status).toBe(403)
  })

  it("an owner whose only organization is suspended cannot create another", async () => {
    const { id } = await open.run(seedOrganization())
    const owner = await open.signIn(id, "owner")
    await open.run(suspendOrganization(id, null))
    expect((await owner.post("/setup", named("Way out"))).status).toBe(403)
  })
})

it.each(providerNames)("the entry shown for provider %s is accepted in a configuration", (name) => {
  const missing = name === "azure" ? { baseUrl: "https://provider.example/v1", model: "m" } : {}
  const config = { platforms: { assistant_a: { ...makeEntry(name), ...missing } } }
  expect(Result.isSuccess(decodePlatformConfig(config, "test"))).toBe(true)
})
