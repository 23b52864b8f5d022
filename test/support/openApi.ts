/** Reads an OpenAPI document: its requests, and the responses that it allows. */
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema }
}

export interface Parameter {
  readonly name: string
  readonly in: "query" | "header"
  readonly schema: JsonSchema
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Schema of the JSON body; undefined if there is no body. */
  readonly body: JsonSchema | undefined
}

interface Document {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly parameters: ReadonlyArray<Parameter>
        readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } }
        readonly responses: { readonly [status: string]: { readonly content?: { readonly [type: string]: unknown } } }
      }
    }
  }
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } }
  readonly "x-problems": ReadonlyArray<{ readonly type: string; readonly status: number }>
}

/** The parts of a response that the document describes. */
interface Given {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: unknown
}

const pointer = (...names: ReadonlyArray<string>): string =>
  names.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")

/**
 * Forbids unknown members: the document allows them for future versions, but today's responses must not contain any.
 */
const closed = (_: string, value: unknown): unknown =>
  (value as JsonSchema | null)?.type === "object" && (value as JsonSchema).properties !== undefined
    ? { ...value as JsonSchema, additionalProperties: false }
    : value

export const readOpenApi = (text: string) => {
  const document = JSON.parse(text, closed) as Document
  // The document's own members are not JSON Schema keywords
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, "api")

  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters, requestBody }]): Operation => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content["application/json"].schema
    }))
  )

  /** Why the document does not allow this response to an operation; null if it does. */
  const faultOf = ({ method, path }: Operation, answer: Given): string | null => {
    const { responses } = document.paths[path]![method.toLowerCase()]!
    const documented = responses[answer.status]
    if (documented === undefined) return `status ${answer.status} is not documented`
    const types = Object.keys(documented.content ?? {})
    if (types.length === 0) return answer.text === "" ? null : `a body where none is documented: ${answer.text}`
    const type = (answer.headers["content-type"] ?? "").split(";", 1)[0]!
    if (!types.includes(type)) return `content type ${type} is not documented for ${answer.status}`
    const at = pointer(
      "paths",
      path,
      method.toLowerCase(),
      "responses",
      String(answer.status),
      "content",
      type,
      "schema"
    )
    const validate = ajv.getSchema(`api#/${at}`)
    if (validate === undefined) return `no schema at ${at}`
    return validate(answer.json) === true ? null : ajv.errorsText(validate.errors)
  }

  return {
    operations,
    faultOf,
    problems: document["x-problems"],
    /** The schema that a reference points to, or the schema itself. */
    resolve: (schema: JsonSchema): JsonSchema =>
      schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)!]!
  }
}
export type OpenApi = ReturnType<typeof readOpenApi>
