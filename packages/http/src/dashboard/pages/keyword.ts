/** One question: the trend of its share, the result on each platform, and its newest answers. */
import type { ArchiveRow, Excerpt } from "@sov/core/archive"
import { type AuditEntryId, type KeywordId, pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import { type Annotation, type KeywordMark, type KeywordMarks, sameQuestions } from "@sov/core/scoring"
import type { Keyword, KeywordHistory } from "@sov/core/tracking"
import { shareBar, shareClasses } from "../charts/bars.ts"
import { formatDate, formatDay, formatPercent, formatRange } from "../charts/numbers.ts"
import { trendFigure } from "../charts/trend.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { markExcerpt } from "./answers.ts"
import { confirmPage } from "./confirm.ts"
import { hiddenField } from "./fields.ts"
import { changedActNote, formIdField, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { keywordStatusWords } from "./keywords.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, hidden, wideColumn } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

export interface KeywordContent {
  readonly formId: AuditEntryId
  /** What somebody else has changed since the form was opened; null = nothing. */
  readonly changed: "status" | "tags" | null
  /** Tags that a form sent and that were not accepted, with the reason. */
  readonly refusedTags: { readonly typed: string; readonly message: string } | null
  readonly history: KeywordHistory
  readonly annotations: ReadonlyArray<Annotation>
  /** The view of the newest answers, in one line; null before the first answer. */
  readonly surface: string | null
  /** The results of each platform in the scans of the history. */
  readonly platforms: ReadonlyArray<KeywordMarks & { readonly platform: PlatformId }>
  /** The newest answers. */
  readonly answers: ReadonlyArray<{ readonly row: ArchiveRow; readonly excerpt: Excerpt }>
}

/** The path of a keyword's page within its organization. */
export const keywordPath = (id: KeywordId): `/${string}` => `/keywords/${id}`

const markWords: { readonly [state in KeywordMark["state"]]: string } = {
  named: "named",
  "not-named": "not named",
  unmeasured: "not measured",
  failed: "failed",
  cancelled: "cancelled",
  open: "not asked yet"
}
const markSigns: { readonly [state in KeywordMark["state"]]: string } = {
  named: "■",
  "not-named": "□",
  unmeasured: "?",
  failed: "·",
  cancelled: "·",
  open: "·"
}

const statusForm = (
  frame: Frame,
  { formId, history: { keyword } }: KeywordContent,
  status: "active" | "paused",
  words: string
): Html =>
  html`<form method="post" action="${inOrganization(frame.organization.slug, `${keywordPath(keyword.id)}/status`)}">${
    formIdField(formId)
  }${seenField(keyword.status)}${hiddenField("back", "keyword")}${
    hiddenField("status", status)
  }<button>${words}</button></form>`

const actions = (frame: Frame, content: KeywordContent): Fragment => {
  const { keyword } = content.history
  const { role, organization: { slug } } = frame
  return html`<div class="actions"><a class="button" href="${
    inOrganization(slug, `${keywordPath(keyword.id)}.csv`)
  }">Download CSV</a>${
    atLeast(role, "member") &&
    (keyword.status === "active"
      ? html`<a class="button" href="${
        inOrganization(slug, "/scans/new", { keyword_id: keyword.id })
      }">Ask only this now</a>${statusForm(frame, content, "paused", "Pause")}`
      : statusForm(frame, content, "active", keyword.status === "paused" ? "Resume" : "Ask again"))
  }${
    atLeast(role, "member") && keyword.status !== "archived" &&
    html`<a class="button danger" href="${inOrganization(slug, `${keywordPath(keyword.id)}/remove`)}">Remove…</a>`
  }</div>`
}

const trendPanel = (
  { annotations, surface, history: { branded, course, keyword, recent, scans } }: KeywordContent
): Html =>
  html`<section class="panel" aria-labelledby="trend-title"><header><h2 id="trend-title">Share over time</h2><p>All platforms for this question</p></header>${
    surface !== null && html`<p class="small">${visible(surface)}.</p>`
  }${
    trendFigure({
      id: "trend",
      title: `Share of voice for “${visible(keyword.text)}”`,
      points: scans.map(({ startedAt }, i) => ({
        at: startedAt,
        value: course[i] ?? null,
        interval: null,
        ...course[i] === null ? { note: "no answer" } : {}
      })),
      simulated: scans.at(-1)!.simulated,
      annotations
    })
  }<footer>${
    recent !== null &&
    html`<p>Last ${pluralized(recent.scans, "scan")} combined: <b>${formatPercent(recent.sov)}</b> of ${
      pluralized(recent.answers, "answer")
    }${
      recent.interval === null
        ? ". No interval: all answers of each platform agree."
        : `, 95 % interval ${formatRange(recent.interval)} % for ${sameQuestions}, if nothing changes between scans.`
    }</p>`
  }${
    branded && html`<p>⚑ This question contains your brand, so it does not count towards the headline.</p>`
  }</footer></section>`

const markCell = (frame: Frame, mark: KeywordMark | null, day: string): Html => {
  if (mark === null) return html`<td class="mark"><span class="hidden">not asked</span></td>`
  const words = html`<span aria-hidden="true">${markSigns[mark.state]}</span><span class="hidden">${
    markWords[mark.state]
  }, ${day}</span>`
  return html`<td class="mark">${
    mark.answerId === null
      ? html`<span>${words}</span>`
      : html`<a${attributes({ class: mark.state })} href="${
        inOrganization(frame.organization.slug, `/answers/${mark.answerId}`)
      }">${words}</a>`
  }</td>`
}

const platformsPanel = (frame: Frame, { history: { scans }, platforms }: KeywordContent): Html =>
  html`<section class="panel" aria-labelledby="platforms"><header><h2 id="platforms">By platform</h2><p>Last ${
    pluralized(scans.length, "scan")
  }, newest on the right</p></header><div class="scroll newest" tabindex="0" role="group" aria-labelledby="platforms"><table class="marks" aria-labelledby="platforms"><thead><tr><th scope="col">Platform</th>${
    scans.map(({ startedAt }) => html`<th scope="col"><span class="hidden">${formatDay(startedAt)}</span></th>`)
  }<th scope="col" class="num">Named</th></tr></thead><tbody>
