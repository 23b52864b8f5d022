// Only in `npm run test:all`: packs the packages and installs them
/**
 * The packages as people install them: from tarballs into an empty folder, without the checkout. `SOV_TEST_NODES`
 * contains folders with other versions of `node` to test as well.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import {
  checkTypes,
  cloneCheckout,
  diskMebibytes,
  installInto,
  type PackageName,
  packPackages,
  runIn
} from "../support/packed.ts"
import { startRegistrySink } from "../support/registrySink.ts"
import { runReleaseJob } from "../support/releaseJob.ts"
import { describeExamples, exampleDependencies, examples } from "./exampleCases.ts"

// npm may have to download packages
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const checkPackages = fileURLToPath(new URL("../devtools/packages/check.ts", import.meta.url))

const otherNodes = (process.env["SOV_TEST_NODES"] ?? "").split(":").filter((folder) => folder !== "")
const isLong = process.env["SOV_LONG_TESTS"] !== undefined
/** Tests of npm's behaviour, which changes of the sources seldom break. CI runs them with several versions of Node. */
const itLong = it.skipIf(!isLong)
const nodes = [dirname(process.execPath), ...otherNodes]

const { version: effect } = JSON.parse(
  readFileSync(new URL("../../node_modules/effect/package.json", import.meta.url), "utf8")
) as { readonly version: string }

/** With Node below 22.19 only the command runs, using a Node that npm installs. */
const isTooOld = (node: string): boolean =>
  /^v(?:1?\d|2[01])\./.test(execFileSync(join(node, "node"), ["--version"], { encoding: "utf8" }))

let root: string
let app: string
/** A folder in which only the command is installed. */
let command: string
let tarballs: Awaited<ReturnType<typeof packPackages>>
let mebibytes: number
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "sov-installed-"))
  app = join(root, "app")
  command = join(root, "command")
  tarballs = await packPackages()
  // An app with its own version of effect, which is compatible
  const installed = await installInto(app, Object.values(tarballs), { dependencies: { effect } })
  expect(installed).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/EBADENGINE|ERESOLVE|deprecated/) })
  // The command has its own limit, because it shares only PGlite with the others
  mebibytes = diskMebibytes(join(app, "node_modules")) - diskMebibytes(join(app, "node_modules/@sov/cli"))
  expect(await installInto(command, [tarballs.cli])).toMatchObject({
    code: 0,
    stderr: expect.not.stringMatching(/EBADENGINE|ERESOLVE|deprecated/)
  })
  const more = await runIn(app, "npm", ["install", "--no-audit", "--no-fund", ...exampleDependencies()])
  expect(more).toMatchObject({ code: 0 })
  cpSync(examples, join(app, "examples"), { recursive: true })
})
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

/** All modules that a published package exports. */
const modules = (): ReadonlyArray<string> =>
  ["@sov/core", "@sov/http", "@sov/mcp"].flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(app, "node_modules", name, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, unknown>>
    }
    return Object.keys(manifest.exports).filter((entry) => entry !== "./package.json").map((entry) =>
      `${name}${entry.slice(1)}`
    )
  })

