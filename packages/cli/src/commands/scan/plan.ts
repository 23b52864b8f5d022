/** sov scan plan: which change a panel shows, and which panel shows a change. */
import {
  findBlindAlert,
  formatDollars,
  type OrganizationId,
  type PanelPlan,
  planPanel,
  type PricedOption,
  roundHalfUp,
  wholeHistory
} from "@sov/core"
import { Effect } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import type { Output } from "../../output/Output.ts"
import { formatGrouped, pluralizeGrouped } from "../../render/counted.ts"
import { renderTable } from "../../render/table.ts"
import { findConfig, noPlatforms, platformsToPlan, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const tenth = (value: number | null): number | null => value === null ? null : roundHalfUp(value, 1)

const optionJson = ({ costUsd, keywords, questions, samples }: PricedOption) => ({
  keywords,
  samples,
  questions,
  cost_usd: costUsd === null ? null : roundHalfUp(costUsd, 4)
})

const planJson = ({ cells, costUsd, detectable, keywords, noise, options, platforms, points, samples }: PanelPlan) => ({
  panel: {
    keywords,
    platforms,
    samples: tenth(samples),
    cells,
    cost_usd: costUsd === null ? null : roundHalfUp(costUsd, 4)
  },
  detectable_change: tenth(detectable),
  power: 0.8,
  level: 0.05,
  noise: {
    answers_sd: tenth(Math.sqrt(noise.answers)),
    scans_sd: tenth(Math.sqrt(noise.scans)),
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

/** What the options rest on. */
const optionNotes = ({ noise, options }: PanelPlan): ReadonlyArray<string> =>
  options.length === 0 ? [] : [
    "",
    ...noise.isSplit ? [] : [
      "Options with more samples are optimistic: samples make only the noise between answers smaller, and without samples " +
      "nothing tells how much of it that is."
    ],
    "Cells are taken as independent: what moves all answers of a platform at once makes the real power lower."
  ]

const planText = (plan: PanelPlan): string => {
  const { cells, costUsd, detectable, keywords, options, platforms, points, samples } = plan
  const cost = costUsd === null ? "" : ` One scan costs about ${formatDollars(costUsd)}.`
  return [
    `With ${pluralizeGrouped(keywords, "keyword")} × ${pluralizeGrouped(platforms, "platform")} × ${
      roundHalfUp(samples, 1)
    } ${samples === 1 ? "sample" : "samples"} (${pluralizeGrouped(cells, "cell")}) you see ${
      detectable === null ? "no change at all" : `a change of ${describePoints(detectable)} between two scans`
    } (80 % power, 5 % level).${cost}`,
    noiseText(plan),
    "",
    options.length === 0
      ? `No panel of up to 10,000 keywords shows a change of ${describePoints(points)}.`
      : `Panels that show a change of ${describePoints(points)}:`,
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

/** The configured platforms, for their prices; without a readable configuration none, and no cost is known. */
const layerToPlan = (options: GlobalOptions) => {
  const config = findConfig(options)
  return config === null || config.decoded instanceof CliError
    ? noPlatforms
    : platformsToPlan(options, config.decoded).layer
}

export const plan = (options: GlobalOptions & { readonly change: string }) => {
  const points = Number(options.change)
  const checked = /^\d{1,3}(?:\.\d{1,3})?$/.test(options.change) && points > 0 && points <= 100
    ? Effect.succeed(points)
    : Effect.fail(usageError(`--change must be points above 0, at most 100, not ${JSON.stringify(options.change)}`))
  return runCommand(options, { before: checked, repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const { id } = yield* currentOrganization(options)
      const found = yield* planPanel(id, wholeHistory, yield* checked)
      out.result(planJson(found), () => planText(found))
    }).pipe(Effect.provide(layerToPlan(options))))
}

/** Notes an alert threshold that is nearer than what the panel shows. */
export const noteBlindAlert = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId) {
  const found = yield* findBlindAlert(organizationId, wholeHistory)
  if (found === null) return
  const { detectable, distance, threshold } = found
  out.note(
    `The alert threshold of ${roundHalfUp(threshold, 1)} % is ${
      describePoints(distance)
    } away, and these questions show ${
      detectable === null ? "no change" : `changes from ${describePoints(detectable)} on`
    } (80 % power): sov scan plan --change ${Math.max(1, roundHalfUp(distance, 0))}`
  )
})
