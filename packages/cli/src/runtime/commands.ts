/** Runs a command on its database, and reconnects where this is safe. */
import { PublicUrl, type Rejected, StoreError } from "@sov/core/common"
import type { Organization } from "@sov/core/organizations"
import { layerSmtpMailer, layerWebhookSender, parseEgressRules, readSmtpConfig } from "@sov/core/outbound"
import { type Home, type InvalidBackup, layerConnection, type OwnerDelay } from "@sov/core/postgres"
import * as Sov from "@sov/core/sov"
import { layerAnalysisPool } from "@sov/core/threads"
import { RetentionSetting } from "@sov/core/workers"
import { Effect, Layer, Redacted, Result, Schedule, Schema, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { join, resolve } from "node:path"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import { currentOrganization } from "../input/currentOrganization.ts"
import type { Output } from "../output/Output.ts"
import { reportErrors } from "../output/reportErrors.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { readRetention } from "../settings/retention.ts"
import { readRowSecurity } from "../settings/rowSecurity.ts"
import { parseOrigin } from "../settings/serverOrigin.ts"
import { isRemote } from "../tree/isRemote.ts"
import { databaseExists, logLocation, resolveHome } from "./home.ts"
import { type CommandSession, makeOutput, type Program, runProgram } from "./program.ts"

interface Needs {
  /** Creates the embedded database if it is missing; other commands then explain how to start. */
  readonly create?: boolean
  /** Runs before the database is opened or created, so that refused input changes nothing. */
  readonly before?: Effect.Effect<unknown, CliError | Rejected | InvalidBackup>
  /** Uses the data directory even if a server is configured. */
  readonly embedded?: boolean
  /** The command may migrate a server that contains data. Other commands refuse a server with pending migrations. */
  readonly migrate?: boolean | undefined
  /**
   * The command serves several organizations: with SOV_RLS=1 it runs only if row-level security shows it one
   * organization at a time.
   */
  readonly rowSecurity?: boolean
  /** The command handles the first signal itself (a second SIGINT always exits at once). */
  readonly handlesStop?: boolean
  /**
   * The command may be run again after a lost connection: it only reads, or writing twice changes nothing, and it
   * prints only at its end.
   */
  readonly repeatable?: boolean
}

/** Fails a command that needs a database if the options name a server. */
const refuseRemote = (options: GlobalOptions): void => {
  if (!isRemote(options)) return
  const from = options.sources?.["url"] === "env" ? "SOV_URL" : "--url"
  throw usageError(
    `this command works on a database only, and ${from} names a server`,
    `a server can be asked for: scan, scan list, scan watch, score, archive list, archive export; ` +
      `${from === "SOV_URL" ? "--data-dir DIR or an empty SOV_URL" : "without --url it"} uses the database`
  )
}

/** The message that a command prints while it waits for the process that has the embedded database open. */
const formatDelay = ({ dataDir, log, pid, waitedMs }: OwnerDelay): string =>
  `Waiting for the database process${pid === null ? "" : ` ${pid}`} of ${dataDir}, ${
    Math.round(waitedMs / 1000)
  } s by now; ` +
  `Ctrl-C stops waiting (its log: ${log})`

const prepareHome = (options: GlobalOptions, needs: Needs, out: Output): Home => {
  const found: Home = needs.embedded === true ? { dataDir: resolve(options.dataDir) } : resolveHome(options)
  const where: Home = "url" in found ? found : { ...found, onWait: (delay) => out.note(formatDelay(delay)) }
  logLocation(options, needs.embedded === true)
  if ("dataDir" in where && !databaseExists(where)) {
    if (needs.create !== true) {
      throw new CliError(
        "no-database",
        exitCodes.notFound,
        `there is no database in ${where.dataDir}`,
        "`sov init` makes one here, `sov demo` shows one; --data-dir or SOV_DATABASE_URL points to another"
      )
    }
    out.note(`Making the database in ${where.dataDir} …`)
  }
  return where
}

/** Returns the home; fails unless it has the row-level security that the command needs. */
const requireRowSecurity = (where: Home, needs: Needs): Home => {
  if (needs.rowSecurity !== true || readRowSecurity(process.env) !== true) return where
  if ("url" in where) return { ...where, rowSecurity: "required" }
  throw new CliError(
    "row-security",
    exitCodes.conflict,
    "SOV_RLS=1, and the embedded database has one user, who sees every organization",
    "unset SOV_RLS, or set SOV_DATABASE_URL"
  )
}

const isStoreError = Schema.is(StoreError)
const wasLost = (error: unknown): error is StoreError => isStoreError(error) && error.reason === "unavailable"

/**
 * Runs a command on a home that may lose its connection: the process that has the embedded database open may be killed,
 * and the next one starts within seconds. Everything before the program's first step is always retried; a repeatable
 * program is retried as well.
 */
const retryLostConnection = <A, E, R, R2, E2>(
  where: Home,
  needs: Needs,
  program: Effect.Effect<A, E, R>,
  services: Layer.Layer<R2, E2>
): Effect.Effect<A, E | E2 | CliError, Exclude<R, R2>> => {
  let begun = false
  const once = Effect.suspend(() => {
    begun = true
    return program
  }).pipe(Effect.provide(services))
  if (!("dataDir" in where)) return once
  return once.pipe(
    Effect.retry({
      while: (error) => wasLost(error) && (needs.repeatable === true || !begun),
      schedule: Schedule.spaced("200 millis"),
      times: 8
    }),
    Effect.mapError((error) =>
      wasLost(error)
        ? new CliError(
          "database-unreachable",
          exitCodes.unreachable,
          error.message,
          `check whether the command took effect, then try again; details: ${join(where.dataDir, "owner.log")}`
        )
        : error
    )
  )
}

/** The encryption keys in the environment, if there are any. */
const readEncryptionKeys = (): Redacted.Redacted | undefined => {
  const given = process.env["SOV_ENCRYPTION_KEYS"] ?? ""
  return given === "" ? undefined : Redacted.make(given)
}

/** Provides scheme and host for links in e-mails; null if e-mails should contain no links. */
export const layerPublicUrl = (origin: string | null) => Layer.succeed(PublicUrl, origin)

const webhookSender = Layer.unwrap(
  Effect.suspend(() => Effect.fromResult(parseEgressRules(process.env))).pipe(
    Effect.map((rules) => layerWebhookSender(rules))
  )
)

const runPreflight = (options: GlobalOptions, out: Output, { before }: Needs): Promise<boolean> =>
  before === undefined ? Promise.resolve(true) : runProgram(options, out, false, () => Effect.asVoid(before))

/** Services of commands that open the database. */
export type CommandServices = Sov.Services | Scope.Scope

/**
 * Runs one command to its end: opens the database, runs the program, prints its failure if there is one, and sets the
 * exit code (the program's own if it returns one).
 */
export const runCommand = (
  options: GlobalOptions,
  needs: Needs,
  program: Program<CommandServices>
): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    refuseRemote(options)
    if (!(await runPreflight(options, out, needs))) return
    const where = requireRowSecurity(prepareHome(options, needs, out), needs)
    const services = Layer.mergeAll(
      Sov.layer(where, { encryptionKeys: readEncryptionKeys(), webhookSender, migrate: needs.migrate === true }),
      // An error in these settings does not stop a command, because sov doctor and the commands that send mail report
      // it
      layerSmtpMailer(Result.getOrElse(readSmtpConfig(process.env), () => null)),
      layerAnalysisPool(),
      Layer.succeed(RetentionSetting, readRetention(process.env)),
      // The base of links; an invalid address is only refused by `sov serve`
      layerPublicUrl(parseOrigin(process.env["SOV_PUBLIC_URL"] ?? ""))
    )
    await runProgram(options, out, needs.handlesStop === true, (session) => {
      const steps = session.cleaningUp(Effect.gen(() => program(session)))
      return retryLostConnection(where, needs, Effect.scoped(steps), services)
    })
  })

