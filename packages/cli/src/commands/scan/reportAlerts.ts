import { listAlerts, type OrganizationId, type ScanId } from "@sov/core"
import { Effect } from "effect"
import { printable } from "../../output/Output.ts"
import { alertText } from "../../render/alertText.ts"
import { mailFault, type Session } from "../../runtime.ts"

/** Says which alerts a scan has raised, and which e-mails of them have not gone out. */
export const sayAlerts = Effect.fnUntraced(
  function*({ out }: Session, organizationId: OrganizationId, scanId: ScanId) {
    const alerts = yield* listAlerts(organizationId, { limit: 20, scanId })
    if (alerts.length === 0) return
    for (const { alert } of alerts) out.note(`alert: ${alertText(alert)} (sov alert log)`)
    const fault = mailFault(process.env)
    if (fault !== null) out.note(`No e-mail is sent: ${fault.message}`)
    for (const mail of alerts.flatMap(({ emails }) => emails)) {
      if (mail.state !== "queued" || mail.message === null) continue
      out.note(`e-mail to ${mail.to}: ${printable(mail.message)}; tried again while a sov process works`)
    }
  }
)
