// Only in `npm run test:all`: packs and installs the packages, some 60 seconds
/** The packages as people install them: from tarballs into an empty folder, without the checkout. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkTypes, diskMegabytes, installInto, packPackages, runIn } from "../support/packed.ts"

/** Folders with a `node` each: further Nodes to run on, beside the one of this run. */
const otherNodes = (process.env["SOV_TEST_NODES"] ?? "").split(":").filter((folder) => folder !== "")
const nodes = [dirname(process.execPath), ...otherNodes]

let root: string
let app: string
let tarballs: Awaited<ReturnType<typeof packPackages>>
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "sov-installed-"))
  app = join(root, "app")
  tarballs = await packPackages()
  const { code, stderr } = await installInto(app, Object.values(tarballs))
  expect({ code, stderr }).toMatchObject({ code: 0 })
}, 300_000)
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

/** Every entry that a published package names. */
const entries = (name: string): ReadonlyArray<string> => {
  const manifest = JSON.parse(readFileSync(join(app, "node_modules", name, "package.json"), "utf8")) as {
    readonly exports?: Readonly<Record<string, unknown>>
  }
  return Object.keys(manifest.exports ?? {}).map((entry) => `${name}${entry.slice(1)}`)
}
const modules = (): ReadonlyArray<string> =>
  ["@sov/core", "@sov/http", "@sov/mcp"].flatMap(entries).filter((entry) => !entry.endsWith("package.json"))

it("holds what a package needs, and nothing of its tests", () => {
  for (const name of ["core", "http", "mcp", "cli"]) {
    const folder = join(app, "node_modules/@sov", name)
    for (const file of ["LICENSE", "README.md", "package.json", "dist", "src"]) {
      expect(existsSync(join(folder, file)), `${name}/${file}`).toBe(true)
    }
    const { publishConfig, repository, scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    expect({ publishConfig, scripts }).toEqual({ publishConfig: { access: "public", provenance: true } })
    expect(repository.directory).toBe(`packages/${name}`)
    expect(globSync("**/*.{test,bench}.ts", { cwd: folder })).toEqual([])
  }
  const installed = globSync("{*,@*/*}/package.json", { cwd: join(app, "node_modules") }).map(dirname)
  expect(installed.filter((name) => /vitest|playwright|typescript|ajv|node-linux|redis/.test(name))).toEqual([])
  expect(diskMegabytes(join(app, "node_modules"))).toBeLessThanOrEqual(150)
})

it("maps declarations to the sources that come along", () => {
  const dist = join(app, "node_modules/@sov/core/dist")
  const maps = globSync("**/*.d.ts.map", { cwd: dist })
  expect(maps.length).toBeGreaterThan(400)
  for (const map of maps) {
    const { sources } = JSON.parse(readFileSync(join(dist, map), "utf8")) as { readonly sources: ReadonlyArray<string> }
    expect(existsSync(join(dist, dirname(map), sources[0]!)), map).toBe(true)
  }
})

describe.each(nodes)("on %s", (node) => {
  const onNode = { PATH: `${node}:/usr/local/bin:/usr/bin:/bin` }

  it("imports every entry", async ({ skip }) => {
    const version = await runIn(app, join(node, "node"), ["--version"])
    // Below 22.19 only the command runs, on a Node that npm brings
    if (/^v(?:[01]?\d|2[01])\./.test(version.stdout)) skip()
    const script = `for (const name of ${JSON.stringify(modules())}) {
      const { default: _, ...named } = await import(name)
      if (Object.keys(named).length === 0) throw new Error(name + " exports nothing")
    }`
    const { code, stderr } = await runIn(app, join(node, "node"), ["--input-type=module", "--eval", script], onNode)
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(modules().length).toBeGreaterThan(12)
  })

  it("shows a number, and hints that work there", async () => {
    const demo = join(root, `demo ${nodes.indexOf(node)}`)
    const { code, stderr, stdout } = await runIn(
      app,
      "npx",
      ["sov", "demo", "--data-dir", demo, "--weeks", "2"],
      onNode
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout).toMatch(/^Brumella: share of voice \d+ %/m)
    expect(stdout).toContain("npx sov score --data-dir")
    const other = await runIn(app, "npx", ["sov", "score", "--data-dir", join(root, "nothing")], onNode)
    expect(other.code).toBe(3)
    expect(other.stderr).toContain("hint: `npx sov init` makes one here")
  })
})

it.each(["nodenext", "bundler"] as const)("has types for %s that a strict program can use", async (resolution) => {
  writeFileSync(
    join(app, "use.ts"),
    `${modules().map((name, i) => `import * as m${i} from "${name}"`).join("\n")}
import { readCurrentScore, type Score } from "@sov/core"
import { openSov } from "@sov/core/promise"
import * as Sov from "@sov/core/sov"
import { Effect } from "effect"
${modules().map((_, i) => `void m${i}`).join("\n")}
// Not any: each of these lines must fail where the types are lost
// @ts-expect-error -- a number is no directory
void openSov({ dataDir: 1 })
// @ts-expect-error -- neither directory nor server
void openSov({})
// @ts-expect-error -- a score has numbers
export const wrong: Score = { avgSov: "50" }
export const program = Effect.provide(readCurrentScore("x" as never), Sov.layerEmbedded({ dataDir: ".sov" }))
export const complete: Effect.Effect<unknown, unknown, never> = program
`
  )
  const { code, stdout } = await checkTypes(app, resolution, ["use.ts"])
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
})

describe("an app with its own effect", () => {
  const { version } = JSON.parse(
    readFileSync(new URL("../../node_modules/effect/package.json", import.meta.url), "utf8")
  ) as { readonly version: string }
  const program = `
    import * as Sov from "@sov/core/sov"
    import { listOrganizations } from "@sov/core"
    import { Effect } from "effect"
    const found = await Effect.runPromise(listOrganizations().pipe(Effect.provide(Sov.layerEmbedded({ dataDir: process.argv[1] }))))
    console.log(JSON.stringify(found))`
  const runProgram = (folder: string) =>
    runIn(folder, process.execPath, ["--input-type=module", "--eval", program, "--", join(folder, "data")])

  it("shares it where the version fits", async () => {
    const folder = join(root, "same")
    const { code } = await installInto(folder, [tarballs.core], { dependencies: { effect: version } })
    expect(code).toBe(0)
    expect(globSync("node_modules/**/effect/package.json", { cwd: folder })).toEqual([
      "node_modules/effect/package.json"
    ])
    expect(await runProgram(folder)).toMatchObject({ code: 0, stdout: "[]\n" })
  })

  it("is refused by npm where it does not, and by sov where npm was told to look away", async () => {
    const folder = join(root, "other")
    const manifest = { dependencies: { effect: "4.0.5" } }
    const refused = await installInto(folder, [tarballs.core], manifest)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/ERESOLVE[\s\S]*peer effect@"\^4\.1\.0" from @sov\/core/)

    expect((await installInto(folder, [tarballs.core], manifest, ["--legacy-peer-deps"])).code).toBe(0)
    const nested = join(folder, "node_modules/@sov/core/node_modules")
    expect((await installInto(nested, [`effect@${version}`])).code).toBe(0)
    rmSync(join(nested, "package.json"))
    const { code, stderr } = await runProgram(folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /TwoCopiesOfEffect: Two copies of "effect" are loaded: @sov\/core has file:\/\/[^\n]+npm ls effect/
    )
  })
})
