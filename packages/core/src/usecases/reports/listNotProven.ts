/** Lists the statements of a report that are not proven, by the classes of its fields. */
import { hashTrackedSet, type ScanFacts, scanFactsOf } from "../../domain/archive/SealFacts.ts"
import { listUnprovenTopics, type UnprovenTopic } from "../../domain/reports/evidenceClasses.ts"
import type { EvidenceAnswer, ReportEvidence } from "../../domain/reports/ReportEvidence.ts"
import { isGroundingRedirect, locateSource } from "../../domain/sources/deriveSources.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { sourceVersion } from "../../domain/sources/Source.ts"
import { findSystemTag } from "../../domain/tracking/Tag.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { capturedView } from "../../domain/tracking/ViewInput.ts"

/**
 * Whether the cited and searched sites of an answer can be derived from sealed data; null if other rules or redirects
 * determine them.
 */
export const areSitesSealed = (evidence: ReportEvidence, { cites, sealed }: EvidenceAnswer): boolean | null => {
  if (sealed?.leaf_version === undefined || cites === undefined) return null
  if (sealed.source_version !== sourceVersion || sealed.sources.some(({ url }) => isGroundingRedirect(url))) return null
  const set = evidence.sets.find(({ version }) => version === evidence.header.owners)
  if (set === undefined) return null
  const ownerOf = makeOwnerLookup(set)
  const found = sealed.sources.flatMap((source) => {
    const place = locateSource(source)
    if (source.kind === "retrieved" || place.domain === null) return []
    const owner = ownerOf(place)
    return owner.kind === "engine"
      ? []
      : [`${place.domain} ${owner.kind === "competitor" ? owner.id : owner.kind === "own" ? "own" : "other"}`]
  })
  const evident = sealed.queries.length > 0 || sealed.sources.some(({ kind }) => kind !== "in_text")
  if (cites.silent === true && evident) return false
  const isSilent = cites.silent === true || sealed.search === "off" || (sealed.search === null && !evident)
  if (cites.unread === true || cites.searched !== (isSilent ? null : evident)) return false
  const stated = cites.sites.map((at) => `${evidence.sites[at]?.domain} ${evidence.sites[at]?.owner}`)
  return [...new Set(found)].toSorted().join("\n") === stated.toSorted().join("\n")
}

/** Describes the names with which answers were measured, as the figures use them. */
const describeNames = ({ brand, competitors }: TrackedSet): string =>
  [brand, ...competitors].map(({ aliases, context = [], domains, name }) =>
    [
      name,
      ...aliases.length > 0 ? [`also ${aliases.join(", ")}`] : [],
      ...context.length > 0 ? [`beside ${context.join(", ")}`] : [],
      ...domains.length > 0 ? [`at ${domains.join(", ")}`] : []
    ].join(" ")
  ).concat(brand.excludes.length > 0 ? [`not counted: ${brand.excludes.join(", ")}`] : []).join("; ")

/** Describes the topics that people decided, because their choice changes intervals. */
const describeTopics = ({ topics }: TrackedSet): string =>
  topics === undefined ? "" : `; ${topics.length} topics that people decided`

/** Whether a seal covers the digest of these names. */
const isSetSealed = ({ seals }: ReportEvidence, set: TrackedSet): boolean =>
  seals.some(({ header: { facts } }) =>
    facts?.tracked_set === set.version && facts.tracked_set_sha256 === hashTrackedSet(set)
  )

/** The names that a seal of the report covers, as one sentence per version. */
export const listSealedNames = (evidence: ReportEvidence): ReadonlyArray<string> =>
  evidence.sets.filter((set) => isSetSealed(evidence, set))
    .map((set) => `names of version ${set.version}: ${describeNames(set)}${describeTopics(set)}`)

/** Describes the versions that scans claim to be measured with, if they differ from those at the time of sealing. */
const describeVersions = ({ scans, seals }: ReportEvidence): ReadonlyArray<string> => {
  const stated = scans.flatMap(({ id, measured }) => {
    const facts = scanFactsOf(seals.find(({ header }) => header.scan_id === id)?.header.facts)
    if (measured === null) return []
    const { icu, measure_version: rules, tracked_set_version: names } = measured
    const isSealed = facts?.tracked_set === names && facts.measure_version === rules
    return [
      ...isSealed ? [] : [`that scans were measured with rules of version ${rules} and names of version ${names}`],
      ...icu === null ? [] : [`that scans were measured with Unicode data ${icu}`]
    ]
  })
  return [...new Set(stated)]
}

/** Whether the facts of a seal prove that its scan does not belong to the trend. */
const isOfAnotherTrend = (facts: ScanFacts | undefined, [newest, ...earlier]: ReportEvidence["scans"]): boolean =>
  facts !== undefined && newest !== undefined && (
    facts.status !== "completed" || facts.simulated !== newest.simulated ||
    Date.parse(facts.started_at) < (earlier.at(-1) ?? newest).startedAt.getTime()
  )

