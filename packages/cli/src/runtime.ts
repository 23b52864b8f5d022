/**
 * Where the command line is wired: which database, which platforms, what a failure looks like, what a signal does.
 * Beside main.ts the only file of this package that knows adapters.
 */
import type { AnswerPlatforms, Rejected, StoragePorts } from "@sov/core"
import { platformIds } from "@sov/core"
import {
  type ConfigError,
  decodePlatformConfig,
  layerPlatforms,
  parsePlatformConfig,
  type PlatformConfig
} from "@sov/core/outbound"
import {
  type BackupSummary,
  type BackupUnfit,
  checkBackup,
  type Home,
  layerConnection,
  layerMigrated,
  migrate,
  migrationStatus,
  restoreBackup,
  takeBackup
} from "@sov/core/postgres"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Logger, Redacted, References, Result, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { CliError, usageError } from "./CliError.ts"
import { describeError } from "./describeError.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import type { GlobalOptions } from "./GlobalOptions.ts"
import { Output, printable } from "./Output.ts"

/** What every command may use. */
export type Services = StoragePorts | SecureRandom.SecureRandom

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
}

const readSecret = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim()
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "error"}`)
  }
}

/** The database that the options choose: a server when a URL is given, else the data directory. */
export const home = (options: GlobalOptions): Home => {
  const url = options.databaseUrlFile !== undefined
    ? readSecret(options.databaseUrlFile)
    : process.env["SOV_DATABASE_URL"]
  return url === undefined || url === "" ? { dataDir: resolve(options.dataDir) } : { url: Redacted.make(url) }
}

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

/** The configured platforms as a layer. */
export const platformsLayer = (
  options: GlobalOptions,
  config: PlatformConfig = readConfig(options)
): Layer.Layer<AnswerPlatforms, ConfigError> =>
  layerPlatforms(config, process.env, { run: `${Date.now()}-${process.pid}` })

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
  if ("dataDir" in where && !existsSync(join(where.dataDir, "db", "PG_VERSION"))) {
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
    const services = Layer.mergeAll(layerMigrated(ready(options, needs, out)), SecureRandom.layerWebCrypto)
    await runProgram(
      options,
      out,
      needs.handlesStop === true,
      (session) => Effect.scoped(program(session)).pipe(Effect.provide(services))
    )
  })

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
    const connection = layerConnection(ready(options, needs, out))
    await runProgram(options, out, false, (session) => program(session).pipe(Effect.provide(connection)))
  })

/** Runs a command that needs no database. */
export const runWithoutDatabase = <E>(
  options: GlobalOptions,
  program: (session: Session) => Effect.Effect<ExitCode | void, E>
): Promise<void> =>
  reporting(options, async (out) => {
    await runProgram(options, out, false, program)
  })
