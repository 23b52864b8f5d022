/**
 * CardJudge is a language model that decides what an answer says about facts of the business card that no rule can read
 * (LLM as a judge). By default no judge is configured; it is asked only on demand.
 */
import { Context, type Effect } from "effect"
import type { Usage } from "../domain/archive/Answer.ts"
import type { FactReply, JudgedFact } from "../domain/card/claims/judgedFacts.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformError } from "./AnswerPlatform.ts"

/** What the judge is asked about one answer: everything that it sees. */
export interface CardQuestion {
  readonly brand: string
  readonly facts: ReadonlyArray<Pick<JudgedFact, "name" | "says">>
  readonly answer: string
}

/** The reply of a judge: what the answer states, at most once per fact; null if the reply is unusable. */
export interface CardJudgement {
  readonly replies: ReadonlyArray<FactReply> | null
  readonly usage: Usage
}

/** A configured judge of facts. */
export interface ConfiguredCardJudge {
  /** The configured platform that the calls go to. Its limits and its budget also apply to these calls. */
  readonly platform: PlatformId
  /** The judge's name in its decisions: platform and model. */
  readonly by: string
  /** Compares the facts with an answer. Fails with the errors of the platform. */
  readonly judgeFacts: (question: CardQuestion) => Effect.Effect<CardJudgement, PlatformError>
}

/** The configured judge; null if only the rules decide. */
export const CardJudge = Context.Reference<ConfiguredCardJudge | null>("@sov/core/ports/CardJudge", {
  defaultValue: () => null
})
