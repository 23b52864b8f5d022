/** The results, or the preview, of measuring the archive again, for programs and people. */
import type { AnswerId } from "@sov/core/common"
import {
  type ChangeExample,
  type ChangeTally,
  measureVersion,
  type Reading,
  type RescorePlan,
  type RescorePreview
} from "@sov/core/measuring"
import { formatSigned, roundHalfUp, roundOrNull, type Score, simulatedJson } from "@sov/core/scoring"
import { printable, unlabelled } from "../../output/Output.ts"
import { startOf } from "../../render/changeReport.ts"
import { formatGrouped, pluralizeGrouped } from "../../render/counted.ts"
import { truncate } from "../../render/displayWidth.ts"
import { type Canvas, wrapSentence } from "../../render/scoreView.ts"
import { renderTable } from "../../render/table.ts"

const versionsJson = (plan: RescorePlan) => ({
  measure_version: measureVersion,
  tracked_set_version: plan.set.version,
  scans: plan.scans,
  answers: plan.answers
})

/** The result of a rescore. */
export interface Rescored {
  readonly answers: number
  /** Number of these answers that cannot contain a changed name, so that their measurements stay valid. */
  readonly kept: number
  readonly scores: number
  /** Number of answers whose sources were derived. */
  readonly sources: number
  /** Answers that could not be measured, with the reason. */
  readonly unmeasurable: ReadonlyMap<AnswerId, string>
}

export const rescoreJson = (plan: RescorePlan, done: Rescored) => ({
  dry_run: false,
  ...versionsJson(plan),
  answers_measured: done.answers,
  answers_kept: done.kept,
  scores_added: done.scores,
  sources_derived: done.sources,
  answers_unmeasured: Array.from(done.unmeasurable, ([answer_id, reason]) => ({ answer_id, reason }))
})

const versionsText = (plan: RescorePlan): string =>
  `tracked set ${plan.set.version} and measure version ${measureVersion}`

/** Describes how many answers were measured again, if some were not. */
const keptText = ({ answers, kept }: Rescored): string =>
  kept === 0
    ? ""
    : ` ${formatGrouped(answers - kept)} of ${pluralizeGrouped(answers, "answer")} may contain a changed name and ` +
      `${answers - kept === 1 ? "was" : "were"} read again; the measurements of the others hold.`

const unmeasurableText = (unmeasurable: Rescored["unmeasurable"]): string =>
  Array.from(unmeasurable, ([id, reason]) => `\nAnswer ${id} could not be measured: ${reason}.`).join("")

export const rescoredText = (plan: RescorePlan, done: Rescored): string =>
  done.answers === 0 && done.scores === 0 && done.sources === 0
    ? done.unmeasurable.size > 0
      ? `Measured nothing.${unmeasurableText(done.unmeasurable)}`
      : `Nothing to do: all ${pluralizeGrouped(plan.answers, "answer")} of ${
        pluralizeGrouped(plan.scans, "scan")
      } are measured with ` +
        `${versionsText(plan)}.`
    : `Measured ${pluralizeGrouped(done.answers, "answer")} with ${versionsText(plan)}, scored ${
      pluralizeGrouped(done.scores, "scan")
    }` +
      (done.sources === 0 ? "" : `, read the sources of ${pluralizeGrouped(done.sources, "answer")}`) +
      "; what was there before stays." +
      keptText(done) +
      unmeasurableText(done.unmeasurable)

const toRates = ({ answers, named }: ChangeTally) => ({
  before: answers === 0 ? null : 100 * named.before / answers,
  after: answers === 0 ? null : 100 * named.after / answers
})

interface Pair {
  readonly before: number | null
  readonly after: number | null
}

const pairJson = ({ after, before }: Pair) => ({ before: roundOrNull(before, 1), after: roundOrNull(after, 1) })

const addPairs = (a: ChangeTally["named"], b: ChangeTally["named"]) => ({
  before: a.before + b.before,
  after: a.after + b.after
})

const sumTallies = (tallies: ReadonlyArray<ChangeTally>): ChangeTally =>
  tallies.reduce((a, b) => ({
    answers: a.answers + b.answers,
    mentions: addPairs(a.mentions, b.mentions),
    named: addPairs(a.named, b.named),
    changes: {
      gained: a.changes.gained + b.changes.gained,
      lost: a.changes.lost + b.changes.lost,
      otherwise: a.changes.otherwise + b.changes.otherwise,
      none: a.changes.none + b.changes.none,
      first: a.changes.first + b.changes.first
    }
  }))

/**
 * Rows per platform, first for real answers, then for simulated ones; a row with `platform` null is the total of its
 * kind.
 */
const makePlatformRows = ({ platforms }: RescorePreview) =>
  [false, true].flatMap((simulated) => {
    const own = platforms.filter((one) => one.simulated === simulated)
    return own.length === 0
      ? []
      : [{ platform: null, simulated, tally: sumTallies(own.map((one) => one.tally)) }, ...own]
  })

/** The score before and after, for all platforms together (`platform` null) and for each. */
const scorePairs = (before: Score | null, after: Score) => [
  { platform: null, before: before?.avgSov ?? null, after: after.avgSov },
  ...(Object.keys(after.platformBreakdown) as Array<keyof Score["platformBreakdown"]>).sort().map((platform) => ({
    platform,
    before: before?.platformBreakdown[platform] ?? null,
    after: after.platformBreakdown[platform] ?? null
  }))
]

const readingJson = ({ brandMentioned, mentionCount, sentiment, sovScore }: Reading) => ({
  brand_mentioned: brandMentioned,
  mention_count: mentionCount,
  sentiment,
  sov_score: roundHalfUp(sovScore, 2)
})

