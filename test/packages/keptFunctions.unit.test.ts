/** What commands keep of their compiled functions, and what is deleted of it once nobody uses it. */
import {
  existsSync,
  globSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { keep, readKept } from "../../scripts/keptFunctions.ts"

const own = "quick-DZ_a-k3Q.cjs-v24.21.0-x64-3205177466"
const older = "quick-B1xYz09_.cjs-v24.20.0-x64-1149735218"
const otherNode = "quick-DZ_a-k3Q.cjs-v26.0.0-nightly20260101ab-arm64-77"

const hourMs = 3_600_000

const makeCaches = () => {
  const caches = mkdtempSync(join(tmpdir(), "sov-kept-"))
  onTestFinished(() => rmSync(caches, { recursive: true, force: true }))
  return {
    caches,
    write: (path: string, ageHours: number) => {
      const file = join(caches, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, "kept")
      const at = new Date(Date.now() - ageHours * hourMs)
      utimesSync(file, at, at)
    },
    list: () =>
      globSync("**/*", { cwd: caches, withFileTypes: true })
        .filter((entry) => !entry.isDirectory()).map(({ name, parentPath }) =>
          join(parentPath, name).slice(caches.length + 1)
        )
        .toSorted()
  }
}

it("what was kept is read again, and not once it is damaged", () => {
  const { caches, list } = makeCaches()
  keep(caches, own, "score", Buffer.from("compiled"))
  expect(list()).toEqual([`${own}/score`])
  const file = join(caches, own, "score")
  expect(readKept(file)?.toString()).toBe("compiled")
  writeFileSync(file, readFileSync(file).subarray(0, 8))
  expect(readKept(file)).toBeUndefined()
  expect(readKept(join(caches, own, "status"))).toBeUndefined()
})

it("deletes what other bundles and Nodes kept, and what was left half written, a day after it was written", () => {
  const { caches, list, write } = makeCaches()
  for (const name of ["score", "archive-list", "status.4711"]) {
    write(`${older}/${name}`, 25)
    write(`${otherNode}/${name}`, name === "score" ? 23 : 25)
  }
  write(`${own}/archive-list`, 25)
  write(`${own}/score.4711`, 25)
  write(`${own}/score.4712`, 23)
  keep(caches, own, "score", Buffer.from("compiled"))
  expect(list()).toEqual([
    `${own}/archive-list`,
    `${own}/score`,
    `${own}/score.4712`,
    `${otherNode}/score`
  ].toSorted())
  expect(existsSync(join(caches, older))).toBe(false)
})

it("deletes nothing that it has not made, and follows no link", () => {
  const { caches, write } = makeCaches()
  const kept = [
    // Node's own
    "v24.21.0-x64-bf10fd3b-1000/score",
    "quick-notes/score",
    `${older}.bak/score`,
    "score",
    `${older}/Notes.txt`,
    `${older}/score/status`,
    "elsewhere/score"
  ]
  for (const path of kept) write(path, 1_000)
  symlinkSync(join(caches, "elsewhere"), join(caches, otherNode))
  symlinkSync(join(caches, "elsewhere/score"), join(caches, older, "status"))
  lutimesSync(join(caches, older, "status"), 0, 0)
  keep(caches, own, "score", Buffer.from("compiled"))
  for (const path of [...kept, `${older}/status`, `${otherNode}/score`, `${own}/score`]) {
    expect(existsSync(join(caches, path)), path).toBe(true)
  }
})

it("a folder that cannot be written is no error", () => {
  const { caches, list } = makeCaches()
  keep(join(caches, "missing"), own, "score", Buffer.from("compiled"))
  expect(list()).toEqual([])
})
