// Only in `npm run test:all`: a browser is started
/**
 * The overview's "Next" and the page of actions in a browser: with ten actions about very long names, without data, and
 * decided about with the keyboard alone.
 */
import {
  type Action,
  actionId,
  type ActionRule,
  ActionStore,
  ArchiveStore,
  KeywordStore,
  type OrganizationId,
  readActions,
  TrackedSetStore,
  wholeHistory
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser, type WatchedPage } from "../../support/browser.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openTab } from "../../support/dashboardBrowser.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

const long = "w".repeat(200)

/** The subject of the nth action of each rule that is not about a question. */
const subjects: ReadonlyArray<readonly [ActionRule, string]> = [
  ["fact_contradicted", `facts: ${long}`],
  ["fact_contradicted", `certifications: ${"Very long certificate of an authority ".repeat(5)}`],
  ["page_without_you", `https://${"long-host-name.".repeat(12)}example/${long}?${long}`],
  ["own_page_not_cited", `https://www.acmeforge.example/${long}`],
  ["own_page_not_naming", `https://www.acmeforge.example/${"a/".repeat(100)}`],
  ["spelling_untracked", `Acme ${long}`],
  ["untracked_leader", long],
  ["untracked_leader", "\u202E<b>Zorvik</b> & “Söhne” 日本語"]
]

/** An organization whose page has ten actions: those that its answers show, replaced by the longest ones. */
const seedTen = Effect.gen(function*() {
  const id = yield* seed
  const set = (yield* (yield* TrackedSetStore).current(id))!
  for (const seconds of [0, 100]) yield* scanWith(id, seconds, () => "Acme Forge. Globex.")
  yield* readActions(id, wholeHistory)
  const store = yield* ActionStore
  const kept = (yield* store.kept(id))!
  const keywords = (yield* (yield* KeywordStore).list(id, ["active"])).slice(0, 2)
  const answers = yield* (yield* ArchiveStore).page(id, {}, { limit: 5 })
  const rivals = set.competitors.map((one) => one.id)
  const made = (rule: ActionRule, subject: string): Action => ({
    id: actionId(rule, subject),
    rule,
    subject,
    keywords: keywords.map((one) => one.id),
    platforms: ["assistant_a", "assistant_b"],
    rivals,
    answers: 12_345,
    examples: answers.map((one) => one.id),
    here: 0.04,
    elsewhere: 99.96,
    effect: { low: 0.1, high: 99.9 },
    probability: 1e-9
  })
  const actions = [
    ...subjects.map(([rule, subject]) => made(rule, subject)),
    ...keywords.map((one) => made("rival_leads", one.id))
  ]
  yield* store.keep(id, {
    ...kept,
    actions,
    candidates: 1_234,
    keywords: keywords.map((one, n) => ({ id: one.id, text: `${n} ${long} ${"which one is it ".repeat(15)}?` })),
    competitors: rivals.map((one) => ({ id: one, name: `${long.slice(0, 100)} GmbH & Co. KG` }))
  })
  return id
})

describeInBrowser("actions in a browser", () => {
  let browser: TestBrowser
  let server: TestDashboard
  beforeAll(async () => {
    server = await openDashboard(oneHome[0]!)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  /** The faults of the overview and of the actions page at the width of a phone and at the narrowest width. */
  const listFaultsOf = async (id: OrganizationId, { listFaults, page }: WatchedPage) => {
    const path = await server.run(pathOf(id))
    const faults: Array<string> = []
    for (const address of [path, `${path}/actions`]) {
      await page.goto(address)
      for (const [width, rules] of [[320, "all"], [390, "look"]] as const) {
        await page.setViewportSize({ width, height: 900 })
        faults.push(...(await listFaults(rules)).map((fault) => `${address} at ${width}: ${fault}`))
      }
    }
    return faults
  }

  it("ten actions with very long names fit on a phone, and so do pages without data", async () => {
    const id = await server.run(seedTen)
    const tab = await openTab(server, browser, id, { width: 390 })
    expect(await listFaultsOf(id, tab)).toEqual([])
    expect(await tab.page.getByRole("button", { name: /^Not for us/ }).count()).toBe(10)
    await tab.page.goto(await server.run(pathOf(id)))
    await tab.page.getByRole("link", { name: "All 10 actions" }).waitFor()
    expect(await tab.page.locator("section[aria-labelledby=next] ol > li").count()).toBe(3)

    const { id: empty } = await server.run(seedOrganization())
    const bare = await openTab(server, browser, empty, { width: 390 })
    expect(await listFaultsOf(empty, bare)).toEqual([])
    await bare.page.getByText("There are no answers yet").waitFor()
    // A scan without anything to do
    const idle = await server.run(Effect.tap(seed, (one) => scanWith(one, 0, () => "Acme Forge. Globex.")))
    const calm = await openTab(server, browser, idle, { width: 390 })
    expect(await listFaultsOf(idle, calm)).toEqual([])
    await calm.page.getByText("Nothing to do", { exact: true }).waitFor()
  }, 120_000)

  it(
    "with the keyboard alone, a person finds an action from the overview, decides about it and undoes the decision",
    async () => {
      const id = await server.run(seedTen)
      const { page } = await openTab(server, browser, id)
      /** Presses Tab until the focused element has these words; fails after going round the page. */
      const tabTo = async (words: RegExp) => {
        for (let pressed = 0; pressed < 200; pressed++) {
          await page.keyboard.press("Tab")
          const focused = await page.evaluate<string>(`(() => {
          const { activeElement: it } = document
          return (it.labels?.[0] ?? it).textContent.trim()
        })()`)
          if (words.test(focused)) return focused
        }
        throw new Error(`no focus on ${words}`)
      }
      const marks = async () =>
        (await server.run(Effect.flatMap(ActionStore, (store) => store.listMarks(id)))).map(({ state }) => state)
      /** After a decision the page says so, and the keyboard goes on in the content, past the menu. */
      const expectSaid = async (words: RegExp) => {
        expect(await page.getByRole("status").first().textContent()).toMatch(words)
        await tabTo(/^Skip to content$/)
        await page.keyboard.press("Enter")
        await page.keyboard.press("Tab")
        expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
      }

      await page.goto(await server.run(pathOf(id)))
      await tabTo(/^All 10 actions$/)
      await page.keyboard.press("Enter")
      await page.waitForURL("**/actions")
      const seen: Array<string> = []
      for (const [words, done] of [[/^Done: /, "done"], [/^Not for us: /, "dismissed"]] as const) {
        seen.push(await tabTo(words))
        await page.keyboard.press("Enter")
        await page.waitForURL(`**/actions?done=action-${done}`)
        await expectSaid(/./)
      }
      // "Later" takes the days that are typed
      await tabTo(/^Days for “Later”/)
      await page.keyboard.press("ControlOrMeta+a")
      await page.keyboard.type("3")
      await page.keyboard.press("Shift+Tab")
      await page.keyboard.press("Shift+Tab")
      expect(await page.evaluate("document.activeElement.textContent")).toMatch(/^Later: /)
      await page.keyboard.press("Enter")
      await page.waitForURL("**/actions?done=action-later")
      await expectSaid(/./)
      expect((await marks()).toSorted()).toEqual(["dismissed", "done", "later"])
      expect(await page.getByRole("button", { name: /^Not for us/ }).count()).toBe(7)
      expect(new Set(seen).size).toBe(2)
      await tabTo(/^Undo /)
      await page.keyboard.press("Enter")
      await page.waitForURL("**/actions?done=action-undone")
      await expectSaid(/./)
      expect(await marks()).toHaveLength(2)
    },
    120_000
  )
})
