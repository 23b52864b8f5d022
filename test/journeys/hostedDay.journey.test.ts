/**
 * A day of a hosted server, by API only: tenants are created, scanned, metered and limited, one is suspended, one
 * exported, one deleted, while a second server is killed. What is metered is what the archive holds.
 */
// Only in `npm run test:all`: two servers, a kill, many tenants
import { deleteOrganization } from "@sov/core"
import { openSov } from "@sov/core/promise"
import { SovClient, SovOperatorClient, SovProblem } from "@sov/http/fetch-client"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl, ownerUrl } from "../support/databases.ts"
import { openDirectConnection } from "../support/directConnection.ts"
import { postgresUrl } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sovJson, startSov, until, workspace } from "../support/sov.ts"
import { unzipped } from "../support/unzipped.ts"

const tenants = process.env["SOV_LONG_TESTS"] === undefined ? 12 : 200
/** Requests of a client at the same time. */
const atOnce = 8
const usd = 0.125

/** Runs `work` for each, `atOnce` at a time, in any order; gives the results in theirs. */
const each = async <A, B>(
  all: ReadonlyArray<A>,
  work: (one: A, n: number) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  const left = [...all.entries()]
  const run = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      results[next[0]] = await work(next[1], next[0])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return results
}

const problemOf = (promise: Promise<unknown>): Promise<SovProblem["problem"]> =>
  promise.then(
    () => Promise.reject(new Error("it succeeded")),
    (error: unknown) => error instanceof SovProblem ? error.problem : Promise.reject(error as Error)
  )

interface Sums {
  readonly organization_id: string
  readonly answers: number
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number
}

