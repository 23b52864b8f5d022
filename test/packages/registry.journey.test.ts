// Only with SOV_LONG_TESTS: installs a registry program, makes a release and installs both versions by name
/**
 * A release as a user gets it: the packages of two versions, packed from one checkout, are published to a registry on
 * loopback, installed from it by name, started by `npx`, replaced and removed. The registry contains only these
 * packages; their dependencies come from npm's usual registry.
 */
import { execFileSync, spawn } from "node:child_process"
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { readPage } from "../support/docsPage.ts"
import { cloneCheckout, packPackages, runIn } from "../support/packed.ts"
import { runReleaseJob } from "../support/releaseJob.ts"
import { until, workspace } from "../support/sov.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Installs the registry program once, into the tests' cache. */
const installRegistry = async (): Promise<string> => {
  const folder = join(root, "node_modules/.cache/sov-registry")
  const program = join(folder, "node_modules/verdaccio/bin/verdaccio")
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  for (const file of ["package.json", "package-lock.json"]) {
    copyFileSync(join(root, "test/devtools/registry", file), join(folder, file))
  }
  const { code, stderr } = await runIn(folder, "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
  if (code !== 0) throw new Error(`the registry program is not installed: ${stderr}`)
  return program
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

/** Starts an empty registry with an account that may publish. */
const startRegistry = async (folder: string) => {
  const program = await installRegistry()
  const url = `http://127.0.0.1:${await freePort()}/`
  mkdirSync(folder)
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 1 } },
    packages: { "@sov/*": { access: "$all", publish: "$authenticated" } },
    log: { type: "file", path: join(folder, "log"), level: "warn" }
  }
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config))
  const args = [program, "--config", join(folder, "config.yaml"), "--listen", url]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" })
  onTestFinished(() => void child.kill("SIGKILL"))
  await until(() => fetch(`${url}-/ping`).then(({ ok }) => ok, () => false), 60_000, "the registry answers")
  const account = { name: "releases", password: "only on loopback" }
  const made = await fetch(`${url}-/user/org.couchdb.user:releases`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account)
  })
  const { token } = await made.json() as { readonly token: string }
  const publisher = join(folder, "npmrc")
  writeFileSync(publisher, `registry=${url}\n${url.slice("http:".length)}:_authToken=${token}\n`)
  return { url, publisher }
}

