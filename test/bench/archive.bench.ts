/**
 * Benchmark of a large archive on Postgres with answers of 2 kB: the cost of a page at the beginning and deep in the
 * archive, the cost of filters, how both grow, and speed and memory of archiving, exporting (compared with psql, and
 * Parquet with NDJSON) and verifying. `SOV_BENCH_ANSWERS` sets the size of the larger archive (a multiple of 10,000;
 * the full run uses 1,000,000).
 */
import { type ArchivePosition, ArchiveStore, KeywordStore, type OrganizationId, OrganizationStore } from "@sov/core"
import { layerConnection, stores } from "@sov/core/postgres"
import { addScan, answerTo, measurementOf } from "@sov/core/testing"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { sealArchive, seedArchive } from "../support/seedArchive.ts"
import { sovJson, startSov, workspace } from "../support/sov.ts"
import { findServer } from "../support/TestPostgres.ts"

const perScan = 1000
const few = 10_000
const most = Number(process.env["SOV_BENCH_ANSWERS"] ?? 20_000)
const bytes = 2000
const pageRounds = 300
const exportRounds = 3
const archived = 2000

const tracking = {
  brand: { name: "Acme", domains: ["acme.example"] },
  competitors: ["Globex", "Hooli", "Initech"].map((name) => ({ name })),
  keywords: Array.from({ length: perScan / 5 }, (_, n) => ({ text: `best anvil for workshop ${n}?` }))
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const prepare = async (answers: number) => {
  const cwd = workspace()
  const url = await freshDatabaseUrl()
  const env = { SOV_DATABASE_URL: url }
  writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
  await sovJson(cwd, ["init", "--from", "tracking.json", "--name", "Acme", "--no-input"], env)
  const runtime = ManagedRuntime.make(
    stores.pipe(
      Layer.provideMerge(layerConnection({ url: Redacted.make(url) })),
      Layer.provideMerge(SecureRandom.layerWebCrypto)
    )
  )
  const organizationId = await runtime.runPromise(Effect.gen(function*() {
    yield* seedArchive({ keywords: perScan / 5, scans: answers / perScan, length: bytes })
    const [organization] = yield* (yield* OrganizationStore).list
    yield* sealArchive(organization!.id)
    const sql = yield* SqlClient.SqlClient
    yield* sql`vacuum analyze`
    return organization!.id
  }))
  return { answers, cwd, env, url, runtime, organizationId }
}
type Subject = Awaited<ReturnType<typeof prepare>>

const deepPosition = (organizationId: OrganizationId, depth: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<ArchivePosition>`
      select created_at as "createdAt", id from answer where organization_id = ${organizationId}
      order by created_at desc, id desc offset ${depth} limit 1
    `
    return row!
  })

/** Median milliseconds of each kind of page in both archives, measured alternately. */
const pages = async (subjects: ReadonlyArray<Subject>) => {
  const kinds = await Promise.all(subjects.map((subject) =>
    subject.runtime.runPromise(Effect.gen(function*() {
      const store = yield* ArchiveStore
      const [keyword] = yield* (yield* KeywordStore).list(subject.organizationId, ["active"])
      const deep = yield* deepPosition(subject.organizationId, subject.answers * 0.9)
      const page = (filters: Parameters<typeof store.page>[1], after?: ArchivePosition, limit = 50) =>
        store.page(subject.organizationId, filters, { limit, ...after === undefined ? {} : { after } })
      return {
        first: page({}),
        deep: page({}, deep),
        keyword: page({ keywordId: keyword!.id }),
        platform: page({ platform: "assistant_c" }),
        // The smaller archive has ten of these, so both pages are full
        "keyword and platform": page({ keywordId: keyword!.id, platform: "assistant_c" }, undefined, few / perScan),
        "platform, deep": page({ platform: "assistant_c" }, deep),
        days: page({ from: new Date("2026-01-02"), to: new Date("2026-01-05") })
      }
    }))
  ))
  const times = kinds.map((kind) => Object.keys(kind).map((): Array<number> => []))
  for (let round = 0; round < pageRounds; round++) {
    for (const [n, kind] of kinds.entries()) {
      for (const [k, page] of Object.values(kind).entries()) {
        const begun = performance.now()
        await subjects[n]!.runtime.runPromise(page)
        times[n]![k]!.push(performance.now() - begun)
      }
    }
  }
  return times.map((of, n) => Object.fromEntries(Object.keys(kinds[n]!).map((name, k) => [name, median(of[k]!)])))
}

