/** Texts about scans that several pages show. */
import { pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { Spent } from "@sov/core/platforms"
import type { CellFailureReason, PlatformWork, Scan } from "@sov/core/scanning"
import { formatNarrowing } from "@sov/core/scoring"
import { formatCount, formatDollars, formatSecond, nothing } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

const statusLook = { completed: "good", running: "on", failed: "bad", cancelled: "warn" } as const

/** The state of a scan, as a coloured pill. */
export const statusPill = ({ status }: Pick<Scan, "status">): Html =>
  html`<span class="pill ${statusLook[status]}">${status}</span>`

/** The reasons why a question has no answer, in words. */
export const reasonWords: { readonly [Reason in CellFailureReason]: string } = {
  auth: "the key is missing or refused",
  no_credit: "no credit: the provider's account cannot pay",
  rejected: "the platform rejected the request",
  throttled: "too many requests",
  refused: "the platform declined to answer",
  empty: "the answer was empty",
  no_overview: "the app shows no overview for this question",
  timeout: "no answer in time",
  too_large: "the answer was too large",
  malformed: "the answer could not be read",
  unavailable: "the platform did not respond",
  ended: "the API or the model has ended",
  budget: "the month's budget is spent",
  suspended: "the organization is suspended"
}

/** The progress of one platform, for a row of the table and for the events that update it. */
export interface ProgressRow {
  /** HTML id of the row. */
  readonly id: string
  /** Number of finished questions. */
  readonly done: number
  readonly text: string
}

export const describeProgress = (
  { answered, cancelled, failed, failing, nextDueAt, noOverview, open, platform }: PlatformWork
): ProgressRow => {
  const done = answered + failed + noOverview + cancelled
  const state = open === 0
    ? "done"
    : failing === null
    ? "asking"
    : `${reasonWords[failing]}${nextDueAt === null ? "" : `; next attempt at ${formatSecond(nextDueAt)}`}`
  return {
    id: `progress-${platform}`,
    done,
    text: [
      `${answered} of ${done + open}`,
      failed > 0 && `${failed} failed`,
      noOverview > 0 && `${noOverview} without an overview`,
      state
    ].filter(Boolean).join(" · ")
  }
}

/** The progress table of a running scan; events update its rows. */
export const progressTable = (frame: Frame, platforms: ReadonlyArray<PlatformWork>): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-labelledby="progress"><table><thead><tr><th scope="col">Platform</th><th scope="col">Progress</th><th scope="col">Status</th></tr></thead><tbody>${
    platforms.map((work) => {
      const { done, id, text } = describeProgress(work)
      const name = visible(platformName(frame, work.platform))
      return html`<tr${attributes({ id })}><th scope="row">${name}</th><td><progress max="${
        done + work.open
      }" value="${done}" aria-label="${name}">${done}</progress></td><td class="small">${text}</td></tr>`
    })
  }</tbody></table></div>`

/** What a scan asks for, such as "40 answers asked for, 5 platforms": an answer per question, platform and sample. */
export const describeAsked = ({ cellCount, platforms }: Pick<Scan, "cellCount" | "platforms">): string =>
  `${pluralized(cellCount, "answer")} asked for, ${pluralized(platforms.length, "platform")}`

/** What a narrowed scan asked, in the words of pages: a keyword is a question. */
export const inQuestions = (part: string | null): string | null => part?.replaceAll("keyword", "question") ?? null

/** A mark next to a share whose scan asked only some of the keywords or platforms. */
export const narrowedTag = (scan: Scan): Fragment => {
  const part = inQuestions(formatNarrowing(scan))
  return part !== null && html` <span class="tag">Asked only ${part}</span>`
}

/** A note above the figures of a scan that asked only some of the keywords or platforms. */
export const narrowedNote = (scan: Scan): Fragment => {
  const part = inQuestions(formatNarrowing(scan))
  return part !== null && html`<p class="note warn">The scan asked only ${part}.</p>`
}

/** The known cost, such as `$0.12` or `$0.12 and 3 not known`; simulated answers cost nothing. */
export const describeCost = (spent: Pick<Spent, "costUsd" | "unpriced"> | null): string => {
  if (spent === null) return nothing
  const { costUsd, unpriced } = spent
  if (unpriced === 0) return formatDollars(costUsd)
  return costUsd === 0 ? "not known" : `${formatDollars(costUsd)} and ${formatCount(unpriced)} not known`
}

/** A duration as text, such as `14 s`, `5 min` or `2 h`. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** A link to the form for a new scan, for people who may start one. */
export const startButton = ({ organization: { slug }, role }: Frame): Fragment =>
  atLeast(role, "member") &&
  html`<a class="button primary" href="${inOrganization(slug, "/scans/new")}">Start a scan</a>`
