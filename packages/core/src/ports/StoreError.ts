import { Schema } from "effect"

/**
 * Why the database did not do what was requested. `unavailable`: it is not reachable, or the connection was lost (the
 * outcome is unknown; trying again may help) · `busy`: a lock or serialization conflict (trying again helps) ·
 * `constraint`: a rule of the schema forbids it · `full`: no space left · `denied`: the role or file permissions forbid
 * it · `internal`: anything else.
 */
export const StoreFailure = Schema.Literals(["unavailable", "busy", "constraint", "full", "denied", "internal"])
export type StoreFailure = typeof StoreFailure.Type

/**
 * An operation of the database failed. `message` is one line for the operator and never contains a value of a row or a
 * secret.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  reason: StoreFailure,
  message: Schema.String,
  cause: Schema.optional(Schema.Defect())
}) {
  /** Whether the same operation may succeed later. */
  get retryable(): boolean {
    return this.reason === "unavailable" || this.reason === "busy"
  }
}