it.skipIf(postgresUrl === null)(
  "a day of a hosted installation can be handled through the API alone",
  { timeout: 600_000 },
  async () => {
    const replay = await startReplay({
      answer: (platform) => `${platform}: Acme before Globex.`,
      usage: { prompt_tokens: 7, completion_tokens: 11 },
      latencyMs: 20,
      // Half of all answers: the others come after the second server was killed
      holdAfter: 2 * (tenants - 1)
    })
    const cwd = workspace()
    const env = { SOV_DATABASE_URL: await freshDatabaseUrl() }
    const config = JSON.parse(replay.config(2, 16)) as { platforms: Record<string, object> }
    const platforms = Object.entries(config.platforms).map(([id, one]) => [id, { ...one, prices: { perRequest: usd } }])
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: Object.fromEntries(platforms) }))
    const { key: apiKey } = await sovJson<{ key: string }>(cwd, ["key", "create", "--operator", "--name", "day"], env)
    const serve = async () => {
      const server = startSov(cwd, ["serve", "--port", "0", "--json"], { env: { ...env, SOV_REST_RATE: "0" } })
      onTestFinished(() => void server.child.kill("SIGKILL"))
      let said = ""
      server.child.stdout!.on("data", (chunk: string) => said += chunk)
      await until(() => said.includes("\n"), 120_000, "the server listens")
      return { server, url: (JSON.parse(said.split("\n")[0]!) as { url: string }).url }
    }
    const [first, second] = await Promise.all([serve(), serve()])
    const operators = [first, second].map(({ url }) => new SovOperatorClient({ baseUrl: url, apiKey }))
    const operator = operators[0]!

    const [exported, suspended, deleted, limited, poor] = [0, 1, 2, 3, 4] as const
    const made = await each(Array.from({ length: tenants }), async (_, n) => {
      const ask = operators[n % 2]!
      const body = {
        name: `Tenant ${n}`,
        brand: { name: "Acme" },
        competitors: [{ name: "Globex" }],
        keywords: [{ text: `which anvil for tenant ${n}?` }, { text: `which forge for tenant ${n}?` }],
        limits: {
          ...n === limited ? { requests_per_minute: 6 } : {},
          ...n === poor ? { monthly_budget_usd: 2 * usd } : {}
        }
      }
      const organization = await ask.createOrganization(body, { idempotencyKey: `tenant ${n}` })
      // A client that did not hear the answer sends it again, to whichever server
      const again = await operators[(n + 1) % 2]!.createOrganization(body, { idempotencyKey: `tenant ${n}` })
      expect(again.id).toBe(organization.id)
      const { key } = await ask.createKey(organization.slug, { name: "app" })
      return { ...organization, key }
    })
    expect(new Set(made.map(({ id }) => id)).size).toBe(tenants)
    const listed: Array<string> = []
    for await (const { id } of operator.organizations()) listed.push(id)
    expect(listed.toSorted()).toEqual(made.map(({ id }) => id).toSorted())

    const clientOf = (n: number, { url } = first) => new SovClient({ baseUrl: url, apiKey: made[n]!.key, retries: 0 })
    await operator.suspendOrganization(made[suspended]!.slug, { reason: "not paid" })
    const refused = await problemOf(clientOf(suspended, second).startScan())
    expect(refused).toMatchObject({ type: "/problems/organization-suspended", reason: "not paid" })
    expect((await clientOf(suspended).listScans()).scans).toEqual([])

    // Both servers count together: six of a dozen requests pass
    const rated = await Promise.all(
      Array.from(
        { length: 12 },
        (_, n) =>
          clientOf(limited, n % 2 === 0 ? first : second).listScans().then(
            () => 200,
            (error: unknown) => (error as SovProblem).problem.status
          )
      )
    )
    expect(rated.filter((status) => status === 200)).toHaveLength(6)
    expect(rated.filter((status) => status === 429)).toHaveLength(6)
    await operator.editOrganization(made[limited]!.slug, { limits: { requests_per_minute: null } })

    const scanning = made.map((_, n) => n).filter((n) => n !== suspended)
    const started = await each(scanning, (n) => clientOf(n, n % 2 === 0 ? first : second).startScan())
    await until(() => replay.stats.answered === 2 * (tenants - 1), 60_000, "half of the questions are answered")
    expect((await operator.usage()).total.answers).toBeLessThan(4 * scanning.length)
    second.server.child.kill("SIGKILL")
    await second.server
    replay.release()
    const ended = await each(scanning, async (n) => {
      const client = new SovClient({ baseUrl: first.url, apiKey: made[n]!.key })
      let status = "running"
      await until(
        async () => {
          const { scans } = await client.listScans()
          status = scans[0]!.status
          return status !== "running"
        },
        300_000,
        `the scan of tenant ${n} ends`
      )
      return status
    })
    expect(started).toHaveLength(tenants - 1)
    expect(new Set(ended)).toEqual(new Set(["completed"]))

    // What is metered, against what each tenant reads of its archive, and against the tables
    const usage = await operator.usage()
    const usedBy = new Map(usage.organizations.map((one) => [one.organization_id, one]))
    await each(scanning, async (n) => {
      const rows = []
      for await (const row of clientOf(n).archiveRows()) rows.push(row)
      const used = usedBy.get(made[n]!.id)!
      expect([used.answers, used.scans], `tenant ${n}`).toEqual([rows.length, 1])
      expect(used.input_tokens).toBe(7 * rows.length)
      expect(used.output_tokens).toBe(11 * rows.length)
      expect(used.cost_usd).toBeCloseTo(usd * rows.length, 9)
      expect(new Set(rows.map(({ prompt_used: asked }) => asked.endsWith(`for tenant ${n}?`)))).toEqual(new Set([true]))
      if (n !== poor) expect(rows).toHaveLength(4)
    })
    const direct = openDirectConnection(cwd, env)
    onTestFinished(direct.close)
    const sums = await direct.run(Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<Sums>`
      select organization_id::text, count(*)::int as answers, sum(input_tokens)::int as input_tokens,
        sum(output_tokens)::int as output_tokens, sum(cost_usd) as cost_usd,
        (select sum(attempts)::int from cell where cell.organization_id = answer.organization_id) as calls
      from answer group by organization_id order by organization_id
    `))
    const metered = usage.organizations.filter(({ answers }) => answers > 0)
      .map(({ answers, calls, cost_usd, input_tokens, organization_id, output_tokens }) => ({
        organization_id,
        answers,
        input_tokens,
        output_tokens,
        cost_usd,
        calls
      })).toSorted((a, b) => a.organization_id < b.organization_id ? -1 : 1)
    expect(metered).toEqual(sums)
    expect(usage.total.answers).toBe(sums.reduce((sum, one) => sum + one.answers, 0))
    expect(usage.total.calls).toBeGreaterThanOrEqual(replay.stats.requests)
    const csv = (await operator.usageCsv()).trimEnd().split("\r\n").slice(1).map((line) => line.split(","))
    const all = csv.filter(([, , , , platform]) => platform === "")
    const by = csv.filter(([, , , , platform]) => platform !== "")
    const answersOf = (lines: typeof csv) => lines.reduce((sum, line) => sum + Number(line[7]), 0)
    expect([all.length, answersOf(all), answersOf(by)]).toEqual([tenants, usage.total.answers, usage.total.answers])

    // The budget ended its scan before all was asked, and starts no other
    const spent = usedBy.get(made[poor]!.id)!
    expect(spent.answers).toBeGreaterThanOrEqual(2)
    expect(await problemOf(clientOf(poor).startScan())).toMatchObject({
      type: "/problems/budget-exhausted",
      budget_usd: 2 * usd
    })
    await operator.editOrganization(made[poor]!.slug, { limits: { monthly_budget_usd: 10 } })
    expect((await clientOf(poor).startScan()).status).toBe("running")

    const files = unzipped(
      Buffer.from(await new Response(await operator.exportOrganization(made[exported]!.slug)).arrayBuffer())
    )
    expect(files.get("archive.ndjson")!.toString().trimEnd().split("\n")).toHaveLength(4)
    expect(files.get("records.ndjson")!.toString()).not.toContain(made[deleted]!.id)

    const gone = made[deleted]!
    const { due_at: due } = await operator.deleteOrganization(gone.slug)
    expect(Date.parse(due)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    // Seven days later the worker that removes old rows does this
    await direct.run(Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql`
    update deletion_request set requested_at = requested_at - interval '7 days' where organization_id = ${gone.id}
  `))
    const home = await openSov({ databaseUrl: ownerUrl(env.SOV_DATABASE_URL) })
    await home.run(deleteOrganization(gone.id as never, { atOnce: false }))
    await home.close()
    expect(await problemOf(operator.getOrganization(gone.slug))).toMatchObject({ status: 404 })
    expect(await problemOf(clientOf(deleted).listScans())).toMatchObject({ status: 401 })
    const { tombstones } = await operator.listDeletions()
    expect(tombstones).toMatchObject([{
      organization_id: gone.id,
      requested_by: "day",
      valid: true,
      rows: { answer: 4 }
    }])
    const after = await operator.usage()
    expect(after.organizations.map(({ organization_id: id }) => id)).not.toContain(gone.id)
    expect((await clientOf(exported).archive()).data).toHaveLength(4)
  }
)
