import { Effect, Result } from "effect"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { sourceVersion } from "../../domain/sources/Source.ts"
import { AnswerAnalysis } from "../../ports/AnswerAnalysis.ts"
import { SourceStore, type StoredSources, type Underived } from "../../ports/SourceStore.ts"
import { rescoreDeadline } from "../measuring/measureStored.ts"
import { now } from "../now.ts"

/** Maximum size of the payloads that are in memory at once, in bytes. */
const pageBytes = 8_388_608

/** The sources of these answers; answers whose sources cannot be read are left out. */
const derivePage = Effect.fnUntraced(function*(page: ReadonlyArray<Underived>, derivedAt: Date) {
  const analysis = yield* AnswerAnalysis
  const derived: Array<StoredSources> = []
  for (const { answerId, ...answer } of page) {
    const result = yield* Effect.result(analysis.deriveSources(answer, rescoreDeadline))
    if (Result.isSuccess(result)) derived.push({ ...result.success, answerId, sourceVersion, derivedAt })
    else yield* Effect.logWarning(`the sources of answer ${answerId} cannot be read: ${result.failure.message}`)
  }
  return derived
})

/**
 * Derives sources for the answers of a scan that have no sources by the present rules. Reads the stored payloads page
 * by page, and stores each page with one statement. It can be interrupted and repeated. Returns the number of answers.
 */
export const deriveMissing = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId) {
  const sources = yield* SourceStore
  let derived = 0
  let after: AnswerId | undefined
  while (true) {
    const page = yield* sources.underived(organizationId, scanId, sourceVersion, {
      bytes: pageBytes,
      ...after === undefined ? {} : { after }
    })
    if (page.length === 0) return derived
    const found = yield* derivePage(page, yield* now)
    yield* sources.insert(organizationId, found)
    derived += found.length
    after = page.at(-1)!.answerId
  }
})
