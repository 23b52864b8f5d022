/** Compares two report pages line by line: the page in the file, and the page that its evidence produces. */
import type { ReportProblem } from "./ReportProblem.ts"

interface Page {
  readonly before: string
  readonly after: string
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": "\"",
  "&#39;": "'"
}

const textOf = (line: string): string =>
  line.replace(/<[^>]*>/g, " ").replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => entities[sign]!).replace(/\s+/g, " ")
    .trim()

const maxShown = 60

/** The part of a text that differs from another text, with some surrounding characters. */
const around = (text: string, other: string): string => {
  let from = 0
  while (from < text.length && text[from] === other[from]) from++
  const begin = Math.max(0, from - 24)
  const part = text.slice(begin, begin + maxShown)
  return `${begin > 0 ? "…" : ""}${part}${begin + maxShown < text.length ? "…" : ""}`
}

/** Where a line is in the page: its section and its table row. */
const describePlace = (
  lines: ReadonlyArray<string>,
  at: number
): { readonly inSection: boolean; readonly name: string } => {
  const heading = lines.slice(0, at + 1).findLast((line) => /<h2 id=/.test(line))
  const section = heading === undefined ? "" : textOf(/<h2 id="[a-z]+">(.*?)<\/h2>/.exec(heading)?.[1] ?? "")
  const row = textOf(/<th scope="row">(.*?)<\/th>/.exec(lines[at] ?? "")?.[1] ?? "")
  const name = [section, row.slice(0, maxShown)].filter((part) => part !== "").join(": ")
  return { inSection: section !== "", name: name === "" ? "head of the file" : name }
}

const compareLines = (
  expected: ReadonlyArray<string>,
  found: ReadonlyArray<string>,
  at: number
): ReportProblem | null => {
  const [right, shown] = [expected[at] ?? "", found[at] ?? ""]
  if (right === shown) return null
  const { inSection, name } = describePlace(expected, at)
  const [rightText, shownText] = [textOf(right), textOf(shown)]
  return {
    what: inSection ? "figure" : "page",
    id: name,
    problem: "changed",
    detail: rightText === shownText
      ? "its drawing or markup is not what the report's data gives"
      : `it shows “${around(shownText, rightText)}”, and the report's data gives “${around(rightText, shownText)}”`
  }
}

/** One problem for a block of lines: everything between the first and the last difference. */
const compareBlocks = (expected: ReadonlyArray<string>, found: ReadonlyArray<string>): ReportProblem => {
  let from = 0
  while (from < expected.length && expected[from] === found[from]) from++
  const { inSection, name } = describePlace(expected, Math.min(from, expected.length - 1))
  const more = found.length - expected.length
  return {
    what: inSection ? "figure" : "page",
    id: name,
    problem: more > 0 ? "added" : "removed",
    detail: `${Math.abs(more)} ${Math.abs(more) === 1 ? "line" : "lines"} of the page, from here on`
  }
}

/** The named figures of a page; each with all values that the page shows for it. */
const figuresOf = (page: string): ReadonlyMap<string, string> => {
  const all = [
    ...[...page.matchAll(/<b data-figure="([^"]*)">([^<]*)<\/b>/g)].map(([, name, text]) => [name!, text!] as const),
    ...[...page.matchAll(/<strong class="number">([^<]*)/g)].map(([, text]) => ["share of voice", text!] as const)
  ]
  const byName = Map.groupBy(all, ([name]) => name)
  return new Map([...byName].map(([name, shown]) => [name, [...new Set(shown.map(([, text]) => text))].join(", ")]))
}

/**
 * Different versions of Unicode data put different spaces into text. Makes these spaces equal, and leaves markup
 * unchanged.
 */
const plainSpaces = (page: string): string =>
  page.replace(/(<[^>]*>)|[\u00a0\u202f]/g, (_, markup: string | undefined) => markup ?? " ")

/**
 * Lists all differences between two pages. `exact` compares character by character; otherwise, for a page made by
 * another version, only named figures are compared. Without `sameUnicode`, different spaces within numbers and dates
 * count as equal.
 */
export const listPageProblems = (
  expected: Page,
  found: Page,
  { exact, sameUnicode }: { readonly exact: boolean; readonly sameUnicode: boolean }
): ReadonlyArray<ReportProblem> => {
  const toLines = (text: string) => (sameUnicode ? text : plainSpaces(text)).split("\n")
  if (!exact) {
    const shown = figuresOf(plainSpaces(found.before))
    return [...figuresOf(plainSpaces(expected.before))].flatMap(([name, text]): ReadonlyArray<ReportProblem> => {
      const one = shown.get(name)
      return one === text ? [] : [{
        what: "figure",
        id: name,
        problem: one === undefined ? "removed" : "changed",
        detail: `it shows “${one ?? ""}”, and the report's data gives “${text}”`
      }]
    })
  }
  const [right, shown] = [toLines(expected.before), toLines(found.before)]
  const problems = right.length === shown.length
    ? right.flatMap((_, at) => compareLines(right, shown, at) ?? [])
    : [compareBlocks(right, shown)]
  return expected.after === found.after
    ? problems
    : [...problems, {
      what: "page",
      id: "end of the file",
      problem: "changed",
      detail: "more, less or other than its end stands there"
    }]
}
