/** How a command ends by a signal although what it leaves behind cannot be tidied up. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const source = (path: string) =>
  JSON.stringify(fileURLToPath(new URL(`../../packages/cli/src/${path}`, import.meta.url)))

/** Waits for a signal, ends well, and has a connection that never closes. */
const script = `
  import { Deferred, Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
  import { Output } from ${source("output/Output.ts")}
  import { runProgram } from ${source("runtime/program.ts")}
  setInterval(() => {}, 1000)
  await runProgram({}, new Output({}), true, ({ stopped, cleaningUp }) =>
    Effect.scoped(Effect.gen(function*() {
      yield* Effect.addFinalizer(() => Effect.never)
      yield* Effect.sleep("10 millis") // the signal has its listener now
      console.log("begun")
      yield* cleaningUp(Effect.as(Deferred.await(stopped), 0))
    })))
`

it("the process exits 0 two seconds after a stopped command has ended, even if something cannot be closed", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  const exit = once(child, "exit")
  await once(child.stdout, "data")
  const begun = performance.now()
  child.kill("SIGTERM")
  const late = setTimeout(() => child.kill("SIGKILL"), 120_000)
  expect(await exit).toEqual([0, null])
  clearTimeout(late)
  expect(performance.now() - begun).toBeGreaterThan(1_900)
})
