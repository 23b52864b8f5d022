/** What a command gets from its surroundings: output, logs, signals, and one place where failures are printed. */
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Logger, References } from "effect"
import { describeError } from "../describeError.ts"
import { type ExitCode, exitCodes } from "../exitCodes.ts"
import { Output, printable } from "../output/Output.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"

type Signal = "SIGINT" | "SIGTERM"

/** What a command gets from its surroundings. */
export interface Session {
  readonly out: Output
  /** Done when the first SIGINT or SIGTERM arrives. */
  readonly stopped: Deferred.Deferred<Signal>
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

/** After a signal a command that handles it itself has so long, in milliseconds: its own grace, and time to say so. */
const patience = { SIGINT: 20_000, SIGTERM: 35_000 }

/** Leaves a command that does not come to its end, be it for a database that says nothing. */
const leaveLate = (signal: Signal): void => {
  setTimeout(() => {
    process.stderr.write("error: stopping took too long, perhaps because the database does not answer\n")
    process.exit(signal === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted)
  }, patience[signal]).unref()
}

/** Whether the program came to its end: false when a signal cut it. */
export const runProgram = async <E>(
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
    if (signal === undefined) leaveLate(name)
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

/** Prints the command's one error, if it has one, and sets the exit code. */
export const reporting = async (options: GlobalOptions, work: (out: Output) => Promise<void>): Promise<void> => {
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
