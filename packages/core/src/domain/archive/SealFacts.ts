/**
 * The facts of a scan that version 3 of a seal's header covers: facts that a reader of the answers must know but cannot
 * find in the answers. Seals of earlier versions have no facts.
 */
import { Schema } from "effect"
import { hash } from "node:crypto"
import { canonicalJson } from "../canonicalJson.ts"
import { Plan } from "../experiments/Plan.ts"
import { ExperimentId } from "../ids.ts"
import { measureVersion } from "../measuring/measureAnswer.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { Surface, View } from "../platforms/surface.ts"
import type { Scan } from "../scanning/Scan.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"

/** A SHA-256 in lower-case hex. */
export const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** A time as an export shows it. */
export const Time = Schema.String.check(Schema.makeFilter((text) => {
  const time = new Date(text)
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString() === text
    ? true
    : "must be a time as an export shows it"
}))

/** The versions of the names and rules. */
const versions = {
  /**
   * The version of the names with which the answers were measured when the scan ended, and `hashTrackedSet` of them.
   */
  tracked_set: Schema.Int,
  tracked_set_sha256: Hash,
  /** The version of the rules with which the answers were measured when the scan ended. */
  measure_version: Schema.Int
}

export const ScanFacts = Schema.Struct({
  version: Schema.Literal(3),
  status: Schema.Literals(["completed", "failed", "cancelled"]),
  started_at: Time,
  platforms: Schema.Array(PlatformId),
  samples: Schema.Int,
  /** Keywords × platforms × samples. */
  cells: Schema.Int,
  /** What the scan could have asked; null if unknown. */
  askable: Schema.NullOr(Schema.Struct({ keywords: Schema.Int, platforms: Schema.Int })),
  simulated: Schema.Boolean,
  ...versions,
  /** The surface and view of the answers; absent if unknown, and for the standard view. */
  surface: Schema.optionalKey(Surface),
  view: Schema.optionalKey(View)
})
export type ScanFacts = typeof ScanFacts.Type

/** Version 4: the plan of an experiment, or its early end. The seal has no leaves, and names the newest ended scan. */
const PlanFacts = Schema.Struct({ version: Schema.Literal(4), experiment: Plan, ...versions })
const StopFacts = Schema.Struct({
  version: Schema.Literal(4),
  stopped: Schema.Struct({ experiment: ExperimentId, reason: Schema.String }),
  ...versions
})

export const SealFacts = Schema.Union([ScanFacts, PlanFacts, StopFacts])
export type SealFacts = typeof SealFacts.Type

/** The facts if they describe a scan; otherwise undefined. */
export const scanFactsOf = (facts: SealFacts | undefined): ScanFacts | undefined =>
  facts?.version === 3 ? facts : undefined

type Terms = Pick<TrackedSet["brand"], "aliases" | "context" | "domains" | "name">

const termsOf = ({ aliases, context = [], domains, name }: Terms) => ({ name, aliases, domains, context })

/**
 * SHA-256 (hex) of the canonical JSON of `{version, brand, competitors}`: `id`, `name`, `aliases`, `domains` and
 * `context` of each, and the brand's `excludes`; with `topics`, if people decided any.
 */
export const hashTrackedSet = ({ brand, competitors, topics, version }: TrackedSet): string =>
  hash(
    "sha256",
    canonicalJson({
      version,
      brand: { id: brand.id, ...termsOf(brand), excludes: brand.excludes },
      competitors: competitors.map((one) => ({ id: one.id, ...termsOf(one) })),
      ...topics === undefined ? {} : { topics }
    }),
    "hex"
  )

/** The versions of these names and of the current rules, as facts. */
export const currentVersions = (set: TrackedSet) => ({
  tracked_set: set.version,
  tracked_set_sha256: hashTrackedSet(set),
  measure_version: measureVersion
})

/** The facts of a scan that ends with this status; `set` contains the names of the scan's version. */
export const makeSealFacts = (scan: Scan, status: ScanFacts["status"], set: TrackedSet): ScanFacts => ({
  version: 3,
  status,
  started_at: scan.startedAt.toISOString(),
  platforms: scan.platforms,
  samples: scan.samples,
  cells: scan.cellCount,
  askable: scan.askable ?? null,
  simulated: scan.simulated,
  ...currentVersions(set),
  ...scan.surface === undefined ? {} : { surface: scan.surface },
  ...scan.view === undefined ? {} : { view: scan.view }
})

const isScanFacts = Schema.is(ScanFacts)

/** Names the properties of a scan that differ from its seal; empty if the scan is as sealed. */
export const listScanDifferences = (
  facts: ScanFacts,
  scan: Omit<Scan, "quotaPeriod" | "scanType">
): ReadonlyArray<string> => {
  if (!isScanFacts(facts)) return ["its facts"]
  const time = scan.startedAt.getTime()
  const compared: ReadonlyArray<readonly [name: string, sealed: unknown, found: unknown]> = [
    ["status", facts.status, scan.status],
    ["beginning", Date.parse(facts.started_at), time],
    ["platforms", facts.platforms.join(" "), scan.platforms.join(" ")],
    ["samples", facts.samples, scan.samples],
    ["number of questions", facts.cells, scan.cellCount],
    ["part of what could be asked", describeAskable(facts.askable), describeAskable(scan.askable ?? null)],
    [facts.simulated ? "simulation" : "real platforms", facts.simulated, scan.simulated],
    ["version of names", facts.tracked_set, scan.trackedSetVersion],
    ["surface", facts.surface, scan.surface],
    ["view", describeView(facts.view), describeView(scan.view)]
  ]
  return compared.flatMap(([name, sealed, found]) => sealed === found ? [] : [name])
}

/**
 * Whether these are the names that were sealed under their version; also true for a version that the facts do not
 * contain.
 */
export const isSealedSet = (facts: SealFacts, set: TrackedSet): boolean =>
  facts.tracked_set !== set.version || facts.tracked_set_sha256 === hashTrackedSet(set)

const describeView = (view: View | undefined): string => view === undefined ? "" : canonicalJson({ ...view })

const describeAskable = (askable: ScanFacts["askable"]): string =>
  askable === null ? "" : `${askable.keywords} ${askable.platforms}`
