/** Creates completed scans of one organization through the use cases, with answers that the test supplies. */
import {
  ArchiveStore,
  type CellFailure,
  CellStore,
  completeScan,
  KeywordStore,
  type OrganizationId,
  type Scan,
  ScanStore,
  type SentMarket,
  TrackedSetStore
} from "@sov/core"
import { addScan, answerTo, at, captureOf, keywords, seedOrganization, trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"

/** The texts of the six keywords. */
export const texts = Array.from({ length: 6 }, (_, n) => `best anvil for workshop ${n}?`)

/** Creates an organization that tracks Acme Forge, Globex and Initech with six keywords. */
export const seed = Effect.gen(function*() {
  const { id } = yield* seedOrganization()
  yield* (yield* TrackedSetStore).append(id, yield* trackedSet())
  yield* (yield* KeywordStore).add(id, yield* keywords(texts))
  return id
})

const payload = Uint8Array.of(0, 1, 254, 255)
const payloadSha256 = hash("sha256", payload, "hex")

/** A running scan of six keywords on two platforms with these answers; `null` for a question that fails. */
export const answeredScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  seconds: number,
  answer: (keyword: number, platform: string, question: string) => string | null,
  { failure = "timeout", market, model, ...fields }: Partial<Scan> & {
    readonly model?: string
    /** The reason why questions fail. */
    readonly failure?: CellFailure["reason"]
    /** The market of the reader that was sent to `assistant_a`. */
    readonly market?: SentMarket | null
  } = {}
) {
  const asked = yield* (yield* KeywordStore).list(organizationId, ["active"])
  const set = (yield* (yield* TrackedSetStore).current(organizationId))!
  const { cells, scan } = yield* addScan(organizationId, asked, {
    startedAt: at(seconds),
    trackedSetVersion: set.version,
    ...fields
  })
  const cellStore = yield* CellStore
  for (const cell of cells) {
    const text = answer(texts.indexOf(cell.prompt), cell.platform, cell.prompt)
    if (text === null) {
      yield* cellStore.fail(organizationId, cell.id, {
        reason: failure,
        message: "late",
        excerpt: null,
        status: null
      })
    } else {
      yield* (yield* ArchiveStore).archive(
        organizationId,
        // A scan can have leaves of both versions, if it continues while the release changes
        yield* answerTo(
          cell,
          {
            rawResponse: text,
            simulated: scan.simulated,
            ...model === undefined ? {} : { model },
            ...market === undefined || cell.platform === "assistant_b"
              ? {}
              : { payload, capture: captureOf({ payloadSha256, asked: { surface: "api", view: null, market } }) }
          },
          cell.platform === "assistant_b" ? 1 : 2
        ),
        null
      )
    }
  }
  return scan
})

/** Like `answeredScan`, but the scan is completed. */
export const scanWith = Effect.fnUntraced(function*(...args: Parameters<typeof answeredScan>) {
  const [organizationId] = args
  const { id } = yield* answeredScan(...args)
  yield* completeScan(organizationId, id)
  return (yield* (yield* ScanStore).find(organizationId, id))!
})

/** The scores of a scan: the tracked set, and the share of voice rounded to a tenth. */
export const scoresOf = (organizationId: OrganizationId, scan: Scan) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly version: number; readonly sov: number }>`
      select tracked_set_version as version, avg_sov as sov from score
      where organization_id = ${organizationId} and scan_id = ${scan.id} order by 1
    `
    return rows.map(({ sov, version }) => [version, Math.round(sov * 10) / 10])
  })

/** Number of an organization's measurements. */
export const measurements = (organizationId: OrganizationId) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly n: number }>`
      select count(*)::int as n from measurement where organization_id = ${organizationId}
    `
    return row!.n
  })
