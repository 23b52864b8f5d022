/** The populations that the intervals apply to (estimands), in the same words everywhere. */
import { pluralized } from "../wording.ts"
import type { Uncertainty } from "./Score.ts"

/** What the 95 % interval of a share applies to. */
export const otherQuestions = "other questions like these"

/** What the interval from samples, the mention rate and the prediction apply to. */
export const sameQuestions = "these questions again"

/** The reason for a missing interval, without a full stop. */
export const noInterval = "No interval: that takes two topics, and answers to half of the questions, on every platform"

/** "40 questions, 11 topics"; scores of older versions do not contain the number of topics. */
export const describeQuestions = ({ keywords, topics }: Pick<Uncertainty, "keywords" | "topics">): string =>
  `${pluralized(keywords, "question")}${topics === undefined ? "" : `, ${pluralized(topics, "topic")}`}`
