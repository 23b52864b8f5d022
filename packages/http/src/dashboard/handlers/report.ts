/** The report of the newest scan as a file. It is identical to the output of `sov report`, in the reader's language. */
import { defaultPlace, NotFound } from "@sov/core/common"
import { readReport } from "@sov/core/reports"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type PageReply, sendFile } from "../guard/Reply.ts"
import { describePage, makeReportFile } from "../report/makeReportFile.ts"

/** GET /o/{slug}/report.html: the report without answer texts; 404 before the first score. */
export const downloadReport = Effect.fnUntraced(
  function*({ configured, frame, organization, place, window }: OrganizationRequest) {
    const { evidence, figures, logo } = yield* readReport(organization, window, {
      from: null,
      to: null,
      answers: false,
      title: null,
      locale: place.locale === defaultPlace.locale ? null : place.locale,
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
    NoCompletedScan: () => new NotFound({ what: "scan", id: "latest" }),
    NoScore: () => new NotFound({ what: "scan", id: "latest" })
  })
)
