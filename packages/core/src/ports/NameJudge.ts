/**
 * NameJudge is a language model that decides which of the names found by the rules are brands (LLM as a judge). None is
 * configured by default, and it is asked on demand only.
 */
import { Context, type Effect } from "effect"
import type { Usage } from "../domain/archive/Answer.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformError } from "./AnswerPlatform.ts"

/** A name and passages of answers around it: everything the judge sees. */
export interface NameInContext {
  readonly name: string
  readonly excerpts: ReadonlyArray<string>
}

/** The reply of a judge: the names that are brands, null when the reply is unusable. */
export interface NameJudgement {
  readonly brands: ReadonlySet<string> | null
  readonly usage: Usage
}

/** A configured judge of names. */
export interface ConfiguredNameJudge {
  /** The configured platform that the calls go to: its budget applies to them, too. */
  readonly platform: PlatformId
  /** The judge's name in its decisions: platform and model. */
  readonly by: string
  /** Returns which of the names are brands. Fails as the platform does. */
  readonly judgeNames: (names: ReadonlyArray<NameInContext>) => Effect.Effect<NameJudgement, PlatformError>
}

/** The configured judge; null when the rules decide alone. */
export const NameJudge = Context.Reference<ConfiguredNameJudge | null>("@sov/core/ports/NameJudge", {
  defaultValue: () => null
})
