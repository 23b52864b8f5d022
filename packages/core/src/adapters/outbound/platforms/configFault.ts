/** Errors for unusable settings (file, field, allowed values, remedy), and a decoder that reports them. */
import { Result, Schema, SchemaIssue } from "effect"
import { didYouMean } from "../../../domain/didYouMean.ts"

/** An unusable setting: one line with the place and the fault, and one with the remedy. */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  message: Schema.String,
  hint: Schema.String
}) {}

export const failConfig = (source: string, message: string, hint: string) =>
  Result.fail(new ConfigError({ message: `${source}: ${message}`, hint }))

/** Describes the value that was found. Strings are not shown, because a key may have been pasted into any field. */
export const describeFound = (value: unknown): string => {
  if (value === null || typeof value === "number" || typeof value === "boolean") return `found ${value}`
  return `found ${Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`}`
}

/** A name from the file, quoted and cut to fit a line. */
export const quoteConfigName = (name: string): string => JSON.stringify(name.slice(0, 40))

const decodeRecord = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

export const decodeMembers = (
  source: string,
  path: string,
  value: unknown
): Result.Result<Record<string, unknown>, ConfigError> => {
  const decoded = decodeRecord(value)
  return decoded._tag === "Some"
    ? Result.succeed(decoded.value)
    : failConfig(
      source,
      `${path} must be an object (${describeFound(value)})`,
      "docs/configuration.md shows an example of the file."
    )
}

export const checkKnownMembers = (
  source: string,
  path: string,
  kind: string,
  given: object,
  known: ReadonlyArray<string>
) => {
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown === undefined) return Result.succeed(undefined)
  const meant = didYouMean(unknown, known)
  return failConfig(
    source,
    `${path} has the unknown ${kind} ${quoteConfigName(unknown)}; allowed: ${known.join(", ")}`,
    meant === null ? `Remove ${quoteConfigName(unknown)}.` : `Did you mean "${meant}"?`
  )
}

/** Decodes the fields of one object; `allowed` describes the allowed values of a field. */
export const decodeFields = <S extends Schema.Struct<Schema.Struct.Fields> & { readonly DecodingServices: never }>(
  source: string,
  path: string,
  schema: S,
  value: Record<string, unknown>,
  allowed: (field: string) => string
): Result.Result<S["Type"], ConfigError> => {
  const known = checkKnownMembers(source, path, "field", value, Object.keys(schema.fields))
  if (Result.isFailure(known)) return Result.fail(known.failure)
  const decoded = Schema.decodeUnknownResult(schema)(value as unknown)
  if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
  const at = formatIssue(decoded.failure.issue).issues[0]?.path?.[0]
  const field = typeof at === "string" ? at : ""
  const missing = !Object.hasOwn(value, field)
  return failConfig(
    source,
    `${path}.${field} ${missing ? "is missing: it must be" : "must be"} ${allowed(field)}` +
      (missing ? "" : ` (${describeFound(value[field])})`),
    `Set ${path}.${field} to ${allowed(field)}.`
  )
}
