/** A server of the REST API in the test's own process, on a home of its own, and what a test asks it. */
import type { AnswerPlatforms } from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { layerServer, type ServerOptions } from "@sov/http"
import { Effect, Layer, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql"
import type { Home } from "./homes.ts"
import { platform, platforms } from "./scripted.ts"
import { layerHome } from "./storage.ts"

const options: ServerOptions = {
  host: "127.0.0.1",
  port: 0,
  allowedHosts: [],
  restRate: 0,
  openMetrics: false,
  samples: 1,
  version: "0.0.0",
  drain: "5 seconds"
}

/** No worker runs here: nobody is asked. */
const never = () => Effect.die("asked")

/** Starts it; `close` in afterAll. `base` is its address. */
export const openApi = async (home: Home, settings: Partial<ServerOptions> = {}) => {
  const api = layerServer({ ...options, ...settings })
  const runtime = ManagedRuntime.make(
    api.pipe(
      Layer.provideMerge(platforms(platform("assistant_a", never), platform("assistant_b", never))),
      Layer.provideMerge(layerHome(home))
    )
  )
  const run = <A, E>(
    effect: Effect.Effect<A, E, Stores | SqlClient.SqlClient | AnswerPlatforms | HttpServer.HttpServer>
  ): Promise<A> => runtime.runPromise(effect)
  const address = await run(Effect.map(HttpServer.HttpServer, (server) => server.address))
  const port = "port" in address ? address.port : 0
  return { run, close: () => runtime.dispose(), port, base: `http://127.0.0.1:${port}` }
}
