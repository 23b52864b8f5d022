/** The list of questions, with the share of answers to each that name the brand. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import { otherQuestions, sameQuestions, type TagShares, tooFewAnswers } from "@sov/core/scoring"
import type { AddedKeyword, KeywordListRow, KeywordStatus } from "@sov/core/tracking"
import { maxKeywordQuery } from "@sov/core/tracking"
import { sparkline, sparklineTop } from "../charts/bars.ts"
import { formatDay, formatPercent, formatRange } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { planExperiment } from "./experiments.ts"
import { hiddenField, pager, selectField, tagField } from "./fields.ts"
import { formIdField, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, hidden, intervalColumn, numeric } from "./lists.ts"
import { declareList, listPager, type ListPart, type ListQuery, type ListViewOf, sortHeads } from "./listView.ts"
import { filePeriod, periodBar, type PeriodContent } from "./period.ts"
import { inOrganization } from "./sections.ts"
import { type TopicsContent, topicsPanel } from "./topics.ts"

/** Maximum number of questions that can be added at once. */
export const maxAddedKeywords = 500

/** The filters of the list, as given in the address. */
export interface KeywordFilters {
  readonly q?: string | undefined
  readonly status?: KeywordStatus | undefined
  readonly tag?: string | undefined
}

/** The list of questions; the database searches it. */
export const keywordList = declareList({
  text: ({ summary }: KeywordListRow) => summary.keyword.text,
  by: {
    question: ({ summary }) => summary.keyword.text,
    share: ({ sov }) => sov,
    combined: ({ recent }) => recent?.sov ?? null,
    asked: ({ summary }) => summary.lastScannedAt?.getTime() ?? null
  },
  usual: "question",
  perPage: 50
})
type KeywordView = ListViewOf<typeof keywordList>

export interface KeywordsContent {
  /** Null if there are no questions, too many questions, or no brand. */
  readonly topics: TopicsContent | null
  /** The sorted list; null = keywords in the order in which they were added, paginated by cursor. */
  readonly sorted: {
    readonly view: KeywordView
    readonly part: ListPart<KeywordListRow>
    /** Whether all questions were sorted, or only the oldest. */
    readonly all: boolean
  } | null
  /** The selected period; `scans` is the number of scans in it, or null for the latest scans. */
  readonly period: Pick<PeriodContent, "fault" | "query"> & { readonly scans: number | null }
  readonly formId: AuditEntryId
  readonly filters: KeywordFilters
  readonly rows: ReadonlyArray<KeywordListRow>
  /** Number of keywords by status, regardless of the filters. */
  readonly counts: { readonly [status in KeywordStatus]: number }
  readonly isFirst: boolean
  readonly nextCursor: string | null
  /** All tags in use. */
  readonly tags: ReadonlyArray<string>
  /** The share of each tag; null before the first scan, or if no keyword has a tag. */
  readonly shares: TagShares | null
  /** Whether the shares come from simulated answers. */
  readonly simulated: boolean
}

/** The names of the statuses on pages. */
export const keywordStatusWords: { readonly [status in KeywordStatus]: string } = {
  active: "active",
  paused: "paused",
  archived: "removed"
}

const examples = [
  "best espresso machine for a small office",
  "which accounting tool is easy to learn?",
  "alternatives to the market leader for startups"
]

/** Lines that were refused, with the reason. */
export interface RefusedLines {
  readonly text: string
  readonly tags: string
  readonly message: string
}

