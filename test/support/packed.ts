/**
 * Packs the packages with `npm pack` from a fresh clone, and installs them into empty folders. They are packed once for
 * each state of the sources and kept in `node_modules/.cache`. Packing happens in a copy, because it rewrites
 * package.json.
 */
import { execFile, execFileSync } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const checkout = fileURLToPath(new URL("../../", import.meta.url))
const cache = path.join(checkout, "node_modules/.cache/sov-packed")
const names = ["core", "http", "mcp", "cli"] as const
export type PackageName = typeof names[number]

const run = promisify(execFile)

/** The npm next to the Node that runs this may be a different one; users have the one on PATH. */
const inherited = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) =>
    !/^(?:SOV_|npm_|NODE_(?:OPTIONS|COMPILE_CACHE)$|VITEST)/i.test(name)
  )
  return { ...Object.fromEntries(kept), CI: "true" }
}

/** The source files that determine a tarball. */
const listSources = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: checkout,
    encoding: "utf8"
  })
    .split("\0")
    .filter((file) => /^(?:packages|scripts)\/|^docs\/sov\.1$|^(?:package|tsconfig|tsconfig\.build)\.json$/.test(file))
    .filter((file) => fs.existsSync(path.join(checkout, file)))
    .toSorted()

/** Fills `root` with the result of `git clone` and `npm ci`, as far as packing needs it. */
export const cloneCheckout = (root: string): void => {
  for (const file of listSources()) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.copyFileSync(path.join(checkout, file), path.join(root, file))
  }
  const installed = path.join(root, "node_modules")
  fs.mkdirSync(path.join(installed, "@sov"), { recursive: true })
  for (const name of names) fs.symlinkSync(`../../packages/${name}`, path.join(installed, "@sov", name))
  for (const name of fs.readdirSync(path.join(checkout, "node_modules"))) {
    if (name !== ".cache" && name !== "@sov") {
      fs.symlinkSync(path.join(checkout, "node_modules", name), path.join(installed, name))
    }
  }
}

/** The four tarballs by package name. */
export const packPackages = async (): Promise<Readonly<Record<PackageName, string>>> => {
  const files = listSources()
  const hash = createHash("sha256")
  for (const file of files) hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(checkout, file)))
  const ready = path.join(cache, hash.digest("hex").slice(0, 20))
  if (!fs.existsSync(ready)) {
    const making = path.join(cache, `making-${randomUUID()}`)
    // Not below node_modules, where Node would refuse to run the TypeScript scripts
    const root = fs.mkdtempSync(path.join(tmpdir(), "sov-clone-"))
    try {
      cloneCheckout(root)
      fs.mkdirSync(making, { recursive: true })
      const workspaces = names.flatMap((name) => ["--workspace", `packages/${name}`])
      await run("npm", ["pack", "--silent", "--pack-destination", making, ...workspaces], {
        cwd: root,
        env: inherited()
      })
      for (const old of fs.readdirSync(cache).filter((name) => !name.startsWith("making-"))) {
        fs.rmSync(path.join(cache, old), { recursive: true, force: true })
      }
      fs.renameSync(making, ready)
    } catch (error) {
      // Another test file may have created it in the meantime
      if (!fs.existsSync(ready)) throw error
    } finally {
      fs.rmSync(root, { recursive: true, force: true })
      fs.rmSync(making, { recursive: true, force: true })
    }
  }
  const tarballs = fs.readdirSync(ready)
  const find = (name: PackageName) => path.join(ready, tarballs.find((file) => file.startsWith(`sov-${name}-`))!)
  return { core: find("core"), http: find("http"), mcp: find("mcp"), cli: find("cli") }
}

/** The result of a program that has exited. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program in a folder, with nothing of the checkout in its environment. */
export const runIn = async (
  cwd: string,
  program: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv = {}
): Promise<Ended> => {
  try {
    const ended = await run(program, [...args], { cwd, env: { ...inherited(), ...env }, maxBuffer: 1 << 26 })
    return { code: 0, ...ended }
  } catch (error) {
    const { code, stderr, stdout } = error as {
      readonly code: number
      readonly stdout: string
      readonly stderr: string
    }
    return { code, stdout, stderr }
  }
}

/** Runs `npm install` for the given packages in `folder`, whose package.json lists further dependencies. */
export const installInto = (
  folder: string,
  tarballs: ReadonlyArray<string>,
  manifest: object = {},
  flags: ReadonlyArray<string> = []
): Promise<Ended> => {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module", ...manifest }))
  return runIn(folder, "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...flags, ...tarballs])
}

/** Type-checks a folder with the checkout's TypeScript in strict mode, using the types installed in the folder. */
export const checkTypes = (
  folder: string,
  moduleResolution: "nodenext" | "bundler",
  files: ReadonlyArray<string>,
  more: object = {}
): Promise<Ended> => {
  const config = path.join(folder, `tsconfig.${moduleResolution}.json`)
  fs.writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: "es2024",
        // Effect's own types refer to some of the DOM types
        lib: ["es2024", "esnext.disposable", "dom"],
        module: moduleResolution === "nodenext" ? "nodenext" : "preserve",
        moduleResolution,
        allowImportingTsExtensions: true,
        types: ["node"],
        skipLibCheck: false,
        ...more
      },
      files
    })
  )
  return runIn(folder, process.execPath, [path.join(checkout, "node_modules/typescript/bin/tsc"), "-p", config])
}

/**
 * Megabytes that a folder occupies on a disk with blocks of 4 KiB, the usual size; many small files occupy twice their
 * size.
 */
export const diskMebibytes = (folder: string): number =>
  fs.readdirSync(folder, { recursive: true })
    .map((file) => Math.ceil(fs.lstatSync(path.join(folder, file.toString())).size / 4096) * 4096)
    .reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20