it("each package contains only the files that it needs; without the command they take 150 MiB on disk", () => {
  for (const name of ["core", "http", "mcp", "cli"]) {
    const folder = join(app, "node_modules/@sov", name)
    // Declaration maps refer to the sources; the command has no declarations
    for (const file of ["LICENSE", "README.md", "package.json", "dist", ...name === "cli" ? [] : ["src"]]) {
      expect(existsSync(join(folder, file)), `${name}/${file}`).toBe(true)
    }
    const { publishConfig, repository, scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    expect({ publishConfig, scripts }).toEqual({ publishConfig: { access: "public", provenance: true } })
    expect(repository.directory).toBe(`packages/${name}`)
    expect(globSync("**/*.{test,bench}.ts", { cwd: folder })).toEqual([])
  }
  const installed = globSync("{*,@*/*}/package.json", { cwd: join(app, "node_modules") }).map(dirname)
  expect(installed.filter((name) => /vitest|playwright|typescript|ajv|node-linux|redis|libphonenumber/.test(name)))
    .toEqual([])
  expect(mebibytes).toBeLessThanOrEqual(150)
})

it("the command takes 45 MiB on disk and bundles everything except PGlite, with the licences of bundled packages", () => {
  const modules = join(command, "node_modules")
  expect(globSync("{*,@*/*}/package.json", { cwd: modules }).map(dirname).toSorted()).toEqual([
    "@electric-sql/pglite",
    "@sov/cli"
  ])
  expect(diskMebibytes(modules)).toBeLessThanOrEqual(45)
  const notices = readFileSync(join(modules, "@sov/cli/dist/THIRD-PARTY-NOTICES.txt"), "utf8")
  for (const name of ["effect", "@modelcontextprotocol/server", "commander", "nodemailer", "pkijs"]) {
    expect(notices).toMatch(new RegExp(`^${name}@[\\d.]+ \\([\\w.-]+\\)\\n\\n[\\s\\S]{300,}?^-+$`, "m"))
  }
})

it("declarations map to the sources in their package", () => {
  const dist = join(app, "node_modules/@sov/core/dist")
  const maps = globSync("**/*.d.ts.map", { cwd: dist })
  expect(maps.length).toBeGreaterThan(400)
  for (const map of maps) {
    const { sources } = JSON.parse(readFileSync(join(dist, map), "utf8")) as { readonly sources: ReadonlyArray<string> }
    expect(existsSync(join(dist, dirname(map), sources[0]!)), map).toBe(true)
  }
})

it("one file of the package can verify webhooks in a folder without any package", async () => {
  const alone = mkdtempSync(join(root, "alone-"))
  cpSync(join(app, "node_modules/@sov/core/dist/webhook.js"), join(alone, "webhook.js"))
  const script = `import { signBody, verifySignature } from "./webhook.js"
    console.log(verifySignature("body", signBody("body", "whsec_x"), "whsec_x"), verifySignature("body", "0", "whsec_x"))`
  const ran = await runIn(alone, process.execPath, ["--input-type=module", "--eval", script])
  expect(ran).toEqual({ code: 0, stdout: "true false\n", stderr: "" })
})

// Needs `npm ci` in test/devtools/packages, which CI runs
it.skipIf(!existsSync(join(checkPackages, "../node_modules")))(
  "each package passes publint and Are The Types Wrong",
  async () => {
    const checked = await runIn(app, process.execPath, [checkPackages, ...Object.values(tarballs)])
    expect(checked).toMatchObject({ code: 0 })
    expect(checked.stdout.match(/All good!/g)).toHaveLength(4)
    expect(checked.stdout.match(/^(?:node16 \(from ESM\)|bundler): OK/gm)!.length).toBeGreaterThanOrEqual(
      2 * modules().length
    )
  }
)

itLong("the published package.json is the one in the tarball", async () => {
  const registry = await startRegistrySink()
  onTestFinished(registry.stop)
  const checkout = join(root, "checkout")
  cloneCheckout(checkout)
  writeFileSync(join(checkout, ".npmrc"), `${registry.url.replace("http:", "")}:_authToken=x\n`)
  // The tarballs are packed already, and provenance needs GitHub
  const npm = `case $1 in
    ci) ;;
    pack) cp ${Object.values(tarballs).map((file) => `'${file}'`).join(" ")} dist/ ;;
    *) PATH='${process.env["PATH"]}' exec npm "$@" --provenance=false --registry=${registry.url} ;;
  esac`
  await runReleaseJob(checkout, npm, /-([\d.]+)\.tgz$/.exec(tarballs.core)![1]!)

  expect([...registry.published.keys()]).toEqual(["@sov/core", "@sov/http", "@sov/mcp", "@sov/cli"])
  for (const [name, { metadata, tarball }] of registry.published) {
    expect(tarball.equals(readFileSync(tarballs[name.slice("@sov/".length) as PackageName])), name).toBe(true)
    // npm normalizes this address
    const { bugs, ...manifest } = JSON.parse(readFileSync(join(app, "node_modules", name, "package.json"), "utf8"))
    expect(metadata, name).toMatchObject({ ...manifest, bugs: { url: bugs } })
    const own = Object.keys(metadata).filter((member) => /dependencies$|^scripts$|^exports$|^bin$/i.test(member))
    expect(own.toSorted(), name).toEqual(Object.keys(manifest).filter((member) => own.includes(member)).toSorted())
  }
})

describe.each(nodes)("on %s", (node) => {
  const onNode = { PATH: `${node}:/usr/local/bin:/usr/bin:/bin` }

  it("every entry point can be imported", async ({ skip }) => {
    if (isTooOld(node)) skip()
    const script = `for (const name of ${JSON.stringify(modules())}) {
      const { default: _, ...named } = await import(name)
      if (Object.keys(named).length === 0) throw new Error(name + " exports nothing")
    }`
    const ran = await runIn(app, join(node, "node"), ["--input-type=module", "--eval", script], onNode)
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(modules().length).toBeGreaterThan(12)
  })

  it("the command prints a number, and its hints work in the installed package", async () => {
    const demo = join(root, `demo ${nodes.indexOf(node)}`)
    const shown = await runIn(command, "npx", ["sov", "demo", "--data-dir", demo, "--weeks", "2"], onNode)
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.stdout).toMatch(/^Brumella: share of voice \d+ %/m)
    expect(shown.stderr).toContain("npx sov score --data-dir")
    const other = await runIn(command, "npx", ["sov", "score", "--data-dir", join(root, "nothing")], onNode)
    expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining("hint: `npx sov init` makes one here") })
    const doctor = await runIn(command, "npx", ["sov", "doctor", "--data-dir", join(root, "nothing")], onNode)
    expect(doctor.stdout).toContain("fix: `npx sov init`")
  })
})

