/**
 * The tools and resources that the conformance suite of the Model Context Protocol expects from a server, served
 * through the mount of the tool server.
 */
import { Server, type ServerContext } from "@modelcontextprotocol/server"
import type { McpPack } from "@sov/mcp"
import { setTimeout as wait } from "node:timers/promises"

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
const text = (said: string) => ({ type: "text" as const, text: said })
const image = { type: "image" as const, data: png, mimeType: "image/png" }
const embedded = (uri: string, mimeType: string, said: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: said }
})
const pauseMs = 50

const log = async (context: ServerContext): Promise<void> => {
  for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    await context.mcpReq.notify({ method: "notifications/message", params: { level: "info", data: said } })
    await wait(pauseMs)
  }
}

const tell = async (context: ServerContext): Promise<void> => {
  const progressToken = context.mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 }
      })
    }
    await wait(pauseMs)
  }
}

interface ConformanceTool {
  readonly schema?: object
  /** Sends notifications before the result. */
  readonly before?: (context: ServerContext) => Promise<void>
  readonly isError?: true
  readonly content: ReadonlyArray<object>
}

const tools: { readonly [name: string]: ConformanceTool } = {
  test_simple_text: { content: [text("This is a simple text response for testing.")] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
  },
  test_multiple_content_types: {
    content: [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}")
    ]
  },
  test_tool_with_logging: { before: log, content: [text("Logged.")] },
  test_tool_with_progress: { before: tell, content: [text("Done.")] },
  test_error_handling: { isError: true, content: [text("This tool intentionally returns an error for testing")] },
  json_schema_2020_12_tool: {
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } }
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false
    },
    content: [text("Taken.")]
  }
}

const contents = (uri: string): object => {
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: png }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  return id === undefined
    ? { uri, mimeType: "text/plain", text: "This is the content of the static text resource." }
    : {
      uri,
      mimeType: "application/json",
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    }
}

type PromptMaker = (args: Readonly<Record<string, string>>) => ReadonlyArray<object>
const prompts: {
  readonly [name: string]: { readonly arguments: ReadonlyArray<string>; readonly content: PromptMaker }
} = {
  test_simple_prompt: { arguments: [], content: () => [text("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    content: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)]
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    content: ({ resourceUri }) => [
      embedded(resourceUri!, "text/plain", "Embedded resource content for testing."),
      text("Please process the embedded resource above.")
    ]
  },
  test_prompt_with_image: { arguments: [], content: () => [image, text("Please analyze the image above.")] }
}

const makeServer = (): Server => {
  const server = new Server({ name: "conformance", version: "0" }, {
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} }
  })
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(tools).map(([name, { schema = { type: "object" } }]) => ({
      name,
      description: `Conformance: ${name}`,
      inputSchema: schema
    })) as never
  }))
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { before, content, isError } = tools[params.name]!
    await before?.(context)
    return { content, ...isError === undefined ? {} : { isError } } as never
  })
  server.setRequestHandler("resources/list", () => ({
    resources: ["static-text", "static-binary", "watched-resource"].map((name) => ({ name, uri: `test://${name}` }))
  }))
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "template", uriTemplate: "test://template/{id}/data" }]
  }))
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [contents(params.uri)] }) as never)
  for (const method of ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"] as const) {
    server.setRequestHandler(method, () => ({}))
  }
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: `Conformance: ${name}`,
      arguments: prompt.arguments.map((argument) => ({ name: argument, description: argument, required: true }))
    }))
  }))
  server.setRequestHandler("prompts/get", ({ params }) =>
    ({
      messages: prompts[params.name]!.content(params.arguments ?? {}).map((content) => ({ role: "user", content }))
    }) as never)
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [] } }))
  return server
}

/** Replaces the six tools of sov; calls that send log messages are answered with a stream. */
export const conformancePack: McpPack = {
  factory: makeServer,
  streams: (body) => JSON.stringify(body).includes("test_tool_with_logging")
}
