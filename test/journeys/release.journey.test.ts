/**
 * `npm run release`, in a clone with empty checks: versions, changelog, packages, commit and tag, or nothing at all.
 */
// Only in `npm run test:all`: clones the repository and packs it
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, vi } from "vitest"
import { workspace } from "../support/sov.ts"

vi.setConfig({ testTimeout: 600_000 })

const root = fileURLToPath(new URL("../../", import.meta.url))

describe("in a clone", () => {
  const clone = () => {
    const cwd = join(workspace(), "sov")
    const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim()
    execFileSync("git", ["clone", "--quiet", "--no-tags", "--depth", "1", `file://${root}`, cwd])
    git("config", "user.name", "test")
    git("config", "user.email", "test@localhost")
    symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"))
    const edit = (file: string, change: (manifest: { scripts: Record<string, string> }) => void) => {
      const manifest = JSON.parse(readFileSync(join(cwd, file), "utf8")) as { scripts: Record<string, string> }
      change(manifest)
      writeFileSync(join(cwd, file), `${JSON.stringify(manifest, undefined, 2)}\n`)
    }
    // What takes minutes is shown by itself
    edit("package.json", ({ scripts }) => {
      for (const name of ["docs", "check", "test", "release:database", "release:packages"]) {
        scripts[name] = `echo ran ${name}`
      }
    })
    for (const file of globSync("packages/*/package.json", { cwd })) {
      edit(file, ({ scripts }) => {
        delete scripts["prepack"]
        delete scripts["postpack"]
      })
    }
    writeFileSync(join(cwd, ".git/info/exclude"), "node_modules\n")
    // Right after a release nothing stands there
    const changelog = readFileSync(join(cwd, "CHANGELOG.md"), "utf8")
    writeFileSync(join(cwd, "CHANGELOG.md"), changelog.replace("## [Unreleased]\n", "$&\n- Something.\n"))
    git("commit", "--quiet", "--all", "--message", "Checks that are quick")
    const release = (...args: ReadonlyArray<string>) => {
      const ran = spawnSync(process.execPath, ["scripts/release.ts", ...args], { cwd, encoding: "utf8" })
      return { code: ran.status, said: `${ran.stdout}${ran.stderr}` }
    }
    return {
      cwd,
      git,
      edit,
      release,
      version: (file: string) => (JSON.parse(readFileSync(join(cwd, file), "utf8")) as { version: string }).version
    }
  }

  it("a dry run, a refusal and a failing check change nothing, and then the release is complete", () => {
    const { cwd, edit, git, release, version } = clone()
    const head = git("rev-parse", "HEAD")
    const current = version("package.json")
    const [major = 0, minor = 0, patch = 0] = current.split(".").map(Number)
    const next = `${major}.${minor + 1}.0`
    const unchanged = () => {
      expect(git("rev-parse", "HEAD")).toBe(head)
      expect(git("status", "--porcelain")).toBe("")
      expect(git("tag")).toBe("")
    }
    expect(release("minor", "--dry-run")).toMatchObject({
      code: 0,
      said: expect.stringContaining(`${current} → ${next}`)
    })
    unchanged()
    expect(release("major", "--dry-run").said).toContain(`${current} → ${major + 1}.0.0`)
    expect(release("patch", "--dry-run").said).toContain(`${current} → ${major}.${minor}.${patch + 1}`)
    for (const bump of ["0.0.1", current, "next"]) {
      expect(release(bump)).toMatchObject({ code: 1, said: expect.stringContaining(`no version after ${current}`) })
    }
    unchanged()
    writeFileSync(join(cwd, "note.txt"), "x")
    expect(release("minor")).toMatchObject({ code: 1, said: expect.stringContaining("commit them first") })
    execFileSync("rm", [join(cwd, "note.txt")])
    unchanged()

    edit("package.json", ({ scripts }) => scripts["test"] = "exit 1")
    git("commit", "--quiet", "--all", "--message", "A test that fails")
    const failing = git("rev-parse", "HEAD")
    expect(release("minor")).toMatchObject({ code: 1, said: expect.stringContaining("the checkout is as it was") })
    expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual([failing, "", ""])
    git("reset", "--quiet", "--hard", head)

    // git ignores what an interrupted pack has kept
    const kept = join(cwd, "packages/core/package.json.orig")
    writeFileSync(kept, "{}")
    git("config", "tag.gpgSign", "true")
    git("config", "gpg.program", "false")
    expect(release("minor")).toMatchObject({ code: 1, said: expect.stringContaining("the checkout is as it was") })
    unchanged()
    expect(existsSync(kept)).toBe(false)
    git("config", "tag.gpgSign", "false")
    writeFileSync(join(cwd, "dist/sov-core-0.0.9.tgz"), "")

    const { code, said } = release("minor")
    expect(code, said).toBe(0)
    for (const step of ["docs", "release:database", "check", "test", "release:packages"]) {
      expect(said).toContain(`ran ${step}`)
    }
    expect(existsSync(join(cwd, "dist/sov-core-0.0.9.tgz"))).toBe(false)
    for (const file of ["package.json", ...globSync("packages/*/package.json", { cwd })]) {
      expect(version(file), file).toBe(next)
    }
    const manifests = [
      "package.json",
      "package-lock.json",
      "test/package.json",
      ...globSync("{packages,examples}/*/package.json", { cwd })
    ]
    for (const file of manifests) {
      const asked = readFileSync(join(cwd, file), "utf8").match(/"@sov\/\w+": "[^"]*\d"/g) ?? []
      expect(asked.filter((dependency) => !dependency.endsWith(`${next}"`)), file).toEqual([])
    }
    const page = readFileSync(join(cwd, "docs/deploy.md"), "utf8")
    expect(page).toContain(`--branch v${next} https`)
    expect(page).toContain(`before-${major}.${minor + 2}.0.ndjson.gz`)
    expect(page).not.toContain(`v${current}`)
    const today = new Date().toISOString().slice(0, 10)
    expect(readFileSync(join(cwd, "CHANGELOG.md"), "utf8")).toContain(`## [Unreleased]\n\n## [${next}] - ${today}\n`)
    for (const name of ["cli", "core", "http", "mcp"]) {
      expect(existsSync(join(cwd, `dist/sov-${name}-${next}.tgz`))).toBe(true)
    }
    expect(git("describe", "--exact-match")).toBe(`v${next}`)
    expect(git("status", "--porcelain")).toBe("")
    expect(release("patch", "--dry-run")).toMatchObject({
      code: 1,
      said: expect.stringContaining("nothing under [Unreleased]")
    })
  })
})
