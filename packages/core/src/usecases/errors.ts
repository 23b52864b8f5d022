/** The typed errors of use cases. Each message is one line for people. */
import { Data, Schema } from "effect"
import { KeyScope } from "../domain/access/ApiKey.ts"
import type { AuditEntry } from "../domain/audit/AuditEntry.ts"
import { DeliveryId } from "../domain/ids.ts"
import { PlanId } from "../domain/organizations/Plan.ts"
import { PlatformId } from "../domain/platforms/Platform.ts"

/** The organization has nothing with this id or name. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  what: Schema.Literals([
    "organization",
    "brand",
    "competitor",
    "keyword",
    "tag",
    "view",
    "key",
    "member",
    "session",
    "identity",
    "scan",
    "answer",
    "alert",
    "webhook",
    "delivery",
    "share link",
    "annotation",
    "experiment",
    "action"
  ]),
  id: Schema.String
}) {
  override get message() {
    return `no ${this.what} ${this.id}`
  }
}

/** The record exists, but is older than the history of the organization's plan. */
export class OutsideWindow extends Schema.TaggedError<OutsideWindow>()("OutsideWindow", {
  what: Schema.Literals(["scan", "answer", "alert"]),
  id: Schema.String,
  /** Start of the window. */
  since: Schema.Date
}) {
  override get message() {
    return `${this.what} ${this.id} is older than the plan's history, which begins at ${this.since.toISOString()}`
  }
}

/** The input is well-formed but cannot be accepted; `field` names the part at fault. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  field: Schema.String,
  message: Schema.String
}) {}

/**
 * The request needs something that is not set up. A scan needs brand, keyword and platform; most other requests need a
 * brand.
 */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  missing: Schema.Literals(["brand", "keywords", "platforms"])
}) {
  override get message() {
    return this.missing === "brand" ? "no brand is set" : `a scan needs at least one ${this.missing.slice(0, -1)}`
  }
}

/** The organization is suspended: it can read data, but cannot start scans. */
export class OrganizationSuspended extends Schema.TaggedError<OrganizationSuspended>()("OrganizationSuspended", {
  since: Schema.Date,
  /** The reason that the operator gave. */
  reason: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const why = this.reason === null ? "" : ` (${this.reason})`
    return `this organization is suspended since ${
      this.since.toISOString().slice(0, 10)
    }${why}: its results can be read, and no scan starts`
  }
}

/** The organization's budget for this month is spent, or cannot be checked because its cost is unknown. */
export class BudgetSpent extends Schema.TaggedError<BudgetSpent>()("BudgetSpent", {
  period: Schema.String,
  /** US dollars. */
  budgetUsd: Schema.Number,
  /** Null if replies state no cost and there are no prices to estimate it from. */
  spentUsd: Schema.NullOr(Schema.Number),
  resetsAt: Schema.Date
}) {
  override get message() {
    const budget = `this organization's budget of $${this.budgetUsd.toFixed(2)} for ${this.period}`
    return this.spentUsd === null
      ? `${budget} cannot be kept: replies name no cost, and no prices are set`
      : `${budget} is spent; it resets at ${this.resetsAt.toISOString()}`
  }
}

/** The month's manual scans are used up. */
export class QuotaExhausted extends Schema.TaggedError<QuotaExhausted>()("QuotaExhausted", {
  period: Schema.String,
  limit: Schema.Int,
  used: Schema.Int,
  resetsAt: Schema.Date
}) {
  override get message() {
    return `all ${this.limit} manual scans of ${this.period} are used`
  }
}

/** A running scan asks platforms that are not configured in this process. */
export class PlatformsMissing extends Schema.TaggedError<PlatformsMissing>()("PlatformsMissing", {
  platforms: Schema.Array(PlatformId)
}) {
  override get message() {
    return `the scan asks ${this.platforms.join(", ")}, which is not configured here`
  }
}

/**
 * A real scan asks only real platforms, a simulated scan only simulated ones, but the configured platforms are of the
 * other kind.
 */
export class ScanKindMismatch extends Schema.TaggedError<ScanKindMismatch>()("ScanKindMismatch", {
  id: Schema.String,
  simulated: Schema.Boolean
}) {
  override get message() {
    return `scan ${this.id} asks ${this.simulated ? "simulated" : "real"} platforms; those configured are not`
  }
}

/** The scan has already ended. */
export class ScanEnded extends Schema.TaggedError<ScanEnded>()("ScanEnded", {
  id: Schema.String,
  status: Schema.String
}) {
  override get message() {
    return `scan ${this.id} is ${this.status}`
  }
}

/** The key has ended or will end soon: it was revoked or rolled, or has expired. */
export class KeyEnded extends Schema.TaggedError<KeyEnded>()("KeyEnded", {
  name: Schema.String,
  expiresAt: Schema.NullOr(Schema.Date),
  rolled: Schema.Boolean,
  revokedAt: Schema.NullOr(Schema.Date)
}) {
  override get message() {
    if (this.revokedAt !== null || this.expiresAt === null) return `the key ${this.name} is revoked`
    const end = this.expiresAt.toISOString()
    return this.rolled
      ? `the key ${this.name} was rolled before, to end at ${end}`
      : `the key ${this.name} expired at ${end}`
  }
}

/** The key is missing, mistyped, unknown, revoked or expired. The error does not contain the reason. */
export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", {}) {
  override get message() {
    return "the API key is missing or not valid"
  }
}

