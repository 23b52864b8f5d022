/** Running a command on its database, and reconnecting where that is safe. */
import { PublicUrl, type Rejected, StoreError } from "@sov/core/common"
import { layerSmtpMailer, layerWebhookSender, parseEgressRules, readSmtpConfig } from "@sov/core/outbound"
import { type Home, type InvalidBackup, layerConnection, type OwnerDelay } from "@sov/core/postgres"
import * as Sov from "@sov/core/sov"
import { layerAnalysisPool } from "@sov/core/threads"
import { RetentionSetting } from "@sov/core/workers"
import { Effect, Layer, Redacted, Result, Schedule, Schema, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { join, resolve } from "node:path"
import { CliError, usageError } from "../CliError.ts"
import { type ExitCode, exitCodes } from "../exitCodes.ts"
import type { Output } from "../output/Output.ts"
import { reportErrors } from "../output/reportErrors.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { readRetention } from "../settings/retention.ts"
import { readRowSecurity } from "../settings/rowSecurity.ts"
import { parseOrigin } from "../settings/serverOrigin.ts"
import { isRemote } from "../tree/isRemote.ts"
import { databaseExists, logLocation, resolveHome } from "./home.ts"
import { type CommandSession, makeOutput, runProgram } from "./program.ts"

interface Needs {
  /** Creates the embedded database if it is missing; other commands then say how to begin. */
  readonly create?: boolean
  /** Checked before the database is opened or made, so that a refused input leaves nothing behind. */
  readonly before?: Effect.Effect<unknown, CliError | Rejected | InvalidBackup>
  /** Uses the data directory, also where a server is configured. */
  readonly embedded?: boolean
  /** It may bring a server that holds data up to date: other commands refuse one where something is pending. */
  readonly migrate?: boolean | undefined
  /** It serves several organizations: SOV_RLS=1 lets it run only where row-level security shows it one at a time. */
  readonly rowSecurity?: boolean
  /** The command handles the first signal itself (a second SIGINT always exits immediately). */
  readonly handlesStop?: boolean
  /**
   * The command may run again from its beginning after a lost connection: it only reads, or what it writes is the same
   * when written twice, and it prints when all is done.
   */
  readonly repeatable?: boolean
}

/** Ends a command that only a database can answer, where a server is to be asked. */
const refuseRemote = (options: GlobalOptions): void => {
  if (!isRemote(options)) return
  const from = options.sources?.["url"] === "env" ? "SOV_URL" : "--url"
  throw usageError(
    `this command works on a database only, and ${from} names a server`,
    `a server can be asked for: scan, scan list, scan watch, score, archive list, archive export; ` +
      `${from === "SOV_URL" ? "--data-dir DIR or an empty SOV_URL" : "without --url it"} uses the database`
  )
}

/** What a command says while it waits for the process that has the embedded database open. */
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

/** The same home, which has to be a server with row-level security for a command that needs that. */
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
 * Runs a command on a home that may lose its connection: on the embedded home the process that has the database open
 * may be killed, and the next one is there within seconds. Whatever comes before the program's first step is always
 * tried again, a repeatable program itself too.
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

/** Keys that the environment names; none when it names none. */
const readEncryptionKeys = (): Redacted.Redacted | undefined => {
  const given = process.env["SOV_ENCRYPTION_KEYS"] ?? ""
  return given === "" ? undefined : Redacted.make(given)
}

/** Scheme and host that links in e-mails begin with; null = e-mails have no link. */
export const layerPublicUrl = (origin: string | null) => Layer.succeed(PublicUrl, origin)

const webhookSender = Layer.unwrap(
  Effect.suspend(() => Effect.fromResult(parseEgressRules(process.env))).pipe(
    Effect.map((rules) => layerWebhookSender(rules))
  )
)

const runPreflight = (options: GlobalOptions, out: Output, { before }: Needs): Promise<boolean> =>
  before === undefined ? Promise.resolve(true) : runProgram(options, out, false, () => Effect.asVoid(before))

/**
 * Runs one command to its end: opens the database, runs the program, prints its failure if it has one, and sets the
 * exit code (the program's own, when it returns one).
 */
export const runCommand = <E>(
  options: GlobalOptions,
  needs: Needs,
  program: (session: CommandSession) => Effect.Effect<ExitCode | void, E, Sov.Services | Scope.Scope>
): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    refuseRemote(options)
    if (!(await runPreflight(options, out, needs))) return
    const where = requireRowSecurity(prepareHome(options, needs, out), needs)
    const services = Layer.mergeAll(
      Sov.layer(where, { encryptionKeys: readEncryptionKeys(), webhookSender, migrate: needs.migrate === true }),
      // An error in these settings stops no command: sov doctor and the commands that send mail report it
      layerSmtpMailer(Result.getOrElse(readSmtpConfig(process.env), () => null)),
      layerAnalysisPool(),
      Layer.succeed(RetentionSetting, readRetention(process.env)),
      // Links begin with it; `sov serve` refuses an invalid address
      layerPublicUrl(parseOrigin(process.env["SOV_PUBLIC_URL"] ?? ""))
    )
    await runProgram(
      options,
      out,
      needs.handlesStop === true,
      (session) => retryLostConnection(where, needs, Effect.scoped(session.cleaningUp(program(session))), services)
    )
  })

/** Runs a command on the bare connection: nothing is migrated first. */
export const runOnDatabase = <E>(
  options: GlobalOptions,
  needs: Needs,
  program: (session: CommandSession) => Effect.Effect<ExitCode | void, E, SqlClient.SqlClient>
): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    refuseRemote(options)
    if (!(await runPreflight(options, out, needs))) return
    const where = prepareHome(options, needs, out)
    const connection = layerConnection(where)
    await runProgram(options, out, false, (session) => retryLostConnection(where, needs, program(session), connection))
  })

/** Runs a command that reports on the database, which need not exist. */
export const runReadOnly = <E>(
  options: GlobalOptions,
  program: (session: CommandSession) => Effect.Effect<ExitCode | void, E>
): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    refuseRemote(options)
    await runProgram(options, out, false, program)
  })

/** Runs a command that needs no database. */
export const runWithoutDatabase = <E>(
  options: GlobalOptions,
  program: (session: CommandSession) => Effect.Effect<ExitCode | void, E>
): Promise<void> =>
  reportErrors(options, makeOutput(options), async (out) => {
    await runProgram(options, out, false, (session) => Effect.provide(program(session), layerAnalysisPool()))
  })
