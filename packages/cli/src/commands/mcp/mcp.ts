/** sov mcp: serves the read-only tools to the client that started this process. */
import { findSuspension } from "@sov/core/organizations"
import { serveStdio } from "@sov/mcp/stdio"
import { Deferred, Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { configuredPlatforms, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { version } from "../../version.ts"

export const mcp = (options: GlobalOptions) =>
  runCommand(options, { handlesStop: true }, ({ out, stopped }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
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
    }))
