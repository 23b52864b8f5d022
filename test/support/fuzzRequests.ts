/** Generates requests for every operation of an OpenAPI document: as documented, slightly wrong, and hostile. */
import fc from "fast-check"
import type { JsonSchema, OpenApi, Operation } from "./openApi.ts"

/** A generated request. `key` says whose API key it sends, or what it sends instead of a key. */
export interface FuzzRequest<Key extends string> {
  readonly operation: Operation
  readonly method: string
  /** The path with its query, ready to send. */
  readonly target: string
  readonly key: Key
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body: string | Uint8Array | undefined
}

const hostile = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "0",
    "-1",
    "1e1",
    "0x10",
    " 10",
    "10.0",
    "１０",
    "99999999999999999999",
    "NaN",
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
    "__proto__",
    "constructor",
    "' or 1=1 --",
    "$(id)",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "a\r\nx-evil: 1",
    "\u0000",
    "\u202e",
    "%",
    "%zz",
    "*",
    "W/\"x\"",
    "\"\"",
    "2026-02-30",
    "2026-13-01",
    "+275760-09-13",
    "2026-11-21T24:00:00Z",
    "2026-11-21T10:00:00+25:00",
    "2026-11-21 10:00"
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ minLength: 500, maxLength: 4000 })
)

/** A text with one fault: an added, removed or replaced character, different case, or surrounding spaces. */
const mutated = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(
    text,
    fc.nat(),
    fc.constantFrom("drop", "double", "replace", "upper", "pad", "cut"),
    fc.string({ minLength: 1, maxLength: 1 })
  )
    .map(([given, n, how, other]) => {
      const i = given.length === 0 ? 0 : n % given.length
      const before = given.slice(0, i)
      const after = given.slice(i + 1)
      switch (how) {
        case "drop":
          return before + after
        case "double":
          return given + given
        case "replace":
          return before + other + after
        case "upper":
          return given.toUpperCase()
        case "pad":
          return ` ${given}\t`
        default:
          return before
      }
    })

const day = fc.date({ min: new Date("2025-01-01"), max: new Date("2027-12-31"), noInvalidDate: true })

/** A value: in most cases as documented, otherwise with a fault, otherwise hostile. */
const mostly = (valid: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: valid }, { weight: 2, arbitrary: mutated(valid) }, { weight: 2, arbitrary: hostile })

/** Values that only the server can supply: ids of its organizations, and values from its responses. */
export interface Pool {
  readonly ids: ReadonlyArray<string>
  readonly cursors: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
}

