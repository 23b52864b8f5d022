/**
 * The table by which AI traffic is recognised: referrer hosts and tags of assistants, and user agents of their crawlers
 * (docs/measuring.md). `ai-sources.json` is the built-in table, compiled from public lists; operators may extend it.
 */
import { Result, Schema } from "effect"
import { DomainName } from "../tracking/TrackedSet.ts"
import builtIn from "./ai-sources.json" with { type: "json" }
import { normalizeHost } from "./hosts.ts"

const boundedText = (least: number, most: number) =>
  Schema.String.check(
    Schema.makeFilter((s) =>
      s.trim() === s && s.length >= least && s.length <= most && !/[\p{Cc}\p{Cs}]/u.test(s)
        ? true
        : `must be ${least}–${most} characters without control characters or outer spaces`
    )
  )

/** Version of a table, shown in every report. */
const Version = Schema.String.check(
  Schema.makeFilter((s) => /^[\w.-]{1,40}$/.test(s) ? true : "must be 1–40 letters, digits, dots or hyphens")
)

/** One assistant. A host includes its subdomains; `path` is a required path prefix of whole segments. */
const Assistant = Schema.Struct({
  id: Schema.String.check(
    Schema.makeFilter((s) => /^[a-z0-9_]{1,40}$/.test(s) ? true : "must be 1–40 of a–z, 0–9 and _")
  ),
  name: boundedText(1, 60),
  hosts: Schema.optionalKey(Schema.Array(DomainName)),
  paths: Schema.optionalKey(Schema.Array(Schema.Struct({
    host: DomainName,
    path: Schema.String.check(
      Schema.makeFilter((s) => /^(?:\/[^/?#\s]+)+$/.test(s) ? true : "must look like /assistant, without ? and #")
    )
  }))),
  /** Values of `utm_source`, `ref` or `source`, ignoring case. */
  tags: Schema.optionalKey(Schema.Array(boundedText(1, 60))),
  /** The lists that this entry comes from. */
  basis: Schema.optionalKey(Schema.String),
  /** Whether the assistant was observed to add its tag by itself. */
  tag_seen: Schema.optionalKey(Schema.String)
})
/** An assistant and how its visits are recognised. */
export type Assistant = typeof Assistant.Type

/** Why a crawler fetches pages: for a model or an index, or because a person has just asked. */
export const crawlerPurposes = ["training_or_index", "user_triggered_fetch"] as const
export type CrawlerPurpose = typeof crawlerPurposes[number]

/** Parts of user agents, matched in any case. Shorter parts would match by chance. */
const Agents = Schema.Array(boundedText(4, 60))

/** The contents of a table's file. */
export const TrafficSources = Schema.Struct({
  version: Version,
  note: Schema.optionalKey(Schema.String),
  assistants: Schema.optionalKey(Schema.Array(Assistant)),
  crawlers: Schema.optionalKey(Schema.Struct({
    training_or_index: Schema.optionalKey(Agents),
    user_triggered_fetch: Schema.optionalKey(Agents)
  }))
})
export type TrafficSources = typeof TrafficSources.Type

/** The table that comes with sov. */
export const builtInSources: TrafficSources = Schema.decodeSync(TrafficSources)(builtIn)

/** Finds a host or tag that two assistants of the table claim, which would make the sender of a visit ambiguous. */
const findClaimedTwice = (assistants: ReadonlyArray<Assistant>): string | null => {
  const owners = new Map<string, string>()
  for (const { hosts = [], id, paths = [], tags = [] } of assistants) {
    const claims = [
      ...hosts.map((host) => `host ${normalizeHost(host) ?? host}`),
      ...paths.map(({ host, path }) => `path ${normalizeHost(host) ?? host}${path}`),
      ...tags.map((tag) => `tag ${tag.toLowerCase()}`)
    ]
    for (const claim of claims) {
      const owner = owners.get(claim)
      if (owner !== undefined && owner !== id) return `${claim} belongs to both ${owner} and ${id}`
      owners.set(claim, id)
    }
  }
  return null
}

/**
 * Adds an operator's entries to the table. An assistant with a known id replaces that entry; other assistants and
 * crawlers are added. The version names both tables. Fails with one line if two assistants claim the same host or tag.
 */
export const extendSources = (
  base: TrafficSources,
  own: TrafficSources
): Result.Result<TrafficSources, string> => {
  const replaced = new Set(own.assistants?.map(({ id }) => id))
  const assistants = [...(base.assistants ?? []).filter(({ id }) => !replaced.has(id)), ...own.assistants ?? []]
  const twice = findClaimedTwice(assistants)
  if (twice !== null) return Result.fail(twice)
  const agents = (purpose: CrawlerPurpose) => [...base.crawlers?.[purpose] ?? [], ...own.crawlers?.[purpose] ?? []]
  return Result.succeed({
    version: `${base.version}+${own.version}`,
    assistants,
    crawlers: {
      training_or_index: agents("training_or_index"),
      user_triggered_fetch: agents("user_triggered_fetch")
    }
  })
}
