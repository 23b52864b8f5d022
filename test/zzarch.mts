import { ArchiveStore, Transaction, initialize } from "@sov/core"
import { layerMigrated } from "@sov/core/postgres"
import { addScan, answerTo, measurementOf } from "@sov/core/testing"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { mkdtempSync, readFileSync, readdirSync } from "node:fs"
const dir = mkdtempSync("/tmp/wt/post-data-")
const which = process.argv[2]!
const ownerCpu = () => {
  let ms = 0
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(dir)) continue
      const [u, s] = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ").slice(11, 13)
      ms += (Number(u) + Number(s)) * 10
    } catch {}
  }
  return ms
}
const N = Number(process.env.N ?? 1000)
const program = Effect.gen(function*() {
  const { organization, keywords } = yield* initialize({ name: "B", plan: "enterprise", tracking: { brand: { name: "Acme" },
    keywords: Array.from({ length: N / 2 }, (_, n) => ({ text: `question ${n}?` })) } })
  const archive = yield* ArchiveStore
  const { run } = yield* Transaction
  const text = "Acme makes the best anvil. Others are cheaper, but few last as long. ".repeat(43)
  const once = Effect.fnUntraced(function*(name: string, how: (rows: ReadonlyArray<Effect.Effect<unknown, any, any>>) => Effect.Effect<unknown, any, any>) {
    const { cells } = yield* addScan(organization.id, keywords)
    const rows = yield* Effect.forEach(cells, (cell) => Effect.gen(function*() {
      const answer = yield* answerTo(cell, { rawResponse: text, payload: Buffer.from(text + text) })
      return archive.archive(organization.id, answer, measurementOf(answer))
    }))
    const [cpu, own, at] = [ownerCpu(), process.cpuUsage(), performance.now()]
    yield* how(rows)
    const ms = performance.now() - at
    const o = process.cpuUsage(own)
    yield* Effect.sleep("200 millis")
    console.log(which.padEnd(7), name.padEnd(16), `${ms.toFixed(0)} ms, owner ${((ownerCpu() - cpu) / rows.length).toFixed(2)} ms CPU each, own ${((o.user + o.system) / 1000 / rows.length).toFixed(2)}`)
  })
  const chunk = (rows: ReadonlyArray<any>, n: number) => Array.from({ length: Math.ceil(rows.length / n) }, (_, i) => rows.slice(i * n, i * n + n))
  yield* once("warm", (rows) => Effect.forEach(rows, (x) => x, { concurrency: 16 }))
  for (let r = 0; r < Number(process.env.R ?? 2); r++) {
    yield* once("one by one, 8", (rows) => Effect.forEach(rows, (x) => x, { concurrency: 8 }))
    yield* once("one by one, 1", (rows) => Effect.forEach(rows, (x) => x))
    if (process.env.TX !== undefined) for (const n of [8, 40]) yield* once(`tx of ${n}`, (rows) => Effect.forEach(chunk(rows, n), (some) => run(Effect.forEach(some, (x) => x))))
    yield* once("one by one, 40", (rows) => Effect.forEach(rows, (x) => x, { concurrency: 40 }))
  }
})
await Effect.runPromise(Effect.scoped(program as any).pipe(Effect.provide(layerMigrated(process.env.URL ? { url: Redacted.make(process.env.URL) } : { dataDir: dir }).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto)) as any)) as any)
process.exit(0)
