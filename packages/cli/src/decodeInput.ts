import { Rejected } from "@sov/core"
import { Effect, Schema } from "effect"

/** Checks what was typed against a schema of the domain; `field` names the option or argument in the error. */
export const decodeInput = <A, I>(
  schema: Schema.Codec<A, I>,
  value: I,
  field: string
): Effect.Effect<A, Rejected> =>
  Schema.decodeEffect(schema)(value).pipe(
    Effect.mapError((error) =>
      new Rejected({ field, message: `${field}: ${JSON.stringify(value)} ${String(error.issue).split("\n")[0]}` })
    )
  )
