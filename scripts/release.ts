/**
 * Makes a release of the current commit: sets the version in all workspaces, in the examples and in the commands of
 * docs/deploy.md, adds a section to the changelog, saves a database of this version for later upgrade tests, runs
 * checks and tests, builds the packages, commits and tags. Publishes and pushes nothing: pushing the tag publishes
 * (.github/workflows/release.yml). If a step fails, the checkout is restored.
 *
 *     npm run release -- minor            major | minor | patch | X.Y.Z
 *     npm run release -- minor --dry-run  prints what would happen, and changes nothing
 */
import { execFileSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { changelogSection, nextVersion, releaseChangelog, setPageVersions, setVersion } from "./releaseFiles.ts"

const root = process.cwd()
const run = (command: string, ...args: ReadonlyArray<string>): void => {
  console.log(`\n== ${[command, ...args].join(" ")}`)
  execFileSync(command, args, { cwd: root, stdio: "inherit" })
}
const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
const fail = (message: string): never => {
  console.error(`release: ${message}`)
  process.exit(1)
}
const read = (file: string): string => readFileSync(join(root, file), "utf8")

const [bump, ...flags] = process.argv.slice(2)
const dryRun = flags.includes("--dry-run")
if (bump === undefined || flags.some((flag) => flag !== "--dry-run")) {
  fail("npm run release -- major|minor|patch|X.Y.Z [--dry-run]")
}
const removeAll = (pattern: string): void => {
  for (const file of globSync(pattern, { cwd: root })) rmSync(join(root, file))
}
/**
 * Removes the files that an interrupted pack kept. git ignores them, so `git status` does not show them and `git reset`
 * does not remove them.
 */
const removeKeptManifests = (): void => removeAll("packages/*/package.json.orig")
const manifests = [
  "package.json",
  ...globSync("{packages,examples}/*/package.json", { cwd: root }),
  "test/package.json",
  "packages/cli/server.json",
  "package-lock.json"
]
/** Pages with commands that install a specific version. */
const pages = ["docs/deploy.md"]
const { version: current } = JSON.parse(read("package.json")) as { readonly version: string }
const version = nextVersion(current, bump!) ?? fail(`${bump} is no version after ${current}`)
const tag = `v${version}`

if (git("status", "--porcelain") !== "") fail("the checkout has changes: commit them first")
if (git("tag", "--list", tag) !== "") fail(`the tag ${tag} exists already`)
const changelog = read("CHANGELOG.md")
const notes = changelogSection(changelog, "Unreleased")
if (notes === "") fail("CHANGELOG.md has nothing under [Unreleased]: say what is new")

const day = new Date().toISOString().slice(0, 10)
console.log(`${current} → ${version}, ${day}, tag ${tag}\n\n${notes}`)
if (dryRun) {
  console.log(
    `\nDry run: nothing was changed. Would write ${[...manifests, ...pages, "CHANGELOG.md"].join(", ")}`
  )
  process.exit(0)
}

const head = git("rev-parse", "HEAD")
try {
  removeKeptManifests()
  for (const file of manifests) writeFileSync(join(root, file), setVersion(read(file), current, version))
  for (const file of pages) writeFileSync(join(root, file), setPageVersions(read(file), current, version))
  writeFileSync(join(root, "CHANGELOG.md"), releaseChangelog(changelog, version, day))
  run("npm", "run", "docs")
  run("npm", "run", "release:database", "--", version)
  run("npm", "run", "check")
  run("npm", "test")
  mkdirSync(join(root, "dist"), { recursive: true })
  // Tarballs of an earlier release would be published as part of this one
  removeAll("dist/*.tgz")
  const packages = ["core", "http", "mcp", "cli"].map((name) => `--workspace=packages/${name}`)
  run("npm", "pack", ...packages, "--pack-destination", "dist")
  run("npm", "run", "release:packages")
  git("add", "--all")
  git("commit", "--quiet", "--message", `Release ${version}`)
  git("tag", "--annotate", tag, "--message", `sov ${version}\n\n${notes}`)
} catch (error) {
  // If only the tag failed, the commit exists already
  git("reset", "--quiet", "--hard", head)
  removeKeptManifests()
  git("clean", "--quiet", "--force", "test/fixtures/databases")
  fail(`stopped, and the checkout is as it was: ${(error as Error).message.split("\n")[0]}`)
}
console.log(`\n${tag} is made, and its packages are in dist/. To publish it: git push --follow-tags`)
