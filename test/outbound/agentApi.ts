/**
 * Perplexity's Agent API in front of a script: like the real one, it refuses every unknown field. The known fields are
 * those of the official SDK's types, which `tsc` compares, and `tool_choice` from the migration guide.
 */
import type Perplexity from "@perplexity-ai/perplexity_ai"
import { reply, type Script } from "../support/FakePlatform.ts"
import * as perplexity from "./fixtures/perplexity.ts"

type Request = Perplexity.ResponseCreateParams
type Tool = NonNullable<Request["tools"]>[number]
type SearchTool = Extract<Tool, { readonly type: "web_search" }>

/** A list of all member names of T: a superfluous or missing name does not compile. */
const namesOf = <T>() => <const Names extends Record<keyof T, true>>(names: Names & Record<keyof T, true>) =>
  new Set(Object.keys(names))

const requestFields = namesOf<Required<Request>>()({
  background: true,
  input: true,
  instructions: true,
  language_preference: true,
  max_output_tokens: true,
  max_steps: true,
  model: true,
  models: true,
  preset: true,
  previous_response_id: true,
  profile: true,
  reasoning: true,
  response_format: true,
  skills: true,
  store: true,
  stream: true,
  temperature: true,
  tools: true,
  top_p: true
})
const searchToolFields = namesOf<Required<SearchTool>>()({
  filters: true,
  max_tokens: true,
  max_tokens_per_page: true,
  search_context_size: true,
  type: true,
  user_location: true
})
const locationFields = namesOf<Required<NonNullable<SearchTool["user_location"]>>>()({
  city: true,
  country: true,
  latitude: true,
  longitude: true,
  region: true
})

const presets = new Set(["fast", "low", "medium", "high", "xhigh", "wide-research"])

const unknownIn = (value: object, known: ReadonlySet<string>, path: string) =>
  Object.keys(value).filter((field) => !known.has(field)).map((field) => `unknown field ${path}${field}`)

/** Why the request is refused; null if it is valid. `strictModels` also refuses unknown model names. */
const faultOf = (body: Record<string, unknown>, strictModels: boolean): string | null => {
  const { input, model, preset, tool_choice, tools } = body as {
    readonly input?: unknown
    readonly model?: unknown
    readonly preset?: unknown
    readonly tool_choice?: { readonly type?: unknown }
    readonly tools?: ReadonlyArray<{ readonly type: string; readonly user_location?: object }>
  }
  const unknown = [
    ...unknownIn(body, new Set([...requestFields, "tool_choice"]), ""),
    ...(tools ?? []).flatMap((tool) => unknownIn(tool, searchToolFields, "tools.")),
    ...(tools ?? []).flatMap(({ user_location }) => unknownIn(user_location ?? {}, locationFields, "user_location."))
  ]
  if (unknown.length > 0) return unknown[0]!
  if (typeof input !== "string" || input === "") return "input is required"
  if (model === undefined && preset === undefined) return "model or preset is required"
  if (typeof model === "string" && !/^[^/]+\/.+$/.test(model)) return `model "${model}" is not supported`
  if (strictModels && typeof preset === "string" && !presets.has(preset)) return `unknown preset "${preset}"`
  if (tool_choice !== undefined && !(tools ?? []).some(({ type }) => type === tool_choice.type)) {
    return "tool_choice names no tool of the request"
  }
  return null
}

/** Runs `script` after the API's own checks: path, key, fields. */
export const strictly = (script: Script, strictModels = false): Script => (response, request) => {
  const refuse = (status: number, message: string) =>
    reply(status, perplexity.error(status, message))(response, request)
  if (request.method !== "POST" || !/^\/v1\/(?:agent|responses)$/.test(request.path)) return refuse(404, "not found")
  const fault = faultOf(JSON.parse(request.body) as Record<string, unknown>, strictModels)
  return fault === null ? script(response, request) : refuse(400, fault)
}

/** The whole API: its answer includes a search if the request demands one, and none if the request offers none. */
export const agentApi: Script = strictly((response, request) => {
  if (!/^Bearer .+/.test(request.headers.authorization ?? "")) {
    return reply(401, perplexity.error(401, "Invalid API key"))(response, request)
  }
  const body = JSON.parse(request.body) as { readonly tools?: unknown; readonly tool_choice?: unknown }
  const searched = body.tools !== undefined && body.tool_choice !== undefined
  reply(200, searched ? perplexity.withCitations : perplexity.answer("Acme leads."))(response, request)
}, true)
