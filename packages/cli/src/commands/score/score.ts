/** sov score: the current share of voice. */
import { listScanShares, readScoreReport, wholeHistory } from "@sov/core"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { writeOut } from "../../output/writeOut.ts"
import { configuredPlatforms, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { noteDashboard } from "../dashboard/noteDashboard.ts"
import { scoreCsv } from "./scoreCsv.ts"
import { scoreJson, type ScorePart, scoreText } from "./scoreReport.ts"

export const show = (options: GlobalOptions & { readonly scans?: string; readonly by?: ScorePart }) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const scans = yield* integerOption("--scans", options.scans ?? "12", 1, 100)
      const organization = yield* currentOrganization(options)
      const report = yield* readScoreReport(organization.id, wholeHistory, scans, configuredPlatforms(options))
      if (out.format === "csv") {
        return yield* writeOut(scoreCsv(yield* listScanShares(organization.id, report.examined)))
      }
      out.result(scoreJson(report, options.by), () => scoreText(report, makeCanvas(out), options.by))
      yield* noteDashboard(out, organization, "")
    }))
