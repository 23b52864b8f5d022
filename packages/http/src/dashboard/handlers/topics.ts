/** Reads the topics for the page of questions. */
import type { OrganizationId } from "@sov/core/common"
import { readTopics } from "@sov/core/tracking"
import { Effect } from "effect"
import { shownTopics, type TopicsContent } from "../pages/topics.ts"

/** With more questions, finding topics takes too long for a page; `sov topic` has no limit. */
const maxQuestions = 2_000

/** The topics of the organization's questions; null if there is no brand, no question, or too many questions. */
export const readTopicsContent = Effect.fnUntraced(
  function*(organizationId: OrganizationId, questions: number) {
    if (questions === 0 || questions > maxQuestions) return null
    const topics = (yield* readTopics(organizationId))
      .filter(({ keywords }) => keywords.some(({ status }) => status !== "archived"))
    const several = topics.filter(({ keywords }) => keywords.length > 1)
    const open = several.filter(({ decided }) => !decided)
    const content: TopicsContent = {
      questions: topics.flatMap(({ keywords }) => keywords).filter(({ status }) => status !== "archived").length,
      topics: topics.length,
      several: [...open, ...several.filter(({ decided }) => decided)].slice(0, shownTopics),
      open: open.length,
      refused: null,
      changed: false
    }
    return content
  },
  Effect.catchTag("NotReady", () => Effect.succeed(null))
)
