/** Bodies of the operator's operations: organizations, their keys and members, and their usage. */
import {
  dateBound,
  EmailAddress,
  maxRequestRate,
  maxScanQuota,
  maxSuspensionReason,
  Name,
  PlanId,
  Role,
  TrackingFile
} from "@sov/core/contract"
import { Schema } from "effect"
import { Count } from "./numbers.ts"
import { Platform } from "./resources.ts"

const Time = Schema.String.annotate({ format: "date-time", description: "ISO 8601, UTC, milliseconds" })
const Id = Schema.String.annotate({ format: "uuid" })

const between = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}, or null`
  return Schema.NullOr(
    Schema.Int.annotate({ message }).check(Schema.isBetween({ minimum, maximum }, { message }))
  ).annotate({ message })
}
const budgetFault = "must be a number of US dollars, 0 or more, or null"

const Plan = PlanId.annotate({ message: `must be one of ${PlanId.literals.join(", ")}` })

/** Limits that the operator can set. An omitted limit stays unchanged. */
const limits = {
  scans_per_month: Schema.optionalKey(
    between(0, maxScanQuota).annotate({
      description: "Manual scans in a UTC month; null = the plan's"
    })
  ),
  requests_per_minute: Schema.optionalKey(
    between(1, maxRequestRate).annotate({
      description: "Requests of all its keys together, on all servers, REST and tools; null = only each key's limit"
    })
  ),
  monthly_budget_usd: Schema.optionalKey(
    Schema.NullOr(
      Schema.Finite.annotate({ message: budgetFault }).check(Schema.isGreaterThanOrEqualTo(0, { message: budgetFault }))
    ).annotate({
      message: budgetFault,
      description: "What its scans may cost in a UTC month; null = only the platforms' budgets"
    })
  )
}
const Limits = Schema.Struct(limits).annotate({ message: "must be an object of limits" })

/** An organization as the operator sees it. */
export const Organization = Schema.Struct({
  id: Id,
  name: Schema.String,
  slug: Schema.String.annotate({ description: "Short name: part of addresses, and the value of `--org`" }),
  plan: Plan,
  time_zone: Schema.String.annotate({
    description: "IANA time zone of its pages, e-mails and reports; a schedule has its own"
  }),
  created_at: Time,
  suspended: Schema.NullOr(Schema.Struct({ since: Time, reason: Schema.NullOr(Schema.String) })).annotate({
    description: "Since when and why no scan starts, while results can be read; null = it is not suspended"
  }),
  limits: Schema.Struct({
    scans_per_month: Schema.NullOr(Count),
    requests_per_minute: Schema.NullOr(Count),
    monthly_budget_usd: Schema.NullOr(Schema.Finite)
  }).annotate({ description: "Null = that of the plan, or no limit of its own" }),
  deletion_due_at: Schema.NullOr(Time).annotate({ description: "When it is deleted; null = nobody requested that" })
}).annotate({ identifier: "Organization" })

export const OrganizationList = Schema.Struct({
  data: Schema.Array(Organization).annotate({ description: "Oldest first" }),
  meta: Schema.Struct({ count: Count, next_cursor: Schema.NullOr(Schema.String) })
}).annotate({ identifier: "OrganizationList" })

const { brand, competitors, keywords } = TrackingFile.fields

export const CreateOrganization = Schema.Struct({
  name: Schema.optionalKey(Name.annotate({ description: "The brand's when left out; no other organization has it" })),
  plan: Schema.optionalKey(Plan),
  brand: Schema.optionalKey(brand),
  competitors,
  keywords,
  limits: Schema.optionalKey(Limits)
}).annotate({
  identifier: "CreateOrganization",
  message: "must be a JSON object",
  description:
    "With a brand it can be scanned at once. Its plan is `pro` when left out. Members that are not known are ignored"
})

export const EditOrganization = Schema.Struct({
  name: Schema.optionalKey(Name.annotate({ description: "The short name stays as it is" })),
  plan: CreateOrganization.fields.plan,
  time_zone: Schema.optionalKey(Schema.String.annotate({ description: "IANA time zone, such as `Europe/Berlin`" })),
  limits: Schema.optionalKey(Limits)
}).annotate({
  identifier: "EditOrganization",
  message: "must be a JSON object",
  description: "What is left out stays as it is"
})

const reasonFault = `must be text of at most ${maxSuspensionReason} characters, without control characters`
export const SuspendOrganization = Schema.Struct({
  reason: Schema.optionalKey(
    Schema.String.annotate({ message: reasonFault, description: "Shown to the organization" }).check(
      Schema.isMaxLength(maxSuspensionReason, { message: reasonFault })
    )
  )
}).annotate({ identifier: "SuspendOrganization", message: "must be a JSON object" })

export const RequestedDeletion = Schema.Struct({
  organization_id: Id,
  due_at: Time.annotate({ description: "It is deleted then, or up to an hour later; until then it can be cancelled" })
}).annotate({ identifier: "RequestedDeletion" })

export const CancelledDeletion = Schema.Struct({
  organization_id: Id,
  cancelled: Schema.Boolean.annotate({ description: "False: nobody had requested it" })
}).annotate({ identifier: "CancelledDeletion" })

const Tombstone = Schema.Struct({
  sov_tombstone: Schema.Literal(1),
  organization_id: Id,
  head: Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Schema.String })).annotate({
    description: "The newest seal; null = it had none"
  }),
  rows: Schema.Record(Schema.String, Schema.Int).annotate({ description: "Deleted rows of each table" }),
  requested_at: Schema.NullOr(Time),
  requested_by: Schema.NullOr(Schema.String),
  deleted_at: Time,
  deleted_by: Schema.String,
  public_key: Schema.String,
  signature: Schema.String.annotate({ description: "Ed25519 over the other members, in hex" }),
  valid: Schema.Boolean.annotate({ description: "Whether it is what was signed" })
}).annotate({ identifier: "Tombstone" })

export const DeletionList = Schema.Struct({
  requests: Schema.Array(Schema.Struct({
    organization_id: Id,
    requested_at: Time,
    requested_by: Schema.String,
    due_at: Time
  })),
  tombstones: Schema.Array(Tombstone).annotate({ description: "Of deleted organizations, oldest first" })
}).annotate({ identifier: "DeletionList" })

const keyScopes = ["read", "scan"] as const
const Scopes = Schema.Array(Schema.Literals(keyScopes))
const keyFields = {
  id: Id,
  name: Schema.String,
  prefix: Schema.String,
  last_four: Schema.String,
  scopes: Scopes,
  created_at: Time,
  last_used_at: Schema.NullOr(Time),
  expires_at: Schema.NullOr(Time),
  revoked_at: Schema.NullOr(Time)
}

/** A key of an organization, without the key text itself. */
export const ApiKey = Schema.Struct(keyFields).annotate({ identifier: "ApiKey" })

export const ApiKeyList = Schema.Struct({
  data: Schema.Array(ApiKey).annotate({ description: "Revoked ones too, newest first" })
}).annotate({ identifier: "ApiKeyList" })

const scopesFault = "must be an array with read, scan or both"
const timeFault = "must be a day (2027-01-01) or a time with its offset (2027-01-01T00:00:00Z)"
export const CreateApiKey = Schema.Struct({
  name: Name,
  scopes: Schema.optionalKey(
    Schema.Array(Schema.Literals(keyScopes).annotate({ message: "must be read or scan" })).annotate({
      message: scopesFault,
      description: "Both when left out"
    }).check(
      Schema.isBetweenLength(1, keyScopes.length, { message: scopesFault }),
      Schema.isUnique({ message: scopesFault })
    )
  ),
  expires_at: Schema.optionalKey(
    Schema.String.annotate({ description: "A day or a time; never when left out" }).check(
      Schema.makeFilter((text) => dateBound(text, "from") === null ? timeFault : true)
    )
  )
}).annotate({ identifier: "CreateApiKey", message: "must be a JSON object" })

export const CreatedApiKey = Schema.Struct({
  ...keyFields,
  key: Schema.String.annotate({ description: "The key itself, in this answer only: its hash alone is stored" })
}).annotate({ identifier: "CreatedApiKey" })

const memberFields = { id: Id, name: Schema.String, email: Schema.NullOr(Schema.String), role: Role }

export const Member = Schema.Struct({
  ...memberFields,
  status: Schema.Literals(["invited", "active"]).annotate({ description: "`invited` until the first sign-in" }),
  created_at: Time,
  signed_in_at: Schema.NullOr(Time)
}).annotate({ identifier: "Member" })

export const MemberList = Schema.Struct({ data: Schema.Array(Member) }).annotate({ identifier: "MemberList" })

const RoleName = Role.annotate({ message: "must be owner, member or viewer" })

export const InviteMember = Schema.Struct({
  email: Schema.String.annotate({ format: "email" }).check(
    Schema.makeFilter((text) => Schema.is(EmailAddress)(text) ? true : "must be one bare address: ops@acme.example")
  ),
  role: Schema.optionalKey(RoleName.annotate({ description: "`viewer` when left out" })),
  name: Schema.optionalKey(Name)
}).annotate({ identifier: "InviteMember", message: "must be a JSON object" })

export const InvitedMember = Schema.Struct({
  ...memberFields,
  added: Schema.Boolean.annotate({ description: "False: was a member already, and keeps the role" }),
  mailed: Schema.Boolean,
  url: Schema.NullOr(Schema.String).annotate({
    description: "The link that signs in, once and for seven days, in this answer only; null when it was mailed"
  }),
  expires_at: Schema.NullOr(Time)
}).annotate({ identifier: "InvitedMember" })

export const SetRole = Schema.Struct({ role: RoleName }).annotate({
  identifier: "SetRole",
  message: "must be a JSON object"
})

const counted = {
  calls: Count.annotate({ description: "Calls of the platforms, failed ones too" }),
  answers: Count.annotate({ description: "Archived answers" }),
  charges: Count.annotate({ description: "Replies that used something and left no answer" }),
  input_tokens: Count,
  output_tokens: Count,
  searches: Count,
  cost_usd: Schema.Finite.annotate({ description: "US dollars, as far as they are known" }),
  unpriced: Count.annotate({ description: "Answers and charges whose cost is not known" })
}

const OrganizationUsage = Schema.Struct({
  organization_id: Id,
  slug: Schema.String,
  name: Schema.String,
  scans: Count,
  ...counted,
  platforms: Schema.Array(Schema.Struct({ platform: Platform, ...counted }))
}).annotate({ identifier: "OrganizationUsage" })

export const Usage = Schema.Struct({
  month: Schema.String.annotate({ description: "UTC: 2026-11" }),
  organizations: Schema.Array(OrganizationUsage).annotate({
    description: "Oldest first. Simulated, recorded and imported answers asked nobody and are not counted"
  }),
  total: Schema.Struct({ scans: Count, ...counted })
}).annotate({ identifier: "Usage" })