// A bundler resolves what Node does, and more
it.each(isLong ? ["nodenext", "bundler"] as const : ["nodenext"] as const)(
  "a strict program can use the types for %s: every call of the operator, the examples",
  async (resolution) => {
    writeFileSync(
      join(app, "use.ts"),
      `${modules().map((name, i) => `import * as m${i} from "${name}"`).join("\n")}
import { readCurrentScore, type Score } from "@sov/core"
import * as Sov from "@sov/core/sov"
import { Effect } from "effect"
${modules().map((_, i) => `void m${i}`).join("\n")}
// The types must not be lost: this must fail to compile
// @ts-expect-error -- a score has numbers
export const wrong: Score = { avgSov: "50" }
export const program = Effect.provide(readCurrentScore("x" as never), Sov.layerEmbedded({ dataDir: ".sov" }))
export const complete: Effect.Effect<unknown, unknown, never> = program
`
    )
    cpSync(new URL("everyCall.test-d.ts", import.meta.url), join(app, "everyCall.ts"))
    const programs = globSync("examples/**/*.ts", { cwd: app })
    expect(programs.map((file) => basename(file)).toSorted()).toEqual(
      ["express.ts", "hono.ts", "main.ts", "main.ts", "nightly.ts", "receive.ts"]
    )
    const checked = await checkTypes(app, resolution, ["use.ts", "everyCall.ts", ...programs])
    expect(checked).toEqual({ code: 0, stdout: "", stderr: "" })
  }
)

describe.each(nodes.filter((node) => !isTooOld(node)))(
  "the examples on %s:",
  (node) => describeExamples(() => app, join(node, "node"), `data ${nodes.indexOf(node)}`)
)

describe("an app with its own effect", () => {
  const program = `
    import * as Sov from "@sov/core/sov"
    import { listOrganizations } from "@sov/core"
    import { Effect } from "effect"
    const found = await Effect.runPromise(listOrganizations().pipe(Effect.provide(Sov.layerEmbedded({ dataDir: process.argv[1] }))))
    console.log(JSON.stringify(found))`
  const runProgram = () =>
    runIn(app, process.execPath, ["--input-type=module", "--eval", program, "--", join(root, "own data")])

  it("the app shares its copy of effect if the version is compatible", async () => {
    const copies = globSync("node_modules/**/effect/package.json", { cwd: app })
    expect(copies).toEqual(["node_modules/effect/package.json"])
    expect(await runProgram()).toEqual({ code: 0, stdout: "[]\n", stderr: "" })
  })

  itLong("npm refuses an incompatible version of effect", async () => {
    const manifest = { dependencies: { effect: "4.0.5" } }
    const refused = await installInto(join(root, "other"), [tarballs.core], manifest, ["--package-lock-only"])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/ERESOLVE[\s\S]*peer effect@"\^4\.1\.0" from @sov\/core/)
  })

  it("sov reports if two copies of effect are installed", async () => {
    const second = join(app, "node_modules/@sov/core/node_modules")
    onTestFinished(() => rmSync(second, { recursive: true }))
    cpSync(join(app, "node_modules/effect"), join(second, "effect"), { recursive: true })
    const { code, stderr } = await runProgram()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /TwoCopiesOfEffect: Two copies of "effect" are loaded: @sov\/core has file:\/\/[^\n]+npm ls effect/
    )
  })

  // Runs last, because it replaces the effect of the app
  itLong("the app shares a later version of effect", async () => {
    const later = join(root, "later")
    const manifest = JSON.parse(readFileSync(join(app, "node_modules/effect/package.json"), "utf8"))
    const [major, minor, patch] = manifest.version.split(".").map(Number)
    const version = `${major}.${minor}.${patch + 1}`
    // Copies only what runs, without types and maps
    cpSync(join(app, "node_modules/effect"), later, {
      recursive: true,
      filter: (path) => !/\/src$|\.map$|\.d\.ts$/.test(path)
    })
    writeFileSync(join(later, "package.json"), JSON.stringify({ ...manifest, version }))
    expect(await runIn(root, "npm", ["pack", "--silent", "--ignore-scripts", later])).toMatchObject({ code: 0 })
    const tarball = join(root, `effect-${version}.tgz`)
    const installed = await runIn(app, "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball])
    expect(installed).toMatchObject({ code: 0 })

    const copies = globSync("node_modules/**/effect/package.json", { cwd: app })
    expect(copies.map((file) => JSON.parse(readFileSync(join(app, file), "utf8")).version)).toEqual([version])
    expect(await runProgram()).toEqual({ code: 0, stdout: "[]\n", stderr: "" })
  })
})
