/** AI traffic and its CSV. */
import { dateBound, isSimulatedSource } from "@sov/core/common"
import { type AiTraffic, builtInSources, importTraffic, readAiTraffic } from "@sov/core/traffic"
import { Effect, Result, Schema, Stream } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv, showPage } from "../guard/Reply.ts"
import { type ImportedLog, trafficPage } from "../pages/traffic.ts"
import { isFilterOn, readFilter, withoutEmptyFields } from "./query.ts"

const Day = Schema.String.check(
  Schema.makeFilter((text) => text.length === 10 && dateBound(text, "from") !== null ? true : "must be a day")
)

/** Maximum number of landing pages per signal, on the page and in the CSV. */
const shownPages = 10
const maxPages = 1000

const read = Effect.fnUntraced(function*(request: OrganizationRequest, pages: number) {
  const filters = {
    from: yield* readFilter(request, "from", Day),
    to: yield* readFilter(request, "to", Day),
    crawlers: isFilterOn(request, "crawlers") ? "1" as const : undefined
  }
  const traffic = yield* readAiTraffic(request.organization.id, request.window, {
    from: filters.from ?? null,
    to: filters.to ?? null,
    crawlers: filters.crawlers !== undefined,
    pages
  })
  return { filters, traffic }
})

/** GET /o/{slug}/traffic */
export const showTraffic = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const clean = withoutEmptyFields(request, `/o/${request.organization.slug}/traffic`)
  return clean ?? showPage(trafficPage(request.frame, { ...yield* read(request, shownPages), imported: null }))
})

/** Whether an uploaded log is gzipped. */
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** POST /o/{slug}/traffic: counts the requests in a log of the web server. A log that is sent twice is counted once. */
export const importLog = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, upload } = request
  let size = 0
  const log = Stream.tap(upload, (bytes) => {
    if (size === 0 && isGzip(bytes)) {
      return Effect.fail(
        new PageRefused({ status: 422, words: "This file is compressed (gzip). Decompress it and upload the log." })
      )
    }
    size += bytes.length
    return Effect.void
  })
  const result = yield* Effect.result(importTraffic(organization.id, log, { sources: builtInSources }))
  const imported: ImportedLog = size === 0 && (Result.isSuccess(result) || result.failure._tag === "InvalidLog")
    ? { counted: null, fault: "No file was chosen, or it is empty." }
    : Result.isSuccess(result)
    ? { counted: result.success, fault: null }
    : result.failure._tag === "InvalidLog"
    ? { counted: null, fault: result.failure.message }
    : yield* Effect.fail(result.failure)
  const page = trafficPage(frame, { ...yield* read(request, shownPages), imported })
  return showPage(page, { status: imported.fault === null ? 200 : 422 })
})

interface Line {
  readonly signal: "referrer" | "tag" | "crawler"
  readonly source: string
  readonly name: string
  readonly day: string
  readonly count: number
}

const listLines = ({ crawlers, referrerSignals, tagOnlyVisits }: AiTraffic): ReadonlyArray<Line> => {
  const ofAssistants = (
    signal: "referrer" | "tag",
    all: AiTraffic["tagOnlyVisits"]["assistants"] | AiTraffic["referrerSignals"]["assistants"]
  ) => all.flatMap(({ assistant, days, name }) => days.map((one) => ({ signal, source: assistant, name, ...one })))
  return [
    ...ofAssistants("referrer", referrerSignals.assistants),
    ...ofAssistants("tag", tagOnlyVisits.assistants),
    ...(crawlers?.agents ?? []).flatMap(({ agent, days }) =>
      days.map((one) => ({ signal: "crawler" as const, source: agent, name: agent, ...one }))
    )
  ]
}

/** GET /o/{slug}/traffic.csv: requests by signal, assistant and day. Different signals are never added up. */
export const downloadTraffic = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { traffic } = yield* read(request, 0)
  const simulated = traffic.sourceVersions.some(isSimulatedSource)
  const columns = { ...columnsOf<Line>("signal", "source", "name", "day", "count"), simulated: () => simulated }
  return sendCsv<Line>("ai-traffic.csv", columns, listLines(traffic))
})

/** GET /o/{slug}/traffic/pages.csv */
export const downloadLandingPages = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { referrerSignals, tagOnlyVisits } = (yield* read(request, maxPages)).traffic
  const lines = [
    ...referrerSignals.landingPages.map((page) => ({ signal: "referrer", ...page })),
    ...tagOnlyVisits.landingPages.map((page) => ({ signal: "tag", ...page }))
  ]
  return sendCsv("landing-pages.csv", columnsOf<typeof lines[number]>("signal", "path", "count"), lines)
})
