/** JSON Schemas of tools, from Effect schemas: made once, in the form that clients and models get along with. */
import { Schema } from "effect"

export interface ObjectJsonSchema {
  readonly type: "object"
  readonly properties: { readonly [name: string]: unknown }
  readonly [keyword: string]: unknown
}

/**
 * `in`: arguments, unknown ones are refused. `out`: results, to which members may be added later. An empty struct, which
 * takes any value but null, becomes an object without properties.
 */
export const jsonSchemaOf = (schema: Schema.Constraint, direction: "in" | "out"): ObjectJsonSchema => {
  const { definitions, schema: { not: _, ...root } } = Schema.toJsonSchemaDocument(schema, {
    onExcessProperty: direction === "in" ? "error" : "ignore"
  })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {},
    ...direction === "in" ? { additionalProperties: false } : {},
    ...root,
    ...Object.keys(definitions).length === 0 ? {} : { $defs: definitions }
  } as ObjectJsonSchema
}
