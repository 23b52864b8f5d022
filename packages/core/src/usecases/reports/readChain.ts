import { Effect } from "effect"
import type { SealHeader } from "../../domain/archive/Seal.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { SealStore } from "../../ports/SealStore.ts"

const headersPerPage = 1000

/** The seals from `first` to `last`. */
export const readChain = Effect.fnUntraced(function*(organizationId: OrganizationId, first: number, last: number) {
  const { headers } = yield* SealStore
  const chain: Array<SealHeader> = []
  while ((chain.at(-1)?.sequence ?? first - 1) < last) {
    const page: ReadonlyArray<SealHeader> = yield* headers(organizationId, {
      after: chain.at(-1)?.sequence ?? first - 1,
      limit: headersPerPage
    })
    if (page.length === 0) break
    chain.push(...page)
  }
  return chain.filter(({ sequence }) => sequence <= last)
})
