import { formatLinkUrl, openDashboard } from "@sov/core"
import { Effect } from "effect"
import { serverOrigin } from "../../settings/serverOrigin.ts"
import { accountName } from "./accountName.ts"
import { askServer } from "./askServer.ts"

/** No link: a server with a dashboard says that it does not know it. */
const noToken = "A".repeat(43)

/**
 * A link that signs in on a server of this machine, null where none answers or it has another database. Without a server
 * nothing is made.
 */
export const findDashboard = Effect.gen(function*() {
  const origin = yield* serverOrigin("SOV_PUBLIC_URL", process.env["SOV_PUBLIC_URL"] || undefined)
  if ((yield* askServer(origin, noToken)) !== "unknown") return null
  const { token } = yield* openDashboard(accountName())
  return (yield* askServer(origin, token)) === "known" ? formatLinkUrl(origin, token) : null
})
