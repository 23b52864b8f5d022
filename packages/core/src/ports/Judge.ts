/**
 * Judge is a language model that decides what no rule can decide: the stance of an answer, which names are brands, what
 * an answer says about facts in free text (LLM as a judge). By default none is configured, and only the rules decide.
 */
import { Context, type Effect } from "effect"
import type { Usage } from "../domain/archive/Answer.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformError } from "./AnswerPlatform.ts"

/** What a judge is asked, and how its reply is read. */
export interface JudgeQuestion<A> {
  /** The prompt. Texts of others stand between two lines with the fence, which they cannot contain. */
  readonly prompt: (fence: string) => string
  /** Reads the reply; null if it is unusable. */
  readonly read: (reply: string) => A | null
}

/** The reply of a judge: `verdict` is null if the reply is unusable, `usage` is null if no call was made. */
export interface Judgement<A> {
  readonly verdict: A | null
  readonly usage: Usage | null
}

/** A configured judge. */
export interface Judge {
  /** The configured platform that the calls go to. Its limits and its budget also apply to these calls. */
  readonly platform: PlatformId
  /** The judge's name in what it decides: platform and model. */
  readonly by: string
  /** Asks one question. Fails with the errors of the platform. */
  readonly ask: <A>(question: JudgeQuestion<A>) => Effect.Effect<Judgement<A>, PlatformError>
}

/** The configured judge; null if only the rules decide. */
export const ConfiguredJudge = Context.Reference<Judge | null>("@sov/core/ports/Judge", { defaultValue: () => null })

// Earlier names, from when each question had a judge of its own
export { ConfiguredJudge as NameJudge, ConfiguredJudge as SentimentJudge }
export type { Judge as ConfiguredNameJudge, Judgement as NameJudgement }
