import { readInstanceTag } from "@sov/core/access"
import { formatLinkUrl, makeLinkQuestion, openDashboard } from "@sov/core/people"
import { Effect } from "effect"
import { serverOrigin } from "../../settings/serverOrigin.ts"
import { accountName } from "./accountName.ts"
import { askInstance } from "./askInstance.ts"
import { askServer } from "./askServer.ts"

/**
 * Finds a local server and creates a link that signs in there; null, without creating a link, if no server answers or
 * it has another database.
 */
export const findDashboard = Effect.gen(function*() {
  const origin = yield* serverOrigin("SOV_PUBLIC_URL", process.env["SOV_PUBLIC_URL"] || undefined)
  if ((yield* askInstance(origin)) !== (yield* readInstanceTag())) return null
  const { token } = yield* openDashboard(accountName())
  return (yield* askServer(origin, yield* makeLinkQuestion(token))) === "known" ? formatLinkUrl(origin, token) : null
})
