/** A tool: its definition and its handler, independent of the protocol library. */
import type { OrganizationId, StoragePorts, StoreError } from "@sov/core/common"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import { Effect, Result, Schema, SchemaIssue } from "effect"
import { type ObjectJsonSchema, toJsonSchema } from "./toolSchema.ts"
import { quoteUntrustedName } from "./untrusted.ts"

/** An error that the caller can correct: one line with the cause and the next step. */
export class ToolRefusal extends Schema.TaggedError<ToolRefusal>()("ToolRefusal", { message: Schema.String }) {}

/** A link to the full version of a truncated text. */
export interface ResourceLink {
  readonly type: "resource_link"
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** The result of a tool's handler. */
export interface ToolOutput<A> {
  readonly structured: A
  /** `structured` as JSON, if the handler has already encoded it. */
  readonly json?: string
  /** The result as one sentence for people. */
  readonly sentence: string
  readonly links?: ReadonlyArray<ResourceLink>
}

/** A tool result of the MCP protocol. The first text is exactly the JSON of `structuredContent`. */
export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string } | ResourceLink>
  readonly structuredContent?: { readonly [member: string]: unknown }
  readonly isError?: true
}

/** A tool as `tools/list` returns it. */
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
  /** Runs the tool. Invalid arguments and ToolRefusal become results with `isError`. */
  readonly call: (
    args: unknown,
    organizationId: OrganizationId,
    configured: ReadonlyArray<ConfiguredPlatform> | null
  ) => Effect.Effect<ToolResult, StoreError, StoragePorts>
}

/** Creates a result with `isError`. */
export const makeErrorResult = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Maximum number of errors that one result lists. */
const maxFaults = 5

const formatFaults = (issue: SchemaIssue.Issue, known: ReadonlyArray<string>): string => {
  const { issues } = formatIssues(issue)
  const named = issues.slice(0, maxFaults).map(({ message, path }) => {
    const name = (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    if (name !== "" && !known.includes(name.split(".", 1)[0]!)) {
      return `there is no argument ${quoteUntrustedName(name)}`
    }
    return name === "" ? "the arguments must be an object" : `${name} ${message.replace(/^Expected /, "must be a ")}`
  })
  return `${named.join("; ")}${issues.length > maxFaults ? `; and ${issues.length - maxFaults} more` : ""}`
}

/** Removes arguments that are null, because some clients send every argument name. */
const dropNullArguments = (args: unknown): unknown =>
  args === undefined || args === null
    ? {}
    : typeof args === "object" && !Array.isArray(args)
    ? Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
    : args

/**
 * Creates a tool from its schemas and handler. The schemas describe the wire format, without transformations. Unknown
 * arguments are refused, except by tools that have no arguments or once had none: they ignore them.
 */
export const defineTool = <In extends { readonly [name: string]: unknown }, Out extends object>(tool: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema.Codec<In> & { readonly fields: { readonly [name: string]: unknown } }
  readonly output: Schema.Codec<Out>
  /** Whether earlier releases of the tool had no arguments, and ignored any that were sent. */
  readonly hadNone?: true
  readonly handle: (
    args: In,
    organizationId: OrganizationId,
    configured: ReadonlyArray<ConfiguredPlatform> | null
  ) => Effect.Effect<ToolOutput<Out>, ToolRefusal | StoreError, StoragePorts>
}): Tool => {
  const { description, hadNone = false, handle, input, name, output, title } = tool
  const known = Object.keys(input.fields)
  const decode = Schema.decodeUnknownResult(input, {
    errors: "all",
    onExcessProperty: hadNone || known.length === 0 ? "ignore" : "error"
  })
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: toJsonSchema(input, "in"),
      outputSchema: toJsonSchema(output, "out"),
      annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    },
    call: Effect.fnUntraced(
      function*(args, organizationId, configured) {
        const decoded = decode(dropNullArguments(args))
        if (Result.isFailure(decoded)) {
          return makeErrorResult(
            `Invalid arguments for ${name}: ${formatFaults(decoded.failure.issue, known)}. ` +
              (known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}; all are optional.`)
          )
        }
        const { json, links = [], sentence, structured } = yield* handle(decoded.success, organizationId, configured)
        const result: ToolResult = {
          content: [
            { type: "text", text: json ?? JSON.stringify(structured) },
            { type: "text", text: sentence },
            ...links
          ],
          structuredContent: structured as { readonly [member: string]: unknown }
        }
        return result
      },
      Effect.catchTag("ToolRefusal", ({ message }) => Effect.succeed(makeErrorResult(message)))
    )
  }
}