/** Runs a command and returns its duration in seconds and its peak resident memory in MB. */
const measured = async ({ cwd, env }: Subject, args: ReadonlyArray<string>) => {
  const begun = performance.now()
  const running = startSov(cwd, [...args, "--json"], { env })
  let peak = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${running.child.pid}/status`, "utf8")
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // The process has exited
    }
  }, 20)
  const ran = await running
  clearInterval(timer)
  expect(ran).toMatchObject({ code: 0 })
  return { seconds: (performance.now() - begun) / 1000, peak }
}

/** The time psql needs to export the same rows in the same order. */
const byPsql = ({ cwd, url }: Subject): number => {
  const bin = findServer()
  const file = join(cwd, "psql.ndjson")
  const query = `select row_to_json(r) from (
    select answer.id, answer.scan_id, answer.platform, answer.keyword_id, answer.prompt_used, answer.raw_response,
      newest.brand_mentioned, newest.mention_count, newest.mention_position, newest.sentiment, newest.sov_score,
      answer.created_at
    from answer left join lateral (
      select * from measurement
      where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
      order by tracked_set_version desc, measure_version desc limit 1
    ) newest on true order by answer.created_at desc, answer.id desc
  ) r`.replaceAll(/\s+/g, " ")
  const begun = performance.now()
  execFileSync(bin === undefined ? "psql" : join(bin, "psql"), [url, "-qc", `\\copy (${query}) to '${file}'`])
  return statSync(file).size / 1e6 / ((performance.now() - begun) / 1000)
}

const exporting = async (subject: Subject) => {
  const rounds: Array<{
    readonly ours: number
    readonly psql: number
    readonly peak: number
    readonly parquet: number
    readonly parquetPeak: number
  }> = []
  for (let round = 0; round < exportRounds; round++) {
    const psql = byPsql(subject)
    const { peak, seconds } = await measured(subject, ["archive", "export", "--out", "all.ndjson", "--yes"])
    const parquet = await measured(subject, [
      "archive",
      "export",
      "--format",
      "parquet",
      "--out",
      "all.parquet",
      "--yes"
    ])
    rounds.push({
      psql,
      peak,
      ours: statSync(join(subject.cwd, "all.ndjson")).size / 1e6 / seconds,
      parquet: seconds / parquet.seconds,
      parquetPeak: parquet.peak
    })
  }
  rmSync(join(subject.cwd, "psql.ndjson"))
  return {
    rate: median(rounds.map(({ ours }) => ours)),
    ratio: median(rounds.map(({ ours, psql }) => ours / psql)),
    peak: Math.max(...rounds.map(({ peak }) => peak)),
    parquet: median(rounds.map(({ parquet }) => parquet)),
    parquetPeak: Math.max(...rounds.map(({ parquetPeak }) => parquetPeak))
  }
}

/** How many answers per second a scan can archive with their measurements, eight at a time. */
const archiving = ({ organizationId, runtime }: Subject) =>
  runtime.runPromise(Effect.gen(function*() {
    const [archive, asked] = [yield* ArchiveStore, yield* (yield* KeywordStore).list(organizationId, ["active"])]
    const text = "Acme makes the best anvil. ".repeat(bytes / 27)
    let milliseconds = 0
    for (let done = 0; done < archived;) {
      const { cells } = yield* addScan(organizationId, asked)
      const answers = yield* Effect.forEach(cells, (cell) => answerTo(cell, { rawResponse: text }))
      const begun = performance.now()
      yield* Effect.forEach(answers, (answer) => archive.archive(organizationId, answer, measurementOf(answer)), {
        concurrency: 8,
        discard: true
      })
      milliseconds += performance.now() - begun
      done += cells.length
    }
    return archived / milliseconds * 1000
  }))

it(`an archive of ${most} answers is compared with one of ${few}`, async () => {
  const subjects: Array<Subject> = []
  try {
    for (const answers of new Set([few, most])) subjects.push(await prepare(answers))
    const [small, large = small] = await pages(subjects)
    for (const [kind, ms] of Object.entries(large!)) {
      console.log(
        `page, ${kind}: ${ms.toFixed(2)} ms, ${(ms / large!["first"]!).toFixed(2)} × the first page, ` +
          `${(ms / small![kind]!).toFixed(2)} × the same at ${few}`
      )
    }
    for (const subject of subjects) {
      const made = await exporting(subject)
      const rows = await measured(subject, ["archive", "verify"])
      const file = await measured(subject, ["archive", "verify", "--file", "all.ndjson"])
      const rate = await archiving(subject)
      const perSecond = (seconds: number) => (subject.answers / seconds).toFixed(0)
      console.log(
        `${subject.answers} answers: export ${made.rate.toFixed(0)} MB/s, ${made.ratio.toFixed(2)} × psql, ` +
          `peak ${made.peak.toFixed(0)} MB; as Parquet ${made.parquet.toFixed(2)} × the rows a second of NDJSON, ` +
          `peak ${made.parquetPeak.toFixed(0)} MB; verify ${perSecond(rows.seconds)} answers/s, peak ${
            rows.peak.toFixed(0)
          } MB; verify the file ${perSecond(file.seconds)} answers/s, peak ${file.peak.toFixed(0)} MB; ` +
          `archive ${rate.toFixed(0)} answers/s`
      )
    }
  } finally {
    for (const { runtime } of subjects) await runtime.dispose()
  }
}, 14_400_000)
