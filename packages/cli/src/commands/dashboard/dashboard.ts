/**
 * sov dashboard: creates a link that signs in an operator of the database, on a running server or on one that it
 * starts.
 */
import { formatLinkUrl, makeLinkQuestion, openDashboard } from "@sov/core/people"
import { Effect } from "effect"
import { CliError } from "../../CliError.ts"
import { type ExitCode, exitCodes } from "../../exitCodes.ts"
import { type Output, printable } from "../../output/Output.ts"
import { type CommandSession, runCommand } from "../../runtime.ts"
import { defaults } from "../../settings/environment.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { serverOrigin } from "../../settings/serverOrigin.ts"
import { checkServeOptions, type ServeOptions, serveUntilStopped } from "../serve/serve.ts"
import { accountName } from "./accountName.ts"
import { askServer, type LinkAnswer } from "./askServer.ts"
import { openBrowser } from "./openBrowser.ts"

const serverError = (answer: Exclude<LinkAnswer, "known">, origin: string): CliError =>
  ({
    unknown: new CliError(
      "other-database",
      exitCodes.conflict,
      `the server at ${origin} does not know the link: it uses another database`,
      "name its database with --data-dir or SOV_DATABASE_URL, or another server with --url"
    ),
    other: new CliError(
      "no-dashboard",
      exitCodes.conflict,
      `what answers at ${origin} has no dashboard of sov, or does not prove that it uses this database`,
      "--url names another server; `sov serve` without --no-dashboard has one"
    ),
    silent: new CliError(
      "server-unreachable",
      exitCodes.unreachable,
      `no server answers at ${origin}`,
      "start one with `sov serve`; without --url, --json and SOV_PUBLIC_URL this command starts one"
    ),
    slow: new CliError("server-unreachable", exitCodes.unreachable, `the server at ${origin} did not answer in time`)
  })[answer]

const show = Effect.fnUntraced(function*(out: Output, url: string, expiresAt: Date) {
  out.note(`The link signs in once, until ${expiresAt.toISOString()}.`)
  out.result({ url, expires_at: expiresAt.toISOString() }, () => url)
  if (yield* openBrowser(url)) out.note("It is open in your browser.")
})

/**
 * Prints the warning. Programs get the link in any case, because a server may start later, or be reachable only from
 * another machine.
 */
const warn = (out: Output, { hint, message }: CliError): void =>
  out.note(printable(`warning: ${message}${hint === undefined ? "" : `; ${hint}`}`))

const makeServeOptions = (options: GlobalOptions): ServeOptions => ({
  ...options,
  host: process.env["SOV_HOST"] || defaults.SOV_HOST,
  port: process.env["SOV_PORT"] || defaults.SOV_PORT,
  worker: true,
  dashboard: true,
  evenWithoutPlatforms: true,
  linksOnly: true
})

const openOn = Effect.fnUntraced(
  function*(options: ServeOptions, given: string | undefined, { out, stopped }: CommandSession) {
    const origin = yield* serverOrigin("--url", given)
    const { link, token } = yield* openDashboard(accountName())
    const answer = yield* askServer(origin, yield* makeLinkQuestion(token))
    if (out.machine) {
      if (answer !== "known") warn(out, serverError(answer, origin))
      out.result({ url: formatLinkUrl(origin, token), expires_at: link.expiresAt.toISOString() }, () => "")
      return exitCodes.ok as ExitCode
    }
    if (answer === "silent" && given === undefined) {
      return yield* serveUntilStopped(options, { stopped }, ({ url }) =>
        Effect.gen(function*() {
          out.note(`sov serves on ${url} until you stop it with Ctrl-C.`)
          yield* Effect.forkScoped(show(out, formatLinkUrl(url, token), link.expiresAt))
        }))
    }
    if (answer !== "known") return yield* Effect.fail(serverError(answer, origin))
    yield* show(out, formatLinkUrl(origin, token), link.expiresAt)
    return exitCodes.ok as ExitCode
  }
)

/** Runs `sov dashboard`. */
export const dashboard = ({ sources = {}, url, ...rest }: GlobalOptions) => {
  // `url` is only the address in the link; the link itself is created in the database
  const options = makeServeOptions({ ...rest, sources: { ...sources, url: undefined } })
  return runCommand(
    options,
    { before: checkServeOptions(options), create: true, handlesStop: true },
    function*(session) {
      return yield* openOn(options, url, session)
    }
  )
}
