/** sov view: the markets and personas that scans ask from, each with its share of voice. */
import { wholeHistory } from "@sov/core/organizations"
import { describeMarket } from "@sov/core/platforms"
import {
  interval95Json,
  nameOfView,
  otherQuestions,
  poolViews,
  readViewShares,
  roundHalfUp,
  roundOrNull,
  simulatedJson,
  viewJson
} from "@sov/core/scoring"
import { addView, capturedView, describeImport, findView, removeView, wordKeyword } from "@sov/core/tracking"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { confirm } from "../../input/confirm.ts"
import { printable } from "../../output/Output.ts"
import { rangeText } from "../../render/scoreView.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Runs `sov view add NAME`. */
export const add = (
  options: GlobalOptions & { readonly country?: string; readonly language?: string; readonly context?: string },
  name: string
) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const { context = null, country = null, language = null } = options
    const view = yield* addView(organization.id, { name, country, language, context })
    out.result(view, () => `Added the view ${printable(view.name)}: ${describeMarket(view)}`)
    out.note("Each scan asks every question once more, from this view. What that costs: sov scan --dry-run")
  })

/** Parses weights such as `standard=60 germany=40`. */
const parseWeights = (given: ReadonlyArray<string>) =>
  Effect.forEach(given, (text) => {
    const [, name, weight] = /^(.+)=([0-9]+(?:\.[0-9]+)?)$/.exec(text) ?? []
    return name === undefined
      ? Effect.fail(usageError(`--weight ${JSON.stringify(text)} is no weight`, "sov view list --weight standard=60"))
      : Effect.succeed([name, Number(weight)] as const)
  })

/** Runs `sov view list`. */
export const list = (options: GlobalOptions & { readonly weight?: ReadonlyArray<string> }) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const weights = yield* parseWeights(options.weight ?? [])
    const shares = yield* readViewShares(organization.id, wholeHistory)
    if (weights.length > 0) {
      const { interval, sov } = yield* poolViews(shares, new Map(weights))
      const pooled = {
        weights: Object.fromEntries(weights),
        sov: roundHalfUp(sov, 1),
        interval_95: interval95Json(interval)
      }
      return out.result(
        pooled,
        () =>
          `Weighted share ${pooled.sov} %${
            interval === null ? "" : ` (95 %: ${rangeText(interval)}, for ${otherQuestions})`
          }, by the weights ` +
          weights.map(([name, weight]) => `${printable(name)} ${weight}`).join(", ")
      )
    }
    out.list(
      shares.map(({ newest, surfaceLine, view }) => ({
        name: nameOfView(view),
        country: view?.country ?? null,
        language: view?.language ?? null,
        context: view?.context ?? null,
        scan_id: newest?.scan.id ?? null,
        sov: roundOrNull(newest?.score.avgSov, 1),
        interval_95: interval95Json(newest?.score.uncertainty?.interval),
        surface: newest === null ? null : viewJson(newest.scan).surface,
        surface_line: surfaceLine,
        ...simulatedJson(newest?.scan.simulated === true)
      })),
      [
        { header: "VIEW", cell: (row) => printable(row.name) },
        { header: "MARKET", cell: describeMarket },
        { header: "CONTEXT", cell: (row) => row.context === null ? "-" : printable(row.context) },
        {
          header: "SOV",
          cell: (row) => row.sov === null ? "-" : `${row.sov} %${row.simulated === true ? " SIMULATED" : ""}`,
          align: "right"
        },
        { header: "95 %", cell: (row) => row.interval_95 === null ? "-" : rangeText(row.interval_95) }
      ],
      { empty: "No view." }
    )
    const captured = shares.find(({ view }) => view?.name === capturedView.name)?.newest
    if (captured != null) out.note(`The share of ${capturedView.name} is ${describeImport(captured.scan.cellCount)}.`)
    out.note(`Intervals are for ${otherQuestions}.`)
    out.note("Views are never added up. One number by your own weights: sov view list --weight standard=60 …")
  })

/** Runs `sov view word NAME KEYWORD [TEXT]`. */
export const word = (options: GlobalOptions, name: string, idOrText: string, text: string | undefined) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const keyword = yield* wordKeyword(organization.id, name, idOrText, text ?? null)
    out.result(
      { view: name, keyword_id: keyword.id, text: text ?? null },
      () => `${printable(name)} asks ${printable(keyword.text)} as ${printable(text ?? keyword.text)}`
    )
  })

/** Runs `sov view remove NAME`. */
export const remove = (options: GlobalOptions, name: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    yield* findView(organization.id, name)
    yield* confirm(out, `Remove the view ${printable(name)}? Its scans and answers stay.`)
    yield* removeView(organization.id, name)
    out.result({ name, removed: true }, () => `Removed the view ${printable(name)}`)
  })
