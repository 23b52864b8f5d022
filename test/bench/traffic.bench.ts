/**
 * Benchmark of `sov traffic import` with a large gzip log on the embedded home. Checks the counts against the known
 * truth, that a second import adds nothing, and kill -9 in the middle; measures its speed compared with `zcat | wc -l`,
 * and its memory in the first and the second half. `SOV_BENCH_LINES` sets the size (5,000,000).
 */
import { layerConnection, stores } from "@sov/core/postgres"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createGzip } from "node:zlib"
import { expect, it, onTestFinished } from "vitest"
import { launcher, sovJson, startSov, until } from "../support/sov.ts"
import { countedTraffic, ownHosts, secrets, sorted, trafficLog } from "../support/trafficLog.ts"

const lines = Number(process.env["SOV_BENCH_LINES"] ?? 5_000_000)

const writeLog = async (file: string) => {
  const { pieces, truth } = trafficLog(lines)
  const gzip = createGzip()
  const out = gzip.pipe(createWriteStream(file))
  let bytes = 0
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece)
    if (!gzip.write(piece)) await once(gzip, "drain")
  }
  gzip.end()
  await once(out, "close")
  return { truth, megabytes: bytes / 1e6 }
}

/** Seconds that `zcat | wc -l` takes. */
const readPlain = (file: string): number => {
  const begun = performance.now()
  execFileSync("sh", ["-c", `zcat ${file} | wc -l`])
  return (performance.now() - begun) / 1000
}

/** Runs an import, and returns the peak resident megabytes in each half of its duration. */
const importLog = async (cwd: string, file: string) => {
  const begun = performance.now()
  const running = startSov(cwd, ["traffic", "import", file, "--json"])
  const resident: Array<number> = []
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${running.child.pid}/status`, "utf8")
      resident.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // The process has exited
    }
  }, 50)
  const ran = await running
  clearInterval(timer)
  expect({ code: ran.code, stderr: ran.stderr.replaceAll(/^Importing.*\n/gm, "") }).toEqual({ code: 0, stderr: "" })
  const half = Math.ceil(resident.length / 2)
  return {
    seconds: (performance.now() - begun) / 1000,
    halves: [Math.max(...resident.slice(0, half)), Math.max(...resident.slice(half))] as const,
    result: JSON.parse(ran.stdout) as { added: object; files: ReadonlyArray<{ lines: number; bad_lines: number }> }
  }
}

const counted = (cwd: string) =>
  Effect.runPromise(
    countedTraffic().pipe(
      Effect.provide(stores.pipe(Layer.provideMerge(layerConnection({ dataDir: join(cwd, ".sov") }))))
    )
  )

const home = async () => {
  const cwd = mkdtempSync(join(tmpdir(), "sov-bench-"))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 }))
  const domains = ownHosts.flatMap((host) => ["--domain", host])
  await sovJson(cwd, ["init", "--brand", "Acme", ...domains, "--keyword", "best anvil?", "--no-input"])
  return cwd
}

it(`a log of ${lines} lines is imported`, async () => {
  const cwd = await home()
  const file = join(cwd, "access.log.gz")
  const { megabytes, truth } = await writeLog(file)
  // Measured before and after, so that other load on the machine affects both
  const before = readPlain(file)
  const first = await importLog(cwd, file)
  const plain = (before + readPlain(file)) / 2
  expect(sorted(await counted(cwd))).toEqual(sorted(truth.counts))
  expect(first.result.files[0]).toMatchObject({ lines: truth.lines, bad_lines: truth.badLines })
  console.log(
    `${lines} lines, ${megabytes.toFixed(0)} MB: ${(megabytes / first.seconds).toFixed(0)} MB/s, ` +
      `${(plain / first.seconds).toFixed(2)} × the speed of zcat | wc -l; resident at most ` +
      `${first.halves.map((half) => half.toFixed(0)).join(" MB, then ")} MB`
  )
  expect(plain / first.seconds).toBeGreaterThanOrEqual(0.1)
  expect(Math.max(...first.halves)).toBeLessThanOrEqual(200)

  const second = await importLog(cwd, file)
  expect(second.result.added).toEqual({ referrer_signals: 0, tag_only_visits: 0, crawler_requests: 0 })
  expect(sorted(await counted(cwd))).toEqual(sorted(truth.counts))
  console.log(`again: ${(megabytes / second.seconds).toFixed(0)} MB/s, nothing added`)

  execFileSync(launcher, ["db", "backup", "all.ndjson", "--yes"], { cwd })
  const backup = readFileSync(join(cwd, "all.ndjson"), "utf8")
  expect(secrets.filter((secret) => backup.includes(secret))).toEqual([])

  const other = await home()
  const killed = startSov(other, ["traffic", "import", file])
  const total = [...truth.counts.values()].reduce((a, b) => a + b, 0)
  const some = async () => [...(await counted(other)).values()].reduce((a, b) => a + b, 0)
  await until(async () => (await some()) > total / 3, 600_000, "a third")
  killed.child.kill("SIGKILL")
  await killed
  const middle = await some()
  await importLog(other, file)
  expect(sorted(await counted(other))).toEqual(sorted(truth.counts))
  console.log(`killed after ${middle} of ${total} counted lines, imported again: exact`)
}, 3_600_000)
