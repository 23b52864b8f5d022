/** The weekly digest: when it is due, its content, and its rendering as text and HTML. */
import { DateTime } from "effect"
import { defaultPlace, formatsOf } from "../formats.ts"
import type { ScanId } from "../ids.ts"
import { type Break, describeBreak } from "../scoring/breaks.ts"
import { otherQuestions } from "../scoring/estimand.ts"
import { type Interval } from "../scoring/intervals.ts"
import { roundHalfUp } from "../scoring/Score.ts"
import type { Trend } from "../scoring/trend.ts"
import type { Funnel, FunnelStepName } from "../sources/funnel.ts"
import { pluralized } from "../wording.ts"
import type { MailContent } from "./Mail.ts"
import { renderMail } from "./renderMail.ts"
import { withLastLine } from "./withBranding.ts"

/** Whether an organization receives a digest, and when the next one is due; null if it receives no digest. */
export interface DigestSetting {
  readonly enabled: boolean
  readonly nextAt: Date | null
}

/** Monday at 08:00 in the organization's time zone. */
export const digestCron = "0 8 * * 1"

/** The day on which a digest is due in a time zone, such as `2026-11-23`. It identifies the week. */
export const weekOf = (dueAt: Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
    .formatToParts(dueAt)
  return ["year", "month", "day"].map((type) => parts.find((part) => part.type === type)!.value).join("-")
}

/** The same time of day a week earlier in a time zone: 167 to 169 hours earlier if the clocks changed. */
export const weekBefore = (to: Date, timeZone: string): Date =>
  DateTime.toDateUtc(DateTime.subtract(DateTime.makeZonedUnsafe(to, { timeZone }), { weeks: 1 }))

/** A change that exceeds noise, in percent. */
export interface Moved {
  readonly kind: "platform" | "question" | "competitor"
  readonly name: string
  readonly before: number
  readonly after: number
}

/** A scan's share of voice. */
export interface DigestScore {
  readonly scanId: ScanId
  readonly completedAt: Date
  readonly simulated: boolean
  /** The surface in words (`describeSurface`). */
  readonly surface: string
  /** Share of voice, unrounded, 0–100; null if no answer was scored. */
  readonly sov: number | null
  readonly interval: Interval | null
  readonly answers: number
  readonly mentioned: number
  /** The part of the keywords that the scan asked, in words; null if it asked all of them. */
  readonly asked: string | null
}

/** How the newest scan compares with the last scan before the week. */
export interface DigestComparison {
  readonly beforeStartedAt: Date
  /**
   * Null if the scans have too few questions in common, or if the earlier scan was measured with other names or rules.
   */
  readonly trend: Trend | null
  /** Platforms that cannot be compared. */
  readonly breaks: ReadonlyArray<Break>
  readonly moved: ReadonlyArray<Moved>
}

/** How far own pages get, in the answers of the platforms that show which pages they read. */
export interface DigestFunnel extends Pick<Funnel, "answers" | "steps"> {
  /** The platforms, by name. */
  readonly platforms: ReadonlyArray<string>
  /** When the scans with these answers began, newest first. */
  readonly startedAt: ReadonlyArray<Date>
}

export interface Digest {
  readonly organization: string
  readonly brand: string
  readonly timeZone: string
  readonly from: Date
  readonly to: Date
  /** Number of scans that completed in the week. */
  readonly scans: number
  /** Score of the newest completed scan; null if no scan has completed yet. */
  readonly score: DigestScore | null
  /** Null without a scan in the week, or without an earlier scan to compare with. */
  readonly comparison: DigestComparison | null
  /** Platforms of the newest scan whose models end within 30 days, by name, with the last day (UTC). */
  readonly ends: ReadonlyArray<{ readonly platform: string; readonly endsOn: string }>
  /** Null if no platform shows which pages it read. */
  readonly funnel: DigestFunnel | null
  /** The recommended action of the highest priority, in words. */
  readonly next: { readonly title: string; readonly why: string } | null
  /** Headings of the alerts that were raised in the week, as in their e-mails. */
  readonly alerts: ReadonlyArray<string>
  /** Address of the organization's pages; null if the dashboard has no public address. */
  readonly url: string | null
}

const formatPoints = (delta: number): string => {
  const points = roundHalfUp(Math.abs(delta), 1)
  return `${points} ${points === 1 ? "point" : "points"}`
}

/** The first line, with the main news of the week. A change that noise can explain is left out. */
export const leadOf = ({ brand, comparison, scans, score }: Digest): string => {
  if (score === null) return "No scan has completed yet, so there is nothing to report."
  if (scans === 0) return "No scan completed this week. These are the figures of the previous scan."
  if (comparison === null) return "There is no comparable scan from before this week."
  if (comparison.trend === null) {
    if (comparison.breaks.length > 0) {
      return "Not compared with the last scan before this week: other models answered, or platforms were asked otherwise."
    }
    return "Not compared with the last scan before this week: too few common questions, or measured differently."
  }
  const { moved, trend } = comparison
  if (trend.direction !== "flat") {
    const verb = trend.direction === "up" ? "rose" : "fell"
    return `The share of voice of ${brand} ${verb} by ${formatPoints(trend.delta)} this week, more than noise.`
  }
  return moved.length === 0
    ? "Nothing changed by more than noise this week."
    : `The share of voice of ${brand} did not change by more than noise this week, but these did: ${
      moved.map(({ name }) => name).slice(0, 3).join(", ")
    }${moved.length > 3 ? " …" : ""}.`
}

