/**
 * The report as a file, identical to the output of `sov report`. Numbers and dates are in the language of the branding,
 * or else of the reader.
 */
import { defaultPlace, NotFound } from "@sov/core/common"
import { readBranding, readReport } from "@sov/core/reports"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type PageReply, sendFile } from "../guard/Reply.ts"
import { describePage, makeReportFile } from "../report/makeReportFile.ts"
import { readFilePeriod } from "./period.ts"

/**
 * GET /o/{slug}/report.html?period=: the report without answer texts, of the newest scan (of the period); 404 before
 * the first score.
 */
export const downloadReport = Effect.fnUntraced(
  function*(request: OrganizationRequest) {
    const { configured, frame, organization, place, window } = request
    const compared = yield* readFilePeriod(request)
    const branding = yield* readBranding(organization.id)
    const { evidence, figures, logo } = yield* readReport(organization, window, {
      from: compared?.period.from ?? null,
      to: compared?.period.to ?? null,
      answers: false,
      title: null,
      // The organization's choice: readers of the file may be others
      locale: branding.locale ?? (place.locale === defaultPlace.locale ? null : place.locale),
      logo: null,
      labels: frame.platformLabels,
      configured,
      page: describePage()
    })
    const reply: PageReply = sendFile(
      "report.html",
      "text/html; charset=utf-8",
      makeReportFile(evidence, figures, logo)
    )
    return reply
  },
  Effect.catchTags({
    // No scan of the period has a score
    Rejected: (rejected) =>
      rejected.field === "--from" ? new NotFound({ what: "scan", id: "latest" }) : Effect.fail(rejected),
    NoCompletedScan: () => new NotFound({ what: "scan", id: "latest" }),
    NoScore: () => new NotFound({ what: "scan", id: "latest" })
  })
)
