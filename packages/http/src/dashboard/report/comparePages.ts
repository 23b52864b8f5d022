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

const pageProblem = (id: string, problem: ReportProblem["problem"], detail: string): ReportProblem => ({
  what: "page",
  id,
  problem,
  detail
})

const tag = /<(\/?)([a-z][a-z0-9]*)(?:\s[a-z][a-z0-9:-]*(?:="[^"]*")?)*>/gi
const voidTags: ReadonlySet<string> = new Set(["br", "col", "hr", "img", "meta", "wbr"])
const methodBegin = `<section class="panel" aria-labelledby="method">
<header><h2 id="method">Method and proof</h2></header>
<div class="method">`
const proof = "\n<p>Check it with <code>sov report verify FILE</code>"

/**
 * Whether the section on method and proof is in the grid of the page and in nothing else, such as a hidden element or a
 * comment. Tags that are not closed in order count as hiding it.
 */
const showsMethod = (page: string): boolean => {
  const begin = page.slice(0, Math.max(0, page.indexOf(proof, page.indexOf(methodBegin))))
  const open: Array<readonly [name: string, text: string]> = []
  for (const [text, end, name] of begin.matchAll(tag)) {
    if (end === "/" && open.pop()?.[0] !== name) return false
    if (end === "" && !voidTags.has(name!)) open.push([name!, text])
  }
  return begin.includes(methodBegin) && !begin.replace(tag, "").includes("<") &&
    open.map(([, text]) => text).join("") ===
      "<main id=\"main\"><div class=\"grid\"><section class=\"panel\" aria-labelledby=\"method\"><div class=\"method\">"
}

const cover = "<header class=\"cover\">"
const body = "<body class=\"bare report\">\n"

/**
 * What a page of any version has to show: its head with the styles and the policy of the report, the note on simulated
 * answers as its first line, and its method and proof.
 */
const listHidden = (expected: string, found: string): ReadonlyArray<ReportProblem> => {
  const begin = expected.slice(0, expected.indexOf(cover) + cover.length)
  const head = begin.slice(0, begin.indexOf(body) + body.length)
  const begins: ReadonlyArray<ReportProblem> = !found.startsWith(head)
    ? [pageProblem("head of the file", "changed", "its title, styles or policy are not what the report's data gives")]
    : !found.startsWith(begin)
    ? [pageProblem("note on simulated answers", "changed", "the page does not begin as the report's data says")]
    : []
  return showsMethod(found.slice(found.indexOf(body) + body.length))
    ? begins
    : [...begins, pageProblem("method and proof", "removed", "the section is not there, or something hides it")]
}

/**
 * Lists all differences between two pages. `exact` compares character by character; otherwise, for a page made by
 * another version, only its head, its notes and its named figures are compared. Without `sameUnicode`, different spaces
 * within numbers and dates count as equal.
 */
export const listPageProblems = (
  expected: Page,
  found: Page,
  { exact, sameUnicode }: { readonly exact: boolean; readonly sameUnicode: boolean }
): ReadonlyArray<ReportProblem> => {
  const toLines = (text: string) => (sameUnicode ? text : plainSpaces(text)).split("\n")
  if (!exact) {
    const shown = figuresOf(plainSpaces(found.before))
    const hidden = listHidden(expected.before, found.before)
    const figures = [...figuresOf(plainSpaces(expected.before))].flatMap(
      ([name, text]): ReadonlyArray<ReportProblem> => {
        const one = shown.get(name)
        return one === text ? [] : [{
          what: "figure",
          id: name,
          problem: one === undefined ? "removed" : "changed",
          detail: `it shows “${one ?? ""}”, and the report's data gives “${text}”`
        }]
      }
    )
    return [...hidden, ...figures]
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
