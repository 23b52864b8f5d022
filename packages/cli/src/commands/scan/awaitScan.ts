/** Waits for a scan on a server. REST reports its status, but not its progress. */
import { maxScansPage } from "@sov/core/common"
import type { Scan, SovClient } from "@sov/http/fetch-client"
import { Cause, Effect } from "effect"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { type Output, printable } from "../../output/Output.ts"
import { callServer } from "../../remote/runRemote.ts"
import { formatDuration } from "../../render/progress.ts"

const tickMs = 1000
const printIntervalMs = 5000

/** Finds the scan with this id; `latest` means the newest scan of the standard view. */
export const findScan = (sov: SovClient, id: string): Effect.Effect<Scan, CliError> =>
  Effect.flatMap(
    callServer((signal) => sov.listScans({ limit: maxScansPage, signal })),
    ({ scans }) => {
      const found = scans.find((one) => id === "latest" ? one.view == null : one.id === id.toLowerCase())
      return found === undefined
        ? Effect.fail(
          new CliError(
            "not-found",
            exitCodes.notFound,
            id === "latest" ? "there is no scan yet" : `none of the newest ${maxScansPage} scans is ${id}`,
            "sov scan list shows what there is"
          )
        )
        : Effect.succeed(found)
    }
  )

/** A line with the elapsed time, redrawn every second on a terminal and printed every 5 seconds elsewhere. */
const makeElapsedLine = (out: Output, estimatedSeconds: number | null) => {
  const begun = performance.now()
  let drawn = false
  let due = begun + printIntervalMs
  const clear = () => {
    if (drawn) process.stderr.write("\r\u001b[K")
    drawn = false
  }
  const show = () => {
    const now = performance.now()
    const about = estimatedSeconds === null ? "" : ` of about ${formatDuration(estimatedSeconds * 1000)}`
    const line = `running for ${formatDuration(now - begun)}${about}`
    if (out.quiet) return
    if (out.tty.err) {
      process.stderr.write(`\r\u001b[K${line}`)
      drawn = true
    } else if (now >= due) {
      due = now + printIntervalMs
      out.note(line)
    }
  }
  return { show, clear, elapsed: () => performance.now() - begun }
}

/** Polls every second, later every five seconds, until the scan has ended. */
export const awaitScan = (out: Output, sov: SovClient, id: string, estimatedSeconds: number | null) =>
  Effect.gen(function*() {
    const line = makeElapsedLine(out, estimatedSeconds)
    const printOutcomeUnknown = (cause: Cause.Cause<CliError>) =>
      Effect.sync(() =>
        process.stderr.write(
          Cause.hasInterruptsOnly(cause)
            ? `The scan continues on the server: sov scan watch ${printable(id)}\n`
            : `Scan ${printable(id)} was started. When the server answers again, sov scan list shows its status\n`
        )
      )
    return yield* Effect.gen(function*() {
      while (true) {
        const scan = yield* findScan(sov, id)
        if (scan.status !== "running") return scan
        const ticks = Math.min(5, 1 + Math.floor(line.elapsed() / 10_000))
        for (let tick = 0; tick < ticks; tick++) {
          line.show()
          yield* Effect.sleep(tickMs)
        }
      }
    }).pipe(
      Effect.ensuring(Effect.sync(line.clear)),
      Effect.onError(printOutcomeUnknown)
    )
  })
