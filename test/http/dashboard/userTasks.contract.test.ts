/** The tasks of people who use the dashboard, done by the links and forms of its pages alone, without a terminal. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { routes } from "../../../packages/http/src/dashboard/routes.ts"
import { listScreens, plainCast, type Screens, seedScreens } from "../../support/dashboardScreens.ts"
import { openDashboard, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let screens: Screens
let home: string
let owner: TestBrowser

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  screens = await server.run(seedScreens(plainCast))
  home = `/o/${screens.slug}`
  owner = await server.signIn(screens.organizationId)
})
afterAll(() => server.close())

const get = async (path: string): Promise<string> => {
  const { status, text } = await owner.get(path)
  expect(status, path).toBe(200)
  return text
}

/** The address of the first link of a page whose words match. */
const linkOf = (text: string, words: RegExp): string => {
  const found = [...text.matchAll(/<a [^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/gs)].find(([, , inner]) =>
    words.test(wordsOf(inner!))
  )
  if (found === undefined) throw new Error(`no link ${words}`)
  return found[1]!.replaceAll("&amp;", "&")
}

/** Follows links from the overview, each by its words. */
const walk = async (...links: ReadonlyArray<RegExp>): Promise<{ readonly path: string; readonly text: string }> => {
  let [path, text] = [home, await get(home)]
  for (const words of links) {
    path = linkOf(text, words)
    text = await get(path)
  }
  return { path, text }
}

it.each(
  [
    ["how we are doing, and how sure that is", [], /Share of voice .*?\d+ % 95 % interval \d+–\d+ %/],
    ["whether it changed by more than noise", [], /points .*?(?:within|more than) noise/],
    ["who is ahead", [], /Rank .*?\d of 3 tracked brands/],
    ["where we are missing", [/^best anvil for workshop \d\?$/], /By platform/],
    ["what an answer said", [/^Answers$/, /^best anvil/], /Answer, as received/],
    ["what moved between two scans", [/^Scans$/, /^Compare two$/], /Compare/],
    ["how one rival does", [/^Globex$/], /Share of voice .*?Questions/],
    ["which pages answers cite", [/^Sources$/], /answers, \d+ with sources|How your pages are cited/],
    ["what to do next", [/^Actions$/], /candidates/],
    ["what happened lately", [/^Alerts$/], /New Mention/]
  ] as const
)("a reader finds out %s, from the overview in at most two clicks", async (_, links, expected) => {
  expect(wordsOf((await walk(...links)).text)).toMatch(expected)
})

it.each(
  [
    ["adds a question", [/^Questions$/], "/keywords", { texts: "which anvil rings least?" }, 200, /which anvil rings/],
    ["adds a competitor", [/^Competitors$/], "/competitors", { name: "Hooli" }, 303, null],
    [
      "invites a colleague",
      [/^Members$/],
      "/settings/members",
      { email: "ann@acme.example", role: "viewer" },
      200,
      /link/
    ],
    ["makes a link to the report", [/^Settings$/, /hare links/], "/settings/shares", { name: "board" }, 200, /board/],
    ["makes a key", [/^Settings$/, /^API access/], "/settings/api", { name: "Looker", scope: "read" }, 200, /sov_/]
  ] as const
)("an owner %s by a form that links lead to", async (_, links, action, fields, status, expected) => {
  const { path } = await walk(...links)
  const answer = await owner.press(path, home + action, fields)
  expect(answer.status, wordsOf(answer.text).slice(0, 300)).toBe(status)
  if (expected !== null) expect(wordsOf(answer.text)).toMatch(expected)
})

/** Pages that name a command, and what the browser has in its place or why the terminal is needed. */
const commands: Readonly<Record<string, string>> = {
  "/account": "the operator's way back in, when nothing else is left",
  "/account/identities/remove": "the same, before the last account is removed",
  "/experiments/:id": "a check that need not trust the server",
  "/report.html": "the same",
  "/keywords": "or under Competitors, which it names",
  "/scans/:id": "no worker is active: the operator starts one",
  "/surfaces": "many answers at once; the page has a form for one",
  "/traffic": "large files and folders; the page has a form for others"
}

it("only the operator's pages, and checks that trust no server, ask for a command in a terminal", async () => {
  const found = new Set<string>()
  for (const address of await server.run(listScreens(screens, routes))) {
    const { headers, status, text } = await owner.get(address)
    if (status !== 200 || headers["content-type"]?.startsWith("text/html") !== true) continue
    if (!/<code[^>]*>\s*(?:npx )?sov [a-z]/.test(text)) continue
    found.add(address.replace(home, "").replace(/\?.*/, "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ":id"))
  }
  expect([...found].toSorted()).toEqual(Object.keys(commands).toSorted())
})
