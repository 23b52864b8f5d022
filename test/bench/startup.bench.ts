/** Start-up of the command against an empty start of the same node, interleaved. Prints ratios; asserts nothing. */
import { execFileSync } from "node:child_process"
import { it } from "vitest"
import { launcher } from "../support/sov.ts"

const rounds = 21
const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const timed = (file: string, args: ReadonlyArray<string>): number => {
  const begun = performance.now()
  execFileSync(file, args, { stdio: "ignore" })
  return performance.now() - begun
}

it("start-up", () => {
  const subjects = {
    "empty node": () => timed(process.execPath, ["--input-type=module", "-e", ""]),
    "sov --version": () => timed(launcher, ["--version"]),
    "sov --help": () => timed(launcher, ["--help"])
  }
  const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as Array<number>]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(subjects)) times[name]!.push(run())
  }
  const reference = median(times["empty node"]!)
  for (const [name, values] of Object.entries(times)) {
    console.log(`${name.padEnd(16)} ${(median(values) / reference).toFixed(2)} × an empty start (median of ${rounds})`)
  }
}, 120_000)
