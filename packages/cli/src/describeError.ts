/** Converts the typed errors of core to the error that a command prints: code, exit code, message and hint. */
import type { NotFound } from "@sov/core/common"
import { CliError } from "./CliError.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"

/** The members that every tagged error of core has, and some that only certain errors have. */
interface Tagged {
  readonly _tag: string
  readonly message: string
  readonly reason?: string
  readonly hint?: string
  readonly [field: string]: unknown
}

type Described = readonly [code: string, exit: ExitCode, hint?: string | undefined, message?: string]
type Describe = (error: Tagged) => Described

const describeByReason = (table: { readonly [reason: string]: Described }): Describe => (error) =>
  table[error.reason ?? ""] ?? ["internal", exitCodes.unexpected]

const missingHints: { readonly [missing: string]: string } = {
  brand: "sov brand set --name \"Your Brand\"",
  keywords: "sov keyword add \"best tool for …?\"",
  platforms: "add one to sov.config.json (see `sov platform list`), or try `sov demo` without any key"
}

/** For each kind of thing, the command that lists it. */
const listCommands: { readonly [What in NotFound["what"]]: string } = {
  organization: "sov org list",
  annotation: "sov annotate list",
  experiment: "sov experiment list",
  brand: "sov brand show",
  competitor: "sov competitor list",
  keyword: "sov keyword list",
  tag: "sov keyword list",
  view: "sov view list",
  key: "sov key list",
  member: "sov member list",
  session: "sov member list",
  identity: "sov member list",
  scan: "sov scan list",
  answer: "sov archive list",
  alert: "sov alert log",
  webhook: "sov webhook list",
  delivery: "sov webhook deliveries",
  "share link": "sov share list",
  action: "sov actions list"
}

const describeNotFound: Describe = ({ id, what }) =>
  what === "view" && id === "\"captured\""
    ? [
      "not-found",
      exitCodes.notFound,
      "sov archive import --surface app FILE adds them",
      "there are no answers captured in apps yet"
    ]
    : ["not-found", exitCodes.notFound, `${listCommands[what as NotFound["what"]]} shows what there is`]

const describePlatformError = describeByReason({
  auth: ["platform-auth", exitCodes.auth, "check the API key that apiKeyEnv names"],
  no_credit: [
    "platform-no-credit",
    exitCodes.auth,
    "the provider's account has no credit left: add credit there, or raise its limit"
  ],
  rejected: [
    "platform-rejected",
    exitCodes.usage,
    "check its entry in sov.config.json: model and baseUrl, or the file of recorded answers"
  ],
  throttled: ["platform-throttled", exitCodes.quota, "wait, or lower requestsPerMinute"],
  budget: [
    "platform-budget",
    exitCodes.quota,
    "raise monthlyBudgetUsd in sov.config.json, or the organization's (sov org limit), or wait for the next month"
  ],
  suspended: ["organization-suspended", exitCodes.conflict, "sov org resume SLUG resumes it"],
  refused: ["platform-refused", exitCodes.partial],
  empty: ["platform-empty", exitCodes.partial],
  no_overview: ["platform-no-overview", exitCodes.partial],
  timeout: ["platform-timeout", exitCodes.unreachable, "raise timeout in sov.config.json, or try later"],
  too_large: ["platform-too-large", exitCodes.partial, "raise maxAnswerBytes in sov.config.json"],
  malformed: ["platform-malformed", exitCodes.partial, "is baseUrl the API's address, and adapter the one for it?"],
  unavailable: ["platform-unavailable", exitCodes.unreachable, "check baseUrl and the network, or try later"],
  ended: [
    "platform-ended",
    exitCodes.auth,
    "set model, and baseUrl if it is set, in sov.config.json to what the provider offers now; docs/platforms.md has " +
    "present names"
  ]
})

