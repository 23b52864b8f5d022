/**
 * Topics that people decide, which are groups of questions that ask the same thing (docs/measuring.md, section
 * "Topics").
 */
import type { KeywordId } from "../ids.ts"
import { findTopics } from "../scoring/topics.ts"
import type { Keyword } from "./Keyword.ts"
import type { TrackedSet } from "./TrackedSet.ts"

type Topics = NonNullable<TrackedSet["topics"]>

/**
 * Questions that ask the same thing, oldest first, or a single question. `decided`: people decided about all of them.
 */
export interface Topic {
  readonly keywords: ReadonlyArray<Keyword>
  readonly decided: boolean
}

/** The topics of these keywords, as they count in scores. */
export const listTopics = (keywords: ReadonlyArray<Keyword>, set: Pick<TrackedSet, "topics">): ReadonlyArray<Topic> => {
  const found = findTopics(keywords, set)
  const decided = new Set(set.topics?.flat())
  return [...Map.groupBy(keywords, ({ id }) => found.get(id) ?? id).values()].map((own) => ({
    keywords: own,
    decided: own.every(({ id }) => decided.has(id))
  }))
}

/** What people do with topics: confirm them, remove questions from them, or join several into one. */
export const topicActs = ["keep", "split", "join"] as const
export type TopicAct = typeof topicActs[number]

/** The topics that result from an act on these questions; `split` also confirms the rest of a topic. */
export const changeTopics = (
  topics: ReadonlyArray<Topic>,
  act: TopicAct,
  chosen: ReadonlySet<KeywordId>
): ReadonlyArray<ReadonlyArray<Keyword>> => {
  const concerned = topics.filter(({ keywords }) => keywords.some(({ id }) => chosen.has(id)))
    .map(({ keywords }) => keywords)
  if (act === "keep") return concerned
  if (act === "join") return [concerned.flat()]
  return concerned.flatMap((keywords) => [
    ...keywords.filter(({ id }) => chosen.has(id)).map((one) => [one]),
    keywords.filter(({ id }) => !chosen.has(id))
  ]).filter((topic) => topic.length > 0)
}

/** Adds decided topics and removes earlier decisions about their questions; equal decisions have equal results. */
export const putTopics = (decided: Topics, topics: Topics): Topics => {
  const moved = new Set(topics.flat())
  return [...decided.map((ids) => ids.filter((id) => !moved.has(id))), ...topics]
    .filter((ids) => ids.length > 0)
    .map((ids) => ids.toSorted())
    .toSorted(([a], [b]) => a! < b! ? -1 : 1)
}