const describeTrend = ({ scans, seals }: ReportEvidence): ReadonlyArray<string> => {
  const listed = new Set<string>(scans.map(({ id }) => id))
  const isPlan = ({ facts, leaf_count }: typeof seals[number]["header"]) => facts?.version === 4 && leaf_count === 0
  const unlisted = seals.filter(({ header }) =>
    !listed.has(header.scan_id) && !isPlan(header) && !isOfAnotherTrend(scanFactsOf(header.facts), scans)
  )
    .map((seal) => seal.header.sequence)
  const unscored = scans.filter(({ id, measured }) =>
    measured === null &&
    !seals.some(({ header }) =>
      header.scan_id === id && (scanFactsOf(header.facts)?.status ?? "completed") !== "completed"
    )
  ).length
  return [
    ...unscored === 0
      ? []
      : [`that ${unscored} ${unscored === 1 ? "scan of the trend has" : "scans of the trend have"} no score`],
    ...unlisted.map((sequence) => `that the scan of seal ${sequence} does not belong to its trend`)
  ]
}

const describeSources = (evidence: ReportEvidence): ReadonlyArray<string> => {
  const citing = evidence.seals.flatMap(({ answers }) => answers ?? []).filter(({ cites }) => cites !== undefined)
  const stated = citing.filter((answer) => areSitesSealed(evidence, answer) === null).length
  return stated === 0 ? [] : [`the sources of ${stated} of ${citing.length} answers`]
}

/** Describes the origins: leaves cover them from version 2 on, but leaves can be recomputed only from texts. */
const describeOrigins = ({ seals }: ReportEvidence): ReadonlyArray<string> =>
  seals.flatMap(({ answers }) => answers ?? []).every(({ sealed }) => sealed?.leaf_version !== undefined)
    ? []
    : ["which models answered and whether they searched, and so where the course of a platform breaks"]

/** The sentences of each topic; empty if the evidence states nothing about it. */
const sentences: {
  readonly [Topic in UnprovenTopic]: (evidence: ReportEvidence) => ReadonlyArray<string>
} = {
  cover: ({ header: { branding }, scans: [newest] }) => [
    ...newest?.view === undefined ? [] : ["the words of its questions: its view may ask in words of its own"],
    ...newest?.view?.name === capturedView.name
      ? ["who saw the answers in an app, and when: that is the word of the person who imported them"]
      : [],
    `title, logo, ${
      branding === undefined ? "" : "colours, sender, last line, "
    }names of platforms, and the organization's name and id`,
    "the period that was asked for, when the report was made, and how its numbers and dates are written"
  ],
  names: (evidence) => [
    ...evidence.sets.filter((set) => !isSetSealed(evidence, set))
      .map((set) => `the names of version ${set.version}: ${describeNames(set)}${describeTopics(set)}`),
    `that version ${evidence.header.owners} of the names says whose page a source is`
  ],
  versions: describeVersions,
  extent: () => ["questions without an answer, and how much of what is configured was asked"],
  times: () => ["when scans began and ended, within ten minutes of what is sealed"],
  trend: describeTrend,
  origins: describeOrigins,
  tag: ({ header: { tag } }) =>
    tag === undefined || findSystemTag(tag) !== null ? [] : ["which questions have the tag"],
  kinds: ({ header: { kinds, page } }) =>
    page < 5 ? [] : [`how many kinds of question there are (${kinds ?? "unknown"}), which tags decide`],
  // A forger may claim an earlier page version to hide data that such a page did not show
  page: ({ header: { page } }) =>
    page < 5
      ? [
        `what pages of version ${page} leave out: next actions, the grade of the evidence${
          page < 4 ? ", experiments" : ""
        }`
      ]
      : [],
  threshold: ({ header: { threshold } }) => [
    threshold === undefined ? "that no alert threshold applies" : `the alert threshold of ${threshold} points`
  ],
  next: ({ header: { next, page, tag } }) =>
    tag !== undefined || page < 5
      ? []
      : next === undefined
      ? ["that the organization has decided about no action"]
      : [
        ...next.stated.map(({ title }) => `the action “${title}”`),
        `about which actions the organization has decided (${next.decided.length})`
      ],
  sources: describeSources,
  silence: ({ header }) => header.answers ? ["which platforms without sources could name any"] : [],
  kind: () => ["whether the answers are real or simulated"],
  answers: () => ["whom the answers name and what they cite"]
}

/**
 * The statements of the report that are not proven, by topic: no seal covers them, and they cannot be derived from
 * sealed data.
 */
export const listNotProven = (
  evidence: ReportEvidence
): ReadonlyArray<{ readonly topic: UnprovenTopic; readonly text: string }> =>
  [...listUnprovenTopics(evidence)].flatMap((topic) => sentences[topic](evidence).map((text) => ({ topic, text })))
