/** Recognizes the kinds of markdown lines, as defined by CommonMark and GFM. Each test is linear in the line. */

/** The first index in `[at, end)` that is neither space nor tab. */
export const skipBlanks = (raw: string, at: number, end: number): number => {
  let i = at
  while (i < end && (raw[i] === " " || raw[i] === "\t")) i++
  return i
}

/**
 * Whether the line is a thematic break or a setext underline of dashes: three or more `-`, `*` or `_` and nothing else.
 */
export const isThematicBreak = (raw: string, at: number, end: number): boolean => {
  const mark = raw[at]
  if (mark !== "-" && mark !== "*" && mark !== "_") return false
  let count = 0
  for (let i = at; i < end; i++) {
    if (raw[i] === mark) count++
    else if (raw[i] !== " " && raw[i] !== "\t") return false
  }
  return count >= 3
}

/** Whether the line is a setext underline: only `=`, or only `-`. */
export const isSetextUnderline = (raw: string, at: number, end: number): boolean => {
  const mark = raw[at]
  if (mark !== "=" && mark !== "-") return false
  let i = at
  while (i < end && raw[i] === mark) i++
  return skipBlanks(raw, i, end) === end
}

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "9"

/** The index after a list marker at `at`; `at` itself if there is no marker. */
export const listMarkerEnd = (raw: string, at: number, end: number): number => {
  let i = at
  if (raw[i] === "-" || raw[i] === "*" || raw[i] === "+" || raw[i] === "\u2022") i++
  else {
    while (i < end && i - at < 9 && isDigit(raw[i])) i++
    if (i === at || (raw[i] !== "." && raw[i] !== ")")) return at
    i++
  }
  return i >= end || raw[i] === " " || raw[i] === "\t" ? Math.min(i, end) : at
}

/** The index after a task list's check box at `at`; `at` itself if there is no check box. */
export const skipTaskBox = (raw: string, at: number, end: number): number =>
  at + 3 < end && raw[at] === "[" && raw[at + 2] === "]" && /[ xX]/.test(raw[at + 1]!) ? at + 3 : at

/** The index after the `#` marks of a heading at `at`; `at` itself if it is not a heading. */
export const skipHeadingMarks = (raw: string, at: number, end: number): number => {
  let i = at
  while (i < end && raw[i] === "#") i++
  const level = i - at
  return level > 0 && level <= 6 && (i === end || raw[i] === " " || raw[i] === "\t") ? i : at
}

/** Whether `[at, end)` contains a `|`. Stops at the end of the line, unlike `indexOf`. */
export const hasPipe = (raw: string, at: number, end: number): boolean => {
  for (let i = at; i < end; i++) if (raw.charCodeAt(i) === 0x7c) return true
  return false
}

/** Whether the line is the row of dashes and colons under a table's header. */
export const isDelimiterRow = (raw: string, at: number, end: number): boolean => {
  let dashes = false
  let pipes = false
  for (let i = at; i < end; i++) {
    const char = raw[i]
    if (char === "-") dashes = true
    else if (char === "|") pipes = true
    else if (char !== ":" && char !== " " && char !== "\t" && char !== ">") return false
  }
  return dashes && pipes
}

/** A link reference definition, or the beginning of a footnote. */
export interface Definition {
  readonly label: string
  readonly footnote: boolean
  /** The index after the head; the text of a footnote starts here. */
  readonly end: number
  readonly absolute: boolean
  readonly titled: boolean
}

const maxLabelLength = 200

/** Reads the definition whose `[` is at `at`; undefined for ordinary text. */
export const readDefinition = (raw: string, at: number, end: number): Definition | undefined => {
  const close = raw.slice(at, Math.min(end, at + maxLabelLength)).indexOf("]:")
  if (close < 2) return undefined
  const label = raw.slice(at + 1, at + close)
  if (label.includes("[") || label.includes("]")) return undefined
  const head = at + close + 2
  if (label.startsWith("^")) return { label, footnote: true, end: head, absolute: false, titled: true }
  const start = skipBlanks(raw, head, end)
  let stop = start
  // A destination in angle brackets may contain spaces
  if (raw[start] === "<") { while (stop < end && raw[stop] !== ">") stop++ }
  while (stop < end && raw[stop] !== " " && raw[stop] !== "\t") stop++
  const destination = raw.slice(start, stop)
  // A destination looks like an address; `[1]: Acme` is a visible note
  if (!/[:/.#<]/.test(destination)) return undefined
  const title = skipBlanks(raw, stop, end)
  if (title < end) {
    const last = raw.slice(title, end).trimEnd()
    const opener = last[0]
    const closer = opener === "(" ? ")" : opener
    if ((opener !== "\"" && opener !== "'" && opener !== "(") || last.length < 2 || !last.endsWith(closer!)) {
      return undefined
    }
  }
  const absolute = destination.includes("://") || destination.startsWith("<")
  return { label, footnote: false, end: stop, absolute, titled: title < end }
}