${
    platforms.map(({ answered, marks, named, platform }) =>
      html`<tr><th scope="row">${visible(platformName(frame, platform))}</th>${
        marks.map((mark, i) => markCell(frame, mark, formatDay(scans[i]!.startedAt)))
      }<td class="num">${named} of ${answered}</td></tr>`
    )
  }</tbody></table></div><footer>■ named, □ not named, · failed. A single question has too few answers for an interval by platform.</footer></section>`

/** The tags as text. The form shows it, and sends it back to state which tags it showed. */
export const formatTags = (tags: ReadonlyArray<string>): string => tags.join(", ")

const tagsPanel = (
  { organization: { slug }, role }: Frame,
  { formId, history: { keyword, tags }, refusedTags }: KeywordContent
): Html =>
  html`<section class="panel" aria-labelledby="tags-title"><header><h2 id="tags-title">Tags</h2><p>Tags also apply to earlier scans</p></header>${
    atLeast(role, "member")
      ? html`<form class="fields" method="post" action="${inOrganization(slug, `${keywordPath(keyword.id)}/tags`)}">${
        formIdField(formId)
      }${seenField(formatTags(tags))}<label>Tags, separated by commas<input name="tags" autocomplete="off"${
        attributes({
          value: refusedTags?.typed ?? formatTags(tags),
          "aria-invalid": refusedTags !== null && "true",
          "aria-describedby": refusedTags !== null && "tags-fault"
        })
      }>${
        refusedTags !== null && html`<span class="fault" id="tags-fault">${visible(refusedTags.message)}</span>`
      }</label><div class="actions"><button>Save tags</button></div></form>`
      : html`<p>${tags.length === 0 ? "None" : visible(formatTags(tags))}</p>`
  }</section>`

const namedPanel = ({ named, recent }: KeywordHistory): Html => {
  const everybody = named.filter(({ who }) => who !== "nobody")
  const looks = shareClasses(everybody.map(({ who }) => ({ isBrand: who === "brand" })))
  const rows = named.map((one) => ({ ...one, look: looks[everybody.indexOf(one)] ?? ("none" as const) }))
  return html`<section class="panel" aria-labelledby="named"><header><h2 id="named">Who is named here</h2><p>${
    recent !== null && `last ${pluralized(recent.scans, "scan")} combined`
  }</p></header>${shareBar(rows.map(({ look, sov }) => ({ look, share: sov })))}${
    dataTable(
      "named",
      [hidden("Name"), hidden("Share")],
      rows.map(({ id, look, name, sov, who }) =>
        html`<tr${attributes({ class: who === "brand" && "you" })}><th scope="row"><i class="key ${look}"></i>${
          who === "nobody" ? "No tracked brand" : visible(name ?? id ?? "")
        }</th><td class="num"><b>${formatPercent(sov)}</b></td></tr>`
      )
    )
  }</section>`
}

const verdict = ({ brandMentioned, mentionPosition }: ArchiveRow): string =>
  brandMentioned === null ? "not measured" : brandMentioned ? `named, position ${mentionPosition}` : "not named"

const answersPanel = (frame: Frame, { answers, history: { keyword } }: KeywordContent): Html => {
  const { slug } = frame.organization
  return html`<section class="panel" aria-labelledby="answers"><header><h2 id="answers">Answers, newest first</h2><a href="${
    inOrganization(slug, "/answers", { keyword_id: keyword.id })
  }">All its answers</a></header>${
    answers.length === 0
      ? emptyState("No answers yet", "The next scan asks this question.")
      : dataTable(
        "answers",
        ["Day", "Platform", "You", wideColumn("Excerpt")],
        answers.map(({ excerpt, row }) =>
          html`<tr><th scope="row"><a class="plain" href="${
            inOrganization(slug, `/answers/${row.id}`)
          }"><time datetime="${row.createdAt.toISOString()}">${formatDate(row.createdAt)}</time></a></th><td>${
            visible(platformName(frame, row.platform))
          }${row.simulated && html` <span class="tag">Simulated</span>`}</td><td>${
            verdict(row)
          }</td><td class="wide" dir="auto"><small>${markExcerpt(excerpt)}</small></td></tr>`
        )
      )
  }</section>`
}

export const keywordPage = (frame: Frame, content: KeywordContent): Html => {
  const { answers, changed, history } = content
  const { keyword, scans } = history
  return layout(frame, {
    title: keyword.text,
    here: "keywords",
    simulated: scans.at(-1)?.simulated ?? answers.some(({ row }) => row.simulated),
    summary: html`<a href="${inOrganization(frame.organization.slug, "/keywords")}">Questions</a> · ${
      keywordStatusWords[keyword.status]
    } · since ${formatDate(keyword.createdAt)}`,
    actions: actions(frame, content),
    body: html`${
      changed !== null &&
      changedActNote(
        changed === "status" ? keywordStatusWords[keyword.status] : visible(formatTags(history.tags) || "no tags")
      )
    }${
      scans.length === 0
        ? html`<div class="grid"><section class="panel">${
          emptyState(
            frame.since === null ? "Not asked yet" : `Not asked since ${formatDate(frame.since)}`,
            keyword.status === "active"
              ? "The next scan asks this question on every platform."
              : "Scans skip this question until it is active again."
          )
        }</section>${answers.length > 0 && answersPanel(frame, content)}${tagsPanel(frame, content)}</div>`
        : html`<div class="grid">${trendPanel(content)}<div class="grid two">${platformsPanel(frame, content)}${
          namedPanel(history)
        }</div>${answersPanel(frame, content)}${tagsPanel(frame, content)}</div>`
    }`
  })
}

/** Asks for confirmation before a keyword is removed, and states the consequences. */
export const removeKeywordPage = (frame: Frame, keyword: Keyword, formId: AuditEntryId): Html =>
  confirmPage(frame, {
    title: `Remove “${keyword.text}”`,
    here: "keywords",
    back: { path: keywordPath(keyword.id), name: "Back to the question" },
    action: `${keywordPath(keyword.id)}/status`,
    formId,
    consequences: [
      "Scans no longer ask this question.",
      "Its answers stay in the archive, and earlier scores still include it.",
      "Adding the same question again restores it with its history."
    ],
    fields: html`${seenField(keyword.status)}${hiddenField("status", "archived")}`,
    button: html`<button class="danger">Remove question</button>`
  })
