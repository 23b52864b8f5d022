/** Comments are read in editors and reviews of 120 columns, as the code is; the formatter leaves them alone. */
import { globSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const root = new URL("../../", import.meta.url)
const isComment = /^\s*(?:\/\/|\/\*|\*) /
/** Tables, addresses, and first lines that the test runner reads. */
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
