/** Checks the database: whether it is reachable, usable and up to date, and whether its clock agrees with ours. */
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { CliError } from "../../../CliError.ts"
import type { DatabaseProbe, OpenDatabase } from "../../../runtime.ts"
import type { DatabaseLocation } from "../../../settings/databaseLocation.ts"
import { formatBytes } from "../../status/statusView.ts"
import { type Check, type CheckContext, fail, type Finding, ok, skipped, warn } from "./Check.ts"

/** Reports whether the database could be reached. */
export const diagnoseDatabase = (database: DatabaseProbe, { location }: DatabaseLocation): Finding => {
  switch (database.state) {
    case "absent":
      return warn(`there is no database in ${location} yet`, "begin with `sov init`, or see one with `sov demo`")
    case "unreachable":
      return fail(database.error.message, database.error.hint ?? "sov status shows which database is meant")
    case "open":
      return ok(
        `Postgres ${database.facts.version}, ${database.facts.encoding}, ${formatBytes(database.facts.sizeBytes)}`
      )
  }
}

export const database: Check = {
  name: "database",
  run: ({ home, database }) => Effect.map(database, (found) => diagnoseDatabase(found, home))
}

/** Creates a check that needs an open database. */
const makeDatabaseCheck = (name: string, diagnose: (found: OpenDatabase) => Finding): Check => ({
  name,
  run: ({ database }) =>
    Effect.map(
      database,
      (found) => found.state === "open" ? diagnose(found) : skipped("no database to check", "see the check `database`")
    )
})

/** Checks the schema. */
export const diagnoseSchema = (schema: OpenDatabase["schema"]): Finding => {
  if (schema instanceof CliError) return fail(schema.message, schema.hint ?? "install the newer sov")
  const names = schema.pending.map(({ name }) => name).join(", ")
  return schema.pending.length === 0
    ? ok(`schema ${schema.version}, up to date`)
    : warn(`schema ${schema.version}, to run: ${names}`, "sov db migrate")
}

export const migrations = makeDatabaseCheck("migrations", ({ schema }) => diagnoseSchema(schema))

const rowSecurityText: { readonly [State in OpenDatabase["role"]["rowSecurity"]]: string } = {
  organization: "row-level security shows it one organization at a time",
  every: "row-level security shows it every organization",
  off: "row-level security is off"
}

/** The role whose credentials `sov-admin` can read, which is the server's role; null if it is unknown. */
export const readServerRoleName = (env: CheckContext["env"]): string | null => {
  try {
    const url = new URL(readFileSync(join(env["CREDENTIALS_DIRECTORY"] ?? "", "SOV_DATABASE_URL"), "utf8").trim())
    return url.username === "" ? null : decodeURIComponent(url.username)
  } catch {
    return null
  }
}

/**
 * Checks the role of this process on a server: an application that owns the archive could change it. The operator's
 * command may own the archive if the server uses another role.
 */
export const diagnoseRole = (
  { name, ownsArchive, rowSecurity }: OpenDatabase["role"],
  serverRole: string | null = null
): Finding =>
  ownsArchive
    ? serverRole !== null && serverRole !== name
      ? ok(`${name} owns the archive, as the operator; the server connects as ${serverRole}`)
      : warn(
        `the role ${name} owns the archive: what may only be added to, it could change`,
        "sov db roles --apply, then SOV_DATABASE_URL of sov_api or sov_worker (docs/operations.md)"
      )
    : ok(`${name} may add to the archive, and not change it; ${rowSecurityText[rowSecurity]}`)

export const role: Check = {
  name: "role",
  run: (at) =>
    at.home.kind === "embedded"
      ? Effect.succeed(skipped("the embedded database has one user, who owns everything"))
      : makeDatabaseCheck("role", (found) => diagnoseRole(found.role, readServerRoleName(at.env))).run(at)
}

/** Checks whether others on the network could read the traffic to the server or impersonate it. */
export const diagnoseTls = ({ isThisMachine, mode, version }: NonNullable<OpenDatabase["tls"]>): Finding => {
  if (mode === "disable") {
    return isThisMachine
      ? ok("not used: the server is on this machine")
      : warn(
        "sslmode=disable: who is in the network can read password and answers",
        "unless nobody else is in it, as in that of docker compose: turn TLS on at the server, and take sslmode=disable out of " +
          "SOV_DATABASE_URL (docs/configuration.md)"
      )
  }
  if (version === null) {
    return warn(
      `encrypted as far as a pooler, which speaks to the server without TLS`,
      "have the pooler use TLS to the server (PgBouncer: server_tls_sslmode), unless both are on one machine"
    )
  }
  switch (mode) {
    case "require":
      return warn(
        `${version}, with an unverified server: sslmode=require checks no certificate`,
        "sslmode=verify-full in SOV_DATABASE_URL, with sslrootcert=FILE for an authority of your own"
      )
    case "verify-ca":
      return ok(`${version}, and the certificate comes from the authority in sslrootcert (its name is not checked)`)
    case "verify-full":
      return ok(`${version}, and the certificate proves the server's name`)
  }
}

export const tls: Check = {
  name: "tls",
  run: (at) =>
    at.home.kind === "embedded"
      ? Effect.succeed(skipped("the embedded database is reached through a file of this machine"))
      : makeDatabaseCheck("tls", (found) =>
        found.tls === null ? skipped("no connection to check") : diagnoseTls(found.tls))
        .run(at)
}

/**
 * Clock differences in milliseconds from which the check warns or fails. Work is timed by the database's clock, but
 * certificates and the logs of other programs by the machine's.
 */
const [warnSkewMs, failSkewMs] = [1_000, 5_000]

/** Checks how far the database's clock is ahead of ours. */
export const diagnoseClock = (skewMs: number): Finding => {
  const off = Math.abs(skewMs)
  if (off < warnSkewMs) return ok("agrees with the database")
  return (off < failSkewMs ? warn : fail)(
    `the clock here is ${(off / 1000).toFixed(1)} s ${skewMs > 0 ? "behind" : "ahead of"} the database's`,
    "synchronize both clocks (NTP)"
  )
}

export const clock = makeDatabaseCheck("clock", ({ clockSkewMs }) => diagnoseClock(clockSkewMs))