/** The form that adds questions, on this page and in the settings. */
export const addKeywordsForm = (
  { organization: { slug } }: Frame,
  formId: AuditEntryId,
  refused: RefusedLines | null
): Html =>
  html`<form class="fields" method="post" action="${inOrganization(slug, "/keywords")}">${
    formIdField(formId)
  }<label>Questions, one per line<textarea name="texts" required rows="6"${
    attributes({
      "aria-describedby": refused === null ? "texts-hint" : "texts-fault",
      "aria-invalid": refused !== null && "true"
    })
  }>${refused?.text ?? ""}</textarea>${
    refused === null
      ? html`<span id="texts-hint">Written as a buyer would ask an assistant. At most ${maxAddedKeywords} at once.</span>`
      : html`<span class="fault" id="texts-fault">${visible(refused.message)}</span>`
  }</label><label>Tags, separated by commas<input name="tags" autocomplete="off" aria-describedby="tags-hint"${
    attributes({ value: refused?.tags })
  }><span id="tags-hint">Optional. All of these questions get them.</span></label><div class="actions"><button class="primary">Add</button></div></form>`

const statusForm = (
  { organization: { slug } }: Frame,
  { keyword: { id, status, text } }: KeywordListRow["summary"],
  formId: AuditEntryId
) => {
  const [next, word] = status === "active"
    ? ["paused", "Pause"]
    : ["active", status === "paused" ? "Resume" : "Ask again"]
  return html`<form method="post" action="${inOrganization(slug, `/keywords/${id}/status`)}">${formIdField(formId)}${
    seenField(status)
  }${hiddenField("status", next)}<button>${word}<span class="hidden"> ${visible(text)}</span></button></form>`
}

/** A row of the list; without `formId` for people who may not change keywords. */
const keywordRow = (frame: Frame, row: KeywordListRow, top: number, formId: AuditEntryId | null): Html => {
  const { branded, course, recent, sov, summary, tags } = row
  const { keyword: { id, status, text }, lastScannedAt } = summary
  return html`<tr class="own"><th scope="row" class="question"><a class="plain" href="${
    inOrganization(frame.organization.slug, `/keywords/${id}`)
  }">${visible(text)}</a>${status !== "active" && html` <span class="pill">${keywordStatusWords[status]}</span>`}${
    branded && html`<br><small>⚑ contains your brand, so it does not count towards the headline</small>`
  }${tags.length > 0 && html`<br><small>Tags: ${visible(tags.join(", "))}</small>`}</th><td class="num"><b>${
    formatPercent(sov)
  }</b></td><td class="num">${formatPercent(recent?.sov)}</td><td class="range">${
    formatRange(recent?.interval)
  }</td><td>${course.length > 0 && sparkline(course, top)}</td><td>${
    lastScannedAt === null
      ? html`<span class="range">–<span class="hidden"> never</span></span>`
      : html`<time datetime="${lastScannedAt.toISOString()}">${formatDay(lastScannedAt)}</time>`
  }</td>${formId !== null && html`<td class="num">${statusForm(frame, summary, formId)}</td>`}</tr>`
}

/** Builds the address of the list in another order or of another page. */
const listAt =
  ({ organization: { slug } }: Frame, { filters, period }: KeywordsContent) =>
  ({ page, sort }: ListQuery & { readonly cursor?: string }) =>
    inOrganization(slug, "/keywords", { ...filters, ...period.query, sort, page })

const keywordTable = (frame: Frame, content: KeywordsContent): Html => {
  const { formId, period, rows, sorted } = content
  const head = sortHeads<KeywordView["sort"] | "">(
    sorted?.view ?? { q: "", sort: "", descending: false, page: 1 },
    listAt(frame, content)
  )
  const mayChange = atLeast(frame.role, "member")
  const top = sparklineTop(rows.flatMap(({ course }) => course))
  return dataTable(
    "questions",
    [
      head("question", { title: "Question" }, "ascending"),
      head("share", numeric("Latest scan")),
      head("combined", {
        ...numeric(
          period.scans === null ? "Last 5 scans combined" : `${pluralized(period.scans, "scan")} of the period`
        ),
        about: "combined"
      }),
      intervalColumn,
      "Trend",
      head("asked", { title: "Last asked" }),
      ...mayChange ? [hidden("Change")] : []
    ],
    rows.map((row) => keywordRow(frame, row, top, mayChange ? formId : null))
  )
}