/** Runs a command on the current organization. */
export const runForOrganization = (
  options: GlobalOptions,
  needs: Needs,
  program: Program<CommandServices, [CommandSession, Organization]>
): Promise<void> =>
  runCommand(options, needs, function*(session) {
    const organization = yield* currentOrganization(options)
    return yield* Effect.gen(() => program(session, organization))
  })

/** Runs a command on the bare connection, without migrating first. */
export const runOnDatabase = (
  options: GlobalOptions,
  needs: Needs,
  program: Program<SqlClient.SqlClient | Scope.Scope>
): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    refuseRemote(options)
    if (!(await runPreflight(options, out, needs))) return
    const where = prepareHome(options, needs, out)
    const connection = layerConnection(where)
    await runProgram(
      options,
      out,
      false,
      (session) => retryLostConnection(where, needs, Effect.scoped(Effect.gen(() => program(session))), connection)
    )
  })

/** Runs a command that reports on the database, which may be absent. */
export const runReadOnly = (options: GlobalOptions, program: Program<Scope.Scope>): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    refuseRemote(options)
    await runProgram(options, out, false, (session) => Effect.scoped(Effect.gen(() => program(session))))
  })

/** Runs a command that needs no database. */
export const runWithoutDatabase = (
  options: GlobalOptions,
  program: Program<Scope.Scope>
): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    await runProgram(
      options,
      out,
      false,
      (session) => Effect.scoped(Effect.provide(Effect.gen(() => program(session)), layerAnalysisPool()))
    )
  })
