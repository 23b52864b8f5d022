/** sov serve: runs the dashboard, the REST API and the tool server, together with a worker. */
import { listOrganizations } from "@sov/core/organizations"
import { formatLinkUrl, openDashboard } from "@sov/core/people"
import { listPlatforms } from "@sov/core/platforms"
import { startWorker, stopGraceMs } from "@sov/core/workers"
import { defaultMaxConnections, defaultRestRate, layerDashboard, layerServer, type ServerOptions } from "@sov/http"
import { defaultMcpRate, layerMcp } from "@sov/mcp"
import { Deferred, Duration, Effect, Exit, Layer, Scope } from "effect"
import { HttpServer } from "effect/http"
import { CliError } from "../../CliError.ts"
import { describeError } from "../../describeError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { integerOption } from "../../input/integerOption.ts"
import type { Output } from "../../output/Output.ts"
import {
  type CommandSession,
  configuredPlatforms,
  findConfig,
  findPlatformsFault,
  layerPublicUrl,
  noPlatforms,
  platformsLayer,
  readPlatformLabels,
  runCommand
} from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { serverAddress } from "../../settings/serverAddress.ts"
import { readOpenIdSettings, readProxyUserHeader } from "../../settings/singleSignOn.ts"
import { version } from "../../version.ts"
import { accountName } from "../dashboard/accountName.ts"
import { publicUrl } from "./publicUrl.ts"
import { layerService } from "./service.ts"
import { trustedProxies } from "./trustedProxies.ts"

const maxPort = 65_535
/** Maximum value of the limit of requests per minute and key. */
const maxRate = 1_000_000
const maxConnectionLimit = 1_000_000

/** Options of a server in this process. */
export interface ServeOptions extends GlobalOptions {
  readonly host: string
  readonly port: string
  readonly publicUrl?: string
  /** Whether to run a worker; false with `--no-worker`. */
  readonly worker: boolean
  /** Whether to serve the dashboard; false with `--no-dashboard`. */
  readonly dashboard: boolean
  readonly migrate?: boolean
  /** Whether to serve pages even if the platforms cannot be asked, for example because a key is missing. */
  readonly evenWithoutPlatforms?: boolean
  /**
   * Whether people can sign in only with links, as on a server for one person on this machine, which has no public
   * address.
   */
  readonly linksOnly?: boolean
}

/** Most organizations that the operator can allow an owner. */
const maxOwnedLimit = 1000

const readOptions = Effect.fnUntraced(function*(options: ServeOptions, env: NodeJS.ProcessEnv, samples: number) {
  const read: ServerOptions = {
    host: options.host,
    port: yield* integerOption("--port", options.port, 0, maxPort),
    ...options.publicUrl === undefined ? {} : { publicUrl: yield* publicUrl(options.publicUrl) },
    allowedHosts: (env["SOV_ALLOWED_HOSTS"] ?? "").split(",").map((name) => name.trim()).filter((name) => name !== ""),
    trustedProxies: yield* trustedProxies(env["SOV_TRUSTED_PROXIES"] ?? ""),
    restRate: yield* integerOption("SOV_REST_RATE", env["SOV_REST_RATE"] || String(defaultRestRate), 0, maxRate),
    maxConnections: yield* integerOption(
      "SOV_MAX_CONNECTIONS",
      env["SOV_MAX_CONNECTIONS"] || String(defaultMaxConnections),
      0,
      maxConnectionLimit
    ),
    maxOwned: yield* integerOption("SOV_OWNER_ORGANIZATIONS", env["SOV_OWNER_ORGANIZATIONS"] || "0", 0, maxOwnedLimit),
    openMetrics: env["SOV_METRICS"] === "public",
    samples,
    version: version(),
    drain: Duration.millis(stopGraceMs.SIGTERM)
  }
  return read
})

/** Reads the ways to sign in other than links. */
const readSignIn = Effect.fnUntraced(
  function*(
    { linksOnly = false }: ServeOptions,
    { publicUrl, trustedProxies = [] }: ServerOptions,
    env: NodeJS.ProcessEnv
  ) {
    if (linksOnly) return {}
    const openId = yield* Effect.fromResult(readOpenIdSettings(env, publicUrl))
    const proxyUserHeader = yield* Effect.fromResult(readProxyUserHeader(env, trustedProxies))
    return { ...openId !== null && { openId }, ...proxyUserHeader !== null && { proxyUserHeader } }
  }
)

const parseMcpRate = (env: NodeJS.ProcessEnv) =>
  integerOption("SOV_MCP_RATE", env["SOV_MCP_RATE"] || String(defaultMcpRate), 0, maxRate)

/** The configured platforms; empty without a configuration, because reading data needs no platforms. */
const readPlatforms = (options: ServeOptions) =>
  Effect.gen(function*() {
    const config = findConfig(options)
    if (config === null) {
      return { samples: 1, platforms: noPlatforms, fault: null }
    }
    if (config.decoded instanceof CliError) return yield* Effect.fail(config.decoded)
    const fault = options.evenWithoutPlatforms === true
      ? findPlatformsFault(config.decoded, config.file, process.env)
      : null
    const platforms = fault === null ? platformsLayer(options, config.decoded) : noPlatforms
    return { samples: config.decoded.scan.samples, platforms, fault }
  })

