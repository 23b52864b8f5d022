/**
 * `npm run check:api [REF]` fails if docs/openapi.json breaks clients: it compares the document with that of a commit,
 * by default the newest tag, or main if no tag exists.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const run = (command: string, ...args: ReadonlyArray<string>) =>
  spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })

const tag = run("git", "describe", "--tags", "--abbrev=0")
const base = process.argv[2] ?? (tag.status === 0 ? tag.stdout.trim() : "main")
const before = run("git", "show", `${base}:docs/openapi.json`)
if (before.status !== 0) {
  process.stderr.write(`${base} has no docs/openapi.json to compare with: ${before.stderr}`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), "sov-api-"))
try {
  const file = join(folder, `openapi of ${base.replaceAll("/", "-")}.json`)
  writeFileSync(file, before.stdout)
  const redocly = fileURLToPath(new URL("./node_modules/.bin/redocly", import.meta.url))
  const { status, stderr, stdout } = run(redocly, "diff", file, "docs/openapi.json")
  process.stdout.write(`${stdout}${stderr}`)
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
