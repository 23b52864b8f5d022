/** Runs the linter on a temporary tree with given sources, laid out and configured like this repository. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { afterAll, expect } from "vitest"

export const root = path.resolve(import.meta.dirname, "../..")

interface Finding {
  readonly rule: string
  readonly file: string
  readonly message: string
}

const trees: Array<string> = []
afterAll(() => {
  for (const tree of trees) fs.rmSync(tree, { recursive: true, force: true })
})

/** Writes these files into a tree laid out and configured like this repository. */
export const writeFiles = (files: Record<string, string>): string => {
  // The real path, because on some systems the temporary directory is a link, and rooms are found relative to the cwd.
  const tree = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "sov-rooms-")))
  trees.push(tree)
  for (
    const name of [
      ".oxlintrc.json",
      "tsconfig.json",
      "package.json",
      "packages/core/package.json",
      "test/boundaries/bounds.js",
      "test/boundaries/rooms.js",
      "test/boundaries/wording.js"
    ]
  ) {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true })
    fs.copyFileSync(path.join(root, name), path.join(tree, name))
  }
  fs.symlinkSync(path.join(root, "node_modules"), path.join(tree, "node_modules"))
  for (const [name, code] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true })
    fs.writeFileSync(path.join(tree, name), code)
  }
  return tree
}

export const lint = (files: Record<string, string>): ReadonlyArray<Finding> => {
  const oxlint = path.join(root, "node_modules/oxlint/bin/oxlint")
  const arguments_ = [oxlint, "--format", "json", "packages", "test", "examples"]
  const run = spawnSync(process.execPath, arguments_, { cwd: writeFiles(files), encoding: "utf8" })
  const { diagnostics }: { diagnostics: ReadonlyArray<{ code: string; message: string; filename: string }> } = JSON
    .parse(run.stdout)
  const findings = diagnostics.map(({ code, filename, message }) => ({ rule: code, file: filename, message }))
  expect(run.status, run.stderr).toBe(findings.length === 0 ? 0 : 1)
  return findings
}

export const core = "packages/core/src"
