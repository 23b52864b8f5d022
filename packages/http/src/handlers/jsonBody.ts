/** Reads a JSON body strictly: never guesses its type or encoding. */
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { InvalidRequest, UnsupportedMediaType } from "../contract/problems.ts"
import { listFaults } from "../middleware/requests.ts"

/** Whether the media type is `application/json` or any `…+json`, in UTF-8. */
const isJson = (contentType: string | undefined): boolean => {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";").map((part) => part.trim())
  return /^application\/(?:[\w.+-]+\+)?json$/.test(type) &&
    parameters.every((one) => !one.startsWith("charset=") || /^charset="?utf-8"?$/.test(one))
}

const makeInvalidBody = (message: string) => new InvalidRequest({ errors: [{ path: ["body"], message }] })

/** The body parsed as JSON; null if absent. */
const readJson = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  // middleware/requests.ts responds if the body cannot be read
  const bytes = yield* Effect.orDie(request.arrayBuffer)
  if (bytes.byteLength === 0) return null
  const encoding = request.headers["content-encoding"]
  if (!isJson(request.headers["content-type"]) || (encoding !== undefined && encoding !== "identity")) {
    return yield* new UnsupportedMediaType({})
  }
  return yield* Effect.try({
    try: () => JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)) as unknown,
    catch: () => makeInvalidBody("must be valid JSON in UTF-8 without a byte order mark")
  })
})

/** Decodes the body with `schema`; null if absent. */
export const decodeJsonBody = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return Effect.flatMap(readJson, (json) =>
    json === null ? Effect.succeed(null) : Effect.mapError(
      decode(json),
      ({ issue }) => new InvalidRequest({ errors: listFaults("body", issue).slice(0, 20) })
    ))
}

/** Decodes the body with `schema`; fails without a body. */
export const requireJsonBody = <A, I>(schema: Schema.Codec<A, I>) =>
  Effect.flatMap(
    decodeJsonBody(schema),
    (body) => body === null ? Effect.fail(makeInvalidBody("must be a JSON object")) : Effect.succeed(body)
  )