const makeListenError = ({ host, port }: ServerOptions, cause: unknown): CliError => {
  const { code = "", message } = cause as NodeJS.ErrnoException
  const where = `${host}:${port}`
  return code === "EADDRINUSE"
    ? new CliError("port-taken", exitCodes.conflict, `another program listens on ${where}`, "--port chooses another")
    : new CliError(
      "cannot-listen",
      exitCodes.usage,
      `cannot listen on ${where}: ${code || message}`,
      "--host and --port choose"
    )
}

/** A server that is listening. */
export interface Listening {
  readonly url: string
  readonly platforms: ReadonlyArray<string>
  readonly worker: boolean
}

const printAddresses = (out: Output, { platforms, url, worker }: Listening, hasPages: boolean): void => {
  const asks = platforms.length === 0
    ? "none: no platform is configured, so no scan can be started"
    : worker
    ? `asks ${platforms.join(", ")}`
    : "none here: other sov processes ask the platforms"
  out.result(
    {
      url,
      api: `${url}/api/v1`,
      mcp: `${url}/api/mcp`,
      docs: `${url}/docs`,
      openapi: `${url}/openapi.json`,
      platforms,
      worker
    },
    () =>
      [
        `sov serves on ${url}`,
        `  REST API  ${url}/api/v1`,
        `  MCP       ${url}/api/mcp`,
        `  Docs      ${url}/docs`,
        `  OpenAPI   ${url}/openapi.json`,
        `  Health    ${url}/healthz`,
        `  Worker    ${asks}`,
        "A client needs a key: sov key create --name NAME; sov mcp config prints what an assistant needs",
        ...hasPages ? ["Pages: sov dashboard prints a link that signs you in"] : []
      ].join("\n")
  )
}

/** Checks the options before the database is opened. */
export const checkServeOptions = (options: ServeOptions) =>
  Effect.andThen(
    readPlatforms(options).pipe(
      Effect.flatMap(({ samples }) => readOptions(options, process.env, samples)),
      Effect.flatMap((settings) => readSignIn(options, settings, process.env))
    ),
    parseMcpRate(process.env)
  )

/** Serves in this process until it is stopped; calls `announce` once the server listens. */
export const serveUntilStopped = <E, R>(
  options: ServeOptions,
  { stopped }: Pick<CommandSession, "stopped">,
  announce: (listening: Listening) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function*() {
    const { fault, platforms, samples } = yield* readPlatforms(options)
    if (fault !== null) yield* Effect.logWarning(`${fault.message}: no scan can be started here`)
    const settings = yield* readOptions(options, process.env, samples)
    const mcp = layerMcp({
      rate: yield* parseMcpRate(process.env),
      version: version(),
      platforms: configuredPlatforms(options)
    })
    const mounted = options.dashboard
      ? Layer.merge(
        mcp,
        layerDashboard({
          platforms: configuredPlatforms(options),
          platformLabels: readPlatformLabels(options),
          canMail: (process.env["SOV_SMTP_URL"] ?? "") !== "",
          ...yield* readSignIn(options, settings, process.env)
        })
      )
      : mcp
    const serving = yield* Scope.make()
    return yield* Effect.gen(function*() {
      const platforms = (yield* listPlatforms()).map(({ id }) => id)
      const worker = options.worker && platforms.length > 0
      const services = yield* Layer.buildWithScope(layerServer(settings, mounted), serving).pipe(
        Effect.catchTag("ServeError", ({ cause }) => Effect.fail(makeListenError(settings, cause)))
      )
      const asking = worker ? yield* startWorker() : null
      const { address } = yield* Effect.provide(HttpServer.HttpServer, services)
      const port = "port" in address ? address.port : settings.port
      yield* announce({ url: settings.publicUrl ?? serverAddress(settings.host, port), platforms, worker })
      const signal = yield* Deferred.await(stopped)
      yield* Effect.logInfo("stopping: requests and answers in flight are awaited")
      yield* Effect.all([
        Scope.close(serving, Exit.void).pipe(Effect.timeoutOption(stopGraceMs[signal])),
        asking?.stop(stopGraceMs[signal]) ?? Effect.void
      ], { concurrency: "unbounded", discard: true })
      return exitCodes.ok
    }).pipe(
      Effect.provide([
        platforms,
        // A person at a terminal looks for the link and not for the log lines of a starting worker
        layerService(options, options.linksOnly === true ? "Warn" : "Info"),
        layerPublicUrl(options.dashboard ? settings.publicUrl ?? null : null)
      ]),
      Effect.onError(() => Scope.close(serving, Exit.void))
    )
  }).pipe(Effect.mapError(describeError))

/** If nothing is set up yet, prints a link for setting it up in the browser. */
const noteFirstRun = Effect.fnUntraced(function*(out: Output, url: string) {
  if ((yield* listOrganizations()).length > 0) return
  const { link, token } = yield* openDashboard(accountName())
  out.note(
    `Nothing is set up yet. Open this in a browser, once, until ${link.expiresAt.toISOString()}:\n` +
      `  ${formatLinkUrl(url, token)}\nLater, \`sov dashboard\` prints another.`
  )
})

/** Runs `sov serve`. */
export const serve = (options: ServeOptions) =>
  runCommand(
    options,
    {
      before: checkServeOptions(options),
      create: true,
      handlesStop: true,
      migrate: options.migrate,
      rowSecurity: true
    },
    function*({ out, stopped }) {
      return yield* serveUntilStopped(options, { stopped }, (listening) =>
        Effect.sync(() =>
          printAddresses(out, listening, options.dashboard)
        ).pipe(
          Effect.andThen(options.dashboard ? noteFirstRun(out, listening.url) : Effect.void)
        ))
    }
  )
