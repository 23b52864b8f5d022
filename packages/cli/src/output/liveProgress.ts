import { type ScanProgress, sumCounts } from "@sov/core/scanning"
import { drawsBlocks } from "../render/bars.ts"
import { progressLine, progressLines } from "../render/progress.ts"
import type { Output } from "./Output.ts"

const redrawMs = 300
const printIntervalMs = 5_000

/** Shows a running scan on stderr while it is watched. */
export interface LiveProgress {
  readonly update: (progress: ScanProgress) => void
  /** Clears the drawing. */
  readonly clear: () => void
}

/**
 * Creates a progress display: on a terminal it is redrawn in place at most every 300 ms; elsewhere it is printed every
 * 5 seconds; with --quiet it prints nothing.
 */
export const makeLiveProgress = (out: Output): LiveProgress => {
  if (out.quiet) return { update: () => undefined, clear: () => undefined }
  const begun = performance.now()
  const blocks = drawsBlocks(process.env)
  const interval = out.tty.err ? redrawMs : printIntervalMs
  let due = out.tty.err ? 0 : begun + printIntervalMs
  let drawn = 0
  let last = ""
  let endedBefore: number | undefined

  const clear = () => {
    if (drawn > 0) process.stderr.write(`\u001b[${drawn}A\u001b[J`)
    drawn = 0
  }
  const update = (progress: ScanProgress) => {
    endedBefore ??= sumCounts(progress.counts, (count) => count.answered + count.failed + count.noOverview)
    const now = performance.now()
    if (now < due) return
    due = now + interval
    if (!out.tty.err) {
      const line = progressLine(progress)
      if (line !== last) process.stderr.write(`${line}\n`)
      last = line
      return
    }
    // One column less than available, because a full line would wrap and the cursor would move up too little
    const { platformName } = out
    const width = (process.stderr.columns || 80) - 1
    const lines = progressLines(progress, now - begun, width, { blocks, endedBefore, platformName })
    const back = drawn > 0 ? `\u001b[${drawn}A` : ""
    process.stderr.write(back + lines.map((line) => `\u001b[2K${line}\n`).join(""))
    drawn = lines.length
  }
  return { update, clear }
}