const fromPool = (pool: () => ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.nat().map((n) => {
    const all = pool()
    return all.length === 0 ? "none" : all[n % all.length]!
  })

interface Sent {
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Text as a header value that Node's client can send. */
const sendable = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")

export const fuzzRequests = <Key extends string>(api: OpenApi, keys: fc.Arbitrary<Key>, pool: Pool) => {
  const texts = (schema: JsonSchema, name: string): fc.Arbitrary<string> => {
    const { anyOf, enum: choices, format, maximum, minimum, type } = api.resolve(schema)
    if (choices !== undefined) return fc.constantFrom(...choices as ReadonlyArray<string>)
    if (type === "integer") {
      const least = minimum ?? 0
      return fc.oneof(fc.integer({ min: least, max: maximum ?? 1000 }), fc.integer({ min: least, max: least + 3 }))
        .map(String)
    }
    if (format === "uuid") return fc.oneof(fromPool(() => pool.ids), fc.uuid())
    if (anyOf !== undefined) {
      return fc.oneof(day.map((date) => date.toISOString()), day.map((date) => date.toISOString().slice(0, 10)))
    }
    if (name === "cursor") return fromPool(() => pool.cursors)
    if (name === "If-None-Match") return fromPool(() => pool.tags)
    return fc.constantFrom("a", "b", "\"c\"", "nightly 1")
  }

  const values = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const { anyOf, items, properties, type, ...rest } = api.resolve(schema)
    if (anyOf !== undefined) return fc.oneof(...anyOf.map(values))
    if (type === "null") return fc.constant(null)
    if (type === "array") {
      return fc.oneof(
        { weight: 5, arbitrary: fc.uniqueArray(values(items!), { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.array(values(items!), { maxLength: 6 }) }
      )
    }
    if (properties !== undefined) {
      return fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, values(one)])), {
        requiredKeys: []
      })
    }
    return texts({ ...rest, ...type === undefined ? {} : { type } }, "")
  }

  const query = ({ parameters }: Operation): fc.Arbitrary<string> => {
    const named = parameters.filter((one) => one.in === "query").map(({ name, schema }) =>
      fc.oneof(
        // A tag that no keyword has leads to no second page
        { weight: name === "tag" ? 20 : 2, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: mostly(texts(schema, name)).map((value) => [name, value] as const) }
      )
    )
    const other = fc.tuple(fc.constantFrom("unknown", "limit[]", "__proto__", "limit", "api_key", "%00"), hostile)
    return fc.tuple(fc.tuple(...named), fc.option(other, { freq: 8 }), fc.boolean()).map(([given, more, plus]) => {
      const pairs = [...given, more].filter((one) => one !== null)
      const text = pairs.map(([name, value]) => {
        // A lone surrogate cannot be encoded
        const encoded = encodeURIComponent(value.toWellFormed())
        return `${name}=${plus ? encoded.replaceAll("%20", "+") : encoded}`
      }).join("&")
      return text === "" ? "" : `?${text.replace("%25zz", "%zz")}`
    })
  }

  const extra: fc.Arbitrary<Readonly<Record<string, string | ReadonlyArray<string>>>> = fc.constantFrom(
    {},
    {},
    {},
    { accept: "text/html" },
    { "x-request-id": "mine" },
    { "x-request-id": "a b" },
    { "accept-encoding": "br, gzip" },
    { "x-forwarded-for": "10.0.0.1" },
    { host: "evil.example" },
    { range: "bytes=0-10" },
    { "if-match": "\"x\"" },
    { "x-http-method-override": "DELETE" },
    { origin: "https://evil.example" },
    { cookie: "key=sov_live_x" },
    { "idempotency-key": ["a", "b"] }
  )

  const headers = ({ parameters }: Operation) =>
    fc.tuple(
      extra,
      fc.tuple(
        ...parameters.filter((one) => one.in === "header").map(({ name, schema }) =>
          fc.option(mostly(texts(schema, name)).map((value) => [name.toLowerCase(), sendable(value)] as const))
        )
      )
    ).map(([more, given]) => ({ ...Object.fromEntries(given.filter((one) => one !== null)), ...more }))

  const sent = ({ body }: Operation): fc.Arbitrary<Sent> =>
    body === undefined ? fc.constant({ body: undefined, headers: {} }) : fc.tuple(
      fc.oneof(
        { weight: 8, arbitrary: values(body).map((value) => JSON.stringify(value)) },
        { weight: 2, arbitrary: mutated(values(body).map((value) => JSON.stringify(value))) },
        { weight: 2, arbitrary: fc.json() },
        {
          weight: 2,
          arbitrary: fc.constantFrom<Array<string | Uint8Array>>(
            "",
            "{",
            "[]",
            "\"x\"",
            "\ufeff{}",
            "{\"keyword_ids\":\"x\"}",
            "{\"platforms\":[1]}",
            "{\"__proto__\":{\"platforms\":[]}}",
            "[".repeat(20_000),
            `{"keyword_ids":["${"a".repeat(60_000)}"]}`,
            Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d),
            new Uint8Array(64)
          )
        }
      ),
      fc.oneof(
        { weight: 8, arbitrary: fc.constant("application/json") },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            undefined,
            "text/plain",
            "application/json; charset=utf-16",
            "application/merge-patch+json",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded",
            "json"
          )
        }
      ),
      fc.constantFrom(undefined, undefined, undefined, undefined, undefined, "gzip", "identity")
    ).map(([text, type, encoding]) => ({
      body: text,
      headers: {
        ...type === undefined ? {} : { "content-type": type },
        ...encoding === undefined ? {} : { "content-encoding": encoding }
      }
    }))

  const paths = ({ path }: Operation) =>
    fc.oneof(
      { weight: 14, arbitrary: fc.constant(path) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          `${path}/`,
          path.toUpperCase(),
          `/${path}`,
          `${path};x`,
          `${path}/..`,
          `${path}%00`,
          path.replace("v1", "v2"),
          "/",
          "*"
        )
      }
    )

  return fc.constantFrom(...api.operations).chain((operation): fc.Arbitrary<FuzzRequest<Key>> =>
    fc.record({
      path: paths(operation),
      query: query(operation),
      key: keys,
      headers: headers(operation),
      sent: sent(operation),
      method: fc.oneof(
        { weight: 14, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND") }
      )
    }).map(({ headers: given, key, method, path, query: asked, sent: content }) => ({
      operation,
      method,
      target: `${path}${asked}`,
      key,
      headers: { ...given, ...content.headers },
      body: content.body
    }))
  )
}
