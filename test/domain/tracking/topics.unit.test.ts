/** Topics that people decide: what the program finds never joins or parts them. */
import { changeTopics, findTopics, type Keyword, type KeywordId, listTopics, putTopics } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"

const idOf = (n: number) => `01a1fc84-0000-7000-8000-${String(n).padStart(12, "0")}` as KeywordId
const keywordsOf = (texts: ReadonlyArray<string>): ReadonlyArray<Keyword> =>
  texts.map((text, n) => ({ id: idOf(n), text, status: "active", createdAt: new Date(n) }))

const alike = keywordsOf([
  "best anvil for beginners",
  "what is the best anvil for beginners?",
  "which anvil is best for beginners?",
  "how much does a forge cost?"
])
const [one, two, three, forge] = alike.map(({ id }) => id) as [KeywordId, KeywordId, KeywordId, KeywordId]
const groupsOf = (topics?: ReadonlyArray<ReadonlyArray<KeywordId>>) =>
  listTopics(alike, topics === undefined ? {} : { topics })
    .map(({ decided, keywords }) => [keywords.map(({ id }) => id), decided])

describe("topics", () => {
  it("questions that ask the same thing are one topic, about which nobody has decided", () => {
    expect(groupsOf()).toEqual([[[one, two, three], false], [[forge], false]])
  })

  it("a question that people split off stays alone, and the rest of its topic counts as confirmed", () => {
    const made = changeTopics(listTopics(alike, {}), "split", new Set([two])).map((own) => own.map(({ id }) => id))
    expect(groupsOf(putTopics([], made))).toEqual([[[one, three], true], [[two], true], [[forge], false]])
  })

  it("joining makes one topic from the complete topics of the questions", () => {
    const made = changeTopics(listTopics(alike, {}), "join", new Set([two, forge])).map((own) =>
      own.map(({ id }) => id)
    )
    expect(groupsOf(putTopics([], made))).toEqual([[[one, two, three, forge], true]])
  })

  it("a new question joins a similar confirmed topic, which must then be confirmed again", () => {
    expect(groupsOf([[one, two]])).toEqual([[[one, two, three], false], [[forge], false]])
  })

  it("an id that occurs twice in a report's topic counts once", () => {
    const twice = [[one, two, one, two], [forge, forge]]
    expect(groupsOf(twice)).toEqual(groupsOf([[one, two], [forge]]))
    expect(findTopics(alike, { topics: twice })).toEqual(findTopics(alike, { topics: [[one, two], [forge]] }))
  })

  it("decisions of people apply to any questions, in any order, and two decided topics are never joined", () => {
    const texts = fc.array(
      fc.constantFrom(
        ...alike.map(({ text }) => text),
        "best anvil under 500",
        "best anvil under 900",
        "anvil",
        "¿qué yunque es mejor para principiantes?"
      ),
      { minLength: 2, maxLength: 12 }
    )
    fc.assert(
      fc.property(texts, fc.array(fc.nat(4), { minLength: 12, maxLength: 12 }), fc.nat(11), (some, groups, turn) => {
        const all = keywordsOf(some)
        // Group 4 is undecided
        const topics = putTopics(
          [],
          [0, 1, 2, 3].map((group) => all.filter((_, n) => groups[n] === group).map(({ id }) => id))
        )
        const found = findTopics(all, { topics })
        const topicOf = (id: KeywordId) => found.get(id) ?? id
        expect(new Set(topics.map(([id]) => topicOf(id!))).size).toBe(topics.length)
        for (const ids of topics) expect(new Set(ids.map(topicOf)).size).toBe(1)
        const turned = findTopics([...all.slice(turn), ...all.slice(0, turn)], { topics: topics.toReversed() })
        expect([...turned.keys()].toSorted()).toEqual([...found.keys()].toSorted())
        expect(putTopics(topics, topics)).toEqual(topics)
      }),
      { numRuns: propertyRuns(300) }
    )
  })
})
