import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { OutsideWindow } from "../errors.ts"
import { findScan } from "./readScan.ts"

/** Finds a scan as `findScan`. Fails with OutsideWindow for one that is older than what the window shows. */
export const findShownScan = Effect.fn("findShownScan")(
  function*(organizationId: OrganizationId, window: HistoryWindow, idOrLatest: string) {
    const scan = yield* findScan(organizationId, idOrLatest)
    if (isInWindow(window, scan.startedAt)) return scan
    return yield* new OutsideWindow({ what: "scan", id: scan.id, since: window.since! })
  }
)
