/** sov score: the current share of voice. */
import { wholeHistory } from "@sov/core/organizations"
import {
  evidenceJson,
  listScanShares,
  readEvidence,
  readScoreReport,
  readSpotOdds,
  readTagShares,
  readVoice
} from "@sov/core/scoring"
import { findScannedView } from "@sov/core/tracking"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { writeOut } from "../../output/writeOut.ts"
import { configuredPlatforms, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { noteDashboard } from "../dashboard/noteDashboard.ts"
import { layerToPlan } from "../scan/plan.ts"
import { printEvidence } from "./evidenceReport.ts"
import { scoreCsv } from "./scoreCsv.ts"
import { scoreJson, type ScorePart, scoreText } from "./scoreReport.ts"
import { printSpotCheck } from "./spotReport.ts"
import { printTags } from "./tagReport.ts"
import { printVoice } from "./voiceReport.ts"

const maxShownScans = 100

export interface ScoreOptions extends GlobalOptions {
  readonly scans?: string
  readonly by?: ScorePart | "tag" | "definition"
  readonly tag?: string
  readonly spot?: boolean
  readonly view?: string
  readonly evidence?: boolean
}

export const show = (options: ScoreOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const scans = yield* integerOption("--scans", options.scans ?? "12", 1, maxShownScans)
    const organization = yield* currentOrganization(options)
    if (options.spot === true) {
      printSpotCheck(out, yield* readSpotOdds(organization.id, wholeHistory, scans))
      return yield* noteDashboard(out, organization, "/spot")
    }
    if (options.evidence === true) {
      const found = yield* readEvidence(organization.id, wholeHistory).pipe(Effect.provide(layerToPlan(options)))
      const { scan, ...evidence } = found
      printEvidence(out, evidenceJson(scan, evidence))
      return yield* noteDashboard(out, organization, "/evidence")
    }
    const view = options.view === undefined ? null : yield* findScannedView(organization.id, options.view)
    if (options.tag !== undefined || options.by === "tag") {
      const found = yield* readTagShares(organization.id, wholeHistory, scans, options.tag, view)
      printTags(out, found, options.tag)
      return yield* noteDashboard(out, organization, "")
    }
    const report = yield* readScoreReport(organization.id, wholeHistory, scans, configuredPlatforms(options), view)
    const { by } = options
    if (by === "definition") {
      const voice = yield* readVoice(organization.id, report)
      printVoice(out, report, voice)
      return yield* noteDashboard(out, organization, "/definitions")
    }
    if (out.format === "csv") {
      return yield* writeOut(scoreCsv(yield* listScanShares(organization.id, report.examined)))
    }
    out.result(scoreJson(report, by), () => scoreText(report, makeCanvas(out), by))
    yield* noteDashboard(out, organization, "")
  })
