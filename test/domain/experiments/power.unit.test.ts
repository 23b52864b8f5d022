/** What an experiment promises where earlier scans show little or no noise. */
import { findDetectableRise, type KeywordId, listTopicCourses, measureNoise, type ScoredCell } from "@sov/core"
import { expect, it } from "vitest"

/** 20 topics, the first 10 named, with this number of answers; `turned` of them have another one in the last scan. */
const coursesOf = (answers: number, turned = 0) =>
  listTopicCourses([0, 1, 2, 3].map((scan) =>
    Array.from({ length: 20 }, (_, topic): ScoredCell => {
      const [platform, keywordId] = ["assistant_a" as const, `topic ${topic}` as KeywordId]
      const brandMentioned = (topic < 10) !== (scan === 3 && topic < turned)
      const row = { platform, keywordId, brandMentioned, competitorsMentioned: [] }
      return { platform, keywordId, topic: keywordId, rows: Array.from({ length: answers }, () => row) }
    })
  ))
const riseOf = (courses: ReturnType<typeof coursesOf>) =>
  findDetectableRise({ ...measureNoise(courses), scansBefore: 4, scansAfter: 4, pairs: 10 })

it("scans without a change promise no more than the rule of three allows, and more if there are more answers", () => {
  expect(coursesOf(5).map(({ answers }) => answers)).toEqual(Array.from({ length: 20 }, () => 5))
  // One of N answers turns with the probability 3 / (4 scans × 20 topics × N): the variance of a share is that / N
  expect(measureNoise(coursesOf(1)).noise).toBeCloseTo(3 / 80, 12)
  expect(measureNoise(coursesOf(5)).noise).toBeCloseTo(3 / 80 / 25, 12)
  const [one, five] = [riseOf(coursesOf(1))!, riseOf(coursesOf(5))!]
  expect(five).toBeGreaterThan(1)
  expect(one).toBeGreaterThan(3 * five)
})

it("noise above the bound of the rule of three does not depend on the number of answers", () => {
  const { noise } = measureNoise(coursesOf(5, 4))
  expect(noise).toBeGreaterThan(3 / 80 / 25)
  expect(measureNoise(coursesOf(50, 4)).noise).toBe(noise)
})
