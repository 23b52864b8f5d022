/** Every action of the audit log, with the kind of its subject and the facts that are stored with it. */
import { Schema } from "effect"
import { KeyScope } from "../access/ApiKey.ts"
import { AlertRuleName, Sensitivity } from "../alerts/AlertRule.ts"
import { PlanId } from "../organizations/Plan.ts"
import { LinkPurpose } from "../people/LoginLink.ts"
import { Role } from "../people/Role.ts"
import { SignInMethod } from "../people/Session.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { ScanType } from "../scanning/Scan.ts"
import { actionStates } from "../sources/actions/actionNames.ts"
import { EventName } from "../webhooks/Event.ts"
import { WebhookFormat } from "../webhooks/Webhook.ts"

/** Kinds of subjects of actions. */
export const SubjectKind = Schema.Literals([
  "organization",
  "person",
  "session",
  "key",
  "share_link",
  "brand",
  "competitor",
  "keyword",
  "view",
  "schedule",
  "scan",
  "annotation",
  "action",
  "experiment",
  "alert_rule",
  "recipients",
  "endpoint",
  "delivery",
  "card"
])
export type SubjectKind = typeof SubjectKind.Type

const on = <const Kind extends SubjectKind, Fields extends Schema.Struct.Fields>(subject: Kind, fields: Fields) => ({
  subject,
  detail: Schema.Struct(fields)
})

const { Boolean, Int, Literals, NullOr, Number, String, Struct, Array: List } = Schema
/** ISO 8601, UTC. */
const Time = Schema.String

const competitor = {
  name: String,
  aliases: List(String),
  domains: List(String),
  context: Schema.optionalKey(List(String))
}
const brand = { ...competitor, excludes: List(String) }
const schedule = { cron: String, time_zone: String, platforms: NullOr(List(PlatformId)), samples: Int }
const limits = { request_rate: NullOr(Int), monthly_budget_usd: NullOr(Number) }
const branding = {
  title: NullOr(String),
  locale: Schema.optionalKey(NullOr(String)),
  color: NullOr(String),
  band: NullOr(String),
  sender: NullOr(String),
  footer: NullOr(String),
  /** SHA-256, hex. */
  logo: NullOr(String)
}
const alertRule = { enabled: Boolean, threshold: NullOr(Number), sensitivity: Sensitivity }

/**
 * The complete list of actions. No member contains a secret: keys and webhooks are identified by what people see of
 * them, the URL of a webhook only by its host. An action is never renamed, because stored entries use its name. Members
 * are only added, so old entries may lack new members. `before` is the previous value; null if there was no value.
 */
