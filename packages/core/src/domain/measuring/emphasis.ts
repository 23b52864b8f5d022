/** Handles emphasis marks (M1): matched runs of `*`, `_` and `~` are invisible, unmatched ones are shown. */
import { CLASS_NONE, classOf, isSpaceUnit } from "./characters.ts"
import type { OffsetWriter } from "./offsetText.ts"

interface Run {
  readonly unit: number
  /** The index in the output at which the run's first mark is. */
  at: number
  left: number
  readonly canOpen: boolean
  readonly canClose: boolean
}

const UNDERSCORE = 0x5f

/** Collects the mark runs of one leaf and removes the matched ones from the output. */
export class EmphasisMarks {
  private runs: Array<Run> = []

  /** Records a run that was written at `at`, between the units `before` and `after` of the source. */
  note(unit: number, at: number, length: number, before: number, after: number): void {
    // Inside a word, `_` is part of an identifier and not emphasis
    const intraword = unit === UNDERSCORE
    this.runs.push({
      unit,
      at,
      left: length,
      canOpen: !isSpaceUnit(after) && !(intraword && classOf(before) !== CLASS_NONE),
      canClose: !isSpaceUnit(before) && !(intraword && classOf(after) !== CLASS_NONE)
    })
  }

  /** Removes the runs from `from` on from the list, because their output was removed. */
  forgetFrom(from: number): void {
    while (this.runs.length > 0 && this.runs[this.runs.length - 1]!.at >= from) this.runs.pop()
  }

  /** Removes matched marks from `out`. Linear: each kind of mark has a stack, and a run is visited once per match. */
  resolve(out: OffsetWriter): void {
    if (this.runs.length === 0) return
    const dropped: Array<readonly [number, number]> = []
    const openers = new Map<number, Array<Run>>()
    for (const run of this.runs) {
      const stack = openers.get(run.unit) ?? []
      openers.set(run.unit, stack)
      while (run.canClose && run.left > 0 && stack.length > 0) {
        const opener = stack[stack.length - 1]!
        const used = Math.min(opener.left, run.left)
        opener.left -= used
        dropped.push([opener.at + opener.left, used], [run.at, used])
        run.at += used
        run.left -= used
        if (opener.left === 0) stack.pop()
      }
      if (run.canOpen && run.left > 0) stack.push(run)
    }
    this.runs = []
    remove(out, dropped)
  }
}

const remove = (out: OffsetWriter, ranges: Array<readonly [number, number]>): void => {
  if (ranges.length === 0) return
  ranges.sort((a, b) => a[0] - b[0])
  let write = ranges[0]![0]
  for (let index = 0; index < ranges.length; index++) {
    const [at, length] = ranges[index]!
    const next = index + 1 < ranges.length ? ranges[index + 1]![0] : out.length
    for (let i = at + length; i < next; i++, write++) {
      out.units[write] = out.units[i]!
      out.from[write] = out.from[i]!
      out.to[write] = out.to[i]!
    }
  }
  out.length = write
}
