/**
 * A process that shares tasks with others: `node placementProcess.ts <home> <log> <stopMs> <name>…`; home is a
 * postgres:// URL or a data directory. Appends `<ms> <pid> start|stop <name>` to the log, in order across all
 * processes. Prints `kept` once it takes part, and exits on SIGTERM.
 */
import { Placement } from "@sov/core"
import { layerConnection, layerLockPlacement, layerPlacement } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { appendFileSync } from "node:fs"

const [home = "", logFile = "", stopMs = "0", ...names] = process.argv.slice(2)

const write = (what: string) =>
  Effect.sync(() =>
    appendFileSync(logFile, `${Math.round(performance.timeOrigin + performance.now())} ${process.pid} ${what}\n`)
  )

const work = (name: string) =>
  Effect.acquireUseRelease(
    write(`start ${name}`),
    () => Effect.never,
    () => Effect.andThen(Effect.sleep(Number(stopMs)), write(`stop ${name}`))
  )

const url = Redacted.make(home)
const placement = home.startsWith("postgres:")
  ? layerPlacement({ url }).pipe(Layer.provide(layerConnection({ url })))
  : layerLockPlacement(home)

const program = Effect.gen(function*() {
  yield* write("keep")
  yield* (yield* Placement).run(Object.fromEntries(names.map((name) => [name, work(name)])))
  process.stdout.write("kept\n")
  yield* Effect.callback<void>((resume) => {
    process.once("SIGTERM", () => resume(Effect.void))
  })
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(placement)))
