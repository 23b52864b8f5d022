/**
 * Where the command line is wired: which database, which platforms, what a failure looks like, what a signal does.
 * Beside main.ts the only file of this package that knows adapters.
 */
import type { AnswerPlatforms, Placement, Rejected, StoragePorts } from "@sov/core"
import { platformIds, StoreError, ThisProcess } from "@sov/core"
import {
  type ConfigError,
  decodePlatformConfig,
  layerJudge,
  layerPlatforms,
  makePlatforms,
  parsePlatformConfig,
  type PlatformConfig
} from "@sov/core/outbound"
import {
  type BackupSummary,
  type BackupUnfit,
  checkBackup,
  databaseFacts,
  type Home,
  layerConnection,
  layerMigrated,
  layerPlacement,
  migrate,
  type Migration,
  migrationStatus,
  restoreBackup,
  stores,
  takeBackup
} from "@sov/core/postgres"
import {
  Cause,
  Clock,
  type Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Redacted,
  References,
  Result,
  Schedule,
  Schema,
  type Scope
} from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { existsSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { CliError } from "./CliError.ts"
import { describeError } from "./describeError.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import type { GlobalOptions } from "./GlobalOptions.ts"
import { Output, printable } from "./Output.ts"
import { databaseUrl, placeOf, placeText } from "./place.ts"
import { version } from "./version.ts"

/** What every command may use. */
export type Services = StoragePorts | Placement | SecureRandom.SecureRandom

type Signal = "SIGINT" | "SIGTERM"

/** What a command gets from its surroundings. */
export interface Session {
  readonly out: Output
  /** Done when the first SIGINT or SIGTERM arrives. */
  readonly stopped: Deferred.Deferred<Signal>
}

interface Needs {
  /** Makes the embedded database when there is none; other commands then say how to begin. */
  readonly create?: boolean
  /** Checked before the database is opened or made, so that a refused input leaves nothing behind. */
  readonly before?: Effect.Effect<unknown, CliError | Rejected | BackupUnfit>
  /** Uses the data directory, also where a server is configured. */
  readonly embedded?: boolean
  /** The command handles the first signal itself (a second SIGINT always leaves at once). */
  readonly handlesStop?: boolean
  /**
   * The command may run again from its beginning after a lost connection: it only reads, or what it writes is the same
   * when written twice, and it prints when all is done.
   */
  readonly repeatable?: boolean
}

/** The database that the options choose: a server when a URL is given, else the data directory. */
const home = (options: GlobalOptions): Home => {
  const url = databaseUrl(options)
  return url === undefined ? { dataDir: resolve(options.dataDir) } : { url: Redacted.make(url) }
}

/** With --verbose: says on stderr where the command runs, and why there. */
const sayPlace = (options: GlobalOptions, embedded = false): void => {
  if (options.verbose === true) process.stderr.write(`home: ${placeText(placeOf(options, embedded))}\n`)
}

const exists = (where: Home): boolean => "url" in where || existsSync(join(where.dataDir, "db", "PG_VERSION"))

/** Reads and checks `sov.config.json`. */
export const readConfig = (options: GlobalOptions): PlatformConfig => {
  const file = resolve(options.config)
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new CliError(
      "no-config",
      exitCodes.usage,
      code === "ENOENT" ? `no platforms are configured: there is no ${options.config}` : `cannot read ${file}: ${code}`,
      "`sov init` writes one, --config points to another, and `sov demo` needs none"
    )
  }
  return Result.getOrThrowWith(parsePlatformConfig(text, options.config), (error) => error)
}

/** Checks what a configuration file would say; `source` names it in faults. */
export const decodeConfig = (json: unknown, source: string): PlatformConfig =>
  Result.getOrThrowWith(decodePlatformConfig(json, source), (error) => error)

/** `sov.config.json` as found: its text, and what it says or why that cannot be used. */
export interface FoundConfig {
  readonly file: string
  readonly text: string
  readonly decoded: PlatformConfig | CliError
}

/** Looks for the configuration; null when there is no file. */
export const findConfig = (options: GlobalOptions): FoundConfig | null => {
  const file = resolve(options.config)
  if (!existsSync(file)) return null
  try {
    const text = readFileSync(file, "utf8")
    return { file, text, decoded: Result.getOrElse(parsePlatformConfig(text, options.config), describeError) }
  } catch (error) {
    return { file, text: "", decoded: describeError(error) }
  }
}

/** Why the configured platforms cannot be asked with this environment; null when they can. */
export const platformsFault = (
  config: PlatformConfig,
  env: Readonly<Record<string, string | undefined>>
): CliError | null => Result.match(makePlatforms(config, env), { onFailure: describeError, onSuccess: () => null })

