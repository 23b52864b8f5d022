/**
 * Two workers, one of which is killed -9 at a random moment around the time of a digest, twenty times: one for each
 * recipient.
 */
// Only with SOV_LONG_TESTS: kills and restarts workers for minutes; http/dashboard/unsubscribe shows the rule
import { layerConnection } from "@sov/core/postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { startMailServer } from "../support/MailServer.ts"
import { type Running, sovInit, startSov, until, workspace } from "../support/sov.ts"

const [rounds, recipients] = [20, 5]

it("twenty kills around the end of a week still send one digest per recipient, organization and week", async () => {
  const server = await startMailServer()
  const cwd = workspace()
  const url = await freshDatabaseUrl()
  const env = {
    SOV_DATABASE_URL: url,
    SOV_SMTP_URL: server.url,
    SOV_MAIL_FROM: "sov@acme.example",
    SOV_PUBLIC_URL: "https://sov.example"
  }
  writeFileSync(
    join(cwd, "sov.config.json"),
    JSON.stringify({ platforms: { assistant_a: { adapter: "simulated", brand: "Acme" } } })
  )
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"], env)
  const start = () => startSov(cwd, ["worker"], { env })
  const workers: Array<Running> = [start(), start()]
  onTestFinished(async () => {
    for (const { child } of workers) child.kill("SIGKILL")
    await Promise.all(workers)
  })
  const runtime = ManagedRuntime.make(layerConnection({ url: Redacted.make(url) }))
  onTestFinished(() => runtime.dispose())
  const query = <A extends object>(statement: string) =>
    runtime.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(statement)))
  await until(async () => (await query("select from worker")).length >= 2, 120_000, "both take part")
  for (let round = 0; round < rounds; round++) {
    await query(`insert into organization select (jsonb_populate_record(o, jsonb_build_object(
      'id', gen_random_uuid(), 'slug', 'org-${round}', 'name', 'Org ${round}'))).* from organization o where slug !~ '^org-' limit 1`)
    const [one] = await query<{ readonly id: string }>(`select id from organization where slug = 'org-${round}'`)
    for (let n = 0; n < recipients; n++) {
      await query(
        `insert into mail_recipient (organization_id, address, created_at) values ('${
          one!.id
        }', 'r${n}@o${round}.example', now())`
      )
    }
    await query(
      `insert into digest (organization_id, enabled, next_at) values ('${
        one!.id
      }', true, clock_timestamp() + interval '400 ms')`
    )
    await query("select pg_notify('sov_work', '')")
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_200))
    const victim = Math.floor(Math.random() * 2)
    workers[victim]!.child.kill("SIGKILL")
    await workers[victim]
    workers[victim] = start()
  }
  const sent = async () =>
    (await query<{ readonly n: number }>("select count(*)::int as n from mail where digest and state = 'sent'"))[0]!.n
  await until(async () => (await sent()) === rounds * recipients, 600_000, "all are sent")
  const rows = (await query<{ readonly n: number }>("select count(*)::int as n from digest_mail"))[0]!.n
  const ids = new Map<string, number>()
  for (const { mail, to } of server.received) {
    const key = `${to[0]} ${mail.messageId}`
    ids.set(key, (ids.get(key) ?? 0) + 1)
  }
  const addresses = new Set([...ids.keys()].map((key) => key.split(" ")[0]))
  console.log(
    `FIGURES kills ${rounds}, recipients ${addresses.size}, rows ${rows}, distinct e-mails ${ids.size}, handed over ${server.received.length}`
  )
  console.log(`HEADERS ${JSON.stringify(server.received[0]!.mail.headers.map(({ key, value }) => [key, value]))}`)
  expect([rows, ids.size, addresses.size]).toEqual([100, 100, 100])
}, 1_200_000)
