import { Rejected } from "@sov/core/common"
import { Effect, Schema, SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first problem as one line: `brand.domains.0 must be a bare host …`. */
export const describeFirstIssue = (error: Schema.SchemaError): string => {
  const issue = format(error.issue).issues[0]
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  return `${path === "" ? "" : `${path}: `}${(issue?.message ?? "not valid").replace(/\s*\n\s*/g, " ")}`
}

/** Checks an input against a schema of the domain; an error names the option or argument `field`. */
export const decodeInput = <A, I>(
  schema: Schema.Codec<A, I>,
  value: I,
  field: string
): Effect.Effect<A, Rejected> =>
  Schema.decodeEffect(schema)(value).pipe(
    Effect.mapError((error) =>
      new Rejected({ field, message: `${field} ${JSON.stringify(value)}: ${describeFirstIssue(error)}` })
    )
  )
