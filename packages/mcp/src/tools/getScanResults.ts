import { stanceJson } from "@sov/core/archive"
import { type KeywordId, pluralized, type ScanId } from "@sov/core/common"
import { narrowingJson, readScanResults, scanJson, type ScanResult, ScanStatus, ScanType } from "@sov/core/scanning"
import { formatNarrowing, roundOrNull } from "@sov/core/scoring"
import { type CitedDomains, readCitedDomains } from "@sov/core/sources"
import { Effect, Schema } from "effect"
import { takeFitting } from "../budget.ts"
import {
  Count,
  cursorArgument,
  idArgument,
  IsoTime,
  limitArgument,
  makePageMeta,
  pageMeta,
  Percent,
  Platform,
  simulatedMember,
  staleCursor,
  tagArgument,
  toStoredId,
  viewMembers
} from "../parameters.ts"
import { answerUri } from "../resourceUris.ts"
import { defineTool, type ToolOutput, ToolRefusal } from "../Tool.ts"

const defaultLimit = 50

const maxDomains = 5

const Result = Schema.Struct({
  archive_id: Schema.NullOr(Schema.String).annotate({ description: "Null when the platform gave no answer" }),
  keyword_id: Schema.String,
  platform: Platform,
  sample: Count.annotate({ description: "Which time the question was asked, from 1" }),
  brand_mentioned: Schema.NullOr(Schema.Boolean),
  mention_count: Schema.NullOr(Count),
  mention_position: Schema.NullOr(Count).annotate({
    description: "Rank of the brand's first mention among the tracked names, from 1; null when it is not named"
  }),
  competitors_named: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Competitors that the answer names; null when there is no measured answer"
  }),
  sentiment: Schema.NullOr(Schema.Literals(["positive", "neutral", "negative"])),
  sentiment_by: Schema.optionalKey(Schema.String.annotate({ description: "The judge that decided it, not the rules" })),
  sov_score: Schema.NullOr(Percent),
  error: Schema.optionalKey(Schema.String.annotate({ description: "Why there is no answer" })),
  cited_domains: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: `Domains that the answer cites, at most ${maxDomains}; left out when the platform reports none`
    })
  ),
  own_cited: Schema.optionalKey(Schema.Boolean.annotate({ description: "Whether it cites a page of the brand" })),
  resource_uri: Schema.NullOr(Schema.String).annotate({ description: "The whole answer, by resources/read" })
})

const Output = Schema.Struct({
  status: Schema.Literals(["ok", "no_completed_scan"]),
  scan: Schema.NullOr(Schema.Struct({
    id: Schema.String,
    status: ScanStatus,
    scan_type: ScanType,
    started_at: IsoTime,
    completed_at: Schema.NullOr(IsoTime),
    ...viewMembers,
    asked: Schema.optionalKey(
      Schema.Struct({
        platforms: Count,
        configured_platforms: Schema.NullOr(Count),
        keywords: Count,
        tracked_keywords: Count
      }).annotate({ description: "What a narrowed scan asked of what there was; left out where it asked everything" })
    ),
    ...simulatedMember
  })),
  results: Schema.Array(Result),
  meta: Schema.Struct(pageMeta)
})
type Results = typeof Output.Type

const toCitedJson = (cited: CitedDomains | undefined) =>
  cited === undefined ? {} : { cited_domains: cited.domains.slice(0, maxDomains), own_cited: cited.ownCited }

const toRow = (
  { answer, failure, keywordId, platform, sample }: ScanResult,
  named: ReadonlyArray<string> | null,
  cited: CitedDomains | undefined
): typeof Result.Type => ({
  archive_id: answer?.id ?? null,
  keyword_id: keywordId,
  platform,
  sample,
  brand_mentioned: answer?.brandMentioned ?? null,
  mention_count: answer?.mentionCount ?? null,
  mention_position: answer?.mentionPosition ?? null,
  competitors_named: named,
  ...answer === null ? { sentiment: null } : stanceJson(answer),
  sov_score: roundOrNull(answer?.sovScore, 2),
  ...failure === null ? {} : { error: failure },
  ...toCitedJson(cited),
  resource_uri: answer === null ? null : answerUri(answer.id)
})

const noScanOutput: ToolOutput<Results> = {
  structured: {
    status: "no_completed_scan",
    scan: null,
    results: [],
    meta: { count: 0, next_cursor: null, page_cut_by_size: false }
  },
  sentence: "No scan has completed yet."
}

export const getScanResults = defineTool({
  name: "get_scan_results",
  title: "Scan results",
  description: [
    "What each platform's answer to each keyword said in one scan: whether, how often, where and how the brand is named, and which competitors. No texts.",
    "Use when: someone asks on which platforms or questions the brand is (not) named, and who is named there instead.",
    "Do not use for: what the answers say (get_answer_archive), overall scores (get_visibility_summary).",
    "Without scan_id: the latest completed scan. Example: {\"platform\": \"assistant_a\", \"mentioned_only\": true}"
  ].join("\n"),
  input: Schema.Struct({
    scan_id: Schema.optionalKey(idArgument("A scan; the latest completed one when left out")),
    platform: Schema.optionalKey(Platform),
    keyword_id: Schema.optionalKey(idArgument("A keyword, see list_keywords")),
    tag: Schema.optionalKey(tagArgument("results of")),
    mentioned_only: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Only answers that name the brand; default false" })
    ),
    limit: Schema.optionalKey(limitArgument(defaultLimit)),
    cursor: Schema.optionalKey(cursorArgument)
  }),
  output: Output,
  handle: (
    { cursor, keyword_id, limit = defaultLimit, mentioned_only = false, platform, scan_id, tag },
    organizationId
  ) =>
    readScanResults(
      organizationId,
      {
        scanId: scan_id === undefined ? undefined : toStoredId<ScanId>(scan_id),
        mentionedOnly: mentioned_only,
        tag,
        ...keyword_id === undefined ? {} : { keywordId: toStoredId<KeywordId>(keyword_id) },
        ...platform === undefined ? {} : { platform }
      },
      { limit, cursor }
    ).pipe(
      Effect.bindTo("found"),
      Effect.bind(
        "cited",
        ({ found }) =>
          readCitedDomains(
            organizationId,
            found.scan.id,
            found.rows.flatMap(({ answer }) => answer === null ? [] : [answer.id])
          )
      ),
      Effect.map(({ cited, found }): ToolOutput<Results> => {
        const { namedIn, scan } = found
        const results = takeFitting(
          found.rows.map((row) =>
            row.answer === null
              ? toRow(row, null, undefined)
              : toRow(row, namedIn(row.answer), cited.get(row.answer.id))
          )
        )
        const part = formatNarrowing(scan)
        const named = results.filter((row) => row.brand_mentioned === true).length
        return {
          structured: {
            status: "ok",
            scan: { ...scanJson(scan), ...narrowingJson(scan) },
            results,
            meta: makePageMeta(found, results.length)
          },
          sentence: `${scan.simulated ? "SIMULATED: " : ""}${
            pluralized(results.length, "result")
          } of the ${scan.status} scan ${scan.id} here; the brand is named in ${named} of them.${
            part === null ? "" : ` The scan asked only ${part}.`
          }`
        }
      }),
      Effect.catchTags({
        NoCompletedScan: () => Effect.succeed(noScanOutput),
        BadCursor: () => new ToolRefusal({ message: staleCursor }),
        NotFound: () =>
          new ToolRefusal({
            message:
              "scan_id was not found in your organization; call get_scan_results without scan_id for the latest scan."
          })
      })
    )
})