const exampleJson = ({ after, answer, before, simulated }: ChangeExample) => ({
  answer_id: answer.answerId,
  platform: answer.platform,
  keyword: answer.promptUsed,
  ...simulated ? { simulated } : {},
  before: readingJson(before),
  after: readingJson(after)
})

/** The changes that measuring again would make, for programs. */
export const changesJson = (preview: RescorePreview) => ({
  changes: makePlatformRows(preview).map(({ platform, simulated, tally }) => ({
    platform,
    ...simulated ? { simulated } : {},
    results_count: tally.answers,
    mention_count: tally.mentions,
    mention_rate: pairJson(toRates(tally)),
    gained: tally.changes.gained,
    lost: tally.changes.lost,
    changed_otherwise: tally.changes.otherwise,
    measured_first: tally.changes.first
  })),
  newest_scans: preview.scans.map(({ after, before, scan }) => {
    const [all, ...platforms] = scorePairs(before, after)
    return {
      scan_id: scan.id,
      started_at: scan.startedAt.toISOString(),
      ...simulatedJson(scan.simulated),
      avg_sov: pairJson(all!),
      platform_breakdown: Object.fromEntries(platforms.map((one) => [one.platform, pairJson(one)]))
    }
  }),
  examples: preview.examples.map(exampleJson)
})

/** The preview of a rescore, for programs. */
export const previewJson = (plan: RescorePlan, preview: RescorePreview) => ({
  dry_run: true,
  ...versionsJson(plan),
  answers_to_measure: plan.answers - plan.measured,
  scores_to_add: plan.unscored,
  sources_to_derive: plan.answers - plan.derived,
  ...changesJson(preview)
})

const pairText = ({ after, before }: Pair, text: (value: number) => string = formatGrouped): string =>
  [before, after].map((value) => value === null ? "-" : text(value)).join(" → ")
const formatTenths = (value: number): string => roundHalfUp(value, 1).toFixed(1)
const formatPointChange = ({ after, before }: Pair): string =>
  before === null || after === null ? "" : formatSigned(after - before)

const readingText = ({ brandMentioned, mentionCount, sentiment, sovScore }: Reading): string =>
  brandMentioned
    ? `named ${mentionCount}×, ${sentiment ?? "not judged"}, score ${roundHalfUp(sovScore, 2)}`
    : "not named"

/**
 * The changes that measuring again would make, for people: by platform, in the newest scans, and examples. Empty if
 * nothing would be measured again.
 */
export const changesText = (brandName: string, preview: RescorePreview, canvas: Canvas): ReadonlyArray<string> => {
  const rows = makePlatformRows(preview)
  const label = (simulated: boolean) => simulated ? canvas.style("yellow", "SIMULATED") : ""
  const lines = (
    header: ReadonlyArray<string>,
    cells: ReadonlyArray<ReadonlyArray<string>>,
    align: "left" | "right" = "right"
  ) =>
    renderTable(cells, {
      header,
      align: header.map((_, i) => i === 0 || i === header.length - 1 ? "left" : align),
      width: canvas.width
    }).trimEnd().split("\n")
  const nameOf = canvas.platformName ?? unlabelled
  const scans = preview.scans.flatMap(({ after, before, scan }, n) =>
    scorePairs(before, after).slice(0, n === 0 ? undefined : 1).map((pair) => [
      pair.platform === null ? startOf(scan) : `  ${nameOf(pair.platform)}`,
      pairText(pair, formatTenths),
      formatPointChange(pair),
      label(scan.simulated)
    ])
  )
  return [
    ...rows.length === 0 ? [] : [
      "",
      ...lines(
        [`${printable(brandName)} in answers`, "ANSWERS", "MENTIONS", "NAMED IN %", "GAINED", "LOST", "OTHERWISE", ""],
        rows.map(({ platform, simulated, tally }) => [
          platform === null ? "all platforms" : nameOf(platform),
          formatGrouped(tally.answers),
          pairText(tally.mentions),
          pairText(toRates(tally), formatTenths),
          formatGrouped(tally.changes.gained),
          formatGrouped(tally.changes.lost),
          formatGrouped(tally.changes.otherwise),
          label(simulated)
        ])
      )
    ],
    ...scans.length === 0 ? [] : ["", ...lines(["Share of voice, newest scans", "%", "POINTS", ""], scans)],
    ...preview.examples.length === 0 ? [] : [
      "",
      canvas.style("bold", "Examples"),
      ...preview.examples.flatMap(({ after, answer, before, simulated }) => [
        truncate(`  ${printable(answer.promptUsed).replace(/\s+/g, " ")}`, canvas.width),
        `    ${nameOf(answer.platform)}: ${readingText(before)} → ${readingText(after)}  ${label(simulated)}`.trimEnd()
      ])
    ]
  ]
}

/** The preview of a rescore, for people. */
export const previewText = (plan: RescorePlan, preview: RescorePreview, canvas: Canvas): string => {
  const first = preview.platforms.reduce((sum, { tally }) => sum + tally.changes.first, 0)
  return [
    ...wrapSentence(
      `With ${versionsText(plan)}, ${formatGrouped(plan.answers - plan.measured)} of ${
        pluralizeGrouped(plan.answers, "answer")
      } would ` +
        "be measured again.",
      canvas,
      false
    ),
    ...first === 0
      ? []
      : wrapSentence(`${pluralizeGrouped(first, "answer")} would be measured for the first time.`, canvas, false),
    ...changesText(plan.set.brand.name, preview, canvas),
    "",
    "Nothing was stored; without --dry-run it is, and what was measured before stays."
  ].join("\n")
}