export const auditActions = {
  "organization.created": on("organization", { name: String, plan: PlanId }),
  "organization.renamed": on("organization", { name: String, before: String }),
  "organization.time_zone_changed": on("organization", { time_zone: String, before: String }),
  "branding.changed": on("organization", { ...branding, before: Struct(branding) }),
  "organization.suspended": on("organization", { reason: NullOr(String) }),
  "organization.resumed": on("organization", {}),
  "limits.changed": on("organization", { ...limits, before: Struct(limits) }),
  "organization.deletion_requested": on("organization", { due_at: Time }),
  "organization.deletion_cancelled": on("organization", {}),
  "plan.changed": on("organization", { plan: PlanId, before: PlanId }),
  "quota.changed": on("organization", { limit: NullOr(Int), before: NullOr(Int) }),
  "archive.imported": on("organization", { answers: Int, scans: Int, seals: Int }),
  "archive.anchored": on("organization", { head: String, tsa: NullOr(String) }),
  "archive.exported": on("organization", {
    from: NullOr(Time),
    to: NullOr(Time),
    keyword_id: NullOr(String),
    platform: NullOr(String),
    tag: Schema.optionalKey(NullOr(String)),
    chain_head: NullOr(String)
  }),
  "rescore.started": on("organization", { tracked_set_version: Int, scans: Int, answers: Int }),
  "platform.tested": on("organization", { platform: PlatformId }),
  "traffic.import_started": on("organization", { sources: String }),

  "member.invited": on("person", { name: String, role: Role }),
  "member.role_changed": on("person", { name: String, role: Role, before: Role }),
  "member.removed": on("person", { name: String, role: Role }),
  "link.created": on("person", { name: String, purpose: LinkPurpose }),
  "identity.added": on("person", { name: String, issuer: String }),
  "identity.removed": on("person", { name: String, issuer: String }),
  "session.started": on("session", { method: SignInMethod, agent: String }),
  "session.ended": on("session", { agent: String }),

  "key.created": on("key", { name: String, prefix: String, scopes: List(KeyScope), expires_at: NullOr(Time) }),
  "key.rolled": on("key", { name: String, prefix: String, replaced_by: String, expires_at: Time }),
  "key.revoked": on("key", { name: String, prefix: String }),

  "share_link.created": on("share_link", {
    name: String,
    from: NullOr(Time),
    to: NullOr(Time),
    with_answers: Boolean,
    expires_at: Time
  }),
  "share_link.revoked": on("share_link", { name: String }),

  "brand.changed": on("brand", { ...brand, version: Int, before: NullOr(Struct(brand)) }),
  "competitor.added": on("competitor", { ...competitor, version: Int }),
  "competitor.changed": on("competitor", { ...competitor, version: Int, before: Struct(competitor) }),
  "competitor.removed": on("competitor", { ...competitor, version: Int }),
  "suggestion.ignored": on("organization", { name: String }),
  "suggestion.restored": on("organization", { name: String }),
  "keyword.added": on("keyword", { text: String }),
  "keyword.paused": on("keyword", { text: String }),
  "keyword.resumed": on("keyword", { text: String }),
  "keyword.archived": on("keyword", { text: String }),
  "keyword.tagged": on("keyword", { text: String, tags: List(String) }),
  "keyword.untagged": on("keyword", { text: String, tags: List(String) }),

  "topic.decided": on("keyword", { keywords: List(String), version: Int }),

  "view.added": on("view", { country: NullOr(String), language: NullOr(String), context: NullOr(String) }),
  "view.removed": on("view", {}),
  "view.worded": on("view", { keyword_id: String, text: NullOr(String) }),

  "schedule.set": on("schedule", { ...schedule, before: NullOr(Struct({ ...schedule, paused: Boolean })) }),
  "schedule.paused": on("schedule", {}),
  "schedule.resumed": on("schedule", {}),
  "schedule.removed": on("schedule", { before: Struct({ ...schedule, paused: Boolean }) }),
  "scan.started": on("scan", {
    scan_type: ScanType,
    platforms: List(PlatformId),
    keywords: Int,
    samples: Int,
    simulated: Boolean,
    view: Schema.optionalKey(String)
  }),
  "scan.cancelled": on("scan", {}),

  "annotation.added": on("annotation", { day: String, text: String }),
  "annotation.removed": on("annotation", { day: String, text: String }),

  "action.marked": on("action", { title: String, state: Literals(actionStates), until: NullOr(Time) }),
  "action.unmarked": on("action", { title: String, state: Literals(actionStates) }),

  "experiment.started": on("experiment", { name: String, from: String, until: String, topics: Int, seal: Int }),
  "experiment.stopped": on("experiment", { name: String, reason: String, seal: Int }),

  "alert_rule.changed": on("alert_rule", { ...alertRule, before: Struct(alertRule) }),
  "recipients.changed": on("recipients", { addresses: List(String), before: List(String) }),
  "digest.changed": on("recipients", { enabled: Boolean }),
  "recipients.tested": on("recipients", { rule: AlertRuleName, recipients: Int }),

  "endpoint.added": on("endpoint", { host: String, events: List(EventName), format: WebhookFormat }),
  "endpoint.events_changed": on("endpoint", { host: String, events: List(EventName), before: List(EventName) }),
  "endpoint.enabled": on("endpoint", { host: String }),
  "endpoint.disabled": on("endpoint", { host: String }),
  "endpoint.removed": on("endpoint", { host: String }),
  "endpoint.secret_rotated": on("endpoint", { host: String, immediate: Boolean }),
  "endpoint.secret_revealed": on("endpoint", { host: String }),
  "endpoint.secret_promoted": on("endpoint", { host: String }),
  "endpoint.tested": on("endpoint", { host: String, event: EventName }),
  "endpoint.deliveries_replayed": on("endpoint", { host: String, since: Time, deliveries: Int }),
  "delivery.replayed": on("delivery", { host: String }),

  "card.edited": on("card", { fields: List(String) }),
  "card.attested": on("card", { by: String })
}

export type AuditAction = keyof typeof auditActions
export const AuditAction = Schema.Literals(Object.keys(auditActions) as ReadonlyArray<AuditAction>)

/** The facts that are stored with an action. */
export type AuditDetail<A extends AuditAction> = (typeof auditActions)[A]["detail"]["Type"]
