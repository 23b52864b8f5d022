/** sov score --url: the current share of voice of a server. */
import { Effect } from "effect"
import { canvasOf } from "../../output/canvas.ts"
import { printable } from "../../output/Output.ts"
import { call, refuse, runRemote } from "../../remote/runRemote.ts"
import { summaryLines } from "../../remote/summaryView.ts"
import { sentence } from "../../render/scoreView.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

export const show = (options: GlobalOptions & { readonly scans?: string; readonly by?: string }) =>
  runRemote(options, ({ out, sov }) =>
    Effect.gen(function*() {
      yield* refuse(
        options.by !== undefined && options.by !== "platform",
        `REST has no score by ${options.by}: only by platform`
      )
      yield* refuse(options.scans !== "12", "REST has no earlier scores: --scans works on a database only")
      const summary = yield* call((signal) => sov.sov({ signal }))
      const canvas = canvasOf(out)
      out.result(summary, () =>
        [
          ...summaryLines(summary, canvas),
          ...sentence(`Scan of ${printable(summary.completed_at)}`, canvas, summary.simulated === true)
        ].join("\n"))
    }))
