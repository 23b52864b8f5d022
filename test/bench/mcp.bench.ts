/**
 * Compares the tool server, and its mount with a single echo tool, with the protocol library alone ("bare": the same
 * echo tool behind the same check of keys and the same rate limit), and with the protocol authors' server-everything if
 * `npm ci` in test/devtools/mcp installed it. All run as `sov serve` does, without tracing. Rounds are interleaved;
 * ratios are medians of the rounds' ratios. Needs a Postgres server. Settings: SOV_BENCH_ROUNDS (7), SOV_BENCH_SECONDS
 * (1) of one round, SOV_BENCH_PROFILE: a folder for CPU profiles of sov.
 */
import { createApiKey } from "@sov/core"
import { layerServer, layerStores } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { fork, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { it } from "vitest"
import { ask } from "../support/apiServer.ts"
import { postgresUrl } from "../support/homes.ts"
import { devtool, hasDevtools } from "../support/mcpDevtools.ts"
import { archiveText, message, visibleTenant } from "../support/mcpServer.ts"
import { freshDatabase } from "../support/storage.ts"
import { load } from "./rest/load.ts"

const setting = (name: string, preset: number): number => Number(process.env[`SOV_BENCH_${name}`] ?? preset)
const rounds = setting("ROUNDS", 7)
const roundMs = setting("SECONDS", 1) * 1000
const profiles = process.env["SOV_BENCH_PROFILE"]
const connections = 8
/** Each key allows 60 requests a minute, so this many are needed to avoid waiting. */
const keyCount = 1_500

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Creates an organization with two scans and ten long answers, and its keys. */
const prepare = Effect.gen(function*() {
  const made = yield* visibleTenant()
  yield* Effect.forEach(
    Array.from({ length: 10 }, (_, n) => n),
    (n) => archiveText(made.organizationId, made, "A sentence on Acme. ".repeat(75), 300 + n)
  )
  const keys = yield* Effect.forEach(
    Array.from({ length: 3 * keyCount }, (_, n) => n),
    (n) => createApiKey(made.organizationId, `bench ${n}`),
    { concurrency: 4 }
  )
  return keys.map(({ secret }) => secret)
})

const start = async (kind: "sov" | "bare" | "mount", url: string) => {
  const file = fileURLToPath(new URL("./mcp/subject.ts", import.meta.url))
  const profile = kind === "sov" && profiles !== undefined ? ["--cpu-prof", "--cpu-prof-dir", profiles] : []
  const child = fork(file, [kind, url], { execArgv: profile })
  const [{ port }] = await once(child, "message") as [{ readonly port: number }]
  const cpuMicros = async (): Promise<number> => {
    child.send("usage")
    return (await once(child, "message") as [{ readonly cpuMicros: number }])[0].cpuMicros
  }
  const stop = async () => {
    const gone = once(child, "exit")
    child.disconnect()
    await gone
  }
  return { port, cpuMicros, stop }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** Starts server-everything and the session that it requires. */
const startEverything = async () => {
  const port = await freePort()
  const entry = devtool("node_modules/@modelcontextprotocol/server-everything/dist/index.js")
  const child = spawn(process.execPath, [entry, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"]
  })
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (said: string) => said.includes("listening") && resolve())
  })
  const { body, headers } = message("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "0" }
  })
  const begun = await ask(`http://127.0.0.1:${port}`, "/mcp", { method: "POST", headers, body: JSON.stringify(body) })
  const stop = async () => {
    const gone = once(child, "exit")
    child.kill()
    await gone
  }
  return { port, session: begun.headers["mcp-session-id"]!, stop }
}

type Revision = "2025-11-25" | "2026-07-28"

