import { pluralized } from "@sov/core/common"
import type { CellTotals, Scan } from "@sov/core/scanning"
import { formatMinute } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"

/** Asks for confirmation before a running scan is cancelled, and states the consequences. */
export const cancelScanPage = (frame: Frame, scan: Scan, { answered, open }: CellTotals): Html => {
  const { slug } = frame.organization
  const path = `/scans/${scan.id}` as const
  const stay = answered === 1 ? "stays" : "stay"
  const asked = open === 1 ? "is not asked" : "are not asked"
  return layout(frame, {
    title: "Cancel this scan?",
    here: "scans",
    simulated: scan.simulated,
    summary: html`Scan of <a href="${inOrganization(slug, path)}">${formatMinute(scan.startedAt)}</a>`,
    body: html`<section class="panel"><p>${pluralized(answered, "answer")} ${stay}, ${
      pluralized(open, "question")
    } ${asked}. The scan will have no score. This cannot be undone.</p><form class="actions" method="post" action="${
      inOrganization(slug, `${path}/cancel`)
    }"><button class="danger">Cancel the scan</button><a class="button" href="${
      inOrganization(slug, path)
    }">Keep it running</a></form></section>`
  })
}
