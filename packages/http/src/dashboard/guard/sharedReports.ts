/**
 * The reports that share links show, and which of them are too long to show, kept for a minute: whoever loads a link
 * again and again has its report made once.
 */
import { monotonicMs, type OrganizationId, type ShareLinkId } from "@sov/core/common"
import { Effect, Semaphore } from "effect"
import { gzip } from "node:zlib"

/** How long a report is shown as it was made. That a link still works is asked each time. */
const keptMs = 60_000
/** Reports in memory of one organization: some hundred kilobytes each, or megabytes with the texts of answers. */
const maxReports = 5
/** Organizations whose reports are in memory. */
const maxOrganizations = 20
/** Bytes of all reports in memory, as they are sent with and without compression. */
const maxBytes = 64 * 2 ** 20

const compress = (bytes: Uint8Array) =>
  Effect.callback<Uint8Array>((resume) =>
    gzip(bytes, { level: 6 }, (error, packed) => resume(error === null ? Effect.succeed(packed) : Effect.die(error)))
  )

/** A file of HTML as it is sent: as it is, and compressed. */
export interface PackedDocument {
  readonly bytes: Uint8Array
  readonly gzip: Uint8Array
}

/** Compresses it once, on a thread of its own: sending a long report holds up no other request. */
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
  /** One report of an organization is made at a time; others do not wait for it. */
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
   * Drops reports whose minute is over, and those of the organizations that were asked for longest ago where all have
   * too many bytes.
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
    /** The report of a link of the organization as it was made within the last minute; null where it was not. */
    findKept,
    /**
     * The report of a link of the organization, null if it is too long to show; `make` makes it where there is none of
     * the last minute.
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
