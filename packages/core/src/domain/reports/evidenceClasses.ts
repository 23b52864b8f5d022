/**
 * What a report proves about each field of its evidence. A field without a class does not compile.
 *
 * - `sealed`: a seal covers the field.
 * - `recomputed`: the check recomputes the field from sealed data, or compares it with such data.
 * - `unproven`: nothing proves the field; the report and its check print its topic under "Not proven".
 */
import type { SealJson } from "../archive/Proof.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type {
  EvidenceAnswer,
  EvidenceKeyword,
  EvidenceScan,
  EvidenceSite,
  ReportEvidence,
  ReportHeader,
  StatedNext
} from "./ReportEvidence.ts"

/** Topics of unproven fields; fields of one topic share a sentence. */
export type UnprovenTopic =
  | "cover"
  | "names"
  | "versions"
  | "kind"
  | "extent"
  | "times"
  | "trend"
  | "origins"
  | "tag"
  | "kinds"
  | "page"
  | "threshold"
  | "next"
  | "sources"
  | "silence"
  | "answers"

export type FieldClass = "sealed" | "recomputed" | { readonly unproven: UnprovenTopic }

/**
 * The class of a field in a report with the texts of the answers and in one without, and in a report whose seals cover
 * facts of scans.
 */
interface FieldProof {
  readonly withTexts: FieldClass
  readonly withoutTexts: FieldClass
  readonly withFacts?: FieldClass
}

const always = (proof: FieldClass): FieldProof => ({ withTexts: proof, withoutTexts: proof })
const sealed = always("sealed")
const recomputed = always("recomputed")
const stated = (unproven: UnprovenTopic): FieldProof => always({ unproven })
const byTexts = (withTexts: FieldClass, unproven: UnprovenTopic = "answers"): FieldProof => ({
  withTexts,
  withoutTexts: { unproven }
})

const byFacts = (unproven: UnprovenTopic, withTexts: FieldClass = { unproven }): FieldProof => ({
  withTexts,
  withoutTexts: { unproven },
  withFacts: "recomputed"
})

type Proofs<Value> = { readonly [Name in keyof Value]-?: FieldProof }
type Measured = NonNullable<EvidenceScan["measured"]>
type Citations = NonNullable<EvidenceAnswer["cites"]>

/** The class of each field, grouped by the kind of its line. */
export const evidenceClasses = {
  report: {
    format: recomputed,
    page: stated("page"),
    style: recomputed,
    made_at: stated("cover"),
    icu: stated("cover"),
    organization_id: stated("cover"),
    organization: stated("cover"),
    title: stated("cover"),
    locale: stated("cover"),
    time_zone: stated("cover"),
    from: stated("cover"),
    to: stated("cover"),
    logo: stated("cover"),
    branding: stated("cover"),
    answers: recomputed,
    asked: stated("extent"),
    tag: stated("tag"),
    threshold: stated("threshold"),
    annotations: stated("cover"),
    kinds: stated("kinds"),
    next: stated("next"),
    labels: stated("cover"),
    owners: stated("names")
  } satisfies Proofs<ReportHeader>,
  next: {
    decided: stated("next"),
    stated: stated("next")
  } satisfies Proofs<StatedNext>,
  tracked_set: {
    version: stated("names"),
    brand: stated("names"),
    competitors: stated("names"),
    topics: stated("names"),
    createdAt: stated("names")
  } satisfies Proofs<TrackedSet>,
  keyword: {
    id: byTexts("sealed"),
    text: byTexts("sealed"),
    branded: recomputed,
    tagged: stated("tag")
  } satisfies Proofs<EvidenceKeyword>,
  scan: {
    id: sealed,
    status: byFacts("trend"),
    scanType: stated("extent"),
    platforms: byFacts("extent"),
    samples: byFacts("extent"),
    cellCount: byFacts("extent"),
    simulated: byFacts("kind", "recomputed"),
    trackedSetVersion: byFacts("versions"),
    quotaPeriod: stated("extent"),
    startedAt: byFacts("times"),
    completedAt: byFacts("times"),
    askable: byFacts("extent"),
    surface: byFacts("kind"),
    view: byFacts("kind"),
    measured: stated("trend")
  } satisfies Proofs<EvidenceScan>,
  measured: {
    measure_version: byTexts("recomputed", "versions"),
    tracked_set_version: stated("versions"),
    icu: stated("versions"),
    asked: stated("extent"),
    failed: stated("extent"),
    no_overview: stated("extent")
  } satisfies Proofs<Measured>,
  site: {
    domain: byTexts({ unproven: "sources" }),
    owner: byTexts({ unproven: "sources" })
  } satisfies Proofs<EvidenceSite>,
  seal: {
    sequence: sealed,
    scan_id: sealed,
    leaf_count: sealed,
    root: sealed,
    previous: sealed,
    sealed_at: sealed,
    facts: sealed,
    hash: sealed
  } satisfies Proofs<SealJson>,
  answer: {
    id: byTexts("sealed"),
    leaf: sealed,
    platform: byTexts("sealed"),
    keyword: byTexts("sealed"),
    brand: byTexts("recomputed"),
    competitors: byTexts("recomputed"),
    model: stated("origins"),
    search: stated("origins"),
    market: stated("origins"),
    cites: byTexts({ unproven: "sources" }),
    sealed
  } satisfies Proofs<EvidenceAnswer>,
  cites: {
    sites: byTexts({ unproven: "sources" }),
    silent: byTexts({ unproven: "silence" }),
    searched: byTexts({ unproven: "sources" }),
    unread: byTexts({ unproven: "sources" })
  } satisfies Proofs<Citations>
}

/** Whether the seals of all scans that have a score cover facts of these scans. */
const haveFacts = ({ scans, seals }: Pick<ReportEvidence, "scans" | "seals">): boolean =>
  scans.every(({ id, measured }) =>
    measured === null || seals.find(({ header }) => header.scan_id === id)?.header.facts !== undefined
  )

/** The class of each field in this evidence, as `[line, field, class]`. */
export const classifyFields = (
  evidence: Pick<ReportEvidence, "header" | "scans" | "seals">
): ReadonlyArray<readonly [line: string, field: string, found: FieldClass]> => {
  const facts = haveFacts(evidence)
  return Object.entries(evidenceClasses).flatMap(([line, fields]) =>
    Object.entries<FieldProof>(fields).map(([field, { withFacts, withTexts, withoutTexts }]) =>
      [line, field, (facts ? withFacts : undefined) ?? (evidence.header.answers ? withTexts : withoutTexts)] as const
    )
  )
}

/** The topics in which part of this evidence is unproven. */
export const listUnprovenTopics = (
  evidence: Pick<ReportEvidence, "header" | "scans" | "seals">
): ReadonlySet<UnprovenTopic> =>
  new Set(classifyFields(evidence).flatMap(([, , found]) => typeof found === "string" ? [] : [found.unproven]))
