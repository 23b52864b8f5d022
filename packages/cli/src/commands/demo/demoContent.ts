/**
 * Content of the demo besides its scans: alert rules, a business card, and the log of a web server. All of it is
 * invented.
 */
import { setAlertRule } from "@sov/core/alerts"
import { attestBusinessCard, editBusinessCard, type EnteredFact, readBusinessCard } from "@sov/core/card"
import { type OrganizationId, simulatedMark } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import type { TrackingFile } from "@sov/core/tracking"
import { builtInSources, extendSources, importTraffic, readAiTraffic } from "@sov/core/traffic"
import { Effect, Result, Stream } from "effect"
import { sampleLog } from "./sampleLog.ts"

/** Invented names that no company uses. */
export const demoTracking: TrackingFile = {
  brand: { name: "Brumella", aliases: ["Brumella Coffee"], domains: ["brumella.example"] },
  competitors: [
    { name: "Kaffwerk", domains: ["kaffwerk.example"] },
    { name: "Moccaroni", domains: ["moccaroni.example"] },
    { name: "Espressivo Labs", domains: ["espressivo-labs.example"] },
    { name: "Beanhaven", domains: ["beanhaven.example"] }
  ],
  keywords: [
    "best espresso machine for a small kitchen",
    "which coffee machine is easiest to clean",
    "best espresso machine under 500 euros",
    "most reliable bean-to-cup machine",
    "quietest coffee grinder for home use",
    "best coffee machine for a small office",
    "espresso machine with the best milk foam",
    "which coffee brand has the best service"
  ].map((text) => ({ text }))
}

/** Enables the alert rules, so that the scans of the history raise alerts. */
export const enableDemoAlerts = Effect.fnUntraced(function*(id: OrganizationId) {
  yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 35 })
  yield* setAlertRule(id, { rule: "new_mention", enabled: true, sensitivity: "confirmed" })
  yield* setAlertRule(id, { rule: "competitor_overtake", enabled: true })
})

const madeUp = `${simulatedMark}: invented for the demo`

const makeFact = (field: EnteredFact["field"], ...value: NonNullable<EnteredFact["value"]>): EnteredFact => ({
  field,
  value,
  source: madeUp,
  updatedAt: null
})

/** A realistic card: some fields are filled, others not yet. */
const cardFacts: ReadonlyArray<EnteredFact> = [
  makeFact("name", "Brumella"),
  makeFact("legal_name", "Brumella Coffee GmbH"),
  makeFact("description", "Espresso machines and grinders for small kitchens and offices."),
  makeFact("founding_date", "2011-04"),
  makeFact("email", "hello@brumella.example"),
  makeFact("locality", "Berlin"),
  makeFact("country", "DE"),
  makeFact("languages", "de", "en"),
  makeFact("url", "https://brumella.example/"),
  makeFact("logo", "https://brumella.example/logo.svg"),
  makeFact("offerings", { name: "Brumella Uno", type: "product" }, { name: "Brumella Grind", type: "product" }),
  makeFact("topics", "espresso machines", "coffee grinders")
]

/** Fills and attests the card, unless it already has facts. */
export const fillDemoCard = Effect.fnUntraced(function*(id: OrganizationId) {
  if ((yield* readBusinessCard(id)).card.size > 0) return
  yield* editBusinessCard(id, cardFacts, { source: madeUp })
  yield* attestBusinessCard(id, "Demo")
})

/** Reports name the source table by its version, so this version marks the log as simulated */
const sources = Result.getOrThrow(extendSources(builtInSources, { version: simulatedMark }))

/** Imports the log of the four weeks before `now`, unless traffic has already been imported. */
export const importDemoTraffic = Effect.fnUntraced(function*(id: OrganizationId, now: number) {
  if ((yield* readAiTraffic(id, wholeHistory, { crawlers: true, pages: 0 })).firstDay !== null) return
  yield* importTraffic(id, Stream.succeed(new TextEncoder().encode(sampleLog(now))), { sources, format: "combined" })
})
