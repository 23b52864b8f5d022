import { Schema } from "effect"
import { embeddedReasons, errorLine, Refusal } from "./refusal.ts"

/**
 * The embedded database in `directory` cannot be used. `reason` is closed (see `embeddedReasons`); `message` is one line
 * for the operator that names the path and what to do next.
 */
export class EmbeddedError extends Schema.TaggedError<EmbeddedError>()("EmbeddedError", {
  reason: Schema.Literals(embeddedReasons),
  directory: Schema.String,
  message: Schema.String
}) {
  /** A refusal keeps its reason; anything else that was thrown is `unreachable`. */
  static from(directory: string, thrown: unknown): EmbeddedError {
    if (thrown instanceof EmbeddedError) return thrown
    const reason = thrown instanceof Refusal ? thrown.reason : "unreachable"
    const message = thrown instanceof Refusal
      ? thrown.message
      : `The database in ${directory} cannot be reached: ${errorLine(thrown)}`
    return new EmbeddedError({ reason, directory, message })
  }
}
