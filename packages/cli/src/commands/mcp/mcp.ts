/** sov mcp: serves the read-only tools to the client that started this process. */
import { findSuspension } from "@sov/core/organizations"
import { serveStdio } from "@sov/mcp/stdio"
import { Deferred, Effect } from "effect"
import { configuredPlatforms, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { version } from "../../version.ts"

export const mcp = (options: GlobalOptions) =>
  runForOrganization(options, { handlesStop: true }, function*({ out, stopped }, organization) {
    const { id: organizationId, name } = organization
    const suspension = findSuspension(organization)?.message ?? null
    if (process.stdin.isTTY) {
      out.note(
        `Serving ${name} over MCP on standard input and output; Ctrl-C ends. Clients start this: sov mcp config`
      )
    }
    const platforms = configuredPlatforms(options)
    yield* serveStdio(
      { version: version(), organizationId, suspension, platforms },
      { input: process.stdin, output: process.stdout }
    ).pipe(
      Effect.raceFirst(Deferred.await(stopped)),
      Effect.ensuring(Effect.sync(() => process.stdin.destroy()))
    )
  })
