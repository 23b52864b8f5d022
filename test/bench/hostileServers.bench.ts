/**
 * Checks that hostile answers do not slow down other organizations. Two servers share one Postgres database. One
 * organization's scan gets answers that once took quadratic time to measure, while both servers are asked for their
 * health and for another organization's score. Prints the 99th percentile of the response times compared with that of
 * the same scan with harmless answers, and the maximum: a blocked server answers few requests, so a percentile alone
 * would hide it. Fails if a question is asked, and therefore paid for, twice.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { ask } from "../support/apiServer.ts"
import { freshDatabaseUrl } from "../support/databases.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sovJson, startSov, until } from "../support/sov.ts"

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** An answer of this many characters that consists of deeply nested links. */
const nestedLinks = (size: number): string => {
  const count = Math.floor(size / 5)
  return `${"[".repeat(count)}Acme${"](x)".repeat(count)}`
}

const cases: Readonly<Record<string, (question: number) => string>> = {
  "three answers of 256 KiB": (question) => question < 3 ? nestedLinks(262_144) : "Acme is good.",
  "one answer of 512 KiB": (question) => question < 1 ? nestedLinks(524_288) : "Acme is good.",
  "one answer of 4 MB": (question) => question < 1 ? nestedLinks(4_100_000) : "Acme is good."
}
/** Maximum milliseconds for a case. */
const limitMs = Number(process.env["SOV_BENCH_LIMIT_MS"] ?? 120_000)
const chosen = Object.entries(cases).slice(0, Number(process.env["SOV_BENCH_CASES"] ?? 3))

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

it("two servers keep responding while answers are hostile", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "sov-bench-"))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const env = { SOV_DATABASE_URL: await freshDatabaseUrl(), SOV_REST_RATE: "0" }
  let makeAnswer: (question: number) => string = () => "Acme is good."
  const replay = await startReplay({
    answer: (_, prompt) => makeAnswer(Number(/\d+/.exec(prompt)?.[0] ?? 99)),
    latencyMs: 50
  })
  writeFileSync(join(cwd, "sov.config.json"), replay.config(1, 4))
  await sovJson(cwd, ["init", "--no-input", "--brand", "Acme", "--keyword", "best anvil 0?"], env)
  for (let n = 1; n < 8; n++) await sovJson(cwd, ["keyword", "add", `best anvil ${n}?`], env)
  await sovJson(cwd, ["quota", "set", "--limit", "50"], env)
  const attacked = await sovJson<{ readonly key: string }>(cwd, ["key", "create", "--name", "attacked"], env)
  const { slug } = await sovJson<{ readonly slug: string }>(cwd, ["org", "create", "Other"], env)
  const other = { ...env, SOV_ORG: slug }
  await sovJson(cwd, ["brand", "set", "--name", "Bolt"], other)
  await sovJson(cwd, ["keyword", "add", "best bolt 9?"], other)
  const bystander = await sovJson<{ readonly key: string }>(cwd, ["key", "create", "--name", "bystander"], other)

  const serve = async () => {
    const server = startSov(cwd, ["serve", "--port", "0", "--json"], { env })
    onTestFinished(() => void server.child.kill("SIGKILL"))
    let said = ""
    server.child.stdout!.on("data", (chunk: string) => said += chunk)
    await until(() => said.includes("\n"), 60_000, "the server says its address")
    return (JSON.parse(said) as { readonly url: string }).url
  }
  const urls = [await serve(), await serve()]
  const firstOfOther = await ask(urls[0]!, "/api/v1/scans", { method: "POST", key: bystander.key })
  expect(firstOfOther.status).toBe(202)

  /** Runs a scan of the attacked organization, and sends other requests during it. */
  const sample = async (make: (question: number) => string) => {
    makeAnswer = make
    replay.forget()
    const before = replay.stats.requests
    let over = false
    let failed = 0
    const times = { health: [] as Array<number>, other: [] as Array<number> }
    const asking = urls.flatMap((url) =>
      ([["health", "/healthz", {}], ["other", "/api/v1/sov", { key: bystander.key }]] as const).map(
        async ([kind, path, what]) => {
          while (!over) {
            const begun = performance.now()
            const { status } = await ask(url, path, what)
            if (status >= 500) failed++
            times[kind].push(performance.now() - begun)
            await sleep(25)
          }
        }
      )
    )
    await sleep(2000)
    const started = await ask(urls[0]!, "/api/v1/scans", { method: "POST", key: attacked.key })
    expect(started.status, started.text).toBe(202)
    const { scan_id: id } = started.json as { readonly scan_id: string }
    const begun = performance.now()
    let status = "running"
    while (status === "running" && performance.now() - begun < limitMs) {
      await sleep(1000)
      status = (await sovJson<{ readonly status: string }>(cwd, ["scan", "show", id, "--org", "acme"], env)).status
    }
    const scanMs = performance.now() - begun
    await sleep(1000)
    over = true
    await Promise.all(asking)
    return { status, scanMs, times, failed, asked: replay.stats.requests - before, repeated: replay.stats.repeated }
  }

  await sample(() => "Acme is good.")
  const calm = await sample(() => "Acme is good.")
  const lines: Array<string> = []
  for (const [name, make] of chosen) {
    const hostile = await sample(make)
    const compare = (kind: "health" | "other") => {
      const [p99, usual] = [quantile(hostile.times[kind], 0.99), quantile(calm.times[kind], 0.99)]
      const longest = Math.max(...hostile.times[kind])
      return `${kind} p99 ${(p99 / usual).toFixed(2)} × (${p99.toFixed(0)} of ${usual.toFixed(0)} ms), longest ${
        longest.toFixed(0)
      } ms`
    }
    lines.push(
      `${name}: ${compare("health")}; ${
        compare("other")
      }; ${hostile.failed} requests failed; scan ${hostile.status} after ${
        (hostile.scanMs / 1000).toFixed(1)
      } s; ${hostile.asked} questions asked, ${hostile.repeated} of them again`
    )
    console.log(lines.at(-1))
  }
  expect(lines.filter((line) => !line.endsWith(" 0 of them again"))).toEqual([])
}, 1_800_000)