/** The configured platforms as a layer, with the one that judges sentiment. */
export const platformsLayer = (
  options: GlobalOptions,
  config: PlatformConfig = readConfig(options)
): Layer.Layer<AnswerPlatforms, ConfigError> =>
  layerJudge(config).pipe(
    Layer.provideMerge(layerPlatforms(config, process.env, { run: `${Date.now()}-${process.pid}` })),
    Layer.provide(SecureRandom.layerWebCrypto)
  )

/** All five platforms simulated: answers about these names, the same for the same `seed` and `run`. */
export const simulatedPlatforms = (
  names: { readonly brand: string; readonly competitors: ReadonlyArray<string> },
  seed: number,
  run: string
): Layer.Layer<AnswerPlatforms, ConfigError> => {
  const platforms = Object.fromEntries(platformIds.map((id) => [id, { adapter: "simulated", seed, ...names }]))
  return layerPlatforms(Result.getOrThrow(decodePlatformConfig({ platforms }, "demo")), {}, { run })
}

/** Warnings as a person reads them; with --verbose everything, with its time and fiber. */
const plainLogger = Logger.make<unknown, void>(({ logLevel, message }) => {
  const text = (Array.isArray(message) ? message : [message]).map(String).join(" ")
  process.stderr.write(`${logLevel === "Warn" ? "warning" : logLevel.toLowerCase()}: ${printable(text)}\n`)
})

const logging = (options: GlobalOptions) =>
  Layer.mergeAll(
    Logger.layer([options.verbose === true ? Logger.withConsoleError(Logger.formatSimple) : plainLogger]),
    Layer.succeed(References.MinimumLogLevel, options.verbose === true ? "Debug" : "Warn")
  )

const ready = (options: GlobalOptions, needs: Needs, out: Output): Home => {
  const where: Home = needs.embedded === true ? { dataDir: resolve(options.dataDir) } : home(options)
  sayPlace(options, needs.embedded === true)
  if ("dataDir" in where && !exists(where)) {
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

/** Exits with 0 when the reader of our output has gone: `sov archive list | head -1` is no error. */
const surviveClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.unexpected)
    })
  }
}

/** Whether the program came to its end: false when a signal cut it. */
const runProgram = async <E>(
  options: GlobalOptions,
  out: Output,
  handlesStop: boolean,
  program: (session: Session) => Effect.Effect<ExitCode | void, E>
): Promise<boolean> => {
  const stopped = Deferred.makeUnsafe<Signal>()
  const fiber = Effect.runFork(program({ out, stopped }).pipe(Effect.provide(logging(options))))
  let signal: Signal | undefined
  const onSignal = (name: Signal) => {
    if (signal !== undefined && name === "SIGINT") process.exit(exitCodes.interrupted)
    signal ??= name
    Deferred.doneUnsafe(stopped, Exit.succeed(name))
    if (!handlesStop) fiber.interruptUnsafe()
  }
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  process.off("SIGINT", onSignal).off("SIGTERM", onSignal)
  if (Exit.isSuccess(exit)) process.exitCode = exit.value ?? exitCodes.ok
  else if (signal !== undefined && Cause.hasInterruptsOnly(exit.cause)) {
    process.exitCode = signal === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted
  } else throw Cause.squash(exit.cause)
  return Exit.isSuccess(exit)
}

const isStoreError = Schema.is(StoreError)
const wasLost = (error: unknown): error is StoreError => isStoreError(error) && error.reason === "unavailable"

/**
 * Runs a command on a home that may lose its connection: on the embedded home the process that has the database open
 * may be killed, and the next one is there within seconds. Whatever comes before the program's first step is always
 * tried again, a repeatable program itself too.
 */
const outlasting = <A, E, R, R2, E2>(
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
          `look whether it happened, and try again; ${join(where.dataDir, "owner.log")} says more`
        )
        : error
    )
  )
}

const prepared = (options: GlobalOptions, out: Output, { before }: Needs): Promise<boolean> =>
  before === undefined ? Promise.resolve(true) : runProgram(options, out, false, () => Effect.asVoid(before))

/** Prints the command's one error, if it has one, and sets the exit code. */
const reporting = async (options: GlobalOptions, work: (out: Output) => Promise<void>): Promise<void> => {
  surviveClosedPipe()
  const out = new Output(options)
  try {
    await work(out)
  } catch (failure) {
    const error = describeError(failure)
    out.error(error)
    if (options.verbose === true && failure instanceof Error) process.stderr.write(`${failure.stack}\n`)
    process.exitCode = error.exitCode
  }
}

