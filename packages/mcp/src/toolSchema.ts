/** Converts Effect schemas to JSON Schemas that MCP clients and models accept for tools. */
import { Schema } from "effect"

export interface ObjectJsonSchema {
  readonly type: "object"
  readonly properties: { readonly [name: string]: unknown }
  readonly [keyword: string]: unknown
}

/**
 * Whether a keyword of a schema carries no information: bounds of safe integers, and permission for additional members.
 */
const isNoise = (keyword: string, value: unknown): boolean =>
  (keyword === "additionalProperties" && value === true) ||
  ((keyword === "minimum" || keyword === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)

/**
 * Converts a schema. `in`: arguments; unknown ones are refused. `out`: results; members may be added later. An empty
 * struct, which would accept any value except null, becomes an object without properties.
 */
export const toJsonSchema = (schema: Schema.Constraint, direction: "in" | "out"): ObjectJsonSchema => {
  const { definitions, schema: { not: _, ...root } } = Schema.toJsonSchemaDocument(schema, {
    onExcessProperty: direction === "in" ? "error" : "ignore"
  })
  const whole = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {},
    ...direction === "in" ? { additionalProperties: false } : {},
    ...root,
    ...Object.keys(definitions).length === 0 ? {} : { $defs: definitions }
  }
  return JSON.parse(
    JSON.stringify(whole, (keyword, value: unknown) => isNoise(keyword, value) ? undefined : value)
  ) as ObjectJsonSchema
}
