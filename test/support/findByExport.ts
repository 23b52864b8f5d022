import { type ArchiveFilters, type ArchiveProblem, beginExport, type OrganizationId, wholeHistory } from "@sov/core"
import { Effect, Stream } from "effect"

/** The problems that an export finds while it reads, either in one run or as a resumed export. */
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
