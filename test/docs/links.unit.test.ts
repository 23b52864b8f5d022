/** All links between pages of the documentation have a target, and the index lists every page. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path/posix"
import { describe, expect, it } from "vitest"
import { handWrittenPages, readPage } from "../support/docsPage.ts"

const root = new URL("../../", import.meta.url)
const withoutCode = (page: string) => page.replaceAll(/^```.*?^```/gms, "")

/** The targets of `[text](target)` in a page, except other sites. */
const linksOf = (page: string): ReadonlyArray<string> =>
  [...withoutCode(page).replaceAll(/`[^`\n]*`/g, "").matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1]!).filter((
    link
  ) => !/^\w+:/.test(link))

/** Anchors of a page's headings, formed as on GitHub. */
const anchorsOf = (page: string): ReadonlyArray<string> =>
  [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map((match) =>
    match[1]!.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
  )

describe.each([...handWrittenPages])("%s", (path) => {
  it("every link leads to an existing file and heading", () => {
    for (const link of linksOf(readPage(path))) {
      const [file = "", anchor] = link.split("#")
      const target = file === "" ? path : join(dirname(path), file)
      expect(existsSync(new URL(target, root)), `${path}: ${link}`).toBe(true)
      if (anchor !== undefined) expect(anchorsOf(readPage(target)), `${path}: ${link}`).toContain(anchor)
    }
  })
})

it("docs/README.md links to every page of docs", () => {
  const linked = linksOf(readPage("docs/README.md")).map((link) => join("docs", link.split("#")[0]!))
  const pages = handWrittenPages.filter((path) => path.startsWith("docs/") && path !== "docs/README.md")
  expect(pages.filter((page) => !linked.includes(page))).toEqual([])
})
