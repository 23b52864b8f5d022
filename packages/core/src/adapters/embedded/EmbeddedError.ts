import { Schema } from "effect"
import { toSystemRefusal } from "./dataDirectory.ts"
import { embeddedReasons, formatErrorLine, Refusal } from "./refusal.ts"

/**
 * The embedded database in `directory` cannot be used. `reason` is one of `embeddedReasons`; `message` is one line for
 * the operator that names the path and the next step.
 */
export class EmbeddedError extends Schema.TaggedError<EmbeddedError>()("EmbeddedError", {
  reason: Schema.Literals(embeddedReasons),
  directory: Schema.String,
  message: Schema.String
}) {
  /**
   * Converts a thrown value: a `Refusal` keeps its reason, a system error gets the matching reason, and anything else
   * becomes `unreachable`.
   */
  static from(directory: string, thrown: unknown): EmbeddedError {
    const refusal = thrown instanceof Refusal ? thrown : toSystemRefusal(directory, thrown)
    return new EmbeddedError({
      reason: refusal?.reason ?? "unreachable",
      directory,
      message: refusal?.message ?? `The database in ${directory} cannot be reached: ${formatErrorLine(thrown)}`
    })
  }
}
