/** The reports that share links show, kept for a minute: whoever loads a link again and again has it made once. */
import { monotonicMs, type OrganizationId, type ShareLinkId } from "@sov/core"
import { Effect, Semaphore } from "effect"

/** How long a report is shown as it was made. That a link still works is asked each time. */
const keptMs = 60_000
/** Reports in memory of one organization, each of up to some hundred kilobytes, or of megabytes with the texts of answers. */
const maxReports = 5
/** Organizations whose reports are in memory. */
const maxOrganizations = 20

interface Shelf {
  /** One report of an organization is made at a time; others do not wait for it. */
  readonly turns: Semaphore.Semaphore
  readonly reports: Map<ShareLinkId, { readonly text: string; readonly until: number }>
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
  return {
    /** The report of a link of the organization; `make` makes it where there is none of the last minute. */
    find: <E, R>(
      organizationId: OrganizationId,
      id: ShareLinkId,
      make: Effect.Effect<string, E, R>
    ): Effect.Effect<string, E, R> =>
      Effect.suspend(() => {
        const { reports, turns } = shelfOf(organizationId)
        const findKept = Effect.map(monotonicMs, (at) => {
          const kept = reports.get(id)
          return kept !== undefined && kept.until > at ? kept.text : null
        })
        const makeAndKeep = Effect.gen(function*() {
          const found = yield* findKept
          if (found !== null) return found
          const text = yield* make
          reports.delete(id)
          reports.set(id, { text, until: (yield* monotonicMs) + keptMs })
          dropFirst(reports, maxReports)
          return text
        })
        return Effect.flatMap(
          findKept,
          (found) => found === null ? turns.withPermits(1)(makeAndKeep) : Effect.succeed(found)
        )
      })
  }
}

export type SharedReports = ReturnType<typeof makeSharedReports>