/**
 * Runs one command to its end: opens the database, runs the program, prints its failure if it has one, and sets the exit
 * code (the program's own, when it returns one).
 */
export const runCommand = <E>(
  options: GlobalOptions,
  needs: Needs,
  program: (session: Session) => Effect.Effect<ExitCode | void, E, Services | Scope.Scope>
): Promise<void> =>
  reporting(options, async (out) => {
    if (!(await prepared(options, out, needs))) return
    const where = ready(options, needs, out)
    const services = Layer.mergeAll(
      layerPlacement(where).pipe(Layer.provideMerge(layerMigrated(where))),
      SecureRandom.layerWebCrypto,
      Layer.succeed(ThisProcess, { host: hostname(), pid: process.pid, version: version() })
    )
    await runProgram(
      options,
      out,
      needs.handlesStop === true,
      (session) => outlasting(where, needs, Effect.scoped(program(session)), services)
    )
  })

export { bindingsDigest, type PlatformConfig } from "@sov/core/outbound"
export { foreignNames, lookAtOwner, type OwnerLook, settingsFaults } from "@sov/core/postgres"
export {
  type BackupSummary,
  checkBackup,
  migrate as migrateDatabase,
  migrationStatus as schemaStatus,
  restoreBackup,
  takeBackup
}

/** Runs a command on the bare connection: nothing is migrated first. */
export const runOnDatabase = <E>(
  options: GlobalOptions,
  needs: Needs,
  program: (session: Session) => Effect.Effect<ExitCode | void, E, SqlClient.SqlClient>
): Promise<void> =>
  reporting(options, async (out) => {
    if (!(await prepared(options, out, needs))) return
    const where = ready(options, needs, out)
    const connection = layerConnection(where)
    await runProgram(options, out, false, (session) => outlasting(where, needs, program(session), connection))
  })

/** Runs a command that needs no database. */
export const runWithoutDatabase = <E>(
  options: GlobalOptions,
  program: (session: Session) => Effect.Effect<ExitCode | void, E>
): Promise<void> =>
  reporting(options, async (out) => {
    await runProgram(options, out, false, program)
  })

/** A database that was reached, as it stands. */
export interface OpenDatabase {
  readonly state: "open"
  /** Version of Postgres ("18.1"), encoding, bytes on disk. */
  readonly facts: { readonly version: string; readonly encoding: string; readonly sizeBytes: number }
  /** How far its clock is ahead of ours, in milliseconds; 0 when the round trip explains the difference. */
  readonly clockSkewMs: number
  /** The schema, or why it is none for this version. */
  readonly schema: { readonly version: number; readonly pending: ReadonlyArray<Migration> } | CliError
  /** The stores; null while the schema is not that of this version. */
  readonly stores: Context.Context<StoragePorts> | null
}

/** How the database stands for who looks on. */
export type Standing =
  | { readonly state: "absent" }
  | { readonly state: "unreachable"; readonly error: CliError }
  | OpenDatabase

const clockSkew = (before: number, clock: Date, after: number): number => {
  const skew = clock.getTime() - (before + after) / 2
  return Math.abs(skew) <= (after - before) / 2 ? 0 : Math.round(skew)
}

const look = Effect.gen(function*() {
  const before = yield* Clock.currentTimeMillis
  const { clock, ...facts } = yield* databaseFacts
  const clockSkewMs = clockSkew(before, clock, yield* Clock.currentTimeMillis)
  const schema = yield* migrationStatus.pipe(
    Effect.catchTag("SchemaNewer", (error) => Effect.succeed(describeError(error)))
  )
  const fits = !(schema instanceof CliError) && schema.pending.length === 0
  const open: OpenDatabase = {
    state: "open",
    facts,
    clockSkewMs,
    schema,
    stores: fits ? yield* Layer.build(stores) : null
  }
  return open
})

/** Opens the database for a look, until the scope closes: makes none, migrates none, and never fails. */
export const openStanding = (options: GlobalOptions): Effect.Effect<Standing, never, Scope.Scope> =>
  Effect.suspend(() => {
    const where = home(options)
    sayPlace(options)
    if (!exists(where)) return Effect.succeed<Standing>({ state: "absent" })
    return Layer.build(layerConnection(where)).pipe(
      Effect.flatMap((connection) => Effect.provide(look, connection)),
      Effect.catch((error) => Effect.succeed<Standing>({ state: "unreachable", error: describeError(error) }))
    )
  })
