/**
 * NameJudge is a language model that decides which names are brands, among those that the rules found (LLM as a judge).
 * None is configured by default, and it is asked on demand only.
 */
import { Context, type Effect } from "effect"
import type { Usage } from "../domain/archive/Answer.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformError } from "./AnswerPlatform.ts"

/** A name, and passages of answers around it: all that the judge sees. */
export interface NameInContext {
  readonly name: string
  readonly excerpts: ReadonlyArray<string>
}

/** The reply of a judge: the names that are brands, null when the reply has no usable form. */
export interface NameJudgement {
  readonly brands: ReadonlySet<string> | null
  readonly usage: Usage
}

/** A configured judge of names. */
export interface ConfiguredNameJudge {
  /** The platform of the calls, one of those configured: its budget applies to them, too. */
  readonly platform: PlatformId
  /** The judge's name in what it decided: platform and model. */
  readonly by: string
  /** Which of the names are brands. Fails as the platform does. */
  readonly judgeNames: (names: ReadonlyArray<NameInContext>) => Effect.Effect<NameJudgement, PlatformError>
}

/** The configured judge; null when the rules decide alone. */
export const NameJudge = Context.Reference<ConfiguredNameJudge | null>("@sov/core/ports/NameJudge", {
  defaultValue: () => null
})
