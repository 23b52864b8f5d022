/** Reads fenced blocks (M4): where they end, and whether their content counts. */

/** An open fence: its mark, the depth of the quotation around it, and how its content counts. */
export interface OpenFence {
  readonly mark: string
  readonly length: number
  readonly quoteDepth: number
  /** Whether the content is prose or data, not source code. */
  readonly counted: boolean
  /** Whether the content is measured as JSON if it parses (M5). */
  readonly data: boolean
}

const dataTags = new Set(["", "json", "jsonc", "json5", "jsonl", "ndjson"])
const textTags = new Set(
  "yaml yml csv tsv text txt plain plaintext none markdown md mdx html htm xhtml xml".split(" ")
)

const runLength = (raw: string, start: number, end: number): number => {
  let i = start
  while (i < end && raw[i] === raw[start]) i++
  return i - start
}

/** Reads the opening of a fence at `at`; undefined if the line does not open one. */
export const openFence = (raw: string, at: number, end: number, quoteDepth: number): OpenFence | undefined => {
  const mark = raw[at]
  if (mark !== "`" && mark !== "~") return undefined
  const length = runLength(raw, at, end)
  if (length < 3) return undefined
  const info = raw.slice(at + length, end)
  if (mark === "`" && info.includes("`")) return undefined
  const tag = (info.trim().split(/[\s,;:]/, 1)[0] ?? "").replace(/^\{?\.?/, "").replace(/\}$/, "").toLowerCase()
  const data = dataTags.has(tag)
  return { mark, length, quoteDepth, counted: data || textTags.has(tag), data }
}

/** Whether the line closes `fence`: the same mark, at least as long, with nothing after it. */
export const closesFence = (raw: string, at: number, end: number, fence: OpenFence): boolean => {
  let start = at
  while (start < end && (raw[start] === " " || raw[start] === "\t")) start++
  if (raw[start] !== fence.mark) return false
  const length = runLength(raw, start, end)
  if (length < fence.length) return false
  for (let i = start + length; i < end; i++) if (raw[i] !== " " && raw[i] !== "\t") return false
  return true
}