const requestText = (
  path: string,
  name: string,
  args: object,
  revision: Revision,
  extra: Readonly<Record<string, string>>
): string => {
  const { body, headers } = message("tools/call", { name, arguments: args }, revision)
  const text = JSON.stringify(body)
  const all = { host: "localhost", ...headers, ...extra, "content-length": String(Buffer.byteLength(text)) }
  const lines = Object.entries(all).map((header) => header.join(": "))
  return [`POST ${path} HTTP/1.1`, ...lines, "", text].join("\r\n")
}

it.skipIf(postgresUrl === null)("tools are compared with the library alone, and with server-everything", async () => {
  await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const { url } = yield* freshDatabase
    const keys = yield* prepare.pipe(
      Effect.provide(layerStores.pipe(
        Layer.provideMerge(layerServer({ url: Redacted.make(url), maxConnections: 4 })),
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      ))
    )
    yield* Effect.promise(async () => {
      const sov = await start("sov", url)
      const bare = await start("bare", url)
      const mount = await start("mount", url)
      const everything = hasDevtools ? await startEverything() : null
      /** Requests to a subject; each uses the next of its keys. */
      const turns = (own: ReadonlyArray<string>) => {
        let n = 0
        return (name: string, args: object, revision: Revision) => {
          const texts = own.map((key) =>
            requestText("/api/mcp", name, args, revision, { authorization: `Bearer ${key}` })
          )
          return () => texts[n++ % texts.length]!
        }
      }
      const bySov = turns(keys.slice(0, keyCount))
      const byBare = turns(keys.slice(keyCount, 2 * keyCount))
      const byMount = turns(keys.slice(2 * keyCount))
      const echo = { message: "x".repeat(100) }
      for (const revision of ["2025-11-25", "2026-07-28"] as const) {
        const subjects = [
          { name: "bare echo", of: bare, request: byBare("echo", echo, revision) },
          { name: "echo of the mount", of: mount, request: byMount("echo", echo, revision) },
          { name: "summary", of: sov, request: bySov("get_visibility_summary", {}, revision) },
          { name: "archive, 10 rows", of: sov, request: bySov("get_answer_archive", { limit: 10 }, revision) },
          ...everything === null || revision !== "2025-11-25" ? [] : [{
            name: "server-everything echo",
            of: { port: everything.port, cpuMicros: async () => Number.NaN },
            request: requestText("/mcp", "echo", echo, revision, { "mcp-session-id": everything.session })
          }]
        ]
        const taken = subjects.map(() => [] as Array<{ readonly rps: number; readonly cpu: number }>)
        for (const { of, request } of subjects) {
          await load(of.port, request, 200, connections, (_, ms) => ms > 2 * roundMs)
        }
        for (let round = 0; round < rounds; round++) {
          // Each round begins with a different subject
          for (const n of subjects.map((_, i) => (i + round) % subjects.length)) {
            const { of, request } = subjects[n]!
            const before = await of.cpuMicros()
            const { requests, seconds } = await load(of.port, request, 200, connections, (_, ms) => ms > roundMs)
            taken[n]!.push({ rps: requests / seconds, cpu: (await of.cpuMicros() - before) / requests })
          }
        }
        console.log(`${revision}, ${connections} connections, ${rounds} rounds of ${roundMs / 1000} s`)
        for (const [n, { name }] of subjects.entries()) {
          const ratio = (other: number, of: "rps" | "cpu") =>
            median(taken[n]!.map((one, round) => one[of] / taken[other]![round]![of])).toFixed(2)
          const against = subjects.map((other, i) => `${ratio(i, "rps")} × ${other.name}`).filter((_, i) => i !== n)
          console.log(
            `  ${name.padEnd(24)} ${median(taken[n]!.map(({ rps }) => rps)).toFixed(0).padStart(6)} requests/s, ` +
              `${median(taken[n]!.map(({ cpu }) => cpu)).toFixed(0)} µs CPU each; ${against.join(", ")}`
          )
        }
      }
      await Promise.all([sov.stop(), bare.stop(), mount.stop(), everything?.stop()])
    })
  })))
}, 3_600_000)