/** A clone in which `npm run release` makes the next version from the current checkout; its checks do nothing. */
const makeRelease = (cwd: string): { readonly version: string; readonly tags: string } => {
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim()
  execFileSync("git", ["clone", "--quiet", "--no-tags", "--depth", "1", `file://${root}`, cwd])
  git("config", "user.name", "test")
  git("config", "user.email", "test@localhost")
  cloneCheckout(cwd)
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")) as { scripts: Record<string, string> }
  for (const name of ["docs", "check", "test", "release:database", "release:packages"]) manifest.scripts[name] = "true"
  writeFileSync(join(cwd, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const changelog = readFileSync(join(cwd, "CHANGELOG.md"), "utf8")
  writeFileSync(join(cwd, "CHANGELOG.md"), changelog.replace("## [Unreleased]\n", "$&\n- Something.\n"))
  git("add", "--all")
  git("commit", "--quiet", "--message", "Checks that are empty")
  execFileSync("npm", ["run", "--silent", "release", "--", "minor"], { cwd, stdio: "ignore" })
  const { version } = JSON.parse(readFileSync(join(cwd, "packages/cli/package.json"), "utf8")) as { version: string }
  return { version, tags: git("tag") }
}

it("two versions packed from one checkout are installed by name, started by npx, replaced, and removed", async () => {
  const folder = workspace()
  const { publisher, url } = await startRegistry(join(folder, "registry"))
  const publish = async (name: string, version: string, tarballs: ReadonlyArray<string>) => {
    const cwd = join(folder, name)
    mkdirSync(cwd, { recursive: true })
    const copy = `cp ${tarballs.map((file) => `'${file}'`).join(" ")} dist/`
    const npm = `case $1 in
      ci) ;;
      pack) ${copy} ;;
      *) PATH='${process.env["PATH"]}' exec npm "$@" --provenance=false --userconfig='${publisher}' --registry=${url} ;;
    esac`
    await runReleaseJob(cwd, npm, version)
  }
  const transcript: Array<string> = []
  const app = join(folder, "app")
  mkdirSync(app)
  const run = async (cwd: string, line: string) => {
    const [program = "", ...args] = line.split(" ")
    const ended = await runIn(cwd, program, args)
    transcript.push(`$ ${line}`, ended.stdout.trimEnd(), ended.stderr.trimEnd())
    expect(ended, line).toMatchObject({ code: 0 })
    return ended.stdout.trim()
  }
  const json = async <A>(line: string) => JSON.parse(await run(app, line)) as A

  const first = await packPackages()
  const old = /-([\d.]+)\.tgz$/.exec(first.cli)![1]!
  await publish("job 1", old, Object.values(first))
  writeFileSync(join(app, ".npmrc"), `@sov:registry=${url}\n`)
  writeFileSync(join(app, "package.json"), JSON.stringify({ private: true, type: "module" }))
  await run(app, "npm install --no-audit --no-fund @sov/cli")
  expect(await run(app, "npx --no -- sov --version")).toContain(old)
  await run(app, "npx --no -- sov demo --data-dir data --weeks 2 --quiet")
  interface Verified {
    readonly valid: boolean
    readonly head: unknown
  }
  const before = await json<Verified>("npx --no -- sov archive verify --data-dir data --json")
  expect(before.valid).toBe(true)

  const clone = join(folder, "clone")
  const { tags, version } = makeRelease(clone)
  expect(tags).toBe(`v${version}`)
  const made = readdirSync(join(clone, "dist")).filter((file) => file.endsWith(`-${version}.tgz`))
  expect(made).toHaveLength(4)
  await publish("job 2", version, made.map((file) => join(clone, "dist", file)))

  for (const name of ["core", "http", "mcp", "cli"]) {
    expect(await json(`npm view @sov/${name} versions --json`)).toEqual([old, version])
    expect(await json(`npm view @sov/${name} dist-tags --json`)).toEqual({ latest: version })
  }
  // An app that depends on the packages without naming versions
  const other = join(folder, "other")
  mkdirSync(other)
  copyFileSync(join(app, ".npmrc"), join(other, ".npmrc"))
  expect(await run(other, "npx --yes -- @sov/cli --version")).toContain(version)
  expect(await run(other, `npx --yes -- @sov/cli@${old} --version`)).toContain(old)
  expect(readdirSync(other)).toEqual([".npmrc"])

  // The setup in docs/webhooks.md for a receiver that needs only one file
  const alone = join(folder, "alone")
  mkdirSync(alone)
  copyFileSync(join(app, ".npmrc"), join(alone, ".npmrc"))
  const [, lines = ""] = /```sh\n(npm pack @sov\/core\n[^`]*)```/.exec(readPage("docs/webhooks.md"))!
  expect(await runIn(alone, "bash", ["--norc", "-e", "-c", lines])).toMatchObject({ code: 0 })
  expect(readdirSync(alone)).toEqual(expect.arrayContaining(["webhook.d.ts", "webhook.js"]))
  const imported = "const { verifySignature } = await import('./webhook.js'); console.log(typeof verifySignature)"
  expect(await runIn(alone, "node", ["--input-type=module", "--eval", imported])).toMatchObject({
    stdout: "function\n"
  })

  await run(app, "npm install --no-audit --no-fund @sov/cli@latest")
  expect(await run(app, "npx --no -- sov --version")).toContain(version)
  expect(await json<Verified>("npx --no -- sov archive verify --data-dir data --json")).toEqual(before)
  await run(app, "npx --no -- sov score --data-dir data")
  await run(app, "npm install --no-audit --no-fund @sov/core @sov/http @sov/mcp")
  const script = "for (const of of ['core','core/promise','http','mcp']) await import('@sov/'+of)"
  expect(await runIn(app, "node", ["--input-type=module", "--eval", script])).toMatchObject({ code: 0, stderr: "" })

  await run(app, "npm uninstall --no-audit --no-fund @sov/cli @sov/core @sov/http @sov/mcp")
  expect(existsSync(join(app, "node_modules/.bin/sov"))).toBe(false)
  // npm may leave the folder of the scope behind
  expect(globSync("node_modules/@sov/*", { cwd: app })).toEqual([])
  expect(readFileSync(join(app, "package.json"), "utf8")).not.toContain("@sov")
  // The data remains
  expect(readdirSync(join(app, "data")).length).toBeGreaterThan(0)
  console.log(transcript.filter((line) => line !== "").join("\n"))
}, 600_000)
