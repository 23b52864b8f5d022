import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { changeTopics, listTopics, type Topic, type TopicAct } from "../../domain/tracking/decidedTopics.ts"
import { NotFound, Rejected } from "../errors.ts"
import { setTopics } from "./editTrackedSet.ts"
import { readKeywords, readTrackedSet } from "./reads.ts"

/**
 * Reads the topics of all questions, including removed questions, whose answers still count in earlier scans. Fails
 * with NotReady if no brand is set.
 */
export const readTopics = Effect.fn("readTopics")(function*(organizationId: OrganizationId) {
  const set = yield* readTrackedSet(organizationId)
  const topics: ReadonlyArray<Topic> = listTopics(yield* readKeywords(organizationId), set)
  return topics
})

/**
 * Confirms the topics of these questions (`keep`), makes each question its own topic (`split`), or joins their topics
 * into one (`join`). Creates the next version of the tracked set: earlier scores keep their topics until they are
 * measured again. Returns the present topics of the questions, and whether anything changed. Fails with NotReady if no
 * brand is set, with NotFound for an unknown question, and with Rejected for fewer than two topics to join and for a
 * change before the end of an experiment.
 */
export const decideTopics = Effect.fn("decideTopics")(
  function*(organizationId: OrganizationId, act: TopicAct, ids: ReadonlyArray<KeywordId>) {
    const topics = yield* readTopics(organizationId)
    const known = new Set(topics.flatMap(({ keywords }) => keywords.map(({ id }) => id)))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined) return yield* new NotFound({ what: "keyword", id: unknown })
    const chosen = new Set(ids)
    if (act === "join" && chosen.size < 2) {
      return yield* new Rejected({ field: "keyword", message: "name at least two questions to join" })
    }
    const { changed } = yield* setTopics(organizationId, changeTopics(topics, act, chosen))
    const now = (yield* readTopics(organizationId)).filter(({ keywords }) => keywords.some(({ id }) => chosen.has(id)))
    return { topics: now, changed }
  }
)
