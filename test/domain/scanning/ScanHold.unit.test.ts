/** What holds a running scan up, and how it is said. */
import { type Backlog, describeScanHold, findScanHold, type PlatformId, stalledAfter } from "@sov/core"
import { Duration } from "effect"
import { expect, it } from "vitest"

const now = new Date("2026-11-22T12:00:00Z")
const ago = (ms: number) => new Date(now.getTime() - ms)
const running = (due: Partial<Record<PlatformId, number>>, lastActivityAt: Date | null = now) => ({
  scan: { startedAt: ago(3_600_000) },
  backlog: {
    platforms: Object.entries(due).map(([platform, n]) => ({
      platform: platform as PlatformId,
      open: 9,
      due: n,
      nextDueAt: now
    })),
    lastActivityAt
  } satisfies Backlog
})
const worker = (...platforms: ReadonlyArray<PlatformId>) => ({ platforms })
const long = Duration.toMillis(stalledAfter)

it.each([
  ["a worker asks what is due", running({ assistant_a: 3 }), [worker("assistant_a")], null],
  ["all wait for a retry, and no worker is there", running({ assistant_a: 0 }), [], null],
  ["no worker is active", running({ assistant_a: 3 }), [], "no worker is active"],
  [
    "workers ask others only",
    running({ assistant_a: 3, assistant_b: 1, assistant_c: 0 }),
    [worker("assistant_d"), worker("assistant_b")],
    "no worker asks assistant_a"
  ],
  [
    "a worker asks, and nothing happens",
    running({ assistant_a: 3 }, ago(long + 1)),
    [worker("assistant_a")],
    "a worker asks, and it makes no progress"
  ],
  [
    "a worker asks, and nothing has ever happened",
    running({ assistant_a: 3 }, null),
    [worker("assistant_a")],
    "a worker asks, and it makes no progress"
  ],
  ["something has happened just in time", running({ assistant_a: 3 }, ago(long)), [worker("assistant_a")], null],
  ["nothing happens while all wait", running({ assistant_a: 0 }, ago(long + 1)), [worker("assistant_a")], null]
])("the reason why a scan waits is correct if %s", (_, scan, workers, words) => {
  const hold = findScanHold(scan, workers, now)
  expect(hold === null ? null : describeScanHold(hold)).toBe(words)
})
