/** The results of a log import, and the AI traffic, for programs and people. */
import type { AiTraffic, SignalCounts, TrafficImport } from "@sov/core/traffic"
import { printable } from "../../output/Output.ts"
import { formatGrouped, pluralizeGrouped } from "../../render/counted.ts"

/** The result of reading one log. */
export interface ImportedLog extends TrafficImport {
  readonly file: string
}

interface Imported {
  readonly logs: ReadonlyArray<ImportedLog>
  /** Version of the table of AI sources. */
  readonly sources: string
  readonly dryRun: boolean
}

export const makeZeroCounts = (): SignalCounts => ({ referrer: 0, tag: 0, crawler: 0 })
export const addCounts = (a: SignalCounts, b: SignalCounts): SignalCounts => ({
  referrer: a.referrer + b.referrer,
  tag: a.tag + b.tag,
  crawler: a.crawler + b.crawler
})

const countsJson = (counts: SignalCounts) => ({
  referrer_signals: counts.referrer,
  tag_only_visits: counts.tag,
  crawler_requests: counts.crawler
})

/** Names the signals that the log cannot show, because it lacks the data. */
const listMissingSignals = ({ log, ownSite }: ImportedLog): ReadonlyArray<string> => {
  if (log.lines === log.badLines) return []
  return [
    ...log.referrers ? [] : ["no line has a referrer: --field referrer=NAME names it, if it is there"],
    ...log.userAgents ? [] : ["no line has a user agent: --field user_agent=NAME names it, if it is there"],
    ...ownSite ? [] : ["your own site is not known, so its pages count as another's: --site HOST names it"]
  ]
}

export const importJson = ({ dryRun, logs, sources }: Imported) => ({
  dry_run: dryRun,
  sources_version: sources,
  found: countsJson(logs.reduce((sum, { found }) => addCounts(sum, found), makeZeroCounts())),
  added: countsJson(logs.reduce((sum, { added }) => addCounts(sum, added), makeZeroCounts())),
  files: logs.map((one) => ({
    file: one.file,
    format: one.log.format,
    lines: one.log.lines,
    bad_lines: one.log.badLines,
    first_bad_lines: one.log.firstBad,
    notes: listMissingSignals(one),
    found: countsJson(one.found),
    added: countsJson(one.added)
  }))
})

const logText = (one: ImportedLog): ReadonlyArray<string> => {
  const { badLines, firstBad, format, lines } = one.log
  const shown = firstBad.map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = badLines - firstBad.length
  return [
    `${one.file === "-" ? "stdin" : printable(one.file)}: ${pluralizeGrouped(lines, "line")}${
      format === null ? "" : `, ${format}`
    }${badLines === 0 ? "" : `, ${formatGrouped(badLines)} of them bad`}`,
    ...shown,
    ...more > 0 ? [`  … and ${formatGrouped(more)} more bad lines`] : [],
    ...listMissingSignals(one).map((note) => `  note: ${note}`)
  ]
}

export const importText = (imported: Imported): string => {
  const { added, found } = importJson(imported)
  const verb = imported.dryRun ? "would be counted" : "counted now"
  const formatRow = (name: string, all: number, fresh: number): string =>
    `  ${name.padEnd(17)} ${formatGrouped(all).padStart(11)}   ${formatGrouped(fresh)} ${verb}${
      all === fresh ? "" : `, ${formatGrouped(all - fresh)} were before`
    }`
  return [
    ...imported.logs.flatMap(logText),
    formatRow("referrer signals", found.referrer_signals, added.referrer_signals),
    formatRow("tag-only visits", found.tag_only_visits, added.tag_only_visits),
    formatRow("crawler requests", found.crawler_requests, added.crawler_requests),
    `Source table ${imported.sources}. ${
      imported.dryRun ? "Dry run: nothing was stored." : "sov traffic show shows what was counted."
    }`
  ].join("\n")
}

/**
 * The AI traffic as JSON. Referrer signals and tag-only visits are separate members, which must not be added together.
 */
export const trafficJson = (traffic: AiTraffic) => ({
  from: traffic.from,
  to: traffic.to,
  first_day: traffic.firstDay,
  last_day: traffic.lastDay,
  referrer_signals: {
    count: traffic.referrerSignals.count,
    tagged: traffic.referrerSignals.tagged,
    assistants: traffic.referrerSignals.assistants,
    landing_pages: traffic.referrerSignals.landingPages
  },
  tag_only_visits: {
    count: traffic.tagOnlyVisits.count,
    foreign_referrer: traffic.tagOnlyVisits.foreignReferrer,
    assistants: traffic.tagOnlyVisits.assistants.map(({ foreignReferrer, ...one }) => ({
      ...one,
      foreign_referrer: foreignReferrer
    })),
    landing_pages: traffic.tagOnlyVisits.landingPages
  },
  ...traffic.crawlers === null ? {} : { crawlers: traffic.crawlers },
  source_versions: traffic.sourceVersions,
  lower_bound: traffic.lowerBound
})
