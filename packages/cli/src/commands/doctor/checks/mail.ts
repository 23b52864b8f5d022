/** Checks alert e-mails: the settings of the mail server, and the queue. */
import { type MailQueue, readMailQueue } from "@sov/core/mail"
import { Duration, Effect } from "effect"
import type { CliError } from "../../../CliError.ts"
import { findMailFault } from "../../../runtime.ts"
import { type Check, type CheckContext, fail, type Finding, makeStoreCheck, ok, skipped, warn } from "./Check.ts"

/** The age in hours beyond which failures are ignored. */
const windowHours = 24

/** Checks the settings and the queue; `fault` is the problem with the settings. */
export const diagnoseMail = (
  env: CheckContext["env"],
  fault: CliError | null,
  { failed, flagged, lastFailure, queued }: MailQueue
): Finding => {
  if (fault !== null) return fail(fault.message, fault.hint ?? "set SOV_SMTP_URL and SOV_MAIL_FROM")
  const why = lastFailure === null ? "" : `: ${lastFailure}`
  if ((env["SOV_SMTP_URL"] ?? "") === "") {
    const fix = "set SOV_SMTP_URL (smtp://user:password@mail.example:587) and SOV_MAIL_FROM, then: sov alert test"
    return queued > 0
      ? warn(`no mail server is configured here, and ${queued} e-mails wait; alerts are recorded`, fix)
      : skipped("no mail server is configured: alerts are recorded, none is mailed", fix)
  }
  if (failed > 0) {
    return warn(
      `${failed} e-mails were given up in the last ${windowHours} hours${why}`,
      "sov alert test shows the error"
    )
  }
  if (flagged > 0) return warn(`${flagged} recipients are refused by the mail server`, "sov alert list names them")
  return queued > 0 && lastFailure !== null
    ? warn(`${queued} e-mails are retried${why}`, "sov alert test shows whether it works now")
    : ok(`a mail server is configured${queued > 0 ? `, ${queued} e-mails wait for it` : ""}`)
}

export const mail: Check = makeStoreCheck("mail", ({ env }) =>
  Effect.gen(function*() {
    const queue = yield* readMailQueue(Duration.hours(windowHours))
    return diagnoseMail(env, findMailFault(env), queue)
  }))
