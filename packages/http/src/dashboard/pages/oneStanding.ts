/** One platform or one competitor: its share, its trend, and the questions behind it. */
import { pluralized } from "@sov/core/common"
import { otherQuestions, type Standing, surfaceLineOf, type TrendPoint } from "@sov/core/scoring"
import { formatPercent, formatPoints, formatRange, type Range } from "../charts/numbers.ts"
import { trendFigure } from "../charts/trend.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { explainButton } from "./explain.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric } from "./lists.ts"
import { declareList, listPager, type ListQuery, type ListViewOf, searchForm, sortHeads, viewRows } from "./listView.ts"
import { makeTrendPoints } from "./overview.ts"
import { formatPeriod, periodBar, type PeriodContent } from "./period.ts"
import type { SectionId } from "./sections.ts"
import { inOrganization } from "./sections.ts"

/** A question with its two numbers; null = no answer. */
export interface QuestionRow {
  readonly id: string
  readonly text: string
  readonly here: number | null
  readonly other: number | null
}

/** The list of questions. */
export const standingQuestions = declareList({
  text: ({ text }: QuestionRow) => text,
  by: {
    difference: ({ here, other }) => here === null || other === null ? null : here - other,
    question: ({ text }) => text,
    here: ({ here }) => here,
    other: ({ other }) => other
  },
  usual: "-difference",
  perPage: 50
})

export interface OneStandingContent {
  readonly standing: Standing
  readonly name: string
  readonly here: SectionId
  /** The path of the page, without `/o/{slug}`. */
  readonly path: `/${string}`
  readonly sov: number | null
  readonly interval: Range | null
  /** The change since the previous scan or period; null = the two cannot be compared. */
  readonly moved: { readonly delta: number; readonly isNoise: boolean } | null
  readonly trend: ReadonlyArray<TrendPoint>
  readonly facts: Fragment
  readonly questions: {
    readonly rows: ReadonlyArray<QuestionRow>
    /** Heads of the two number columns. */
    readonly columns: readonly [here: string, other: string]
    readonly words: string
    readonly format: (value: number | null) => Fragment
    /** The query that lists the answers behind the first number. */
    readonly answers: (id: string) => { readonly [name: string]: string | undefined }
  }
  readonly actions?: Html
  readonly view: ListViewOf<typeof standingQuestions>
  readonly period: Pick<PeriodContent, "fault" | "query">
}

const questionsPanel = (frame: Frame, { path, period, questions, view }: OneStandingContent): Html => {
  const { slug } = frame.organization
  const at = ({ page, q, sort }: ListQuery) => inOrganization(slug, path, { ...period.query, q: q || null, sort, page })
  const head = sortHeads(view, at)
  const [here, other] = questions.columns
  const part = viewRows(questions.rows, view, standingQuestions)
  return html`<section class="panel" aria-labelledby="questions"><header><h2 id="questions">Questions</h2><p>${questions.words}</p></header>${
    searchForm(inOrganization(slug, path), "Search questions", view, { ...period.query })
  }${
    part.rows.length === 0 ? emptyState("No matching questions", "Search for another part of a question.") : dataTable(
      "questions",
      [
        head("question", { title: "Question" }, "ascending"),
        head("here", numeric(here)),
        head("other", numeric(other)),
        head("difference", numeric("Difference"))
      ],
      part.rows.map((row) =>
        html`<tr><th scope="row" class="question"><a class="plain" href="${
          inOrganization(slug, `/keywords/${row.id}`)
        }">${visible(row.text)}</a></th><td class="num" data-name="${here}"><a href="${
          inOrganization(slug, "/answers", { keyword_id: row.id, ...questions.answers(row.id) })
        }">${questions.format(row.here)}<span class="hidden">: answers to ${
          visible(row.text)
        }</span></a></td><td class="num" data-name="${other}">${
          questions.format(row.other)
        }</td><td class="num" data-name="Difference">${
          row.here === null || row.other === null ? "–" : formatPoints(row.here - row.other)
        }</td></tr>`
      ),
      "stacked"
    )
  }${
    part.pages > 1 && listPager("Pages of questions", view, part, at)
  }<footer>Single questions can hardly be told from noise.</footer></section>`
}

export const oneStandingPage = (frame: Frame, content: OneStandingContent): Html => {
  const { actions, facts, here, interval, moved, name, path, period, sov, standing, trend } = content
  const { report } = standing
  const { slug } = frame.organization
  return layout(frame, {
    title: name,
    here,
    simulated: report.scan.simulated,
    ...actions === undefined ? {} : { actions },
    body: html`${
      periodBar({
        ...period,
        at: (query) => inOrganization(slug, path, { ...query }),
        compares: true
      }, report.period ?? null)
    }<div class="grid"><section class="panel headline grid" aria-labelledby="sov"><div><h2 id="sov">Share of voice</h2>${
      explainButton("share")
    }<strong class="number">${formatPercent(sov)}</strong><p class="sure">${
      interval === null
        ? "There are too few questions for an interval."
        : `95 % interval ${formatRange(interval)}, for ${otherQuestions}`
    }</p><p class="small">${visible(surfaceLineOf(report))}.</p>${
      moved !== null &&
      html`<p class="delta"><b>${formatPoints(moved.delta)} points</b> <span>${
        moved.isNoise ? "within noise" : "more than noise"
      }${explainButton("noise")}</span></p>`
    }${facts}</div>${
      trendFigure({
        id: "trend",
        title: `Share of voice: ${visible(name)}`,
        points: makeTrendPoints(trend),
        simulated: report.scan.simulated,
        height: 220
      })
    }</section>${questionsPanel(frame, content)}</div>`,
    summary: report.period === undefined
      ? `Latest scan and ${pluralized(trend.length - 1, "scan")} before it`
      : formatPeriod(report.period.period)
  })
}
