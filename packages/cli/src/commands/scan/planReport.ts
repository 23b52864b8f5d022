/** The output of `sov scan plan`. */
import { formatDollars } from "@sov/core/platforms"
import { narrowingJson } from "@sov/core/scanning"
import {
  formatNarrowing,
  type PanelPlan,
  type PricedOption,
  roundHalfUp,
  roundOrNull,
  simulatedJson
} from "@sov/core/scoring"
import { formatGrouped, pluralizeGrouped } from "../../render/counted.ts"
import { type Canvas, simulatedMark, wrapSentence } from "../../render/scoreView.ts"
import { renderTable } from "../../render/table.ts"

const optionJson = ({ costUsd, keywords, questions, samples }: PricedOption) => ({
  keywords,
  samples,
  questions,
  cost_usd: roundOrNull(costUsd, 4)
})

/** Whether the panel can detect a fall: a share cannot fall by more than its own size. */
const showsFall = ({ detectable, share }: Pick<PanelPlan, "detectable" | "share">): boolean =>
  detectable !== null && share !== null && detectable <= share

/** The plan as JSON, for programs. */
export const planJson = ({ costUsd, noise, options, points, scan, ...plan }: PanelPlan) => ({
  ...simulatedJson(scan.simulated),
  scan_id: scan.id,
  ...narrowingJson(scan),
  panel: {
    keywords: plan.keywords,
    platforms: plan.platforms,
    samples: roundHalfUp(plan.samples, 1),
    cells: plan.cells,
    cost_usd: roundOrNull(costUsd, 4)
  },
  detectable_change: roundOrNull(plan.detectable, 1),
  shows_fall: showsFall(plan),
  missing_cells: plan.missingCells,
  power: 0.8,
  level: 0.05,
  noise: {
    answers_sd: roundHalfUp(Math.sqrt(noise.answers), 1),
    scans_sd: roundHalfUp(Math.sqrt(noise.scans), 1),
    scan_pairs: noise.pairs,
    assumed: noise.isAssumed,
    split: noise.isSplit
  },
  target: { change: points, options: options.map(optionJson) }
})

const describePoints = (points: number): string => `${roundHalfUp(points, 1)} ${points === 1 ? "point" : "points"}`

const noiseText = ({ noise }: PanelPlan): string => {
  const part = noise.scans > noise.answers
    ? "Most of the noise is between scans: more keywords pay, samples hardly do."
    : "Most of the noise is between answers to the same question: samples pay, and so do keywords."
  return [
    noise.isAssumed
      ? `There are fewer than three comparable scans: an answer's share is assumed to vary by 24 points (${
        pluralizeGrouped(noise.pairs, "pair")
      } of scans counted beside that).`
      : `From ${pluralizeGrouped(noise.pairs, "pair")} of comparable scans: an answer's share varies by ${
        roundHalfUp(Math.sqrt(noise.answers), 1)
      } points, and with the scan by ${roundHalfUp(Math.sqrt(noise.scans), 1)}.`,
    noise.isSplit ? part : "No scan took samples: all noise is taken to be between answers to the same question."
  ].join("\n")
}

/** The assumptions behind the options. */
const optionNotes = ({ noise, options }: PanelPlan): ReadonlyArray<string> =>
  options.length === 0 ? [] : [
    "",
    ...noise.isSplit ? [] : [
      "Options with more samples are optimistic: samples make only the noise between answers smaller, and without samples " +
      "nothing tells how much of it that is."
    ],
    "Cells are taken as independent: what moves all answers of a platform at once makes the real power lower."
  ]

/** Names the scans that the plan is based on, unless it is the newest scan and that scan asked all questions. */
const basisText = ({ newer, scan }: PanelPlan): ReadonlyArray<string> => {
  const dayOf = ({ startedAt }: PanelPlan["scan"]) => startedAt.toISOString().slice(0, 10)
  const part = formatNarrowing(scan)
  if (part !== null) {
    return [`It rests on a part of the questions: no scan asked all, and the newest asked only ${part}.`]
  }
  if (newer === null) return []
  const asked = formatNarrowing(newer)
  return asked === null ? [] : [`The newest scan asked only ${asked}, so this rests on the scan of ${dayOf(scan)}.`]
}

const panelText = (plan: PanelPlan): string => {
  const { cells, costUsd, detectable, keywords, missingCells, platforms, samples } = plan
  const cost = costUsd === null ? "" : ` One scan costs about ${formatDollars(costUsd)}.`
  const panel = `With ${pluralizeGrouped(keywords, "keyword")} × ${pluralizeGrouped(platforms, "platform")} × ${
    roundHalfUp(samples, 1)
  } ${samples === 1 ? "sample" : "samples"} (${pluralizeGrouped(cells, "cell")})`
  if (missingCells > 0) {
    return `${panel} nothing is promised: ${pluralizeGrouped(missingCells, "more cell")} ${
      missingCells === 1 ? "is" : "are"
    } needed to tell a change from noise.${cost}`
  }
  const fall = showsFall(plan)
    ? ""
    : ` It cannot show a fall: the share of voice is ${
      plan.share === null ? "not known" : `${roundOrNull(plan.share, 1)} %`
    }.`
  return `${panel} you see ${
    detectable === null ? "no change at all" : `a change of ${describePoints(detectable)}`
  } with 80 % power, once there are four scans before it.${detectable === null ? "" : fall}${cost}`
}

/** The plan as text, for people. */
export const planText = (plan: PanelPlan, canvas: Canvas): string => {
  const { options, points, scan } = plan
  return [
    ...wrapSentence(panelText(plan), canvas, scan.simulated),
    ...basisText(plan),
    noiseText(plan),
    "",
    options.length === 0
      ? `No panel of up to 10,000 keywords shows a change of ${describePoints(points)}.`
      : `Panels that show a change of ${describePoints(points)}${simulatedMark(scan.simulated, canvas)}:`,
    ...options.length === 0 ? [] : [
      renderTable(
        options.map((one) => [
          formatGrouped(one.keywords),
          String(one.samples),
          formatGrouped(one.questions),
          one.costUsd === null ? "not known" : formatDollars(one.costUsd)
        ]),
        {
          header: ["KEYWORDS", "SAMPLES", "QUESTIONS", "COST A SCAN"],
          align: ["right", "right", "right", "right"],
          width: undefined
        }
      ).trimEnd()
    ],
    ...optionNotes(plan)
  ].join("\n")
}