const filterForm = (
  { organization: { slug } }: Frame,
  { filters: { q, status, tag }, period, tags }: Pick<KeywordsContent, "filters" | "period" | "tags">
): Html =>
  html`<form class="filters" method="get" autocomplete="off" action="${
    inOrganization(slug, "/keywords")
  }"><label class="grow">Search questions<input type="search" name="q" maxlength="${maxKeywordQuery}"${
    attributes({ value: q })
  }></label>${
    selectField({
      label: "Status",
      name: "status",
      all: "Active and paused",
      choices: (["active", "paused", "archived"] as const).map((one) => [one, keywordStatusWords[one]]),
      chosen: status ?? null
    })
  }${tagField(tags, tag)}${
    Object.entries(period.query).map(([name, value]) => value !== undefined && hiddenField(name, value))
  }<button>Apply</button></form>`

/** The share of each tag, from the newest scan that has answers with the tag. */
const tagsPanel = ({ organization: { slug } }: Frame, { tags }: TagShares): Html =>
  html`<section class="panel" aria-labelledby="tags"><header><h2 id="tags">By tag</h2><p>Share of voice over the questions of each tag. Questions that contain your brand are left out unless a tag has no others. 95 %: ${otherQuestions}.</p></header>${
    dataTable(
      "tags",
      [{ title: "Tag", about: "tag" }, numeric("Share"), "95 %", numeric("Answers"), "Scan"],
      tags.map(({ newest, system, tag }) =>
        html`<tr><th scope="row"><a class="plain" href="${inOrganization(slug, "/keywords", { tag })}">${
          visible(tag)
        }</a>${system && html` <small>automatic</small>`}</th><td class="num"><b>${
          formatPercent(newest?.share.sov)
        }</b></td><td class="range">${
          newest === null
            ? "no answer"
            : newest.share.interval === null
            ? tooFewAnswers
            : formatRange(newest.share.interval)
        }</td><td class="num">${newest?.share.n ?? 0}</td><td>${
          newest !== null &&
          html`<time datetime="${newest.scan.startedAt.toISOString()}">${formatDay(newest.scan.startedAt)}</time>`
        }${newest?.scan.simulated === true && html` <span class="tag">Simulated</span>`}</td></tr>`
      )
    )
  }</section>`

const firstRun = (): Html =>
  emptyState(
    "What do your buyers ask?",
    "A scan asks these questions on every platform and looks for your brand in the answers. Three examples:",
    html`<ul class="bullets">${examples.map((text) => html`<li>${text}</li>`)}</ul>`
  )

const listed = (frame: Frame, content: KeywordsContent): Html => {
  const { filters, isFirst, nextCursor, rows, sorted } = content
  const { slug } = frame.organization
  return html`${
    rows.length === 0
      ? emptyState("No matching questions", "Remove a filter to see more.")
      : html`${
        keywordTable(frame, content)
      }<p class="small">95 %: ${sameQuestions}, if nothing changes between scans.</p>`
  }${
    sorted !== null ?
      html`${!sorted.all && html`<p class="small">Only the oldest questions are sorted.</p>`}${
        listPager("Pages of questions", sorted.view, sorted.part, listAt(frame, content))
      }` :
      pager({
        label: "Pages of questions",
        words: `Oldest first · ${pluralized(rows.length, "question")} on this page`,
        at: (query) => inOrganization(slug, "/keywords", { ...filters, ...content.period.query, ...query }),
        isFirst,
        nextCursor,
        names: ["First", "Next"]
      })
  }`
}