/** The key lacks the scope that the request needs. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>()("ScopeMissing", { scope: KeyScope }) {
  override get message() {
    return `the API key does not have the scope ${this.scope}`
  }
}

/** The sign-in link is used, expired or unknown. The error does not contain the reason. */
export class LinkRefused extends Schema.TaggedError<LinkRefused>()("LinkRefused", {}) {
  override get message() {
    return "this link was used or is too old; ask for a new one"
  }
}

/** The share link is revoked, expired or unknown. The error does not contain the reason. */
export class ShareLinkRefused extends Schema.TaggedError<ShareLinkRefused>()("ShareLinkRefused", {}) {
  override get message() {
    return "this link does not work any more; ask the person who gave it to you for another"
  }
}

/** The token belongs to no live session. The error does not contain the reason. */
export class SessionRefused extends Schema.TaggedError<SessionRefused>()("SessionRefused", {}) {
  override get message() {
    return "the session has ended; sign in again"
  }
}

/** The identity from the issuer belongs to no person here. */
export class IdentityRefused extends Schema.TaggedError<IdentityRefused>()("IdentityRefused", {}) {
  override get message() {
    return "you are not a member here; ask an owner for an invitation"
  }
}

/** The organization's plan has no API access. */
export class PlanTooLow extends Schema.TaggedError<PlanTooLow>()("PlanTooLow", { plan: PlanId }) {
  override get message() {
    return `plan ${this.plan} does not include API access; Pro and above do`
  }
}

/** The Idempotency-Key was used for another request within the last 24 hours. */
export class IdempotencyMismatch extends Schema.TaggedError<IdempotencyMismatch>()("IdempotencyMismatch", {}) {
  override get message() {
    return "this Idempotency-Key was used for another request; use a new one"
  }
}

/** Another request with this Idempotency-Key is in progress. */
export class StartInProgress extends Schema.TaggedError<StartInProgress>()("StartInProgress", {}) {
  override get message() {
    return "a request with this Idempotency-Key is still being worked on; try again"
  }
}

/** No scan has completed yet, or none of this view. */
export class NoCompletedScan extends Schema.TaggedError<NoCompletedScan>()("NoCompletedScan", {
  /** Absent for the standard view. */
  view: Schema.optionalKey(Schema.String)
}) {
  /** The error of a reader of the view with this name; null for the standard view. */
  static of(view: string | null | undefined): NoCompletedScan {
    return new NoCompletedScan(view == null ? {} : { view })
  }

  override get message() {
    return this.view === undefined
      ? "no scan has completed yet"
      : `no scan of the view ${JSON.stringify(this.view)} has completed yet`
  }
}

/** Scans have completed, but none is measured yet, so none has a score. */
export class NoScore extends Schema.TaggedError<NoScore>()("NoScore", {}) {
  override get message() {
    return "completed scans have no score yet"
  }
}

/** A cursor that is damaged or belongs to other filters or another organization. */
export class BadCursor extends Schema.TaggedError<BadCursor>()("BadCursor", {}) {
  override get message() {
    return "the cursor is not valid for this query; start again without one"
  }
}

/** Another live worker of this database has other platform bindings. */
export class PlatformsDiffer extends Schema.TaggedError<PlatformsDiffer>()("PlatformsDiffer", {
  host: Schema.String,
  pid: Schema.Int,
  seen: Schema.Date
}) {
  override get message() {
    return `process ${this.pid} on ${this.host} works on this database with other platform bindings`
  }
}

/** No seal covers the answer: its scan has not ended. */
export class NotSealed extends Schema.TaggedError<NotSealed>()("NotSealed", {
  id: Schema.String,
  scanId: Schema.String
}) {
  override get message() {
    return `no seal holds answer ${this.id}`
  }
}

/** An import needs an empty organization, and this organization has data. */
export class OrganizationNotEmpty extends Schema.TaggedError<OrganizationNotEmpty>()("OrganizationNotEmpty", {
  name: Schema.String,
  /** Whether it has completed scans without a score, as after an import that stopped while measuring. */
  unscored: Schema.Boolean
}) {
  override get message() {
    return `organization ${JSON.stringify(this.name)} has a brand, keywords or scans already${
      this.unscored ? ", and completed scans without a score" : ""
    }`
  }
}

/** A file of an export cannot be used; `message` says why in one line. */
export class InvalidExport extends Schema.TaggedError<InvalidExport>()("InvalidExport", {
  reason: Schema.Literals(["damaged", "partial"]),
  message: Schema.String
}) {}

/** The organization has no schedule. */
export class NoSchedule extends Schema.TaggedError<NoSchedule>()("NoSchedule", {}) {
  override get message() {
    return "no schedule is set"
  }
}

/** The delivery may be in flight, so it cannot be restarted. */
export class DeliveryInFlight extends Schema.TaggedError<DeliveryInFlight>()("DeliveryInFlight", { id: DeliveryId }) {
  override get message() {
    return `delivery ${this.id} is on its way: it is due, and its sender records how that ends`
  }
}

/** The form was already processed; `entry` is its entry in the audit log. */
export class DoneBefore extends Data.TaggedError("DoneBefore")<{ readonly entry: AuditEntry }> {
  override get message() {
    return `this form was sent before: ${this.entry.action}`
  }
}

/** The record has changed since the editor read it; nothing was changed. */
export class ChangedMeanwhile extends Schema.TaggedError<ChangedMeanwhile>()("ChangedMeanwhile", {}) {
  override get message() {
    return "somebody has changed this meanwhile"
  }
}
