/** Aligns two texts sentence by sentence. */

/** A sentence that occurs in both texts, only in the earlier text (`out`), or only in the later text (`in`). */
export interface AlignedSentence {
  readonly kind: "same" | "out" | "in"
  readonly text: string
}

/** Maximum number of sentences of one text; later sentences are ignored. */
const maxAlignedSentences = 1000
/** Maximum number of characters in a sentence; tables and code exceed it. */
const maxSentenceLength = 1000

// A fixed locale, so that all machines divide texts into the same sentences
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/** The sentences of a text; a line break also ends a sentence. */
const listSentences = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    for (let at = 0; at < line.length; at += maxSentenceLength) {
      for (const { segment } of segmenter.segment(line.slice(at, at + maxSentenceLength))) {
        const sentence = segment.trim()
        if (sentence !== "") found.push(sentence)
        if (found.length === maxAlignedSentences) return found
      }
    }
  }
  return found
}

/**
 * Aligns two lists by their longest common subsequence. Time and memory grow with the product of their lengths, not
 * counting their common start and end.
 */
const align = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<AlignedSentence> => {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let [lastBefore, lastAfter] = [before.length, after.length]
  while (lastBefore > start && lastAfter > start && before[lastBefore - 1] === after[lastAfter - 1]) {
    lastBefore--
    lastAfter--
  }
  const width = lastAfter - start + 1
  /** Length of the longest common subsequence of the sentences after a pair of positions, for each pair */
  const longest = new Uint16Array((lastBefore - start + 1) * width)
  for (let i = lastBefore - start - 1; i >= 0; i--) {
    for (let j = width - 2; j >= 0; j--) {
      longest[i * width + j] = before[start + i] === after[start + j]
        ? longest[(i + 1) * width + j + 1]! + 1
        : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
    }
  }
  const found: Array<AlignedSentence> = before.slice(0, start).map((text) => ({ kind: "same", text }))
  let [i, j] = [0, 0]
  while (start + i < lastBefore || start + j < lastAfter) {
    const [one, other] = [before[start + i], after[start + j]]
    const [hasOne, hasOther] = [start + i < lastBefore, start + j < lastAfter]
    if (hasOne && hasOther && one === other) {
      found.push({ kind: "same", text: one! })
      i++
      j++
    } else if (hasOne && (!hasOther || longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      found.push({ kind: "out", text: one! })
      i++
    } else {
      found.push({ kind: "in", text: other! })
      j++
    }
  }
  return [...found, ...before.slice(lastBefore).map((text): AlignedSentence => ({ kind: "same", text }))]
}

/** Aligns the first 1,000 sentences of two texts. */
export const alignSentences = (before: string, after: string): ReadonlyArray<AlignedSentence> =>
  align(listSentences(before), listSentences(after))
