/** Competitors: the page and its CSV. */
import { atLeast, formatNarrowing, readCompetitors, roundHalfUp } from "@sov/core"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendCsv, showPage } from "../guard/Reply.ts"
import { competitorsPage, noBrandPage } from "../pages/competitors.ts"
import { brandPage } from "../pages/names.ts"
import { emptyForm } from "./names.ts"

/** Scans of the small courses. */
const courseScans = 12

const read = ({ organization, window }: OrganizationRequest) => readCompetitors(organization.id, window, courseScans)

/** GET /o/{slug}/competitors */
export const showCompetitors = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame } = request
  const found = yield* read(request).pipe(Effect.catchTag("NotReady", () => Effect.succeed(null)))
  if (found === null && !atLeast(frame.role, "member")) return showPage(noBrandPage(frame))
  const form = yield* emptyForm
  return showPage(found === null ? brandPage(frame, form) : competitorsPage(frame, found, form))
})

const oneDigit = (value: number | null | undefined): number | null => value == null ? null : roundHalfUp(value, 1)

/** GET /o/{slug}/competitors.csv: a line for everybody who is named or tracked. */
export const downloadCompetitors = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const found = yield* read(request).pipe(Effect.catchTag("NotReady", () => Effect.succeed(null)))
  const { named = [], scan, trackedSet } = found ?? {}
  const tracked = new Map(trackedSet?.competitors.map((one) => [one.id, one]))
  const known = new Set(named.map(({ id }) => id))
  const lines = [
    ...named.map(({ id, interval, name, sov, who }) => ({
      who,
      id,
      name,
      sov,
      interval,
      of: who === "brand" ? trackedSet?.brand : id === null ? undefined : tracked.get(id)
    })),
    ...[...tracked.values()].filter(({ id }) => !known.has(id)).map((one) => ({
      who: "competitor" as const,
      id: one.id,
      name: one.name,
      sov: null,
      interval: null,
      of: one
    }))
  ]
  return sendCsv<typeof lines[number]>("competitors.csv", {
    scan_id: () => scan?.id,
    kind: ({ who }) => who,
    id: ({ id }) => id,
    name: ({ name }) => name,
    sov: ({ sov }) => oneDigit(sov),
    interval_low: ({ interval }) => oneDigit(interval?.low),
    interval_high: ({ interval }) => oneDigit(interval?.high),
    aliases: ({ of }) => of?.aliases.join("; "),
    domains: ({ of }) => of?.domains.join("; "),
    simulated: () => scan?.simulated,
    asked: () => scan == null ? null : formatNarrowing(scan)
  }, lines)
})
