/** Adds routes next to the operations of the contract, for this package and for other packages. */
import { Context, Effect, Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"

/** The path of a request's URL. */
export const parsePath = (url: string): string => url.split(/[?#]/, 1)[0]!

/** A path for logs in which secrets are masked, such as the token of a sign-in link. */
export const maskPath = (path: string): string => path.replace(/^(\/(?:login\/link|share|unsubscribe)\/).+/s, "$1***")

interface Pattern {
  readonly path: string
  readonly parts: ReadonlyArray<string>
  readonly methods: Set<string>
}

/**
 * Whether a part of a path matches a pattern: `:id` matches one non-empty segment, `:id.csv` one that ends in `.csv`.
 */
const fits = (pattern: string, part: string | undefined): boolean => {
  if (part === undefined || !pattern.startsWith(":")) return pattern === part
  const end = pattern.slice(pattern.indexOf(".") >>> 0)
  return part.length > end.length && part.endsWith(end)
}

const makeKnownPaths = () => {
  const methods = new Map<string, Set<string>>()
  const patterns: Array<Pattern> = []

  const add = (known: Set<string>, method: string): void => {
    known.add(method)
    if (method === "GET") known.add("HEAD")
  }
  const find = (path: string): Pick<Pattern, "path" | "methods"> | undefined => {
    const exact = methods.get(path)
    if (exact !== undefined) return { path, methods: exact }
    const parts = path.split("/")
    const fitting = patterns.filter((pattern) =>
      pattern.parts.length === parts.length && pattern.parts.every((part, i) => fits(part, parts[i]))
    )
    // In the order of the router: `/scans/new` and `/scans/:id.csv` before `/scans/:id`
    return fitting.toSorted((a, b) => rank(a.parts) < rank(b.parts) ? -1 : 1)[0]
  }
  const rank = (parts: ReadonlyArray<string>): string =>
    parts.map((part) => !part.startsWith(":") ? "0" : part.includes(".") ? "1" : "2").join("")

  return {
    add: (method: string, path: string): void => {
      if (!path.includes("/:")) {
        const known = methods.get(path) ?? new Set(["OPTIONS"])
        methods.set(path, known)
        return add(known, method)
      }
      let pattern = patterns.find((one) => one.path === path)
      if (pattern === undefined) {
        pattern = { path, parts: path.split("/"), methods: new Set(["OPTIONS"]) }
        patterns.push(pattern)
      }
      add(pattern.methods, method)
    },
    /** The value of the `Allow` header; undefined for an unknown path. */
    allow: (path: string): string | undefined => {
      const known = find(path)?.methods
      return known && [...known].toSorted().join(", ")
    },
    /**
     * The pattern of the path's route as a metric label, such as `/o/:slug`. Unknown paths become `other`, because
     * clients choose them.
     */
    label: (path: string): string => find(path)?.path ?? "other"
  }
}

/** Methods by path, for 405, OPTIONS and metric labels. */
export class KnownPaths extends Context.Service<KnownPaths, ReturnType<typeof makeKnownPaths>>()(
  "@sov/http/routes/KnownPaths"
) {
  static readonly layer = Layer.sync(KnownPaths, makeKnownPaths)
}

/**
 * Adds a route whose path is exact or has parameters (`/o/:slug`). The server responds to other methods with 405, to
 * OPTIONS with the allowed methods, and to errors with a problem. A route that requires an API key must call
 * `Gate.identify`.
 */
export const layerRoute = <E, R>(
  method: "GET" | "POST" | "DELETE",
  path: `/${string}`,
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpRouter.Provided>
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const known = yield* KnownPaths
    known.add(method, path)
    const services = yield* Effect.context<Exclude<R, HttpRouter.Provided>>()
    yield* router.add(method, path, Effect.orDie(Effect.provideContext(handler, services)))
  }))
