import { listAlerts } from "@sov/core/alerts"
import type { OrganizationId, ScanId } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { Effect } from "effect"
import { printable } from "../../output/Output.ts"
import { alertText } from "../../render/alertText.ts"
import { type CommandSession, findMailFault } from "../../runtime.ts"

const maxNoted = 20

/** Notes the alerts that a scan raised, and their e-mails that were not sent. */
export const noteAlerts = Effect.fnUntraced(
  function*({ out }: CommandSession, organizationId: OrganizationId, scanId: ScanId) {
    const alerts = yield* listAlerts(organizationId, wholeHistory, { limit: maxNoted, scanId })
    if (alerts.length === 0) return
    for (const { alert } of alerts) out.note(`alert: ${alertText(alert)} (sov alert log)`)
    const fault = findMailFault(process.env)
    if (fault !== null) out.note(`No e-mail is sent: ${fault.message}`)
    for (const mail of alerts.flatMap(({ emails }) => emails)) {
      if (mail.state !== "queued" || mail.message === null) continue
      out.note(`e-mail to ${mail.to}: ${printable(mail.message)}; it is retried while a sov process runs`)
    }
  }
)
