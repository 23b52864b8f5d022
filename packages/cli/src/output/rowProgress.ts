import { Effect } from "effect"
import { formatGrouped } from "../render/counted.ts"
import { formatDuration } from "../render/progress.ts"
import type { Output } from "./Output.ts"

const redrawMs = 300
const printIntervalMs = 5_000

/** The number of rows, exact or an estimate (`about`); null if unknown. */
type Total = number | { readonly about: number } | null

/** Shows how many rows are done, the total, the rate and the time left. */
export interface RowProgress {
  readonly add: (rows: number) => void
  /** Clears the line. */
  readonly clear: () => void
}

/**
 * `Restoring: 12,000 of 40,000 rows (30 %), 4,000 rows/s, 7 s left`. An estimated total says "about", and is left out
 * once it is exceeded.
 */
export const progressText = (verb: string, rows: string, done: number, total: Total, ms: number): string => {
  const estimated = typeof total === "object" && total !== null
  const all = estimated ? Math.max(0, total.about) : total
  const speed = `${formatGrouped(Math.round(done / (ms / 1000)))} ${rows}/s`
  if (all === null || (estimated && done >= all)) return `${verb}: ${formatGrouped(done)} ${rows}, ${speed}`
  const of = ` of ${estimated ? "about " : ""}${formatGrouped(all)}`
  const share = all === 0 ? "" : ` (${Math.floor(100 * done / all)} %)`
  const left = done === 0 ? "" : `, ${formatDuration(ms * Math.max(0, all - done) / done)} left`
  return `${verb}: ${formatGrouped(done)}${of} ${rows}${share}, ${speed}${left}`
}

/**
 * Creates a progress line on stderr: in place on a terminal, elsewhere a new line every 5 seconds; with --quiet it
 * prints nothing.
 */
export const makeRowProgress = (out: Output, verb: string, total: Total, noun = "rows"): RowProgress => {
  if (out.quiet) return { add: () => undefined, clear: () => undefined }
  const begun = performance.now()
  const interval = out.tty.err ? redrawMs : printIntervalMs
  let due = begun + (out.tty.err ? 0 : printIntervalMs)
  let done = 0
  return {
    add: (rows) => {
      done += rows
      const now = performance.now()
      if (now < due) return
      due = now + interval
      const text = progressText(verb, noun, done, total, Math.max(1, now - begun))
      process.stderr.write(out.tty.err ? `\r\u001b[K${text.slice(0, (process.stderr.columns || 80) - 1)}` : `${text}\n`)
    },
    clear: () => {
      if (out.tty.err) process.stderr.write("\r\u001b[K")
    }
  }
}

/** Runs `work` and shows on stderr how many answers it has counted. */
export const withProgress = <A, E, R>(
  out: Output,
  verb: string,
  total: number,
  work: (onAnswers: (answers: number) => void) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const progress = makeRowProgress(out, verb, total, "answers")
    return work(progress.add).pipe(Effect.ensuring(Effect.sync(progress.clear)))
  })
