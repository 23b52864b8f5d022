/** AlertStore keeps alert rules, what each remembers from scan to scan, and every alert that was raised. */
import { Context, type Effect } from "effect"
import type { Alert, AlertRule, AlertRuleName } from "../domain/AlertRule.ts"
import type { RuleMemory } from "../domain/alerts/evaluateAlerts.ts"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { MeasurementVersions } from "./MeasurementStore.ts"
import type { StoreError } from "./StoreError.ts"

/** What a rule remembers, and of which scan: the newest it was evaluated on, measured with these versions. */
export interface Remembered extends MeasurementVersions {
  readonly scanId: ScanId
  readonly startedAt: Date
  readonly memory: RuleMemory
}

export class AlertStore extends Context.Service<AlertStore, {
  /** The rules that were ever set, by name. */
  readonly rules: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<AlertRule>, StoreError>
  /** Sets the rule and forgets what it remembered: it begins anew. */
  readonly setRule: (organizationId: OrganizationId, rule: AlertRule, at: Date) => Effect.Effect<void, StoreError>
  /** What each rule remembers of simulated scans, or of real ones. */
  readonly remembered: (
    organizationId: OrganizationId,
    simulated: boolean
  ) => Effect.Effect<ReadonlyArray<Remembered>, StoreError>
  /** Replaces what the rule remembers. */
  readonly remember: (
    organizationId: OrganizationId,
    simulated: boolean,
    remembered: Omit<Remembered, "startedAt">
  ) => Effect.Effect<void, StoreError>
  /** Keeps the alert. One of its rule, scan and competitor that is there already is a `constraint`. */
  readonly insert: (organizationId: OrganizationId, alert: Alert) => Effect.Effect<void, StoreError>
  /** Newest first; of one scan or rule only where that is given. */
  readonly list: (
    organizationId: OrganizationId,
    options: { readonly limit: number; readonly scanId?: ScanId; readonly rule?: AlertRuleName }
  ) => Effect.Effect<ReadonlyArray<Alert>, StoreError>
}>()("@sov/core/ports/AlertStore") {}
