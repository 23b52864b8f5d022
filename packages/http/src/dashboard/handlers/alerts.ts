/** The list of alerts, its CSV, and the page of one alert. */
import { AlertRuleName, findAlert, isConfirmed, isGated, type ListedAlert, readAlertLog } from "@sov/core/alerts"
import { EventId } from "@sov/core/common"
import { formatAskedPart } from "@sov/core/webhooks"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendCsv, showPage } from "../guard/Reply.ts"
import { alertPage } from "../pages/alert.ts"
import { alertList, alertsPage, describeMails } from "../pages/alerts.ts"
import { describeAlert } from "../pages/words.ts"
import { readParam } from "./forms.ts"
import { readCursorList } from "./listView.ts"
import { readFilter, withoutEmptyFields } from "./query.ts"
import { streamPages } from "./streamPages.ts"

/** Alerts per read for the CSV. */
const csvPage = 500

/** GET /o/{slug}/alerts?rule=&cursor=, or &q=&sort=&page= */
export const showAlerts = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  const clean = withoutEmptyFields(request, `/o/${request.organization.slug}/alerts`)
  if (clean !== null) return clean
  const rule = yield* readFilter(request, "rule", AlertRuleName)
  const list = yield* readCursorList(request, alertList, (options) =>
    Effect.map(
      readAlertLog(organization.id, window, { rule }, options),
      ({ alerts, nextCursor }) => ({ rows: alerts, nextCursor })
    ))
  return showPage(alertsPage(frame, { ...list, rule }))
})

/** GET /o/{slug}/alerts.csv */
export const downloadAlerts = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const rule = yield* readFilter(request, "rule", AlertRuleName)
  return sendCsv(
    "alerts.csv",
    {
      id: ({ alert }: ListedAlert) => alert.id,
      created_at: ({ alert }) => alert.createdAt.toISOString(),
      rule: ({ alert }) => alert.rule,
      event: ({ alert }) => alert.event,
      scan_id: ({ alert }) => alert.data.scan_id,
      what: ({ alert }) => describeAlert(alert),
      confirmed: ({ alert }) => isConfirmed(alert),
      n_cells: ({ alert }) => isGated(alert) ? alert.data.n_cells : null,
      cells_moved: ({ alert }) => isGated(alert) ? alert.data.cells_moved : null,
      z: ({ alert }) => isGated(alert) ? alert.data.z : null,
      emails: ({ emails }) => describeMails(emails),
      simulated: ({ alert }) => alert.data.simulated === true,
      asked: ({ alert }) => formatAskedPart(alert.data.asked)
    },
    streamPages((cursor) =>
      Effect.map(
        readAlertLog(organization.id, window, { rule }, { limit: csvPage, cursor }),
        ({ alerts, nextCursor }) => ({ rows: alerts, nextCursor })
      )
    )
  )
})

/** GET /o/{slug}/alerts/{id} */
export const showAlert = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  return showPage(alertPage(frame, yield* findAlert(organization.id, window, yield* readParam(request, EventId))))
})
