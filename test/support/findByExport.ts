import { type ArchiveFilters, type ArchiveProblem, beginExport, type OrganizationId, wholeHistory } from "@sov/core"
import { Effect, Stream } from "effect"

/** What an export finds as it reads, in one run or as one that was resumed. */
export const findByExport = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { filters = {}, resumed = false }: { readonly filters?: ArchiveFilters; readonly resumed?: boolean } = {}
) {
  const problems: Array<ArchiveProblem> = []
  const begun = yield* beginExport(organizationId, wholeHistory, filters, {
    onProblem: (problem) => Effect.sync(() => void problems.push(problem))
  })
  const end = Effect.fnUntraced(function*() {
    yield* Stream.runDrain(begun.pages())
    yield* begun.checkChain({ resumed })
    return problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`).toSorted()
  })
  return { begun, end }
})