const describersByTag: { readonly [tag: string]: Describe } = {
  NotFound: describeNotFound,
  Rejected: () => ["invalid-request", exitCodes.usage],
  NotReady: (e) => [`no-${String(e["missing"])}`, exitCodes.usage, missingHints[String(e["missing"])]],
  QuotaExhausted: (e) => [
    "scan-quota-exhausted",
    exitCodes.quota,
    `it resets at ${(e["resetsAt"] as Date).toISOString()}; sov quota set --limit N or sov plan set PLAN raises it`
  ],
  OrganizationSuspended: () => [
    "organization-suspended",
    exitCodes.conflict,
    "sov org list shows its short name; sov org resume SLUG resumes it"
  ],
  BudgetSpent: (e) => [
    "budget-exhausted",
    exitCodes.quota,
    e["spentUsd"] === null
      ? "set prices in sov.config.json, or sov org limit SLUG --no-monthly-budget"
      : "sov org limit SLUG --monthly-budget USD raises it"
  ],
  PlatformsMissing: () => ["platform-not-configured", exitCodes.usage, "sov platform list shows what is configured"],
  PlatformsDiffer: (e) => [
    "platforms-differ",
    exitCodes.conflict,
    `stop sov process ${String(e["pid"])} on ${String(e["host"])}, or use its sov.config.json; ` +
    "one that was killed is forgotten after 10 s"
  ],
  NoCompletedScan: ({ view }) => [
    "no-completed-scan",
    exitCodes.notFound,
    typeof view === "string"
      ? `sov scan --view ${/^[\w-]+$/.test(view) ? view : JSON.stringify(view)} runs one`
      : "sov scan runs one"
  ],
  NoScore: () => ["no-score", exitCodes.notFound, "sov rescore measures and scores them"],
  ScanKindMismatch: () => ["scan-kinds-mixed", exitCodes.conflict, "resume it with its own --config"],
  ScanEnded: () => ["scan-ended", exitCodes.conflict, "sov scan show ID"],
  KeyEnded: () => ["key-ended", exitCodes.conflict, "sov key list shows which keys work; sov key create makes one"],
  DeliveryInFlight: (e) => [
    "delivery-in-flight",
    exitCodes.conflict,
    `sov webhook show ${String(e["id"])} says what becomes of it; a running sov serve or sov worker sends what is due`
  ],
  LastOwner: () => ["last-owner", exitCodes.conflict, "sov member role MEMBER owner"],
  PersonExists: () => ["person-exists", exitCodes.conflict, "try again"],
  NoSchedule: () => ["no-schedule", exitCodes.notFound, "sov schedule set daily sets one"],
  NotSealed: (e) => [
    "not-sealed",
    exitCodes.conflict,
    `a scan is sealed when it ends: sov scan show ${String(e["scanId"])}; if it has ended, sov archive verify shows why`
  ],
  OrganizationNotEmpty: (e) => [
    "organization-not-empty",
    exitCodes.conflict,
    e["unscored"] === true
      ? "an import that was stopped while it measured is whole: sov rescore finishes it (with the same --org)"
      : "make one for it: sov org create NAME, then --org NAME"
  ],
  InvalidExport: describeByReason({
    damaged: ["export-damaged", exitCodes.checkFailed, "nothing was imported; take another copy"],
    partial: ["export-partial", exitCodes.usage, "nothing was imported; import an export without filters"]
  }),
  BadCursor: () => ["invalid-cursor", exitCodes.usage],
  OrganizationExists: (e) => [
    "organization-exists",
    exitCodes.conflict,
    "sov org list shows the names that are taken; sov competitor add and sov keyword add extend what one tracks",
    `an organization named ${JSON.stringify(e["name"])} (or with the same short name) exists already`
  ],
  TrackedSetChanged:
    () => ["conflict", exitCodes.conflict, "someone else changed brand or competitors at the same time; try again"],
  KeysUnusable: (e) => ["no-encryption-key", exitCodes.usage, e.hint],
  AnalysisError: describeByReason({
    deadline: [
      "measuring-late",
      exitCodes.unreachable,
      "no answer may take that long: shorten the text",
      "measuring the text took longer than 30 s"
    ],
    memory: [
      "measuring-memory",
      exitCodes.unexpected,
      "no answer may take that much: shorten the text",
      "measuring the text took more memory than it may use"
    ],
    failed: ["internal", exitCodes.unexpected, undefined, "the rules failed on the text"]
  }),
  TimeStampError: describeByReason({
    unreachable: ["tsa-unreachable", exitCodes.unreachable, "try again, or name another authority; no anchor was made"],
    refused: [
      "tsa-refused",
      exitCodes.unreachable,
      "name an authority that takes RFC 3161 requests; no anchor was made"
    ],
    invalid: ["tsa-invalid", exitCodes.checkFailed, "name another authority; no anchor was made"]
  }),
  ConfigError: (e) => ["invalid-config", exitCodes.usage, e.hint],
  SchemaNewer: () => [
    "database-newer",
    exitCodes.conflict,
    "go on with the newer sov, or restore the backup from before the upgrade into an empty database"
  ],
  SchemaOlder: (e) => [
    "database-older",
    exitCodes.conflict,
    e["role"] === null
      ? "sov db backup FILE saves it as it is; then sov db migrate brings it up to date, and older processes refuse it"
      : "sov db migrate, with the URL of the role that owns the tables (docs/operations.md)"
  ],
  RolesRefused: describeByReason({
    unfit: ["roles-unfit", exitCodes.usage, "name another one: --owner, --api, --worker"],
    administrator: [
      "roles-denied",
      exitCodes.auth,
      "have an administrator run what this prints: sov db roles --print"
    ]
  }),
  DatabaseNotEmpty: () => [
    "database-not-empty",
    exitCodes.conflict,
    "choose another: --data-dir NEW, or SOV_DATABASE_URL of a database without tables"
  ],
  InvalidBackup: describeByReason({
    foreign: ["no-backup", exitCodes.usage, "sov db backup FILE makes one"],
    damaged: ["backup-damaged", exitCodes.checkFailed, "nothing was restored; take another copy of the file"],
    newer: ["backup-newer", exitCodes.conflict, "install the newer sov"],
    older: [
      "database-newer",
      exitCodes.conflict,
      "restore into a database without tables: --data-dir NEW, or SOV_DATABASE_URL of a new one"
    ],
    unlike: ["backup-unfit", exitCodes.conflict, "nothing was restored"]
  }),
  EmbeddedError: describeByReason({
    not_a_directory: ["data-dir-unfit", exitCodes.usage],
    not_writable: ["data-dir-denied", exitCodes.usage],
    not_private: ["data-dir-denied", exitCodes.usage],
    foreign_files: ["data-dir-unfit", exitCodes.usage],
    wrong_version: ["database-unfit", exitCodes.conflict],
    damaged: ["database-damaged", exitCodes.unexpected],
    disk_full: ["disk-full", exitCodes.unexpected],
    not_durable: ["not-durable", exitCodes.unexpected],
    busy: ["data-dir-busy", exitCodes.conflict],
    incompatible_owner: ["data-dir-busy", exitCodes.conflict],
    unreachable: ["database-unreachable", exitCodes.unreachable],
    old_node: ["old-node", exitCodes.usage]
  }),
  UnsupportedServer: describeByReason({
    url: ["invalid-database-url", exitCodes.usage, "it looks like postgres://user:password@host:5432/database"],
    tls: ["database-tls", exitCodes.unreachable, "docs/configuration.md has sslmode and its certificates"],
    database: ["no-database", exitCodes.notFound],
    version: ["database-unfit", exitCodes.conflict],
    encoding: ["database-unfit", exitCodes.conflict],
    pooler: [
      "database-unfit",
      exitCodes.conflict,
      "PgBouncer lets them through with ignore_startup_parameters (docs/operations.md)"
    ],
    "row-security": [
      "row-security",
      exitCodes.conflict,
      "SOV_RLS=1 sov db roles --apply as the owner of the tables, then SOV_DATABASE_URL of sov_api (docs/operations.md)"
    ]
  }),
  PlatformError: describePlatformError,
  StoreError: describeByReason({
    unavailable: [
      "database-unreachable",
      exitCodes.unreachable,
      "is the database running, and SOV_DATABASE_URL right?"
    ],
    busy: ["database-busy", exitCodes.unreachable, "try again"],
    constraint: ["conflict", exitCodes.conflict],
    full: ["disk-full", exitCodes.unexpected, "free some space, then repeat the command"],
    denied: [
      "database-denied",
      exitCodes.unexpected,
      "check user and password of SOV_DATABASE_URL, and the permissions of the role or of the data directory"
    ]
  })
}

/** Converts any failure to a CliError. Unknown failures keep their message, but their stack is never shown. */
export const describeError = (failure: unknown): CliError => {
  if (failure instanceof CliError) return failure
  const error = failure as Partial<Tagged> | undefined
  if (typeof error?._tag === "string") {
    const described = describersByTag[error._tag]?.(error as Tagged)
    if (described !== undefined) {
      const [code, exit, hint, message] = described
      return new CliError(code, exit, message ?? error.message ?? error._tag, hint ?? error.hint)
    }
    if (typeof error["exitCode"] === "number") {
      return new CliError(error._tag, error["exitCode"] as ExitCode, error.message ?? error._tag, error.hint)
    }
  }
  const message = failure instanceof Error ? failure.message : String(failure)
  return new CliError("internal", exitCodes.unexpected, message.split("\n")[0] ?? "unknown error")
}
