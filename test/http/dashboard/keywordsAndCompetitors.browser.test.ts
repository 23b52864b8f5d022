/** Pages of keywords, competitors and several organizations in a browser: nothing for it, axe or a narrow window to object to. */
import { addCompetitor, KeywordStore, PersonStore } from "@sov/core"
import { at } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"

describeInBrowser("keywords and competitors", () => {
  let server: TestDashboard
  let browser: TestBrowser
  beforeAll(async () => {
    server = await openDashboard("embedded")
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it("nobody has anything to object to", async () => {
    const { competitor, empty, id, keyword } = await server.run(Effect.gen(function*() {
      const [id, empty] = [yield* seed, yield* seed]
      yield* scanWith(id, 0, (n) => n === 0 ? "Acme Forge, **then** Globex." : "Initech.")
      yield* scanWith(id, 600, (n, platform) => n === 0 && platform === "assistant_a" ? null : "Acme Forge is best. ")
      const { entity } = yield* addCompetitor(id, { name: "Umbrella", aliases: ["Umbrella Corporation"], domains: [] })
      const [first] = yield* (yield* KeywordStore).list(id, ["active"])
      return { id, empty, keyword: first!.id, competitor: entity.id }
    }))
    const { cookies, person } = await server.signIn(id)
    await server.run(Effect.flatMap(PersonStore, (people) => people.addMember(empty, person.id, "owner", at(1))))
    const [home, other] = [await server.run(pathOf(id)), await server.run(pathOf(empty))]
    const paths = [
      `${home}/keywords`,
      `${home}/keywords?q=nothing`,
      `${home}/keywords/${keyword}`,
      `${home}/keywords/${keyword}/remove`,
      `${home}/competitors`,
      `${home}/competitors/brand`,
      `${home}/competitors/${competitor}`,
      `${home}/competitors/${competitor}/remove`,
      `${home}/competitors/measure`,
      `${other}/keywords`,
      `${other}/competitors`,
      "/portfolio"
    ]
    for (const [width, colorScheme] of [[320, "light"], [1280, "dark"]] as const) {
      const { listFaults, page } = await browser.open(server.base, { width, colorScheme })
      await page.context().addCookies(
        [...cookies].map(([name, value]) => ({ name, value, url: server.base }))
      )
      for (const path of paths) {
        await page.goto(path)
        expect(await listFaults(), `${path} at ${width} px`).toEqual([])
      }
      await page.context().close()
    }
  })
})
