/** Finds circular imports. The linter finds circles of static imports; this test also follows `import()`. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root, writeFiles } from "./plantedTree.ts"

/**
 * Matches `from "./x.ts"`, `import "./x.ts"` and `import("./x.ts")`, also for types. Imports of other packages cannot
 * form a circle.
 */
const imported = /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g

/** The relative imports of each source file below `tree`, as paths relative to it. */
const readImports = (tree: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    globSync("packages/*/src/**/*.ts", { cwd: tree }).map((file) => [
      file,
      [...readFileSync(join(tree, file), "utf8").matchAll(imported)].map(([, path = ""]) => join(file, "..", path))
    ])
  )

/** Files in a circle of imports, and files between two circles. */
const findCircles = (tree: string): ReadonlyArray<string> => {
  const imports = readImports(tree)
  let files = [...imports.keys()]
  // Drops the files that import none of the others or are imported by none, until all files are in circles
  for (let before = Infinity; files.length < before;) {
    before = files.length
    const rest = new Set(files)
    const targets = new Set(files.flatMap((file) => imports.get(file) ?? []))
    files = files.filter((file) => targets.has(file) && imports.get(file)?.some((path) => rest.has(path)))
  }
  return files.toSorted()
}

it("no source file imports itself through other files", () => {
  expect([...readImports(root).values()].flat().length).toBeGreaterThan(3000)
  expect(findCircles(root)).toEqual([])
})

it("the test finds circular static imports, type imports and import() calls", () => {
  const tree = writeFiles({
    "packages/core/src/a.ts": "import { b } from \"./deep/b.ts\"\nexport const a = () => b\n",
    "packages/core/src/deep/b.ts": "export const b = () => import(\"../c.ts\")\n",
    "packages/core/src/c.ts": "export * from \"./a.ts\"\nimport \"./leaf.ts\"\n",
    "packages/core/src/leaf.ts": "export const leaf = 1\n",
    "packages/core/src/top.ts": "export { a } from \"./a.ts\"\n",
    "packages/cli/src/x.ts": "export type X = import(\"./y.ts\").Y\n",
    "packages/cli/src/y.ts": "import type {\n  X\n} from \"./x.ts\"\nexport type Y = X\n"
  })
  expect(findCircles(tree)).toEqual([
    "packages/cli/src/x.ts",
    "packages/cli/src/y.ts",
    "packages/core/src/a.ts",
    "packages/core/src/c.ts",
    "packages/core/src/deep/b.ts"
  ])
})
