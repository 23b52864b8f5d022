/** Runs a command with output, logs and signals, and prints the message if it fails. */
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Logger, References } from "effect"
import { type ExitCode, exitCodes } from "../exitCodes.ts"
import { Output, printable } from "../output/Output.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { platformNames } from "./platforms.ts"

type Signal = "SIGINT" | "SIGTERM"

/** What a running command has access to. */
export interface CommandSession {
  readonly out: Output
  /** Completes with the first SIGINT or SIGTERM. */
  readonly stopped: Deferred.Deferred<Signal>
  /** Wraps the program of the command: after a signal, the cleanup that follows the program may take `cleanupMs`. */
  readonly cleaningUp: <A extends ExitCode | void, E, R>(own: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The steps of a command, which may return its exit code. They fail with tagged errors. */
export type Program<Services, Args extends ReadonlyArray<unknown> = [CommandSession]> = (
  ...args: Args
) => Generator<Effect.Effect<unknown, object, Services>, ExitCode | void, never>

/** Prints warnings for people; with --verbose prints everything, with its time and fiber. */
const plainLogger = Logger.make<unknown, void>(({ logLevel, message }) => {
  const text = (Array.isArray(message) ? message : [message]).map(String).join(" ")
  process.stderr.write(`${logLevel === "Warn" ? "warning" : logLevel.toLowerCase()}: ${printable(text)}\n`)
})

const layerLogging = (options: GlobalOptions) =>
  Layer.mergeAll(
    Logger.layer([options.verbose === true ? Logger.withConsoleError(Logger.formatSimple) : plainLogger]),
    Layer.succeed(References.MinimumLogLevel, options.verbose === true ? "Debug" : "Warn")
  )

/**
 * Milliseconds after a signal until the process exits even if the command has not ended. They are longer than the grace
 * period of the command.
 */
const forceExitTimeouts = { SIGINT: 20_000, SIGTERM: 35_000 }

/** Exits if the command has not ended in time, for example because the database does not answer. */
const scheduleForceExit = (signal: Signal): void => {
  setTimeout(() => {
    process.stderr.write("error: stopping took too long, perhaps because the database does not answer\n")
    process.exit(signal === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted)
  }, forceExitTimeouts[signal]).unref()
}

/** Maximum milliseconds for the cleanup after a command that a signal ended. */
const cleanupMs = 2_000

/** Runs the program; returns true if it completed, false if a signal interrupted it. */
export const runProgram = async <E>(
  options: GlobalOptions,
  out: Output,
  handlesStop: boolean,
  program: (session: CommandSession) => Effect.Effect<ExitCode | void, E>
): Promise<boolean> => {
  const stopped = Deferred.makeUnsafe<Signal>()
  let signal: Signal | undefined
  const cleaningUp: CommandSession["cleaningUp"] = Effect.tap((code) =>
    Effect.sync(() => {
      // A connection to a database that does not answer may never close, and the result has already been printed
      if (signal !== undefined) setTimeout(() => process.exit(code ?? exitCodes.ok), cleanupMs).unref()
    })
  )
  const fiber = Effect.runFork(program({ out, stopped, cleaningUp }).pipe(Effect.provide(layerLogging(options))))
  const onSignal = (name: Signal) => {
    if (signal !== undefined && name === "SIGINT") process.exit(exitCodes.interrupted)
    if (signal === undefined) scheduleForceExit(name)
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

/** The output of commands, with platform labels from the configuration. */
export const makeOutput = (options: GlobalOptions): Output => new Output(options, platformNames(options))
