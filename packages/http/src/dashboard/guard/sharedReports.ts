/**
 * Caches the reports of share links for a minute, so that repeated views of a link create its report only once. The
 * cache also remembers which reports are too long to show.
 */
import { monotonicMs, type OrganizationId, type ShareLinkId } from "@sov/core/common"
import { Effect, Semaphore } from "effect"
import { gzip } from "node:zlib"

/** Lifetime of a cached report. Each view still checks that the link is valid. */
const keptMs = 60_000
/**
 * Maximum number of reports per organization. A report takes some hundred kilobytes, or megabytes with answer texts.
 */
const maxReports = 5
/** Maximum number of organizations with reports in memory. */
const maxOrganizations = 20
/** Maximum total size of all reports in memory in bytes, compressed and uncompressed forms together. */
const maxBytes = 64 * 2 ** 20

const compress = (bytes: Uint8Array) =>
  Effect.callback<Uint8Array>((resume) =>
    gzip(bytes, { level: 6 }, (error, packed) => resume(error === null ? Effect.succeed(packed) : Effect.die(error)))
  )

/** An HTML file, uncompressed and compressed. */
export interface PackedDocument {
  readonly bytes: Uint8Array
  readonly gzip: Uint8Array
}

/** Compresses a report once, on another thread, so that a long report delays no other request. */
const pack = Effect.fnUntraced(function*(text: string) {
  const bytes = Buffer.from(text)
  const packed: PackedDocument = { bytes, gzip: yield* compress(bytes) }
  return packed
})

interface Kept {
  /** Null = the report is too long to show. */
  readonly document: PackedDocument | null
  readonly until: number
}

interface Shelf {
  /** Creates one report per organization at a time; organizations do not wait for each other. */
  readonly turns: Semaphore.Semaphore
  readonly reports: Map<ShareLinkId, Kept>
}

const dropFirst = (from: Map<unknown, unknown>, most: number): void => {
  if (from.size > most) from.delete(from.keys().next().value)
}

export const makeSharedReports = () => {
  const shelves = new Map<OrganizationId, Shelf>()
  const shelfOf = (organizationId: OrganizationId): Shelf => {
    const shelf = shelves.get(organizationId) ?? { turns: Semaphore.makeUnsafe(1), reports: new Map() }
    shelves.delete(organizationId)
    shelves.set(organizationId, shelf)
    dropFirst(shelves, maxOrganizations)
    return shelf
  }
  /**
   * Removes expired reports. If the others still exceed the size limit, removes the reports of the least recently used
   * organizations.
   */
  const dropOld = (at: number): void => {
    let bytes = 0
    for (const { reports } of [...shelves.values()].toReversed()) {
      for (const [id, { document, until }] of [...reports].toReversed()) {
        if (until <= at) {
          reports.delete(id)
        } else if (document !== null) {
          bytes += document.bytes.length + document.gzip.length
          if (bytes > maxBytes) reports.delete(id)
        }
      }
    }
  }
  const findKept = (organizationId: OrganizationId, id: ShareLinkId): Effect.Effect<Kept | null> =>
    Effect.map(monotonicMs, (at) => {
      const kept = shelfOf(organizationId).reports.get(id)
      return kept !== undefined && kept.until > at ? kept : null
    })
  return {
    /** The cached report of a link; null if none was created within the last minute. */
    findKept,
    /**
     * The report of a link; null if it is too long to show. Calls `make` if no report from the last minute is cached.
     */
    find: <E, R>(
      organizationId: OrganizationId,
      id: ShareLinkId,
      make: Effect.Effect<string | null, E, R>
    ): Effect.Effect<PackedDocument | null, E, R> =>
      Effect.suspend(() => {
        const { reports, turns } = shelfOf(organizationId)
        const makeAndKeep = Effect.gen(function*() {
          const found = yield* findKept(organizationId, id)
          if (found !== null) return found.document
          const text = yield* make
          const document = text === null ? null : yield* pack(text)
          const at = yield* monotonicMs
          reports.delete(id)
          reports.set(id, { document, until: at + keptMs })
          dropFirst(reports, maxReports)
          dropOld(at)
          return document
        })
        return Effect.flatMap(
          findKept(organizationId, id),
          (found) => found === null ? turns.withPermits(1)(makeAndKeep) : Effect.succeed(found.document)
        )
      })
  }
}

export type SharedReports = ReturnType<typeof makeSharedReports>
