/** Aho-Corasick search with a dense table: finds any number of terms in one pass over the text. */
import { toComparableUnit } from "./comparisonForm.ts"

/** The compiled search table. */
export interface TermAutomaton {
  /** Calls back for every occurrence of every term, as `[start, end)` of `units`, ordered by `end`. */
  readonly search: (
    units: Uint16Array,
    length: number,
    onHit: (term: number, start: number, end: number) => void
  ) => void
  /**
   * Whether a proper prefix of a term ends at one of these `places` of `units`, which are in ascending order. Takes one
   * pass for any number of places and terms. Can be true without such a prefix if characters share symbols.
   */
  readonly endsWithin: (units: Uint16Array, places: ReadonlyArray<number>) => boolean
}

const NONE = -1
/**
 * Maximum number of symbols. Further characters share symbols, so that scripts with thousands of characters keep the
 * table small. Hits must then be verified.
 */
const maxSymbols = 127

/** Whether the text at `start` equals `form`, unit by unit. */
const isSpelled = (form: string, units: Uint16Array, start: number): boolean => {
  for (let i = 0; i < form.length; i++) {
    if (toComparableUnit(units[start + i]!) !== toComparableUnit(form.charCodeAt(i))) return false
  }
  return true
}

/** Builds the table for terms in comparison form. Takes at most 512 bytes of memory per character of the terms. */
export const buildAutomaton = (forms: ReadonlyArray<string>): TermAutomaton => {
  const symbols = new Uint16Array(0x10000)
  let signs = 0
  let capacity = 1
  for (const form of forms) {
    capacity += form.length
    for (let i = 0; i < form.length; i++) {
      const unit = toComparableUnit(form.charCodeAt(i))
      if (symbols[unit] === 0) symbols[unit] = 1 + signs++ % maxSymbols
    }
  }
  const alphabet = 1 + Math.min(signs, maxSymbols)
  const exact = signs <= maxSymbols
  for (const unit of [0x0a, 0x2d]) symbols[unit] = symbols[toComparableUnit(unit)]!
  const next = new Int32Array(capacity * alphabet)
  const failure = new Int32Array(capacity)
  /** The terms that end in each state. There can be several, because a form can be registered twice */
  const endings: Array<Array<number>> = [[]]
  /** The states whose path, or a suffix of it, is a proper prefix of a term */
  const within = new Uint8Array(capacity)
  const addState = (): number => endings.push([]) - 1
  forms.forEach((form, term) => {
    let state = 0
    for (let i = 0; i < form.length; i++) {
      if (i > 0) within[state] = 1
      const slot = state * alphabet + symbols[toComparableUnit(form.charCodeAt(i))]!
      if (next[slot] === 0) next[slot] = addState()
      state = next[slot]!
    }
    if (state > 0) endings[state]!.push(term)
  })
  /** The nearest state on the failure chain in which a term ends */
  const output = new Int32Array(endings.length).fill(NONE)
  const queue = [0]
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head]!
    const back = failure[state]!
    within[state] ||= within[back]!
    if (state > 0) output[state] = endings[back]!.length > 0 ? back : output[back]!
    for (let symbol = 1; symbol < alphabet; symbol++) {
      const slot = state * alphabet + symbol
      const target = next[slot]!
      const fallback = state === 0 ? 0 : next[back * alphabet + symbol]!
      if (target === 0) next[slot] = fallback
      else {
        failure[target] = fallback
        queue.push(target)
      }
    }
  }
  const reports = Uint8Array.from(endings, (ending, state) => ending.length > 0 || output[state] !== NONE ? 1 : 0)
  return {
    search: (units, length, onHit) => {
      let state = 0
      for (let i = 0; i < length; i++) {
        state = next[state * alphabet + symbols[units[i]!]!]!
        if (reports[state] === 0) continue
        for (let at = state; at !== NONE; at = output[at]!) {
          for (const term of endings[at]!) {
            const start = i + 1 - forms[term]!.length
            if (exact || isSpelled(forms[term]!, units, start)) onHit(term, start, i + 1)
          }
        }
      }
    },
    endsWithin: (units, places) => {
      let state = 0
      let i = 0
      for (const place of places) {
        for (; i < place; i++) state = next[state * alphabet + symbols[units[i]!]!]!
        if (within[state] === 1) return true
      }
      return false
    }
  }
}
