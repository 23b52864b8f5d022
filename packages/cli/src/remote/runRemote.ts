/** Runs a command on a server: over REST, with the key from the environment. */
import { SovClient } from "@sov/http/fetch-client"
import { Effect, type Scope } from "effect"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import { type Output, printable } from "../output/Output.ts"
import { type Program, runWithoutDatabase } from "../runtime.ts"
import { originOf, originText } from "../settings/databaseLocation.ts"
import { isFromEnvFile } from "../settings/envFile.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { plainHttpWarning, refuseServerOfEnvFile } from "../settings/secretOrigins.ts"
import { describeProblem } from "./describeProblem.ts"

/** Time limit in milliseconds. A page of long answers can take long on a slow connection. */
const timeoutMs = 120_000

/** The environment of a command that runs on a server. */
export interface RemoteSession {
  readonly out: Output
  readonly sov: SovClient
  /** The server's address in a form that is safe to show. */
  readonly address: string
}

const connectToServer = (options: GlobalOptions, out: Output): RemoteSession => {
  const { sources = {}, url = "" } = options
  for (const [option, flag] of [["dataDir", "--data-dir"], ["databaseUrlFile", "--database-url-file"]] as const) {
    if (sources[option] === "cli") throw usageError(`${flag} names a database and --url a server: give one of them`)
  }
  if (sources["org"] === "cli") {
    throw usageError("--org has no meaning with --url: an API key belongs to one organization")
  }
  const apiKey = process.env["SOV_API_KEY"] ?? ""
  if (apiKey === "") {
    throw new CliError(
      "missing-key",
      exitCodes.auth,
      "SOV_API_KEY is not set: a server asks for an API key",
      "`sov key create --name NAME` where its database is makes one"
    )
  }
  const refusal = refuseServerOfEnvFile({ isFromEnvFile, source: sources["url"], url })
  if (refusal !== null) throw refusal
  const warning = plainHttpWarning("SOV_API_KEY", url)
  if (warning !== null) out.note(`warning: ${warning}`)
  try {
    const sov = new SovClient({
      baseUrl: url,
      apiKey,
      timeoutMs,
      onRetry: ({ error, waitMs }) =>
        out.note(`${printable(error.message)}; trying again in ${Math.ceil(waitMs / 1000)} s`)
    })
    const { host, pathname, protocol } = new URL(url)
    const address = `${protocol}//${host}${pathname}`.replace(/\/+$/, "")
    if (options.verbose === true) process.stderr.write(`server: ${address} ${originText(originOf(options, "url"))}\n`)
    return { out, sov, address }
  } catch (error) {
    const { message } = error as TypeError
    throw usageError(message.replace("baseUrl", "--url").replace("apiKey", "SOV_API_KEY"))
  }
}

/** Runs one command on a server until it ends. */
export const runRemote = (options: GlobalOptions, program: Program<Scope.Scope, [RemoteSession]>): Promise<void> =>
  runWithoutDatabase(options, function*({ out }) {
    const session = yield* Effect.try({ try: () => connectToServer(options, out), catch: describeProblem })
    return yield* Effect.gen(() => program(session))
  })

/** Makes one call of the client; an interruption aborts it. */
export const callServer = <A>(ask: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, CliError> =>
  Effect.tryPromise({ try: ask, catch: describeProblem })

/** Refuses a request that works on a database but not over REST. */
export const refuseIf = (asked: boolean, message: string): Effect.Effect<void, CliError> =>
  asked ? Effect.fail(usageError(message)) : Effect.void
