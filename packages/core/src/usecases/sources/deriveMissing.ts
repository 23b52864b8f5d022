import { Effect } from "effect"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { deriveSources } from "../../domain/sources/deriveSources.ts"
import { sourceVersion } from "../../domain/sources/Source.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { now } from "../now.ts"

/** Payloads in memory at once, in bytes. */
const pageBytes = 8_388_608

/**
 * Derives the sources of a scan's answers that have none of the present rules, from the payloads that are kept, page by
 * page: each is stored by a statement of its own, so it may be cut and repeated. Returns of how many answers it did.
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
    const derivedAt = yield* now
    yield* sources.insert(
      organizationId,
      page.map((answer) => ({ ...deriveSources(answer), answerId: answer.answerId, sourceVersion, derivedAt }))
    )
    derived += page.length
    after = page.at(-1)!.answerId
  }
})
