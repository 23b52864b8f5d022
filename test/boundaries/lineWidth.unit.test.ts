/** Lines of comments and pages have at most 120 columns, like the code; the formatter does not check them. */
import { globSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const root = new URL("../../", import.meta.url)
const isComment = /^\s*(?:\/\/|\/\*|\*) /
/** Exceptions: tables, URLs, and first lines that the test runner reads. */
const mayBeLong = /^\s*\* \||https?:\/\/|^\/\/ Only /

it("no line of a comment has more than 120 characters", () => {
  const files = globSync(["{examples,packages,scripts,test}/**/*.{ts,mjs}"], {
    cwd: root,
    exclude: ["**/node_modules", "**/dist", "test/fixtures"]
  })
  expect(files.length).toBeGreaterThan(1000)
  const long = files.flatMap((file) =>
    readFileSync(new URL(file, root), "utf8").split("\n").flatMap((line, n) =>
      line.length > 120 && isComment.test(line) && !mayBeLong.test(line) ? [`${file}:${n + 1}`] : []
    )
  )
  expect(long).toEqual([])
})

it("no line of a documentation page exceeds 120 characters, except tables, headings, code and addresses", () => {
  // docs/cli.md is generated; another test compares it with its sources
  const pages = globSync(["*.md", "{deploy,docs,examples}/**/*.md", "packages/*/README.md", "test/**/*.md"], {
    cwd: root,
    exclude: ["**/node_modules", "**/dist", "test/fixtures", "docs/cli.md"]
  })
  expect(pages.length).toBeGreaterThan(40)
  const long = pages.flatMap((page) => {
    const lines = readFileSync(new URL(page, root), "utf8").replaceAll(/^ *```.*?^ *```$/gms, "").split("\n")
    return lines.filter((line) => line.length > 120 && !/^\s*(?:\||#)|https?:\/\/|^`[^`]+`\.?$/.test(line))
      .map((line) => `${page}: ${line}`)
  })
  expect(long).toEqual([])
})
