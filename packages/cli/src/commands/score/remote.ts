/** sov score --url: the current share of voice, from a server. */
import { makeCanvas } from "../../output/canvas.ts"
import { printable } from "../../output/Output.ts"
import { callServer, refuseIf, runRemote } from "../../remote/runRemote.ts"
import { summaryLines } from "../../remote/summaryView.ts"
import { wrapSentence } from "../../render/scoreView.ts"
import { printEvidence } from "./evidenceReport.ts"
import type { ScoreOptions } from "./score.ts"

export const show = (options: ScoreOptions) =>
  runRemote(options, function*({ out, sov }) {
    yield* refuseIf(
      options.by !== undefined && options.by !== "platform",
      `REST has no score by ${options.by}: only by platform`
    )
    yield* refuseIf(options.tag !== undefined, "REST has no score by tag: --tag works on a database only")
    yield* refuseIf(
      options.spot === true,
      "--spot works on a database only; REST has the odds at GET /api/v1/sov/odds"
    )
    yield* refuseIf(options.scans !== "12", "REST has no earlier scores: --scans works on a database only")
    if (options.evidence === true) return printEvidence(out, yield* callServer((signal) => sov.evidence({ signal })))
    const summary = yield* callServer((signal) =>
      sov.sov({ signal, ...options.view === undefined ? {} : { view: options.view } })
    )
    const canvas = makeCanvas(out)
    out.result(summary, () =>
      [
        ...summaryLines(summary, canvas),
        ...wrapSentence(`Scan of ${printable(summary.completed_at)}`, canvas, summary.simulated === true)
      ].join("\n"))
  })
