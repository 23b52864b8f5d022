import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { planRescore, rescore } from "../measuring/rescore.ts"
import { addCompetitor } from "./editTrackedSet.ts"

/**
 * Tracks a suggested name as a competitor and measures the entire archive with it. Both steps can be repeated: a name
 * that is already tracked changes nothing, and existing measurements stay. `onMeasured` receives the number of measured
 * answers, page by page. Fails as `addCompetitor`.
 */
export const acceptSuggestion = Effect.fn("acceptSuggestion")(
  function*(organizationId: OrganizationId, name: string, onMeasured: (answers: number) => void) {
    const edited = yield* addCompetitor(organizationId, { name, aliases: [], domains: [] })
    const plan = yield* planRescore(organizationId, {})
    return { ...edited, plan, done: yield* rescore(organizationId, plan, onMeasured) }
  }
)
