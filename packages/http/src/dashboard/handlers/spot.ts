/** The odds of a spot check, and how far the share can be relied on. */
import { readEvidence, readSpotOdds, spotScans } from "@sov/core/scoring"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { evidencePage } from "../pages/evidence.ts"
import { spotPage } from "../pages/spot.ts"
import { replyWithPage } from "./replies.ts"

/** GET /o/{slug}/spot */
export const showSpotOdds = ({ frame, organization, window }: OrganizationRequest) =>
  replyWithPage(Effect.map(
    readSpotOdds(organization.id, window, spotScans).pipe(
      Effect.catchTag("NoCompletedScan", () => Effect.succeed(null))
    ),
    (found) => spotPage(frame, found)
  ))

/** GET /o/{slug}/evidence */
export const showEvidence = ({ frame, organization, window }: OrganizationRequest) =>
  replyWithPage(Effect.map(
    readEvidence(organization.id, window).pipe(Effect.catchTag("NoCompletedScan", () => Effect.succeed(null))),
    (found) => evidencePage(frame, found)
  ))
