/** The points of the overview's trend. */
import type { Scan, Standing } from "@sov/core"
import { scan } from "@sov/core/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect, it } from "vitest"
import { makeTrendPoints } from "../../../packages/http/src/dashboard/pages/overview.ts"

type Point = Standing["trend"][number]

const one = Effect.runSync(Effect.provide(scan(), SecureRandom.layerWebCrypto))
const point = (day: number, more: Partial<Point> & { readonly status?: Scan["status"] } = {}): Point => ({
  scan: { ...one, status: more.status ?? "completed", startedAt: new Date(Date.UTC(2026, 0, day)) },
  sov: 30,
  interval: null,
  comparable: true,
  changed: null,
  breaks: [],
  ...more
})

it("the trend states why a scan has no score", () => {
  const points = makeTrendPoints([
    point(1),
    point(2, { sov: null, status: "failed" }),
    point(3, { sov: null, status: "cancelled" }),
    point(4, { sov: null })
  ])
  expect(points.map(({ note, value }) => [value, note])).toEqual([
    [30, undefined],
    [null, "no answer came"],
    [null, "cancelled"],
    [null, "not measured yet"]
  ])
})

it("the trend states a change of names or rules, and calls no scan before it partial", () => {
  const points = makeTrendPoints([
    point(1, { comparable: false }),
    point(2, { comparable: false, changed: "rules" }),
    point(3, { changed: "names" }),
    point(4, { breaks: [{ platform: "assistant_b", reason: "model", before: "old", after: "new" }] })
  ])
  expect(points.map(({ changed, partial }) => [changed, partial])).toEqual([
    [undefined, undefined],
    ["other rules", undefined],
    ["other names", undefined],
    ["assistant_b: model changed from old to new", undefined]
  ])
})

it("a scan that cannot be compared although names and rules did not change is called partial", () => {
  const points = makeTrendPoints([point(1), point(2, { comparable: false }), point(3)])
  expect(points.map(({ partial }) => partial)).toEqual([undefined, true, undefined])
})
