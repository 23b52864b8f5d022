/** Checks the boundaries of a hit (M8) and the endings that a name can have (M9), on text in comparison form. */
import {
  CLASS_ARABIC,
  CLASS_CYRILLIC,
  CLASS_DIGIT,
  CLASS_HAN,
  CLASS_HANGUL,
  CLASS_HEBREW,
  CLASS_HIRAGANA,
  CLASS_KATAKANA,
  CLASS_LATIN,
  CLASS_NONE,
  CLASS_OTHER_MARK,
  CLASS_UNDERSCORE,
  CLASS_UNSPACED,
  classOf,
  pointBefore,
  readCodePoint
} from "./characters.ts"
import { isCommonWord } from "./commonWords.ts"
import { type FoldedText, WRITTEN_UPPER } from "./comparisonForm.ts"
import { arabicProclitics, cyrillicEndings, hebrewProclitics, josa } from "./endings.ts"
import {
  addsEnding,
  allInflections,
  cyrillicReplacements,
  findInflections,
  greekReplacements,
  isForeignTo
} from "./inflections.ts"
import { sliceUnits } from "./offsetText.ts"
import { addsCyrillicEnding, addsWordEnding, findLanguages } from "./wordEndings.ts"

/** The properties of a name's first and last letters that decide which letters may adjoin them. */
export interface NameEdges {
  /** `CLASS_*` of the first and the last character. */
  readonly first: number
  readonly last: number
  /** Whether the name can have the Latin plural or genitive `s` (M9). */
  readonly takesS: boolean
  /** Whether the name can have Cyrillic case endings (M9). */
  readonly takesCase: boolean
  /** Whether the name can have Hebrew and Arabic proclitics (M9). */
  readonly takesProclitic: boolean
  /** Whether the name is written in Latin letters and can have the endings of the text's language (M9). */
  readonly inflects: boolean
  /** The final letters of the name that an ending replaces (M9); usually empty. */
  readonly replaced: string
  /** Whether the name can have the endings of an ordinary word, also in lower case (M18). */
  readonly isWord: boolean
}

/**
 * How an occurrence relates to the word around it: `none` if it is inside a longer word, `whole` if it is the whole
 * word, `ending` if it has an ending or proclitic of its language.
 */
export type Fit = "none" | "whole" | "ending"

const whole = (stands: boolean): Fit => stands ? "whole" : "none"
const ending = (stands: boolean): Fit => stands ? "ending" : "none"

/** Whether the script has no spaces between words, so that a dictionary must find them. */
const needsSegmenter = (found: number): boolean =>
  found === CLASS_HAN || found === CLASS_HIRAGANA || found === CLASS_UNSPACED

/** Whether a name of another script can directly adjoin this script (M8). */
const isTouchable = (found: number): boolean =>
  needsSegmenter(found) || found === CLASS_KATAKANA || found === CLASS_HANGUL

const isBarrier = (found: number): boolean =>
  found === CLASS_DIGIT || found === CLASS_UNDERSCORE || found === CLASS_OTHER_MARK

// The segmenter, created on first use because it loads a dictionary. The locale is fixed, so that all machines measure
// the same.
let segmenter: Intl.Segmenter | undefined
const segment = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter("en", { granularity: "word" })).segment(text)
/** Runs that are longer are segmented in pieces, which bounds the dictionary's work. */
const maxRunLength = 8192

/** Boundary checks on one folded text; caches the word boundaries found by `Intl.Segmenter`. */
export class Boundaries {
  private readonly text: FoldedText
  private readonly runs = new Map<number, ReadonlySet<number>>()
  private inflections: ReturnType<typeof findInflections> | undefined
  private languages: ReturnType<typeof findLanguages> | undefined
  private readonly foreign = new Map<string, boolean>()
  private runStart = 0
  private runEnd = 0

  constructor(text: FoldedText) {
    this.text = text
  }

  /** Returns how the name at `[start, end)` fits its surroundings (M8, M9). */
  fit(start: number, end: number, edges: NameEdges): Fit {
    const opening = this.opening(start, edges)
    if (opening === "none") return "none"
    const closing = edges.replaced === "" ? this.closing(start, end, edges) : this.replaced(start, end, edges)
    return closing === "whole" ? opening : closing
  }

  /** Whether the function words of the text belong to a language other than this one. */
  isForeignTo(language: string): boolean {
    const known = this.foreign.get(language)
    if (known !== undefined) return known
    const foreign = isForeignTo(this.text, language)
    this.foreign.set(language, foreign)
    return foreign
  }

  private classBefore(index: number): number {
    return index <= 0 ? CLASS_NONE : classOf(pointBefore(this.text.units, index))
  }

  private classAfter(index: number): number {
    return index >= this.text.length ? CLASS_NONE : classOf(readCodePoint(this.text.units, index, this.text.length))
  }

  private opening(start: number, edges: NameEdges): Fit {
    const before = this.classBefore(start)
    if (before === CLASS_NONE) return "whole"
    if (needsSegmenter(edges.first)) return whole(before !== CLASS_UNDERSCORE && this.isWordBoundary(start))
    if (isBarrier(before)) return "none"
    if (edges.first === CLASS_KATAKANA || edges.first === CLASS_HANGUL) return whole(before !== edges.first)
    if (isTouchable(before)) return "whole"
    return edges.takesProclitic && this.hasProclitic(start, edges.first) ? "ending" : "none"
  }

