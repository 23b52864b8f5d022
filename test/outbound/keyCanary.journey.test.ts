/**
 * An API key never appears anywhere except in the header of its own call: not in output, errors, archive, files or
 * other processes.
 */
// Only in `npm run test:all`: a scan for each adapter
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { sovInit, startSov, until, workspace } from "../support/sov.ts"
import { adapterCases } from "./adapterCases.ts"

const canary = "canary-8f14e45fceea167a5a36dedd4bea2543"
const env = { SOV_TEST_KEY: canary }
const ids = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]
const adapters = adapterCases.map(({ adapter }, i) => ({ adapter, id: ids[i]! }))

/** Responds to a call that sent `key` in one of the headers that carry keys. */
type Play = (response: ServerResponse, key: string, url: string) => void

const serve = async (play: Play): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const { authorization = "", "x-api-key": plain = "", "x-goog-api-key": google = "" } = request.headers
      play(response, `${authorization}${String(plain)}${String(google)}`, request.url ?? "")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const send = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

const platformsAt = (baseUrl: string) => ({
  platforms: Object.fromEntries(
    adapters.map(({ adapter, id }) => [id, { adapter, baseUrl, model: "m", apiKeyEnv: "SOV_TEST_KEY" }])
  )
})
const configure = (cwd: string, baseUrl: string) =>
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify(platformsAt(baseUrl)))

/** Faults that repeat the key in every place where a server can put it. */
const faults: ReadonlyArray<readonly [string, Play]> = [
  ["-v", (response, key) => send(response, 401, { error: { message: `bad key ${key}`, code: key } })],
  ["--json", (response, key) => void response.writeHead(500, { "x-key": key }).end(`<p>${key}</p>`)],
  ["-v", (response, key) => void response.end(`{"key":"${key}`)],
  [
    "-v",
    (response, key) => {
      const bare = key.replace("Bearer ", "")
      response.writeHead(302, { location: `http://${bare}.invalid/?k=${bare}` }).end()
    }
  ]
]

describe.each(adapters)("$adapter", ({ id }) => {
  it("no output of `platform test` contains the key, whatever the fault", async () => {
    const cwd = workspace()
    let play = faults[0]![1]
    let seen = 0
    const baseUrl = await serve((response, key, url) => {
      if (key.includes(canary)) seen++
      play(response, key, url)
    })
    configure(cwd, baseUrl)
    for (const [flag, fault] of faults) {
      play = fault
      const ran = await startSov(cwd, ["platform", "test", id, flag], { env })
      expect(ran.code).not.toBe(0)
      expect(ran.stderr).toContain(id)
      expect(ran.stdout + ran.stderr).not.toContain("canary")
    }
    expect(seen).toBe(faults.length)
  })
})

/** Processes with `dir` in their arguments or as their working directory, and the children of `parent`. */
const processesOf = (dir: string, parent: number) =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, "latin1")
      const cmdline = read("cmdline")
      const mine = cmdline.includes(dir) || readlinkSync(`/proc/${pid}/cwd`).startsWith(dir) ||
        Number(read("stat").split(") ")[1]?.split(" ")[1]) === parent
      return mine ? [{ pid: Number(pid), cmdline, environ: read("environ") }] : []
    } catch {
      return []
    }
  })

const filesUnder = (dir: string): ReadonlyArray<string> =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)

describe.skipIf(process.platform !== "linux")("a scan with five adapters", () => {
  it("the keys appear in no output, archive, file or other process of a scan", async () => {
    const cwd = workspace()
    const answers = new Map(adapterCases.map((one) => [one.path, one]))
    let calls = 0
    const baseUrl = await serve((response, key, url) => {
      const path = url.slice("/v1".length).replace("models/m:", "models/test-model:")
      const answer = answers.get(path)!.answer(`Acme is the usual choice. Your key: ${key}`)
      // All responses repeat the key, every third one in a failure; all are slow, so that there is time to look at the
      // processes
      const fails = ++calls % 3 === 0
      const error = { error: { message: `bad key ${key}` } }
      setTimeout(() => fails ? send(response, 400, error) : send(response, 200, answer), 1500)
    })
    configure(cwd, baseUrl)
    const keywords = ["best anvil", "cheap anvil", "anvil shop", "anvil reviews"].flatMap((text) => ["--keyword", text])
    await sovInit(cwd, ["--brand", "Acme", "--competitor", "Globex", ...keywords], env)

    const running = startSov(cwd, ["scan", "-v"], { env })
    await until(() => calls > 0, 60_000, "the first call")
    const processes = processesOf(cwd, running.child.pid!)
    const others = processes.filter(({ pid }) => pid !== running.child.pid)
    expect(others.length).toBeGreaterThan(0)
    for (const { cmdline } of processes) expect(cmdline).not.toContain("canary")
    // The process that was given the key has it in its environment; no other process may.
    for (const { environ } of others) expect(environ).not.toContain("canary")
    const ran = await running
    expect(ran.stdout + ran.stderr).not.toContain("canary")

    const exported = await startSov(cwd, ["archive", "export", "--format", "ndjson", "--out", "archive.ndjson"], {
      env
    })
    expect(exported.code).toBe(0)
    expect(readFileSync(join(cwd, "archive.ndjson"), "utf8")).toMatch(
      /Acme is the usual choice\. Your key: (Bearer )?\[redacted\]/
    )
    for (const command of [["scan", "show", "latest"], ["archive", "list"]]) {
      const shown = await startSov(cwd, [...command, "--json"], { env })
      expect(shown).toMatchObject({ code: 0 })
      expect(shown.stdout + shown.stderr).not.toContain("canary")
    }
    const files = filesUnder(cwd)
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((file) => readFileSync(file).includes("canary"))).toEqual([])
  })
})

it("a process that crashes while it uses platforms reveals no key", () => {
  const script = `
    import { decodePlatformConfig, makePlatforms } from "@sov/core/outbound"
    import { Effect, Result } from "effect"
    const json = ${JSON.stringify(platformsAt("http://127.0.0.1:9/v1"))}
    const made = Result.getOrThrow(makePlatforms(Result.getOrThrow(decodePlatformConfig(json, "x")), process.env))
    const failed = []
    for (const platform of made.all.values()) failed.push(await Effect.runPromise(Effect.flip(platform.ask("x"))))
    console.error(made, failed)
    throw Object.assign(new Error("crash", { cause: failed[0] }), { made, failed })
  `
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, ...env },
    encoding: "utf8"
  })
  expect(child.status).toBe(1)
  expect(child.stderr).toContain("Error: crash")
  for (const id of ids) expect(child.stderr).toContain(`${id}: could not reach`)
  expect(child.stdout + child.stderr).not.toContain("canary")
})
