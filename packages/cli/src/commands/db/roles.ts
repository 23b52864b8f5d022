/** sov db roles: creates separate roles for the owner, the API and the worker on a Postgres server. */
import { Effect } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { applyRoles, defaultRoleNames, isRoleName, planRoles, runOnDatabase, schemaStatus } from "../../runtime.ts"
import { locateDatabase } from "../../settings/databaseLocation.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { readRowSecurity } from "../../settings/rowSecurity.ts"

interface RolesOptions extends GlobalOptions {
  readonly print?: boolean
  readonly apply?: boolean
  readonly owner?: string
  readonly api: string
  readonly worker: string
}

const checkNames = ({ api, owner, worker }: RolesOptions): void => {
  for (const name of [owner, api, worker]) {
    if (name !== undefined && !isRoleName(name)) {
      throw usageError(
        `${JSON.stringify(name)} is no name of a role that sov writes into SQL`,
        "letters, digits and _ . @ - after a letter or _, at most 63; neither public nor pg_…"
      )
    }
  }
}

const checkServer = (options: RolesOptions): void => {
  const { kind, location } = locateDatabase(options)
  if (kind === "server") return
  throw new CliError(
    "no-server",
    exitCodes.usage,
    `the embedded database in ${location} has one user, who owns everything`,
    "roles are those of a Postgres server: set SOV_DATABASE_URL"
  )
}

/** Fails if the database has tables that this version of sov does not know, or lacks tables that it needs. */
const checkSchema = Effect.gen(function*() {
  const { pending, version } = yield* schemaStatus
  if (version > 0 && pending.length > 0) {
    return yield* Effect.fail(
      new CliError(
        "database-older",
        exitCodes.conflict,
        `the database has schema version ${version}, and ${pending.length} migrations are to run first`,
        "sov db migrate"
      )
    )
  }
})

const formatNextSteps = ({ api, owner, worker }: typeof defaultRoleNames, granted: boolean): string =>
  granted
    ? [
      `Next: in psql, \\password ${api} and \\password ${worker}, unless they have one.`,
      `Then SOV_DATABASE_URL names ${api} for sov serve and other commands, ${worker} for sov worker,`,
      `and ${owner} for sov db migrate, sov db restore and sov db roles alone.`
    ].join("\n")
    : [
      `There are no tables yet. Next: in psql, \\password ${owner}, unless it has one;`,
      `then, with its URL, sov db migrate and sov db roles --apply again.`
    ].join("\n")

/** Runs `sov db roles --print | --apply`. */
export const roles = (options: RolesOptions) => {
  const given = { owner: options.owner ?? defaultRoleNames.owner, api: options.api, worker: options.worker }
  const ownerChosen = options.owner !== undefined
  const before = Effect.try({
    try: () => {
      if (options.print !== true && options.apply !== true) {
        throw usageError("say which: --print the SQL, or --apply it", "sov db roles --print")
      }
      readRowSecurity(process.env)
      checkNames(options)
      checkServer(options)
    },
    catch: (error) => error as CliError
  })
  return runOnDatabase(options, { before }, function*({ out }) {
    yield* checkSchema
    const rowSecurity = readRowSecurity(process.env)
    if (options.print === true) {
      const { create, grant, names } = yield* planRoles(given, ownerChosen, rowSecurity)
      const statements = [...create, ...grant]
      out.result({ ...names, statements }, () => ["begin", ...statements, "commit"].join(";\n") + ";")
      return
    }
    const applied = yield* applyRoles(given, ownerChosen, rowSecurity)
    const { granted, made, names } = applied
    out.result({ ...names, created: made, granted, row_security: applied.rowSecurity }, () =>
      [
        made.length === 0 ? "The roles were there already." : `Created ${made.join(", ")}, without a password.`,
        ...granted ? [`Granted ${names.api} and ${names.worker} what they need, and no more.`] : [],
        ...applied.rowSecurity ? [`Row-level security shows ${names.api} one organization at a time.`] : []
      ].join("\n"))
    out.note(formatNextSteps(names, granted))
  })
}
