/**
 * The cost of a command on the embedded home: as the first process, next to another process, and compared with an empty
 * start of node.
 */
import { layerEmbedded } from "@sov/core/postgres"
import { Effect, Exit, Layer, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "vitest"
import { launcher } from "../support/sov.ts"

const rounds = 15
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const timed = (run: () => void): number => {
  const begun = performance.now()
  run()
  return performance.now() - begun
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

it("the start-up of a command that shares the data directory is measured", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "sov-bench-"))
  const dataDir = join(cwd, ".sov")
  const run = (...args: ReadonlyArray<string>) => void execFileSync(launcher, args, { cwd, stdio: "ignore" })
  /** Number of owner processes of the directory that still run, according to its log. */
  const owners = (): number => {
    const log = readFileSync(join(dataDir, "owner.log"), "utf8")
    return log.split(" start\n").length - log.split(" end: ").length
  }
  run("init", "--brand", "Acme", "--keyword", "best anvil?", "--no-input")
  writeFileSync(join(dataDir, "settings.json"), JSON.stringify({ ownerLingerMs: 0 }))
  const taken = { node: [] as Array<number>, first: [] as Array<number>, second: [] as Array<number> }
  for (let round = 0; round < rounds; round++) {
    taken.node.push(timed(() => void execFileSync(process.execPath, ["--input-type=module", "-e", ""])))
    while (owners() > 0) await sleep(20)
    taken.first.push(timed(() => run("keyword", "list")))
    const scope = Scope.makeUnsafe()
    await Effect.runPromise(Scope.provide(Layer.build(layerEmbedded({ dataDir })), scope))
    taken.second.push(timed(() => run("keyword", "list")))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  rmSync(cwd, { recursive: true, force: true })
  const [node, first, second] = [median(taken.node), median(taken.first), median(taken.second)]
  console.log(`first process    ${(first / node).toFixed(2)} × an empty start (${rounds} rounds)`)
  console.log(
    `beside another   ${(second / node).toFixed(2)} × an empty start, ${(second / first).toFixed(2)} × the first`
  )
}, 300_000)
