/**
 * The last step of a scan's completion: evaluates the alert rules, stores alerts, and queues their events and e-mails.
 */
import { Effect } from "effect"
import { type MailNames, renderAlertMail } from "../../domain/alerts/alertMail.ts"
import { type Alert, type DetectedAlert, isGatedRule } from "../../domain/alerts/AlertRule.ts"
import type { ComparedWith } from "../../domain/alerts/describeAlert.ts"
import type { ComparableScan } from "../../domain/alerts/evidence.ts"
import { noUntrackedNames, type UntrackedNames } from "../../domain/alerts/newCompetitor.ts"
import { makeExcerpt } from "../../domain/archive/excerpt.ts"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { findCommonCells } from "../../domain/scoring/commonCells.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { OutboundEvent } from "../../domain/webhooks/Event.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { PlatformLabels } from "../../ports/PlatformLabels.ts"
import { PublicUrl } from "../../ports/PublicUrl.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { readMentions } from "../archive/readMentions.ts"
import { queueMail } from "../mail/queueMail.ts"
import { newId } from "../newId.ts"
import { publishEvent } from "../webhooks/publishEvent.ts"
import { evaluateScan } from "./evaluateScan.ts"
import { findNamesForAlerts } from "./findUntrackedNames.ts"
import { readComparableScans } from "./readComparableScans.ts"
import { readSettledNames } from "./readSettledNames.ts"

const findComparedScan = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { data }: DetectedAlert, scans: ReadonlyArray<ComparableScan>) {
    if (!("previous_scan_id" in data)) return null
    const before = scans.find(({ scanId }) => scanId === data.previous_scan_id)!
    const { startedAt } = (yield* (yield* ScanStore).find(organizationId, before.scanId))!
    const found: ComparedWith = { startedAt, ofCells: findCommonCells(before.cells, scans.at(-1)!.cells).of }
    return found
  }
)

const readMailNames = Effect.fnUntraced(function*(organizationId: OrganizationId, { brand }: TrackedSet) {
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  const keywords = yield* (yield* KeywordStore).list(organizationId, keywordStatuses)
  const publicUrl = yield* PublicUrl
  const names: Omit<MailNames, "comparedWith"> = {
    organization: organization?.name ?? "",
    ...organization === null ? {} : { timeZone: organization.timeZone },
    brand: brand.name,
    keywords: new Map(keywords.map(({ id, text }) => [id, text])),
    platformLabels: yield* PlatformLabels,
    ...publicUrl === null || organization === null ? {} : { alertsUrl: `${publicUrl}/o/${organization.slug}/alerts` }
  }
  return names
})

/** Length in characters of the quote from an answer in a chat message. */
const quoteLength = 300

/** The text around the first new mention, for chats; null for alerts of other rules. */
const quoteMention = Effect.fnUntraced(function*(organizationId: OrganizationId, alert: DetectedAlert) {
  const first = alert.rule === "new_mention" ? alert.data.mentions[0] : undefined
  const answer = first === undefined ? null : yield* (yield* ArchiveStore).find(organizationId, first.archive_id)
  if (answer === null) return null
  const mentions = (yield* readMentions(organizationId, [answer.id])).get(answer.id)?.mentions ?? []
  const { cutAfter, cutBefore, parts } = makeExcerpt(answer.rawResponse, mentions, quoteLength)
  return `${cutBefore ? "…" : ""}${parts.map(({ text }) => text).join("").trim()}${cutAfter ? "…" : ""}`
})

/** Stores an alert, and queues its event and e-mails. */
const raiseAlert = Effect.fnUntraced(
  function*(organizationId: OrganizationId, detected: DetectedAlert, names: MailNames, at: Date) {
    const alert: Alert = { ...detected, id: yield* newId(EventId), createdAt: at }
    const alerts = yield* AlertStore
    yield* alerts.insert(organizationId, alert)
    if (alert.rule === "new_competitor") {
      const forms = alert.data.names.map(({ name }) => toComparisonForm(name))
      yield* alerts.keepTold(organizationId, { forms, alertId: alert.id, toldAt: at })
    }
    const { data, event, id } = alert
    yield* publishEvent(organizationId, { id, event, data, timestamp: at } as OutboundEvent, {
      ...names,
      quote: yield* quoteMention(organizationId, alert)
    })
    yield* queueMail(organizationId, { ...renderAlertMail(alert, names), id, createdAt: at })
  }
)

/** Raises the alerts that compare no figures, in the transaction that completes the scan. */
export const raiseUngated = Effect.fn("raiseUngated")(
  function*(organizationId: OrganizationId, set: TrackedSet, detected: ReadonlyArray<DetectedAlert>, at: Date) {
    if (detected.length === 0) return
    const names = yield* readMailNames(organizationId, set)
    for (const found of detected) yield* raiseAlert(organizationId, found, { ...names, comparedWith: null }, at)
  }
)

/**
 * Evaluates every enabled rule on a completing scan, once. Only the scan's completion calls it, and provides the
 * transaction. The scan must have been scored, and everything that its alerts compare with must have been measured with
 * `set` (`measureForCompletion`). A scan that completes after a scan that started later raises no alert and changes
 * nothing; nor does a scan without a measured answer. Alert, event and e-mails have the same id and time. `untracked`
 * is the result of `findNamesForAlerts` from before the transaction; null means that it was not called, and it is
 * called here if the rule is enabled.
 */
export const raiseAlerts = Effect.fn("raiseAlerts")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date, untracked: UntrackedNames | null) {
    // Rules apply to the standard view only
    if (scan.view !== undefined) return
    const alerts = yield* AlertStore
    const enabled = (yield* alerts.listRules(organizationId)).filter(({ enabled, rule }) =>
      enabled && isGatedRule(rule)
    )
    if (enabled.length === 0) return
    const past = yield* alerts.evaluatedSince(organizationId, scan)
    const rules = enabled.filter(({ rule }) => !past.has(rule))
    if (rules.length === 0) return
    const scans = yield* readComparableScans(organizationId, scan, set)
    if (scans.at(-1)?.scanId !== scan.id) return
    const remembered = yield* alerts.listMemories(organizationId, scans.map(({ scanId }) => scanId))
    const isWatched = rules.some(({ rule }) => rule === "new_competitor")
    const found = yield* evaluateScan(organizationId, {
      scan,
      scans,
      set,
      rules,
      remembered,
      untracked: isWatched
        ? untracked ?? (yield* findNamesForAlerts(organizationId, scan, set)) ?? noUntrackedNames
        : noUntrackedNames,
      settledNames: isWatched ? yield* readSettledNames(organizationId) : new Set()
    })
    for (const memory of found.remember) yield* alerts.saveMemory(organizationId, memory)
    if (found.alerts.length === 0) return
    const names = yield* readMailNames(organizationId, set)
    for (const alert of found.alerts) {
      const comparedWith = yield* findComparedScan(organizationId, alert, scans)
      yield* raiseAlert(organizationId, alert, { ...names, comparedWith }, at)
    }
  }
)
