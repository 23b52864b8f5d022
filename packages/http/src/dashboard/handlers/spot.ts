/** The odds of a spot check. */
import { readSpotOdds, spotScans } from "@sov/core/scoring"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { spotPage } from "../pages/spot.ts"
import { shown } from "./replies.ts"

/** The odds over the scans that the plan shows; null before the first score. */
export const readOdds = ({ organization, window }: OrganizationRequest) =>
  readSpotOdds(organization.id, window, spotScans).pipe(
    Effect.catchTag("NoCompletedScan", () => Effect.succeed(null))
  )

/** GET /o/{slug}/spot */
export const showSpotOdds = (request: OrganizationRequest) =>
  shown(Effect.map(readOdds(request), (found) => spotPage(request.frame, found)))
