/** sov experiment: plans, shows and ends experiments. Their plans are sealed before they begin. */
import { anchorChain, stampAnchor } from "@sov/core/archive"
import { type ExperimentId, type KeywordId, NotFound } from "@sov/core/common"
import {
  describeExperiment,
  type ExperimentDetail,
  experimentDetailJson,
  experimentJson,
  listExperiments,
  maxScansAfter,
  readExperiment,
  startExperiment,
  stopExperiment
} from "@sov/core/experiments"
import type { Organization } from "@sov/core/organizations"
import { findKeyword, findNamedTag } from "@sov/core/tracking"
import { Effect } from "effect"
import { confirm } from "../../input/confirm.ts"
import { integerOption } from "../../input/integerOption.ts"
import { printable } from "../../output/Output.ts"
import { runForOrganization, timeStamps } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface StartOptions extends GlobalOptions {
  readonly name: string
  readonly change: string
  readonly from: string
  readonly until: string
  readonly keyword?: ReadonlyArray<string>
  readonly tag?: ReadonlyArray<string>
  readonly scans: string
  readonly tsa?: string
}

const readKeywordIds = Effect.fnUntraced(
  function*({ id }: Organization, { keyword = [], tag = [] }: Pick<StartOptions, "keyword" | "tag">) {
    if (keyword.length === 0 && tag.length === 0) return null
    const named = yield* Effect.forEach(keyword, (one) => findKeyword(id, one))
    const tagged = yield* Effect.forEach(tag, (one) => findNamedTag(id, one))
    return [...new Set([...named.map((one): KeywordId => one.id), ...tagged.flat()])]
  }
)

const toText = (detail: ExperimentDetail): string => {
  const json = experimentDetailJson(detail)
  const { power, progress } = json
  const list = (side: "treated" | "held_out") => json.pairs.reduce((total, pair) => total + pair[side].length, 0)
  const range = (interval: typeof json.interval) =>
    interval === null ? "" : ` (95 % ${interval.low} to ${interval.high})`
  return [
    `${printable(json.name)}: ${json.state}`,
    `Change from ${json.from} on: ${printable(json.change)}`,
    json.stopped === null
      ? describeExperiment(detail.plan, detail.result)
      : `Ended on ${json.stopped.at.slice(0, 10)} without a result: ${printable(json.stopped.reason)}`,
    ...json.effect === null ? [] : [`Rise beyond the held-out topics: ${json.effect} points${range(json.interval)}`],
    ...json.placebo === null
      ? []
      : [`The same before the change (placebo): ${json.placebo.effect} points${range(json.placebo.interval)}`],
    ...json.platforms.map(({ effect, interval, platform }) =>
      `  ${platform}: ${effect === null ? "too few answers" : `${effect} points${range(interval)}`}`
    ),
    power.rise === null
      ? "Power: no rise would be seen in 80 of 100 cases"
      : `Power: a rise of ${power.rise} points is seen in 80 of 100 cases`,
    `Draw: ${power.topics} topics in pairs, ${list("treated")} questions treated and ${
      list("held_out")
    } held out, seed ${json.seed}`,
    `Scans: ${progress.scans_before} of ${power.scans_before} before the change, ${progress.scans_after} of ${power.scans_after} after`,
    ...json.breaks.map(({ after, before, platform }) => `Broken: ${platform} changed from ${before} to ${after}`),
    `Sealed ${json.sealed_at} as ${json.seal}`
  ].join("\n")
}

/** Runs `sov experiment start`. */
export const start = (options: StartOptions) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const { change, from, name, tsa, until } = options
    const id = yield* startExperiment(organization.id, {
      name,
      change,
      from,
      until,
      keywordIds: yield* readKeywordIds(organization, options),
      scansAfter: yield* integerOption("--scans", options.scans, 1, maxScansAfter)
    })
    const detail = yield* readExperiment(organization.id, id)
    // The plan is already sealed, so if the authority does not answer, only the stamp is missing
    const anchor = tsa === undefined
      ? null
      : yield* anchorChain(organization.id, (one) => stampAnchor(one, tsa)).pipe(Effect.provide(timeStamps))
    if (anchor !== null) out.note("Keep this anchor: the database has no copy of it.")
    out.result(
      { ...experimentDetailJson(detail), ...anchor === null ? {} : { anchor } },
      () => [toText(detail), ...anchor === null ? [] : [JSON.stringify(anchor)]].join("\n")
    )
  })

/** Runs `sov experiment list`. */
export const list = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    out.list((yield* listExperiments(organization.id)).map(experimentJson), [
      { header: "NAME", cell: ({ name }) => printable(name) },
      { header: "STATE", cell: ({ state }) => state },
      { header: "CHANGE", cell: ({ from }) => from },
      { header: "RESULT AFTER", cell: ({ until }) => until },
      { header: "SEAL", cell: ({ seal }) => seal.replace(/:.*/, "") },
      { header: "ID", cell: ({ id }) => id }
    ], { empty: "No experiments yet: sov experiment start --help" })
  })

const findId = Effect.fnUntraced(function*(organization: Organization, named: string) {
  const all = yield* listExperiments(organization.id)
  const found = all.find(({ plan }): boolean => plan.id === named) ?? all.find(({ plan }) => plan.name === named)
  if (found === undefined) return yield* new NotFound({ what: "experiment", id: named })
  const id: ExperimentId = found.plan.id
  return id
})

/** Runs `sov experiment show`. */
export const show = (options: GlobalOptions, named: string) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const detail = yield* readExperiment(organization.id, yield* findId(organization, named))
    out.result(experimentDetailJson(detail), () => toText(detail))
  })

/** Runs `sov experiment end`. */
export const end = (options: GlobalOptions & { readonly reason: string }, named: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const id = yield* findId(organization, named)
    yield* confirm(out, `End ${printable(named)} without a result?`)
    const ended = yield* stopExperiment(organization.id, id, options.reason)
    out.result(experimentJson(ended), () => `${printable(ended.plan.name)} has ended without a result.`)
  })
