import { Effect, Option, Stream } from "effect"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { answersPerPage, isPageFull } from "./measureScan.ts"

/** Which answers of a scan are read: the first `limit` ones, and only those `among` these. By default all. */
export interface NewestOptions {
  readonly limit?: number
  readonly among?: ReadonlyArray<AnswerId>
}

/** The answers of a scan with the newest measurement of each, in id order, page by page. */
export const readNewest = (
  organizationId: OrganizationId,
  scanId: ScanId,
  { among, limit = Infinity }: NewestOptions = {}
) =>
  Stream.paginate(
    { left: limit, after: undefined as AnswerId | undefined },
    ({ after, left }) =>
      Effect.gen(function*() {
        const size = Math.min(answersPerPage, left)
        const page = yield* (yield* MeasurementStore).newest(organizationId, scanId, size, after, among)
        const rest = left - page.length
        const next = rest > 0 && isPageFull(page, size)
          ? Option.some({ left: rest, after: page.at(-1)!.answerId })
          : Option.none()
        return [[page], next] as const
      })
  )
