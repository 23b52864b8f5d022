/** A tool, free of any protocol library: how it is shown, and what answers it. */
import type { ConfiguredPlatform, OrganizationId, StoragePorts, StoreError } from "@sov/core"
import { Effect, Result, Schema, SchemaIssue } from "effect"
import { jsonSchemaOf, type ObjectJsonSchema } from "./toolSchema.ts"
import { quoted } from "./untrusted.ts"

/** Something that the caller can mend: one line with the cause and the next step. */
export class ToolRefusal extends Schema.TaggedError<ToolRefusal>()("ToolRefusal", { message: Schema.String }) {}

/** Where a client finds the whole of what was cut. */
export interface ResourceLink {
  readonly type: "resource_link"
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** What a tool found. */
export interface ToolOutput<A> {
  readonly structured: A
  /** The same in one sentence for people. */
  readonly sentence: string
  readonly links?: ReadonlyArray<ResourceLink>
}

/** A result as the protocol has it. The first text is exactly the JSON of `structuredContent`. */
export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string } | ResourceLink>
  readonly structuredContent?: { readonly [member: string]: unknown }
  readonly isError?: true
}

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectJsonSchema
  readonly outputSchema: ObjectJsonSchema
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: true
    readonly destructiveHint: false
    readonly idempotentHint: true
    readonly openWorldHint: false
  }
}

export interface Tool {
  readonly definition: ToolDefinition
  /** Arguments that do not fit, and what the caller can mend, are results with `isError`. */
  readonly call: (
    args: unknown,
    organizationId: OrganizationId,
    configured: ReadonlyArray<ConfiguredPlatform> | null
  ) => Effect.Effect<ToolResult, StoreError, StoragePorts>
}

/** A result that says what is wrong and what to do. */
export const errorResult = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Most faults that one error names. */
const mostFaults = 5

const faults = (issue: SchemaIssue.Issue, known: ReadonlyArray<string>): string => {
  const { issues } = formatIssues(issue)
  const named = issues.slice(0, mostFaults).map(({ message, path }) => {
    const name = (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    if (name !== "" && !known.includes(name.split(".", 1)[0]!)) return `there is no argument ${quoted(name)}`
    return name === "" ? "the arguments must be an object" : `${name} ${message.replace(/^Expected /, "must be a ")}`
  })
  return `${named.join("; ")}${issues.length > mostFaults ? `; and ${issues.length - mostFaults} more` : ""}`
}

/** Arguments that are null were left out by a client that fills in every name. */
const given = (args: unknown): unknown =>
  args === undefined || args === null
    ? {}
    : typeof args === "object" && !Array.isArray(args)
    ? Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
    : args

/**
 * Makes a tool of its schemas and handler. The schemas speak of the wire: nothing is transformed. A tool without
 * arguments ignores what it is given, the others refuse what they do not know.
 */
export const defineTool = <In extends { readonly [name: string]: unknown }, Out extends object>(tool: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema.Codec<In> & { readonly fields: { readonly [name: string]: unknown } }
  readonly output: Schema.Codec<Out>
  readonly handle: (
    args: In,
    organizationId: OrganizationId,
    configured: ReadonlyArray<ConfiguredPlatform> | null
  ) => Effect.Effect<ToolOutput<Out>, ToolRefusal | StoreError, StoragePorts>
}): Tool => {
  const { description, handle, input, name, output, title } = tool
  const known = Object.keys(input.fields)
  const decode = Schema.decodeUnknownResult(input, {
    errors: "all",
    onExcessProperty: known.length === 0 ? "ignore" : "error"
  })
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input, "in"),
      outputSchema: jsonSchemaOf(output, "out"),
      annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    },
    call: Effect.fnUntraced(
      function*(args, organizationId, configured) {
        const decoded = decode(given(args))
        if (Result.isFailure(decoded)) {
          return errorResult(
            `Invalid arguments for ${name}: ${faults(decoded.failure.issue, known)}. ` +
              (known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}; all are optional.`)
          )
        }
        const { links = [], sentence, structured } = yield* handle(decoded.success, organizationId, configured)
        const result: ToolResult = {
          content: [{ type: "text", text: JSON.stringify(structured) }, { type: "text", text: sentence }, ...links],
          structuredContent: structured as { readonly [member: string]: unknown }
        }
        return result
      },
      Effect.catchTag("ToolRefusal", ({ message }) => Effect.succeed(errorResult(message)))
    )
  }
}
