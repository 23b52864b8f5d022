/**
 * NameJudge is a language model that decides which of the names that the rules found are brands (LLM as a judge). By
 * default no judge is configured; it is asked only on demand.
 */
import { Context, type Effect } from "effect"
import type { Usage } from "../domain/archive/Answer.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformError } from "./AnswerPlatform.ts"

/** A name and the passages of answers around it, which is everything that the judge sees. */
export interface NameInContext {
  readonly name: string
  readonly excerpts: ReadonlyArray<string>
}

/** The reply of a judge: the names that are brands; null if the reply is unusable. */
export interface NameJudgement {
  readonly brands: ReadonlySet<string> | null
  readonly usage: Usage
}

/** A configured judge of names. */
export interface ConfiguredNameJudge {
  /** The configured platform that the calls go to. Its budget also applies to these calls. */
  readonly platform: PlatformId
  /** The judge's name in its decisions: platform and model. */
  readonly by: string
  /** Returns which of the names are brands. Fails with the errors of the platform. */
  readonly judgeNames: (names: ReadonlyArray<NameInContext>) => Effect.Effect<NameJudgement, PlatformError>
}

/** The configured judge; null if only the rules decide. */
export const NameJudge = Context.Reference<ConfiguredNameJudge | null>("@sov/core/ports/NameJudge", {
  defaultValue: () => null
})
