/**
 * AlertStore keeps alert rules, what each remembers from scan to scan, every alert that was raised, and the names that
 * were told.
 */
import { Context, type Effect } from "effect"
import type { Alert, AlertRule, AlertRuleName } from "../domain/alerts/AlertRule.ts"
import type { RuleMemory } from "../domain/alerts/evaluateAlerts.ts"
import type { PagePosition } from "../domain/Cursor.ts"
import type { EventId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { Scan } from "../domain/scanning/Scan.ts"
import type { MeasurementVersions } from "./MeasurementStore.ts"
import type { StoreError } from "./StoreError.ts"

/** What a rule remembers of a scan that it was evaluated on, measured with these versions. */
export interface StoredRuleMemory extends MeasurementVersions {
  readonly scanId: ScanId
  readonly memory: RuleMemory
}

/** Names that an alert of rule `new_competitor` tells, by their comparison forms. */
export interface ToldNames {
  readonly forms: ReadonlyArray<string>
  readonly alertId: EventId
  readonly toldAt: Date
}

export class AlertStore extends Context.Service<AlertStore, {
  /** The rules that were ever set, by name. */
  readonly listRules: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<AlertRule>, StoreError>
  /** Sets the rule and forgets what it remembered: it begins again. */
  readonly setRule: (organizationId: OrganizationId, rule: AlertRule, at: Date) => Effect.Effect<void, StoreError>
  /** The rules that remember this scan, or one of its kind (simulated or real) that was started later. */
  readonly evaluatedSince: (
    organizationId: OrganizationId,
    scan: Pick<Scan, "id" | "startedAt" | "simulated">
  ) => Effect.Effect<ReadonlySet<AlertRuleName>, StoreError>
  /** What rules remember of these scans, in no order. */
  readonly listMemories: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyArray<StoredRuleMemory>, StoreError>
  /** Keeps what the rule remembers of the scan. What it remembers of it already is a `constraint`. */
  readonly saveMemory: (organizationId: OrganizationId, remembered: StoredRuleMemory) => Effect.Effect<void, StoreError>
  /** Keeps the alert. One of its rule, scan and competitor that is there already is a `constraint`. */
  readonly insert: (organizationId: OrganizationId, alert: Alert) => Effect.Effect<void, StoreError>
  /** The comparison forms of the names that were told, in no order. */
  readonly listTold: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** Keeps that these names were told, by an alert that is kept. One that was told before is a `constraint`. */
  readonly keepTold: (organizationId: OrganizationId, told: ToldNames) => Effect.Effect<void, StoreError>
  /** Forgets that a name was told; does nothing where it was not. */
  readonly forgetTold: (organizationId: OrganizationId, form: string) => Effect.Effect<void, StoreError>
  /**
   * Newest first, by time and id; of one scan or rule, raised at `since` or later, or behind `after`, only where that
   * is given.
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
  readonly find: (organizationId: OrganizationId, id: EventId) => Effect.Effect<Alert | null, StoreError>
}>()("@sov/core/ports/AlertStore") {}
