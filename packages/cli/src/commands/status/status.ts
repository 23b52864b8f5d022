/** sov status: a summary of the database, its owner process, organizations, running scans and workers. */
import { exitCodes } from "../../exitCodes.ts"
import { renderLabelled } from "../../render/wrapped.ts"
import { runReadOnly } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { readStatus } from "./readStatus.ts"
import { statusRows } from "./statusView.ts"

const exitCodeOfState = {
  absent: exitCodes.notFound,
  unreachable: exitCodes.unreachable,
  newer: exitCodes.conflict,
  "to-migrate": exitCodes.ok,
  ready: exitCodes.ok
}

export const status = (options: GlobalOptions) =>
  runReadOnly(options, function*({ out }) {
    const now = new Date()
    const found = yield* readStatus(options, now)
    const width = out.tty.out ? process.stdout.columns || undefined : undefined
    out.result(
      found,
      () => renderLabelled(statusRows(found, now), width, (label) => out.style("bold", label)).join("\n")
    )
    if (found.database.state === "absent") {
      out.note(
        "`sov init` makes a database here, `sov demo` shows one; --data-dir or SOV_DATABASE_URL points to another"
      )
    }
    return exitCodeOfState[found.database.state]
  })
