/** Files that nobody at sov wrote: what is nested too deeply is named, and stops no check. */
import { parseAnchors, parseEvidence, parseManifest, parseProof, verifyExport } from "@sov/core"
import { checkReportFile } from "@sov/http/report"
import { Effect, Result, Stream } from "effect"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const nestedList = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
const nestedObject = (depth: number) => `${"{\"a\":".repeat(depth)}1${"}".repeat(depth)}`

/** What the check of an export says of a row and of a line of its context. */
const problemsOf = (text: string) => {
  const problems: Array<string> = []
  const files = {
    rows: Stream.make(text),
    context: Stream.make({ text, at: 0 }),
    contextAt: () => Effect.succeed(text)
  }
  const listener = {
    onProblem: ({ detail }: { readonly detail: string }) => Effect.sync(() => void problems.push(detail)),
    onAnswers: () => undefined
  }
  Effect.runSync(verifyExport(files, listener, { noted: [], wholeUpTo: 0 }))
  return problems
}
const refused = ["of the context file: it says nothing known", "it is no answer as an export writes it"]

const report = readFileSync(new URL("../../fixtures/reports/page-2.html", import.meta.url), "utf8")

it.each([20_000, 100_000])(
  "JSON nested %i levels deep is refused in each file, with a message that says so",
  (depth) => {
    for (const value of [nestedList(depth), nestedObject(depth)]) {
      for (const text of [value, `{"scan":${value}}`, `{"sources":${value},"leaf_version":2}`]) {
        expect(problemsOf(text)).toEqual(refused)
        expect(parseManifest(text)).toBeNull()
        expect(Result.isFailure(parseProof(text))).toBe(true)
        expect(parseAnchors(text).map(({ anchor }) => Result.isFailure(anchor))).toEqual([true])
      }
      const line = `{"answer":${value}}`
      expect(parseEvidence([line, "{\"checks\":[]}"]).faults.map(({ about }) => about)).toContain("answer")
      // Beside what is right, and as a member of it
      for (
        const bent of [
          report.replace("\n{\"seal\"", `\n${line}\n{"seal"`),
          report.replace("\"icu\":", `"x":${value},"icu":`)
        ]
      ) {
        expect(bent).not.toBe(report)
        expect(checkReportFile(bent).problems).toContainEqual(
          expect.objectContaining({ what: "line", problem: "changed" })
        )
      }
    }
  }
)

it("a line of an export that is not an object is refused", () => {
  for (const text of ["null", "1", "[]", "\"x\"", ""]) expect(problemsOf(text)).toEqual(refused)
})

it("an answer that occurs 130,000 times in a report is reported once", () => {
  const lines = report.split("\n")
  const at = lines.findIndex((line) => line.startsWith("{\"answer\""))
  const { sealed: _, ...short } = (JSON.parse(lines[at]!) as { readonly answer: { readonly sealed: object } }).answer
  const many = Array.from({ length: 130_000 }, () => JSON.stringify({ answer: short }))
  const { problems } = checkReportFile([...lines.slice(0, at), ...many, ...lines.slice(at)].join("\n"))
  expect(problems.length).toBeGreaterThan(0)
})
