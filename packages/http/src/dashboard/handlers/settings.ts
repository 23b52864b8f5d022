import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { settingsPage } from "../pages/settings.ts"

/** GET /o/{slug}/settings */
export const showSettings = ({ frame }: OrganizationRequest) => Effect.succeed(showPage(settingsPage(frame)))