const formatPercent = (value: number): string => `${roundHalfUp(value, 1)} %`

const kindWords: { readonly [kind in Moved["kind"]]: string } = {
  platform: "Platform",
  question: "Question",
  competitor: "Competitor"
}

const formatMinute = (at: Date, timeZone: string): string => formatsOf({ ...defaultPlace, timeZone }).minute(at)

const stepWords: { readonly [S in FunnelStepName]: string } = {
  retrieved: "retrieved in",
  cited: "cited in",
  named: "cited with your name in",
  named_first: "with your name first in"
}

/**
 * `retrieved in 64 (40 %, 95 % interval 27.1 % to 54.5 %), cited in 32 (20 %, …), … of 160 answers of 4 scans of
 * 1 Nov 2026 to 22 Nov 2026 (…). Questions weigh equally. …`
 */
const formatFunnel = ({ answers, platforms, startedAt, steps }: DigestFunnel, timeZone: string): string => {
  const days = [startedAt.at(-1)!, startedAt[0]!].map(formatsOf({ ...defaultPlace, timeZone }).date)
  return `${
    steps.map(({ answers, interval, rate, step }) =>
      `${stepWords[step]} ${answers} (${formatPercent(rate)}${
        interval === null ? "" : `, 95 % interval ${formatPercent(interval.low)} to ${formatPercent(interval.high)}`
      })`
    ).join(", ")
  } of ${pluralized(answers, "answer")} of ${pluralized(startedAt.length, "scan")} of ${
    [...new Set(days)].join(" to ")
  } (${platforms.join(", ")}). Questions weigh equally.${
    steps.every(({ interval }) => interval === null) ? "" : ` The intervals are for ${otherQuestions}.`
  }`
}

/** Maximum number of movements that an e-mail lists. */
const maxListed = 12

/** The figures of the digest, one per line. */
export const factsOf = (
  { alerts, comparison, ends, funnel, next, scans, score, timeZone }: Digest
): ReadonlyArray<readonly [name: string, value: string]> => [
  ...score === null ? [] : [
    [
      "Share of voice",
      score.sov === null
        ? "none: no answers were scored"
        : `${formatPercent(score.sov)}${
          score.interval === null
            ? ""
            : ` (95 % interval ${formatPercent(score.interval.low)} to ${
              formatPercent(score.interval.high)
            } for ${otherQuestions})`
        }`
    ] as const,
    ["Whose view", score.surface] as const,
    ["Answers", `${score.answers}, ${score.mentioned} of them name the brand`] as const,
    ["Scan", formatMinute(score.completedAt, timeZone)] as const,
    ...score.asked === null ? [] : [["Asked only", score.asked] as const]
  ],
  ...comparison?.trend == null ? [] : [
    [
      "Before",
      `${formatPercent(comparison.trend.before)} to ${
        formatPercent(comparison.trend.after)
      } over ${comparison.trend.nCells} common questions × platforms since ${
        formatMinute(comparison.beforeStartedAt, timeZone)
      }`
    ] as const
  ],
  ...(comparison?.breaks ?? []).map((one) => [`Not compared: ${one.platform}`, describeBreak(one)] as const),
  ...ends.map(({ endsOn, platform }) => [`Model ends: ${platform}`, endsOn] as const),
  ...funnel === null ? [] : [["Your pages", formatFunnel(funnel, timeZone)] as const],
  ...next === null ? [] : [["Next", `${next.title}. ${next.why}`] as const],
  ["Scans this week", `${scans}`],
  ["Alerts this week", `${alerts.length}`],
  ...(comparison?.moved ?? []).slice(0, maxListed).map(({ after, before, kind, name }) =>
    [kindWords[kind], `${name}: ${formatPercent(before)} to ${formatPercent(after)}, more than noise`] as const
  )
]

/** Renders the digest. Text and HTML contain the same facts, and nothing from raw answers. */
export const renderDigest = (digest: Digest): MailContent => {
  const { alerts, brand, comparison, organization, score, timeZone, to, url } = digest
  const lead = leadOf(digest)
  const more = (comparison?.moved.length ?? 0) - maxListed
  const label = score?.simulated === true ? "[SIMULATED] " : ""
  return renderMail({
    subject: `${label}${brand}: ${lead}`,
    opening: lead,
    facts: factsOf(digest),
    paragraphs: [
      ...more > 0 ? [`And ${more} more changes beyond noise.`] : [],
      ...alerts.slice(0, maxListed).map((subject) => `Alert: ${subject}`),
      ...alerts.length > maxListed ? [`And ${pluralized(alerts.length - maxListed, "more alert")}.`] : [],
      ...score?.simulated === true ? ["SIMULATED: these numbers come from simulated answers."] : []
    ],
    link: url === null ? undefined : { words: "Open the dashboard", url },
    footer: [
      `Week ending ${formatMinute(to, timeZone)}`,
      `You receive this e-mail as a recipient of ${organization}. To turn off digests for everyone: sov digest off`
    ]
  })
}

/** The digest with its recipient's unsubscribe link, which is made when the e-mail is sent and not stored. */
export const withUnsubscribeLink = <M extends MailContent>(mail: M, url: string): M =>
  withLastLine(mail, {
    text: `Unsubscribe from this digest: ${url}`,
    html: `<a href="${url}">Unsubscribe from this digest</a>`
  })
