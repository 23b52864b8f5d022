/**
 * The tracked names of an organization: its brand, competitors and excluded terms.
 *
 * A tracked set is never edited: each change creates the next version. Every measurement and score records its version;
 * scores are stored per scan, measure version and tracked-set version.
 */
import { Schema } from "effect"
import { BrandId, CompetitorId, KeywordId } from "../ids.ts"
import { Name } from "../organizations/Organization.ts"
import { KeywordText } from "./Keyword.ts"

/** A bare host such as `acme.com`: no scheme, path, port or wildcard. */
export const DomainName = Schema.String.check(
  Schema.makeFilter((s) =>
    s.length <= 253 &&
      /^(?=.*\.)[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u.test(s)
      ? true
      : "must be a bare host such as acme.com (no https://, no path)"
  )
)

const terms = {
  name: Name,
  aliases: Schema.Array(Name),
  domains: Schema.Array(DomainName),
  /** Context words (M18 in docs/measuring.md); absent without context words. */
  context: Schema.optionalKey(Schema.Array(Name))
}

/**
 * The tracked brand. `excludes` are terms that block the text they match but do not count (M11 in docs/measuring.md).
 */
export const Brand = Schema.Struct({ id: BrandId, ...terms, excludes: Schema.Array(Name) })
export type Brand = typeof Brand.Type

/** A tracked competitor. */
export const Competitor = Schema.Struct({ id: CompetitorId, ...terms })
export type Competitor = typeof Competitor.Type

/** One version of an organization's tracked names. */
export const TrackedSet = Schema.Struct({
  /** 1, 2, 3 … within the organization. */
  version: Schema.Int,
  brand: Brand,
  competitors: Schema.Array(Competitor),
  /**
   * Topics that people decided, each as the list of its keywords; absent if people decided no topic (docs/measuring.md,
   * section "Topics").
   */
  topics: Schema.optionalKey(Schema.Array(Schema.Array(KeywordId))),
  createdAt: Schema.Date
})
export type TrackedSet = typeof TrackedSet.Type

/** The file that `sov init --from` reads. */
export const TrackingFile = Schema.Struct({
  brand: Schema.Struct({
    name: Name,
    aliases: Schema.optionalKey(Schema.Array(Name)),
    domains: Schema.optionalKey(Schema.Array(DomainName)),
    excludes: Schema.optionalKey(Schema.Array(Name)),
    context: Schema.optionalKey(Schema.Array(Name))
  }),
  competitors: Schema.optionalKey(Schema.Array(Schema.Struct({
    name: Name,
    aliases: Schema.optionalKey(Schema.Array(Name)),
    domains: Schema.optionalKey(Schema.Array(DomainName)),
    context: Schema.optionalKey(Schema.Array(Name))
  }))),
  keywords: Schema.optionalKey(Schema.Array(Schema.Struct({ text: KeywordText })))
})
export type TrackingFile = typeof TrackingFile.Type
