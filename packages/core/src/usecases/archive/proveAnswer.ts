import { Effect } from "effect"
import { buildProof } from "../../domain/archive/Proof.ts"
import type { SealHeader } from "../../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { NotSealed } from "../errors.ts"
import { readAnswer } from "./reads.ts"

const headersPerPage = 1000

/**
 * Builds the proof of one answer, which can be checked without the archive: its seal, the Merkle path to the root, and
 * the chain to the newest seal. Fails as `readAnswer`, or with NotSealed while its scan is running.
 */
export const proveAnswer = Effect.fn("proveAnswer")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  id: AnswerId
) {
  const seals = yield* SealStore
  const row = yield* readAnswer(organizationId, window, id)
  const seal = (yield* seals.ofScan(organizationId, row.scanId))
    .find(({ leaves }) => leaves.some((leaf) => leaf.id === id))
  if (seal === undefined) return yield* new NotSealed({ id, scanId: row.scanId })
  const later: Array<SealHeader> = []
  let page: ReadonlyArray<SealHeader>
  do {
    page = yield* seals.headers(organizationId, {
      after: later.at(-1)?.sequence ?? seal.sequence,
      limit: headersPerPage
    })
    later.push(...page)
  } while (page.length === headersPerPage)
  return buildProof(organizationId, row, seal, later)
})
