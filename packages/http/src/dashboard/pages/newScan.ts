/** The form for a new scan: its questions, duration and cost, and the button that starts it. */
import { type NotReady, pluralized } from "@sov/core/common"
import type { PlatformId } from "@sov/core/platforms"
import type { ScanEstimate } from "@sov/core/scanning"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import type { Keyword } from "@sov/core/tracking"
import { formatCount, formatDollars, formatMinute } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { type Fact, factList } from "./lists.ts"
import { formatDuration } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The chosen platforms, views (by name) and keywords; empty = all. */
export interface ScanChoice {
  readonly platforms: ReadonlyArray<PlatformId>
  readonly views: ReadonlyArray<string>
  readonly keywordIds: ReadonlyArray<string>
}

export interface NewScanData {
  readonly choice: ScanChoice
  /** Platforms that this server can ask. */
  readonly ready: ReadonlyArray<PlatformId>
  /** Configured platforms; null = unknown. */
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  /** Names of all views that a scan can ask, the standard one first. */
  readonly views: ReadonlyArray<string>
  /** Active keywords that the form offers. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  /** What must be set up first, or an estimate of the scan, or why it cannot start. */
  readonly plan: { readonly missing: NotReady["missing"] } | { readonly estimate: ScanEstimate } | {
    readonly fault: string
  }
  /** Sent with the form, so that the form starts only one scan, however often it is sent. */
  readonly idempotencyKey: string
}

/** Maximum number of questions that the form lists individually; more ids would not fit into an address. */
const maxOfferedKeywords = 150

interface MissingWords {
  readonly title: string
  readonly words: string
  readonly next: ({ organization }: Frame) => Html
}

const missingWords: { readonly [Missing in NotReady["missing"]]: MissingWords } = {
  brand: {
    title: "Set your brand first",
    words: "sov searches answers for its name.",
    next: ({ organization: { slug } }) =>
      html`<a class="button" href="${inOrganization(slug, "/competitors/brand")}">Set the brand</a>`
  },
  keywords: {
    title: "Add questions first",
    words: "A scan asks these questions on each platform.",
    next: ({ organization: { slug } }) =>
      html`<a class="button" href="${inOrganization(slug, "/keywords")}">Add questions</a>`
  },
  platforms: {
    title: "Connect a platform first",
    words:
      "This server cannot ask any platform yet. Platforms are configured in a file and their keys in the environment.",
    next: () => html`<code>sov platform add</code>`
  }
}

const checkbox = (name: string, value: string, words: string, checked: boolean): Html =>
  html`<label><input type="checkbox" name="${name}" value="${value}"${attributes({ checked })}> ${
    visible(words)
  }</label>`

const chooser = (frame: Frame, { choice, configured, keywords, ready, views }: NewScanData): Html => {
  const cannot = (configured ?? []).filter(({ id }) => !ready.includes(id))
  return html`<section class="panel" aria-labelledby="choose"><header><h2 id="choose">What to ask</h2></header><form class="fields" method="get" action="${
    inOrganization(frame.organization.slug, "/scans/new")
  }" data-live><fieldset><legend>Platforms</legend>${
    ready.map((id) =>
      checkbox("platform", id, platformName(frame, id), choice.platforms.length === 0 || choice.platforms.includes(id))
    )
  }${
    cannot.map(({ id }) =>
      html`<p class="small">${
        visible(platformName(frame, id))
      } is configured, but its key is missing on this server.</p>`
    )
  }</fieldset>${
    views.length > 1 &&
    html`<fieldset><legend>Views</legend>${
      views.map((name) => checkbox("view", name, name, choice.views.length === 0 || choice.views.includes(name)))
    }<p class="small">Each view is a scan of its own.</p></fieldset>`
  }${
    keywords.length > maxOfferedKeywords
      ? [
        html`<p class="small">${
          choice.keywordIds.length === 0
            ? `All ${formatCount(keywords.length)} active questions.`
            : `${pluralized(choice.keywordIds.length, "chosen question")}.`
        } To ask a single question, open its page.</p>`,
        choice.keywordIds.map((id) => hiddenField("keyword_id", id))
      ]
      : html`<details${
        attributes({ open: choice.keywordIds.length > 0 })
      }><summary>Choose questions (none chosen: all ${
        String(keywords.length)
      } active ones)</summary><fieldset><legend class="hidden">Questions</legend>${
        keywords.map(({ id, text }) => checkbox("keyword_id", id, text, choice.keywordIds.includes(id)))
      }</fieldset></details>`
  }<p><button>Update estimate</button></p></form></section>`
}

