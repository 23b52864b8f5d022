/** What people read of a drop: on the command line and in the subject of the e-mail. */
import { type Alert, type EventData, type EventId, makeSampleEvent, renderAlertMail, type ScanId } from "@sov/core"
import { expect, it } from "vitest"
import { alertText } from "../../packages/cli/src/render/alertText.ts"

const dropped = (previous_sov: number, current_sov: number): Alert => ({
  id: "1" as EventId,
  createdAt: new Date(0),
  rule: "sov_drop",
  event: "sov.dropped",
  data: {
    scan_id: "b" as ScanId,
    previous_scan_id: "a" as ScanId,
    previous_sov,
    current_sov,
    drop: previous_sov - current_sov,
    threshold: 40,
    confirmed: true,
    cells_moved: 3,
    n_cells: 30,
    z: 0
  }
})

it.each([
  [42.14, 37.2, "fell from 42.1 to 37.2", "fell to 37.2 %"],
  [40, 39.99, "fell from 40 to 39.99", "fell to 39.99 %"],
  [40, 40 - 1e-7, "fell from 40 to just below 40", "fell to just below 40 %"],
  [36, 34, "fell from 36 to 34", "fell to 34 %"],
  // The noise gate tells of a share that stayed below
  [34, 34, "stays at 34, 34 before", "stays at 34 %"],
  [34, 36, "stays at 36, 34 before", "stays at 36 %"],
  [36, 36 - 1e-7, "stays at 36, 36 before", "stays at 36 %"]
])("a change from %d to %d is called a fall only if the share fell", (before, now, line, subject) => {
  const alert = dropped(before, now)
  expect(alertText(alert)).toBe(`share of voice ${line} (threshold 40)`)
  const mail = renderAlertMail(alert, { organization: "Acme", brand: "Acme", keywords: new Map(), comparedWith: null })
  expect(mail.subject).toBe(`Acme: share of voice ${subject} (threshold 40 %)`)
  expect(mail.text).toContain("3 of the 30 pairs of question and platform that both scans answered moved")
})

it("an e-mail names the scan that it compares with, and the number of questions behind the shares", () => {
  const names = { organization: "Acme", brand: "Acme", keywords: new Map() }
  const startedAt = new Date("2026-01-31T23:59:58Z")
  const some = renderAlertMail(dropped(50, 20), { ...names, comparedWith: { startedAt, ofCells: 50 } }).text
  expect(some).toContain("Before:    50 % in the scan of 31 Jan 2026, 23:59 UTC")
  expect(some).toContain(
    "These shares cover the 30 pairs of question and platform that both scans answered; the larger"
  )
  expect(some).toContain("the larger scan answered 50.")
  expect(some).toContain("sov scan compare a b\n")
  const all = renderAlertMail(dropped(50, 20), { ...names, comparedWith: { startedAt, ofCells: 30 } }).text
  expect(all).not.toContain("These shares cover")
  const { data, event } = makeSampleEvent("competitor.overtake", "1" as EventId, startedAt)
  const overtaken = { id: "1" as EventId, rule: "competitor_overtake", event, data, createdAt: startedAt } as Alert
  const other = renderAlertMail(overtaken, { ...names, comparedWith: { startedAt, ofCells: 60 } }).text
  expect(other).toMatch(/^Brand before: +36 % in the scan of 31 Jan 2026, 23:59 UTC$/m)
  expect(other).toContain("These shares cover the 50 pairs")
  expect(other).toMatch(/sov scan compare 01900000\S+0 01900000\S+1\n/)
})

it("an e-mail shows the labels of platforms beside the identifiers that programs use", () => {
  const createdAt = new Date("2026-01-31T23:59:58Z")
  const { data, event } = makeSampleEvent("mention.detected", "1" as EventId, createdAt)
  const alert = { id: "1" as EventId, rule: "new_mention", event, data, createdAt } as Alert
  const names = { organization: "Acme", brand: "Acme", keywords: new Map(), comparedWith: null }
  const platform = (data as EventData<"mention.detected">).mentions[0]!.platform
  const labelled = renderAlertMail(alert, { ...names, platformLabels: new Map([[platform, "ChatGPT <b>"]]) })
  expect(labelled.text).toContain(`ChatGPT <b> (${platform}):`)
  expect(labelled.html).toContain(`ChatGPT &lt;b&gt; (${platform})`)
  expect(renderAlertMail(alert, names).text).toMatch(new RegExp(`^${platform}:`, "m"))
})
