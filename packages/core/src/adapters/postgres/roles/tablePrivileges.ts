/**
 * The privileges that the program needs on each table while it serves and works. Its roles get no others: on
 * append-only tables, they may only add and read rows. Everything else needs the owner: DDL, restoring a backup, new
 * secrets of the installation.
 */

/** Privileges in addition to SELECT, which the roles have on every table. */
export interface TablePrivileges {
  readonly insert?: true
  /** The columns that statements update. */
  readonly update?: ReadonlyArray<string>
  readonly delete?: true
  /** Set if the table decides who may act for an organization; workers then get no access. */
  readonly access?: true
}

const readOnly: TablePrivileges = {}
const appendOnly: TablePrivileges = { insert: true }

/** Every table of the schema and of the workers' cluster. The roles have no privileges on other tables. */
export const tablePrivileges: { readonly [table: string]: TablePrivileges } = {
  instance: readOnly,
  sov_migrations: readOnly,
  sov_cluster_runner_migrations: readOnly,

  alert: appendOnly,
  answer: appendOnly,
  answer_sources: appendOnly,
  card_attestation: appendOnly,
  card_change: appendOnly,
  card_decision: appendOnly,
  charge: appendOnly,
  measurement: appendOnly,
  resolved_url: appendOnly,
  score: appendOnly,
  seal: appendOnly,
  tracked_set: appendOnly,
  traffic_lines: appendOnly,
  webhook_attempt: appendOnly,

  // A trigger refuses to remove rows that are younger than 28 days
  audit_entry: { insert: true, delete: true },
  digest_mail: { insert: true, delete: true },
  event: { insert: true, delete: true },
  schedule_run: { insert: true, delete: true },

  action_mark: { insert: true, update: ["rule", "title", "state", "until", "marked_at"], delete: true },
  alert_memory: { insert: true, delete: true },
  annotation: { insert: true, delete: true },
  alert_rule: { insert: true, update: ["enabled", "threshold", "sensitivity", "changed_at"] },
  cell: {
    insert: true,
    update: ["state", "attempts", "first_attempt_at", "due_at", "reason", "message", "excerpt", "status"]
  },
  deletion_request: { insert: true, delete: true },
  digest: { insert: true, update: ["enabled", "next_at"] },
  experiment_end: { insert: true, delete: true },
  found_actions: { insert: true, update: ["report"] },
  idempotency_key: {
    insert: true,
    update: ["fingerprint", "scan_id", "estimated_seconds", "created_at"],
    delete: true
  },
  branding: { insert: true, update: ["title", "locale", "color", "band", "sender", "footer", "logo"] },
  buyer_view: { insert: true, delete: true },
  view_wording: { insert: true, update: ["text"], delete: true },
  ignored_name: { insert: true, delete: true },
  keyword: { insert: true, update: ["status"] },
  keyword_tag: { insert: true, delete: true },
  mail: { insert: true, update: ["state", "tries", "due_at", "message", "ended_at"], delete: true },
  mail_recipient: { insert: true, update: ["flagged_at", "flagged_reason", "digest_off_at"], delete: true },
  measurement_failure: { insert: true, update: ["reason", "failed_at"] },
  organization: {
    insert: true,
    update: [
      "name",
      "time_zone",
      "plan",
      "scan_quota",
      "suspended_at",
      "suspended_for",
      "request_rate",
      "monthly_budget_usd"
    ]
  },
  platform_health: {
    insert: true,
    update: ["provider", "watch", "sent", "breaker", "outcomes", "last_failure", "ends_on", "seen_at"]
  },
  quota_usage: { insert: true, update: ["used"] },
  scan: { insert: true, update: ["status", "completed_at", "quota_period"] },
  schedule: {
    insert: true,
    update: ["cron", "time_zone", "platforms", "samples", "paused", "next_at"],
    delete: true
  },
  score_detail: {
    insert: true,
    update: [
      "scan_id",
      "measure_version",
      "tracked_set_version",
      "detail_version",
      "scan_ids",
      "detail",
      "series"
    ],
    delete: true
  },
  server: { insert: true, update: ["seen_at"], delete: true },
  // Inserting a row deletes the organization, with the owner's rights and only after the grace period
  tombstone: { insert: true, update: ["signature"] },
  told_name: { insert: true, delete: true },
  traffic_count: { insert: true, update: ["count"] },
  webhook_delivery: {
    insert: true,
    update: ["state", "tries", "attempts", "due_at", "begun_at", "ended_at"],
    delete: true
  },
  // Removing an endpoint also removes its deliveries, through the foreign key and with the owner's rights
  webhook_endpoint: {
    insert: true,
    update: [
      "events",
      "state",
      "disabled_reason",
      "disabled_at",
      "secret",
      "next_secret",
      "staged_at",
      "failing_since",
      "last_failure_at",
      "last_success_at",
      "told_at"
    ],
    delete: true
  },
  worker: { insert: true, update: ["doing", "seen_at"], delete: true },
  sov_cluster_locks: { insert: true, update: ["address", "acquired_at"], delete: true },
  sov_cluster_runners: { insert: true, update: ["runner", "healthy", "last_heartbeat"], delete: true },

  api_key: { access: true, insert: true, update: ["expires_at", "revoked_at", "last_used_at", "rolled"] },
  login_link: { access: true, insert: true, update: ["used_at", "made_by", "known_to"], delete: true },
  membership: { access: true, insert: true, update: ["role", "name"], delete: true },
  operator_entry: appendOnly,
  operator_key: { access: true, insert: true, update: ["revoked_at", "last_used_at"] },
  organization_request_log: { access: true, insert: true, update: ["times"] },
  person: { access: true, insert: true, update: ["signed_in_at"] },
  person_identity: { access: true, insert: true, delete: true },
  request_log: { access: true, insert: true, update: ["times"] },
  share_link: { access: true, insert: true, update: ["revoked_at", "last_used_at"], delete: true },
  session: { access: true, insert: true, update: ["seen_at"], delete: true }
}
