/**
 * AlertStore stores alert rules, the memory of each rule about earlier scans, every alert, and the competitor names
 * that were already reported.
 */
import { Context, type Effect } from "effect"
import type { Alert, AlertRule, AlertRuleName } from "../domain/alerts/AlertRule.ts"
import type { RuleMemory } from "../domain/alerts/evaluateAlerts.ts"
import type { PagePosition } from "../domain/Cursor.ts"
import type { EventId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { Scan } from "../domain/scanning/Scan.ts"
import type { MeasurementVersions } from "./MeasurementStore.ts"
import type { StoreError } from "./StoreError.ts"

/** What a rule remembers about a scan that it evaluated, and the measurement versions that it used. */
export interface StoredRuleMemory extends MeasurementVersions {
  readonly scanId: ScanId
  readonly memory: RuleMemory
}

/** Names that an alert of rule `new_competitor` reports, in their comparison forms. */
export interface ToldNames {
  readonly forms: ReadonlyArray<string>
  readonly alertId: EventId
  readonly toldAt: Date
}

export class AlertStore extends Context.Service<AlertStore, {
  /** Every rule that has ever been set, by name. */
  readonly listRules: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<AlertRule>, StoreError>
  /** Sets the rule and clears its memory, so that it starts over. */
  readonly setRule: (organizationId: OrganizationId, rule: AlertRule, at: Date) => Effect.Effect<void, StoreError>
  /** The rules that remember this scan, or a scan of the same kind (simulated or real) that was started later. */
  readonly evaluatedSince: (
    organizationId: OrganizationId,
    scan: Pick<Scan, "id" | "startedAt" | "simulated">
  ) => Effect.Effect<ReadonlySet<AlertRuleName>, StoreError>
  /** What rules remember of these scans, in any order. */
  readonly listMemories: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyArray<StoredRuleMemory>, StoreError>
  /** Stores what the rule remembers about the scan. Fails with `constraint` if it already remembers that scan. */
  readonly saveMemory: (organizationId: OrganizationId, remembered: StoredRuleMemory) => Effect.Effect<void, StoreError>
  /** Stores the alert. Fails with `constraint` if an alert with the same rule, scan and competitor exists. */
  readonly insert: (organizationId: OrganizationId, alert: Alert) => Effect.Effect<void, StoreError>
  /** The comparison forms of the names already reported, in any order. */
  readonly listTold: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** Stores that a stored alert reported these names. Fails with `constraint` if one of them was reported before. */
  readonly keepTold: (organizationId: OrganizationId, told: ToldNames) => Effect.Effect<void, StoreError>
  /** Forgets that a name was reported; does nothing if it was not. */
  readonly forgetTold: (organizationId: OrganizationId, form: string) => Effect.Effect<void, StoreError>
  /**
   * Alerts by time and id, newest first. The options select one scan or rule, alerts raised at `since` or later, or
   * alerts that follow `after`.
   */
  readonly list: (
    organizationId: OrganizationId,
    options: {
      readonly limit: number
      readonly scanId?: ScanId
      readonly rule?: AlertRuleName
      readonly since?: Date | null
      readonly after?: PagePosition
    }
  ) => Effect.Effect<ReadonlyArray<Alert>, StoreError>
  /**
   * The number of alerts of each of these organizations that were raised at its `since` or later, at most `limit`; an
   * organization without such an alert is left out.
   */
  readonly countsOf: (
    organizations: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly since: Date }>,
    limit: number
  ) => Effect.Effect<ReadonlyMap<OrganizationId, number>, StoreError>
  readonly find: (organizationId: OrganizationId, id: EventId) => Effect.Effect<Alert | null, StoreError>
}>()("@sov/core/ports/AlertStore") {}