const describeEstimatedCost = ({ costs, costUsd, simulated }: ScanEstimate): string => {
  if (simulated) return "nothing (simulated platforms)"
  if (costUsd !== null) return `about ${formatDollars(costUsd)}`
  const known = costs.flatMap((one) => one.costUsd ?? [])
  return known.length === 0 ? "not known" : "not known for every platform"
}

const budgetNotes = (frame: Frame, { costs }: ScanEstimate): Fragment =>
  costs.flatMap(({ budget, platform }) =>
    budget === null ? [] : [
      html`<p class="small">${visible(platformName(frame, platform))}: ${
        formatDollars(budget.spentUsd)
      } of this month's ${formatDollars(budget.limitUsd)} spent${
        budget.spentUsd >= budget.limitUsd && "; the platform is not asked and its questions fail"
      }.</p>`
    ]
  )

const startPanel = (frame: Frame, { choice, idempotencyKey }: NewScanData, estimate: ScanEstimate): Html => {
  const { keywords, platforms, questions, quota, seconds, views } = estimate
  const fits = quota.remaining >= views.length
  const facts: ReadonlyArray<Fact> = [
    [
      "Collects",
      `${pluralized(questions, "answer")}: ${pluralized(keywords.length, "question")} on ${
        pluralized(platforms.length, "platform")
      }${views.length === 1 ? "" : ` from ${pluralized(views.length, "view")}`}`
    ],
    ["Duration", `about ${formatDuration(seconds * 1000)}`],
    ["Cost", describeEstimatedCost(estimate)],
    [
      "Quota",
      fits
        ? `uses ${views.length} of ${formatCount(quota.remaining)} scans left this month (of ${
          formatCount(quota.limit)
        })`
        : quota.remaining > 0
        ? `${views.length} views take ${views.length} scans, and ${quota.remaining} are left this month: choose fewer views`
        : `all ${formatCount(quota.limit)} scans of this month are used; the quota resets on ${
          formatMinute(quota.resetsAt)
        }`
    ]
  ]
  return html`<section class="panel" aria-labelledby="start"><header><h2 id="start">This scan</h2></header>${
    factList(facts)
  }${budgetNotes(frame, estimate)}${
    fits &&
    html`<form class="actions" method="post" action="${inOrganization(frame.organization.slug, "/scans")}">${
      hiddenField("idempotency_key", idempotencyKey)
    }${choice.platforms.map((id) => hiddenField("platform", id))}${
      choice.views.map((name) => hiddenField("view", name))
    }${choice.keywordIds.map((id) => hiddenField("keyword_id", id))}<button class="primary">Start</button></form>`
  }</section>`
}

const planPanel = (frame: Frame, data: NewScanData): Html => {
  const { plan } = data
  if ("estimate" in plan) return startPanel(frame, data, plan.estimate)
  if ("fault" in plan) return html`<p class="note warn" role="status">${visible(plan.fault)}</p>`
  const { next, title, words } = missingWords[plan.missing]
  return html`<section class="panel"><div class="empty"><h2>${title}</h2><p>${words}</p><p>${
    next(frame)
  }</p></div></section>`
}

export const newScanPage = (frame: Frame, data: NewScanData): Html => {
  const { plan } = data
  return layout(frame, {
    title: "Start a scan",
    here: "scans",
    simulated: "estimate" in plan && plan.estimate.simulated,
    summary: html`<a href="${inOrganization(frame.organization.slug, "/scans")}">Scans</a>`,
    body: "missing" in plan
      ? planPanel(frame, data)
      : html`<div class="grid two">${chooser(frame, data)}${planPanel(frame, data)}</div>`
  })
}
