/**
 * The organizations of the hosting day, each with tracked names, a daily schedule, a webhook, alerts, an API key, and a
 * viewer.
 */
import { addEndpoint, createApiKey, initialize, type OrganizationId, setAlertRule, setSchedule } from "@sov/core"
import { layerMigrated, layerServer } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { seedLink, seedMember } from "../../support/people.ts"
import { deliveryServices } from "../../support/webhooks.ts"

export interface Prepared {
  readonly id: OrganizationId
  readonly slug: string
  readonly key: string
  /** The token of a link that signs the viewer in. */
  readonly token: string
}

const prepareOne = Effect.fnUntraced(function*(n: number, keywords: number, receiver: string) {
  const { organization: { id, slug } } = yield* initialize({
    name: `Organization ${n}`,
    plan: "enterprise",
    tracking: {
      brand: { name: "Acme" },
      competitors: [{ name: "Globex" }, { name: "Initech" }, { name: "Umbrella" }, { name: "Hooli" }],
      keywords: Array.from(
        { length: keywords },
        (_, k) => ({ text: `Which machine should shop ${n} buy for job ${k}?` })
      )
    }
  })
  yield* addEndpoint(id, receiver, ["scan.completed", "sov.dropped", "mention.detected", "competitor.overtake"])
  yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 30 })
  yield* setAlertRule(id, { rule: "new_mention", enabled: true })
  yield* setAlertRule(id, { rule: "competitor_overtake", enabled: true })
  yield* setSchedule(id, { cron: "0 6 * * *", timeZone: "Etc/UTC", samples: 1 })
  const { secret } = yield* createApiKey(id, "bench")
  const person = yield* seedMember(id)
  const { token } = yield* seedLink(person.id, {
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 86_400_000)
  })
  return { id, slug, key: secret, token }
})

/**
 * Updates the statistics of tables that have rows, as Postgres' autovacuum would. With the statistics of an empty
 * table, plans made before the first scan would read all of `cell` for each scan, until autovacuum runs.
 */
const analyzeFilled = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    do $$ declare filled regclass; has_rows boolean; begin
      for filled in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('select exists (select from %s)', filled) into has_rows;
        if has_rows then execute format('analyze %s', filled); end if;
      end loop;
    end $$
  `)

/** Creates the organizations in an empty database. */
export const prepareOrganizations = (
  url: string,
  organizations: number,
  keywords: number,
  receiver: string
): Promise<ReadonlyArray<Prepared>> =>
  Effect.runPromise(
    Effect.forEach(Array.from({ length: organizations }, (_, n) => n), (n) => prepareOne(n, keywords, receiver)).pipe(
      Effect.tap(analyzeFilled),
      Effect.provide(
        Layer.mergeAll(
          layerMigrated({ url: Redacted.make(url) }).pipe(
            Layer.provideMerge(layerServer({ url: Redacted.make(url), maxConnections: 2 }))
          ),
          deliveryServices,
          SecureRandom.layerWebCrypto
        )
      )
    ) as Effect.Effect<ReadonlyArray<Prepared>, unknown>
  )
