/** Adds routes beside the operations of the contract: those of this package and of packages that mount more. */
import { Context, Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"

/** The path of a request's URL. */
export const parsePath = (url: string): string => url.split(/[?#]/, 1)[0]!

const makeKnownPaths = () => {
  const methods = new Map<string, Set<string>>()
  return {
    add: (method: string, path: string): void => {
      const known = methods.get(path) ?? new Set(["OPTIONS"])
      methods.set(path, known.add(method))
      if (method === "GET") known.add("HEAD")
    },
    /** The value of `Allow`; undefined for an unknown path. */
    allow: (path: string): string | undefined => {
      const known = methods.get(path)
      return known && [...known].toSorted().join(", ")
    },
    /** The path as a label of metrics; `other` for an unknown path, since clients choose those. */
    label: (path: string): string => methods.has(path) ? path : "other"
  }
}

/** Methods by path, for 405, OPTIONS and the labels of metrics. */
export class KnownPaths extends Context.Service<KnownPaths, ReturnType<typeof makeKnownPaths>>()(
  "@sov/http/routes/KnownPaths"
) {
  static readonly layer = Layer.sync(KnownPaths, makeKnownPaths)
}

/**
 * Adds a route with an exact path. The server answers other methods there with 405, OPTIONS with the allowed methods, and
 * errors with a problem. A route that needs an API key calls `Gate.identify`.
 */
export const layerRoute = <E, R>(
  method: "GET" | "POST" | "DELETE",
  path: `/${string}`,
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const known = yield* KnownPaths
    known.add(method, path)
    const services = yield* Effect.context<Exclude<R, HttpServerRequest.HttpServerRequest>>()
    yield* router.add(method, path, Effect.orDie(Effect.provideContext(handler, services)))
  }))
