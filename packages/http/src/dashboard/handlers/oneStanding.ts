/** The pages of one platform and of one competitor. */
import { CompetitorId } from "@sov/core/common"
import { PlatformId } from "@sov/core/platforms"
import {
  countNaming,
  type NamedStanding,
  readOverview,
  type Score,
  type Standing,
  type TrendPoint
} from "@sov/core/scoring"
import { readKeywords } from "@sov/core/tracking"
import { Effect } from "effect"
import { formatPercent, type Range } from "../charts/numbers.ts"
import { noSuchPage } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { html } from "../html.ts"
import { oneStandingPage, type QuestionRow, standingQuestions } from "../pages/oneStanding.ts"
import { inOrganization } from "../pages/sections.ts"
import { platformName } from "../pages/words.ts"
import { visible } from "../visible.ts"
import { readParam } from "./forms.ts"
import { readListView } from "./listView.ts"
import { readPeriod } from "./period.ts"

const trendScans = 30

/** The standing in the requested period. Before the first score, the page does not exist (404). */
const read = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { configured, organization, window } = request
  const period = yield* readPeriod(request)
  const view = yield* readListView(request, standingQuestions)
  const { standing } = yield* readOverview(organization.id, window, trendScans, configured, period.compared)
  return { period, view, standing: standing ?? (yield* noSuchPage) }
})

/** The trend with each scan's share replaced by `shareOf`. */
const withShares = (
  { report, trend }: Standing,
  shareOf: (score: Score) => { readonly sov: number | null; readonly interval: Range | null }
): ReadonlyArray<TrendPoint> => {
  const scores = new Map(report.examined.map(({ scan, score }) => [scan.id, score]))
  return trend.map((point) => {
    const score = scores.get(point.scan.id)
    return score === undefined ? point : { ...point, ...shareOf(score) }
  })
}

/** GET /o/{slug}/platforms/{id} */
export const showPlatform = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame } = request
  const id = yield* readParam(request, PlatformId)
  const { period, standing, view } = yield* read(request)
  const { movements } = standing.report
  const own = standing.platforms.find(({ platform }) => platform === id) ?? (yield* noSuchPage)
  const moved = movements.comparison?.platforms.find((one) => one.id === id)
  const texts = new Map(movements.keywords.map((one) => [one.id, one.text]))
  return showPage(oneStandingPage(frame, {
    standing,
    view,
    period,
    name: platformName(frame, id),
    here: "overview",
    path: `/platforms/${id}`,
    sov: own.sov,
    interval: own.interval,
    moved: moved === undefined ? null : { delta: moved.delta, isNoise: !moved.beyondNoise },
    trend: withShares(standing, ({ platformBreakdown, uncertainty }) => ({
      sov: platformBreakdown[id] ?? null,
      interval: uncertainty?.platforms[id] ?? null
    })),
    facts:
      html`<dl><div><dt>Answered</dt><dd>${own.answered} <span class="range">${own.failed} failed</span></dd></div></dl>`,
    questions: {
      words: "Your share on each question here, and over all platforms",
      columns: ["Here", "All platforms"],
      rows: movements.keywordShares.map((one): QuestionRow => ({
        id: one.id,
        text: texts.get(one.id) ?? one.id,
        here: one.platforms.get(id) ?? null,
        other: one.sov
      })),
      format: formatPercent,
      answers: () => ({ platform: id })
    },
    actions: html`<a class="button" href="${
      inOrganization(frame.organization.slug, "/answers", { platform: id })
    }">All answers</a>`
  }))
})

/** GET /o/{slug}/competitors/{id}/share */
export const showCompetitorShare = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization } = request
  const { slug } = organization
  const id = yield* readParam(request, CompetitorId)
  const { period, standing, view } = yield* read(request)
  const { movements, score } = standing.report
  const own: NamedStanding = standing.named.find((one) => one.id === id) ?? (yield* noSuchPage)
  const moved = movements.comparison?.competitors.find((one) => one.id === id)?.trend ?? null
  const counts = yield* countNaming(organization.id, score, id)
  const texts = new Map((yield* readKeywords(organization.id)).map((one) => [one.id as string, one.text]))
  const sum = (pick: (one: typeof counts[number]) => number) => counts.reduce((total, one) => total + pick(one), 0)
  const name = own.name ?? id
  return showPage(oneStandingPage(frame, {
    standing,
    view,
    period,
    name,
    here: "competitors",
    path: `/competitors/${id}/share`,
    sov: own.sov,
    interval: own.interval,
    moved: moved === null ? null : { delta: moved.delta, isNoise: moved.direction === "flat" },
    trend: withShares(standing, ({ competitors }) => ({
      sov: competitors.find((one) => one.id === id)?.sov ?? null,
      interval: null
    })),
    facts: html`<dl><div><dt>Your share</dt><dd>${
      formatPercent(score.avgSov)
    }</dd></div><div><dt>Named in the latest scan</dt><dd>${sum(({ rival }) => rival)} of ${
      sum(({ answers }) => answers)
    } answers <span class="range">you in ${sum(({ brand }) => brand)}</span></dd></div></dl>`,
    questions: {
      words: `Answers of the latest scan that name ${visible(name)}, and that name you`,
      columns: ["Named", "You"],
      rows: counts.map(({ answers, brand, keywordId, rival }): QuestionRow => ({
        id: keywordId,
        text: texts.get(keywordId) ?? keywordId,
        here: 100 * rival / answers,
        other: 100 * brand / answers
      })),
      format: formatPercent,
      answers: () => ({ scan_id: standing.report.scan.id })
    },
    actions: html`<span class="actions"><a class="button" href="${
      inOrganization(slug, "/answers", { q: `"${name}"`, named: "false" })
    }">Answers with this name, without you</a><a class="button" href="${
      inOrganization(slug, "/sources/gaps")
    }">Gaps</a></span>`
  }))
})
