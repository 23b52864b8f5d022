/**
 * The benchmark's server with its dashboard, in a separate process: `subject.ts HOME`, where HOME is a data directory
 * or a URL. Sends its port to its parent process. Then, on request, sends how long the overview's reads took, or plain
 * statements over the same rows.
 */
import { OrganizationStore, readOverview, wholeHistory } from "@sov/core"
import { layerMigrated } from "@sov/core/postgres"
import { layerDashboard, layerServer } from "@sov/http"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerPlatforms, scriptedPlatform } from "../../support/scriptedPlatforms.ts"
import { serverOptions } from "../../support/serverOptions.ts"

/**
 * The request of the parent process: time the overview's reads, or a read of the measured answers in this number of
 * newest scans.
 */
export type Question = { readonly kind: "overview" } | { readonly kind: "plain"; readonly scans: number }

const home = process.argv[2]!
const never = () => Effect.die("asked")
const runtime = ManagedRuntime.make(
  layerServer(
    serverOptions,
    layerDashboard({ platforms: null, platformLabels: new Map(), canMail: false })
  ).pipe(
    Layer.provideMerge(layerPlatforms(scriptedPlatform("assistant_a", never))),
    Layer.provideMerge(layerMigrated(home.startsWith("postgres") ? { url: Redacted.make(home) } : { dataDir: home })),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )
)

const [port, organizationId] = await runtime.runPromise(Effect.gen(function*() {
  const { address } = yield* HttpServer.HttpServer
  const [organization] = yield* (yield* OrganizationStore).list
  return ["port" in address ? address.port : 0, organization!.id] as const
}))

const plain = (scans: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      select answer.scan_id, answer.platform, answer.keyword_id, measured.brand_mentioned, measured.competitors_mentioned
      from answer cross join lateral (
        select brand_mentioned, competitors_mentioned from measurement
        where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
        order by tracked_set_version desc, measure_version desc limit 1
      ) measured
      where answer.organization_id = ${organizationId} and answer.scan_id in (
        select id from scan where organization_id = ${organizationId} and status = 'completed'
        order by started_at desc, id desc limit ${scans}
      )
    `
  })

process.on("message", (question: Question) => {
  void (async () => {
    const begun = performance.now()
    if (question.kind === "plain") await runtime.runPromise(plain(question.scans))
    else await runtime.runPromise(readOverview(organizationId, wholeHistory, 30, null))
    process.send!({ ms: performance.now() - begun })
  })()
})
process.on("disconnect", () => void runtime.dispose().then(() => process.exit(0)))
process.send!({ port })