/** The list of questions, with a form for adding some. */
export const keywordsPage = (frame: Frame, content: KeywordsContent, refused: RefusedLines | null = null): Html => {
  const { counts, filters, period, simulated } = content
  const { role, organization: { slug } } = frame
  const isEmpty = counts.active + counts.paused + counts.archived === 0
  const mayChange = atLeast(role, "member")
  return layout(frame, {
    title: "Questions",
    here: "keywords",
    simulated,
    summary: `${counts.active} active · ${counts.paused} paused`,
    actions: html`<div class="actions">${
      mayChange && filters.tag !== undefined &&
      html`<a class="button" href="${planExperiment(slug, [filters.tag])}">Plan an experiment</a>`
    }<a class="button" href="${
      inOrganization(slug, "/keywords.csv", { ...filters, ...filePeriod(period) })
    }">Download CSV</a>${mayChange && html`<a class="button" href="#add">Add questions</a>`}</div>`,
    body: html`${
      !isEmpty && periodBar({
        ...period,
        at: (query) => inOrganization(slug, "/keywords", { ...filters, ...query }),
        compares: false,
        kept: { ...filters }
      }, null)
    }${
      !isEmpty && filterForm(frame, content)
    }<div class="grid"><section class="panel" aria-labelledby="questions"><header><h2 id="questions">Questions</h2>${
      !isEmpty &&
      html`<p>The share covers all platforms that answered. One scan has few answers per question, so the interval combines ${
        period.scans === null ? "the last five scans" : "all scans of the period"
      }.</p>`
    }</header>${isEmpty ? firstRun() : listed(frame, content)}</section>${
      content.shares !== null && tagsPanel(frame, content.shares)
    }${content.topics !== null && topicsPanel(frame, content.topics, content.formId)}${
      mayChange &&
      html`<section class="panel" aria-labelledby="add"><header><h2 id="add">Add questions</h2></header>${
        addKeywordsForm(frame, content.formId, refused)
      }</section>`
    }</div>`
  })
}

/** The result for each line of the form. */
export interface AddedContent {
  readonly added: ReadonlyArray<AddedKeyword>
  /** Ids of questions that were once removed and are now active again. */
  readonly returned: ReadonlySet<string>
  /** Lines that repeat an earlier line. */
  readonly repeated: ReadonlyArray<string>
  /** Number of empty lines in the form. */
  readonly empty: number
}

const addedList = (title: string, added: ReadonlyArray<AddedKeyword>, slug: string): Fragment =>
  added.length > 0 &&
  html`<section class="panel"><header><h2>${title}</h2><p>${
    pluralized(added.length, "question")
  }</p></header><ul class="bullets">${
    added.map(({ keyword: { id, status, text } }) =>
      html`<li><a class="plain" href="${inOrganization(slug, `/keywords/${id}`)}">${visible(text)}</a>${
        status !== "active" && html` <span class="pill">${keywordStatusWords[status]}</span>`
      }</li>`
    )
  }</ul></section>`

/** The page after questions were added: which are new, which already existed, and which are active again. */
export const addedKeywordsPage = (frame: Frame, { added, empty, repeated, returned }: AddedContent): Html => {
  const { slug } = frame.organization
  const isReturned = ({ keyword }: AddedKeyword) => returned.has(keyword.id)
  return layout(frame, {
    title: "Questions added",
    here: "keywords",
    summary: [
      pluralized(added.length + repeated.length + empty, "line"),
      ...empty === 0 ? [] : [`${empty} empty`]
    ].join(", "),
    actions: html`<a class="button" href="${inOrganization(slug, "/keywords")}">All questions</a>`,
    body: html`<div class="grid">${addedList("New", added.filter((one) => one.isNew && !isReturned(one)), slug)}${
      addedList("Active again", added.filter(isReturned), slug)
    }${addedList("Already on the list", added.filter(({ isNew }) => !isNew), slug)}${
      repeated.length > 0 &&
      html`<section class="panel"><header><h2>Entered more than once</h2><p>${
        pluralized(repeated.length, "line")
      }</p></header><ul class="bullets">${repeated.map((text) => html`<li>${visible(text)}</li>`)}</ul></section>`
    }</div>`
  })
}
