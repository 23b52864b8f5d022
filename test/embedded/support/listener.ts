/**
 * A process that listens: `node listener.ts <dataDir> <channel> <stopAfter>`. Prints one JSON line for each thing that
 * happens: `{"listening"}`, `{"got": {channel, payload}}`, `{"lost": message}` (then it listens again), and after
 * `stopAfter` notifications `{"stopped"}`; its other connections live on until stdin ends.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Queue } from "effect"
import { layer } from "../../../packages/core/src/adapters/embedded/index.ts"

const [dataDir = "", channel = "", stopAfter = "1"] = process.argv.slice(2)
const say = (line: object) => Effect.sync(() => process.stdout.write(`${JSON.stringify(line)}\n`))

const listen = Effect.gen(function*() {
  const queue = yield* (yield* PgClient.PgClient).listen(channel)
  yield* say({ listening: channel })
  for (let i = 0; i < Number(stopAfter); i++) {
    const { payload } = yield* Queue.take(queue)
    yield* say({ got: { channel, payload } })
  }
}).pipe(Effect.scoped)

const program = listen.pipe(
  Effect.tapError((error) => say({ lost: String(error) })),
  Effect.retry({ times: 20 }),
  Effect.andThen(say({ stopped: channel })),
  Effect.andThen(Effect.callback<void>((resume) => {
    process.stdin.resume().on("end", () => resume(Effect.void))
  }))
)

await Effect.runPromise(Effect.provide(program, layer({ dataDir })))
