/** Start-up time of the command compared with an empty start of the same Node. Prints ratios; asserts nothing. */
import { execFileSync } from "node:child_process"
import { it } from "vitest"
import { sourceLauncher } from "../support/sov.ts"
import { interleaved } from "./interleaved.ts"

const rounds = 41
const start = (file: string, ...args: ReadonlyArray<string>) => () => void execFileSync(file, args, { stdio: "ignore" })

it("the start-up is measured", () => {
  const times = interleaved(rounds, {
    "empty node": start(process.execPath, "--input-type=module", "-e", ""),
    "sov --version": start(sourceLauncher, "--version"),
    "sov --help": start(sourceLauncher, "--help")
  })
  for (const [name, ms] of Object.entries(times)) {
    console.log(`${name.padEnd(14)} ${(ms / times["empty node"]).toFixed(2)} × an empty start (${rounds} rounds)`)
  }
}, 120_000)
