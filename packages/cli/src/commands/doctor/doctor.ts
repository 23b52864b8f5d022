/** sov doctor: checks the installation and suggests a fix for each problem. */
import { pluralized } from "@sov/core/common"
import { Cause, Effect, Scope } from "effect"
import { describeError } from "../../describeError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { nameCommands } from "../../output/commandName.ts"
import { type Output, printable } from "../../output/Output.ts"
import { renderLabelled } from "../../render/wrapped.ts"
import { findConfig, probeDatabase, runReadOnly } from "../../runtime.ts"
import { locateDatabase } from "../../settings/databaseLocation.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { readOwner } from "../status/readStatus.ts"
import { checks } from "./checks/all.ts"
import { type Check, type CheckContext, fail, type Finding } from "./checks/Check.ts"

interface DoctorOptions extends GlobalOptions {
  readonly online?: boolean
}

const makeCheckContext = Effect.fnUntraced(function*(options: DoctorOptions) {
  const home = locateDatabase(options)
  const owner = yield* readOwner(home)
  const database = yield* Effect.cached(probeDatabase(options))
  const scope = yield* Effect.scope
  const found: CheckContext = {
    options,
    env: process.env,
    now: new Date(),
    home,
    config: findConfig(options),
    owner,
    database: Effect.provideService(database, Scope.Scope, scope),
    online: options.online === true
  }
  return found
})

const statusColors = { ok: "green", warn: "yellow", fail: "red", skipped: "dim" } as const

const printFinding = (out: Output, name: string, finding: Finding): void => {
  const width = out.tty.out ? process.stdout.columns || undefined : undefined
  const toOneLine = (text: string) => printable(text).replace(/\s+/g, " ")
  const rows: ReadonlyArray<readonly [string, string]> = [
    [finding.status.padEnd(7), `${name}: ${toOneLine(finding.message)}`],
    ...finding.status === "ok" || finding.fix === undefined ? [] : [["", `fix: ${toOneLine(finding.fix)}`] as const]
  ]
  for (const line of renderLabelled(rows, width, (label) => out.style(statusColors[finding.status], label))) {
    out.line(line)
  }
}

/**
 * Runs one check. A check that itself fails gets that as its finding, and the other checks still run. Commands in a fix
 * are written in the form in which they work here.
 */
const runCheck = (check: Check, at: CheckContext): Effect.Effect<Finding> =>
  check.run(at).pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const { hint, message } = describeError(Cause.squash(cause))
      return Effect.succeed(fail(message, hint ?? "run it again with --verbose"))
    }),
    Effect.map((finding) =>
      finding.status === "ok" || finding.fix === undefined ? finding : { ...finding, fix: nameCommands(finding.fix) }
    )
  )

export const doctor = (options: DoctorOptions) =>
  runReadOnly(options, function*({ out }) {
    const at = yield* makeCheckContext(options)
    const found = yield* Effect.forEach(checks, (check) =>
      Effect.map(runCheck(check, at), (finding) => {
        if (!out.machine) printFinding(out, check.name, finding)
        return { name: check.name, ...finding, fix: finding.status === "ok" ? null : finding.fix ?? null }
      }))
    const countStatus = (status: Finding["status"]) => found.filter((one) => one.status === status).length
    const healthy = countStatus("fail") === 0
    if (out.machine) out.list(found, [], { wrap: { ok: healthy, checks: found }, empty: "" })
    else {out.note(
        `${countStatus("fail")} failed, ${pluralized(countStatus("warn"), "warning")}, ${countStatus("ok")} ok, ${
          countStatus("skipped")
        } skipped`
      )}
    return healthy ? exitCodes.ok : exitCodes.checkFailed
  })