  private closing(start: number, end: number, edges: NameEdges): Fit {
    const after = this.classAfter(end)
    if (after === CLASS_NONE) return "whole"
    if (needsSegmenter(edges.last)) return whole(after !== CLASS_UNDERSCORE && this.isWordBoundary(end))
    if (isBarrier(after)) return "none"
    if (edges.last === CLASS_KATAKANA) return whole(after !== CLASS_KATAKANA)
    if (edges.last === CLASS_HANGUL && after === CLASS_HANGUL) return ending(josa.has(this.run(end, CLASS_HANGUL, 8)))
    if (edges.last === CLASS_HANGUL || isTouchable(after)) return "whole"
    if (edges.takesS && this.text.units[end] === 0x73 && this.endsWord(end + 1)) return "ending"
    if (edges.inflects && after === CLASS_LATIN) {
      return ending(edges.isWord ? this.isInflectedWord(end, "") : this.isInflected(start, end, ""))
    }
    if (!edges.takesCase || after !== CLASS_CYRILLIC) return "none"
    const suffix = this.run(end, CLASS_CYRILLIC, 5)
    return ending(cyrillicEndings.has(suffix) && this.endsWord(end + suffix.length))
  }

  /** Whether the name fits if an ending replaces its final letters. */
  private replaced(start: number, end: number, { isWord, last, replaced }: NameEdges): Fit {
    if (isWord) return ending(this.isInflectedWord(end, replaced))
    if (last === CLASS_LATIN) return ending(this.isInflected(start, end, replaced))
    const suffix = this.run(end, last, 5)
    const endings = last === CLASS_CYRILLIC ? cyrillicReplacements : greekReplacements
    return ending(
      endings[replaced]!.has(suffix) && this.isCapital(start) && this.endsWord(end + suffix.length)
    )
  }

  /**
   * Whether this word is an inflected form of the name in the text's language. Common words are never forms of a name.
   */
  private isInflected(start: number, end: number, replaced: string): boolean {
    if (!this.isCapital(start)) return false
    const suffix = this.run(end, CLASS_LATIN, 6)
    if (!addsEnding(allInflections, suffix, replaced) || !this.endsWord(end + suffix.length)) return false
    if (isCommonWord(sliceUnits(this.text, start, end + suffix.length))) return false
    // Checked last, because the whole text must be read to detect its language
    this.inflections ??= findInflections(this.text)
    return addsEnding(this.inflections, suffix, replaced)
  }

  /** Whether this word is an inflected form of the context word in the text's language. */
  private isInflectedWord(end: number, replaced: string): boolean {
    const script = this.classAfter(end)
    const suffix = this.run(end, script, 8)
    if (suffix === "" || !this.endsWord(end + suffix.length)) return false
    if (script === CLASS_CYRILLIC) return addsCyrillicEnding(suffix, replaced)
    this.languages ??= findLanguages(this.text)
    return addsWordEnding(this.languages, suffix, replaced)
  }

  private isCapital(index: number): boolean {
    return (this.text.written[index]! & WRITTEN_UPPER) !== 0
  }

  private endsWord(index: number): boolean {
    const after = this.classAfter(index)
    return after === CLASS_NONE || isTouchable(after)
  }

  /** The end of the run of units of class `wanted` that starts at `start`; the run has at most `limit` units. */
  private run(start: number, wanted: number, limit: number): string {
    let end = start
    while (end < this.text.length && end - start < limit && this.classAfter(end) === wanted) end++
    return sliceUnits(this.text, start, end)
  }

  private hasProclitic(start: number, script: number): boolean {
    let from = start
    while (from > 0 && start - from < 3 && this.classBefore(from) === script) from--
    if (this.classBefore(from) !== CLASS_NONE) return false
    const proclitic = sliceUnits(this.text, from, start)
    return script === CLASS_ARABIC
      ? arabicProclitics.has(proclitic)
      : script === CLASS_HEBREW && hebrewProclitics.has(proclitic)
  }

  /** Whether the dictionary has a word boundary at `index`; a change of script is always a boundary. */
  private isWordBoundary(index: number): boolean {
    if (!this.inRun(this.classBefore(index)) || !this.inRun(this.classAfter(index))) return true
    if (index < this.runStart || index > this.runEnd) this.enterRun(index)
    const start = this.runStart + Math.floor((index - this.runStart) / maxRunLength) * maxRunLength
    let boundaries = this.runs.get(start)
    if (boundaries === undefined) {
      const end = Math.min(this.runEnd, start + maxRunLength)
      const found = new Set<number>()
      for (const part of segment(sliceUnits(this.text, start, end))) found.add(start + part.index)
      boundaries = found
      this.runs.set(start, boundaries)
    }
    return boundaries.has(index)
  }

  private inRun(found: number): boolean {
    return needsSegmenter(found) || found === CLASS_KATAKANA
  }

  private enterRun(index: number): void {
    let start = index
    let end = index
    while (start > 0 && this.inRun(this.classBefore(start))) start--
    while (end < this.text.length && this.inRun(this.classAfter(end))) end++
    this.runStart = start
    this.runEnd = end
  }
}
