/** Pages avoid the phrases that the linter refuses in comments and strings. */
import { globSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { lint } from "./plantedTree.ts"
import { WORDING, wordingFaults } from "./wording.js"

const root = new URL("../../", import.meta.url)

/** The sentences of a page: paragraphs, list items and table cells, one per line, without code. */
const sentences = (page: string): ReadonlyArray<string> =>
  page.replaceAll(/^ *```.*?^ *```$/gms, "").replaceAll(/`[^`\n]*`/g, "code")
    .replaceAll(/\n(?!\s*(?:\n|[-*|#>]|\d+\. ))\s*/g, " ")
    .split(/\n|\|/).map((line) => line.replace(/^[\s\-*#>]+|^\d+\. |\s+$/g, ""))

it("each refused phrase has a replacement and an example sentence that contains it", () => {
  const examples = [
    "Whoever calls it waits.",
    "An archive of before the change is read, too.",
    "It stops after so many tries.",
    "There is none.",
    "It waits for so long.",
    "The scan starts anew.",
    "They wait. Those who wait are told.",
    "It reads that alone.",
    "Likewise.",
    "It wakes groups whose end it waits for.",
    "A hint for who reads it.",
    "Names, one a line"
  ]
  expect(examples.flatMap((sentence) => wordingFaults(sentence).length)).toEqual(WORDING.map(() => 1))
  expect(wordingFaults("It waits as so long as the scan runs: at most one a day, and none is lost.")).toEqual([])
})

it("the linter finds the refused phrases in comments, strings, templates and test titles", () => {
  const title = `import { it } from "vitest"\nit.each([1])("of %i", () => {})`
  const seeds: ReadonlyArray<readonly [file: string, code: string, message: string]> = [
    ["examples/comment.ts", `/**\n * Whoever\n * waits.\n */\nexport {}`, "name the role"],
    ["examples/text.ts", `export const x = "it starts anew"`, "say again or new"],
    ["examples/part.ts", "export const x = (y: string) => `${y}: there is none`", "no such thing"],
    ["examples/title.test.ts", title, "no title"]
  ]
  const findings = lint(Object.fromEntries(seeds.map(([file, code]) => [file, `${code}\n`])))
    .filter(({ rule }) => rule === "sov(wording)")
  expect(findings).toHaveLength(seeds.length)
  for (const [file, , message] of seeds) {
    expect(findings.find((finding) => finding.file === file)?.message, file).toContain(message)
  }
})

it("no documentation page contains a refused phrase", () => {
  // docs/cli.md is generated from strings that the linter checks
  const pages = globSync(["*.md", "{deploy,docs,examples}/**/*.md", "packages/*/README.md", "test/**/*.md"], {
    cwd: root,
    exclude: ["**/node_modules", "**/dist", "test/fixtures", "docs/cli.md", "CHANGELOG.md"]
  })
  expect(pages.length).toBeGreaterThan(40)
  const faults = pages.flatMap((page) =>
    sentences(readFileSync(new URL(page, root), "utf8")).flatMap((sentence) =>
      wordingFaults(sentence).map((fault) => `${page}: ${fault}: ${sentence.slice(0, 200)}`)
    )
  )
  expect(faults).toEqual([])
})
