/** Resources: complete answers, scans, and an explanation of the numbers. */
import { type ArchiveRow, readAnswer } from "@sov/core/archive"
import {
  type AnswerId,
  type OrganizationId,
  type ScanId,
  type StoragePorts,
  type StoreError,
  uuid
} from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { readScan } from "@sov/core/scanning"
import { scanSummaryJson } from "@sov/core/scoring"
import { Effect } from "effect"
import { resultBudget, takeFitting } from "./budget.ts"
import { metricsPage } from "./metricsPage.ts"
import { answerUri, metricsUri } from "./resourceUris.ts"
import { fenceText, formatSourceTitle, formatSourceUrl, notice, removeInvisible, truncate } from "./untrusted.ts"

/** Resources with a fixed URI, as `resources/list` returns them. */
export const resources = [{
  uri: metricsUri,
  name: "metrics",
  title: "How sov measures",
  description: "What share of voice, mentions, intervals and the other numbers mean",
  mimeType: "text/markdown"
}]

/** Resources with an id in their URI, as `resources/templates/list` returns them. */
export const resourceTemplates = [
  {
    uriTemplate: "sov://archive/{id}{?offset}",
    name: "archived-answer",
    title: "Archived answer",
    description: "One whole raw answer, fenced as untrusted text; a long one in parts, by offset (characters)",
    mimeType: "text/plain"
  },
  {
    uriTemplate: "sov://scans/{id}",
    name: "scan",
    title: "Scan",
    description: "One scan: state, scores, counts of answers, mentions and failures",
    mimeType: "application/json"
  }
]

export interface ResourceText {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

/** Maximum length of one part of an answer in characters. */
const partLength = resultBudget - 2_000

const answerUriPattern = new RegExp(`^sov://archive/(?<id>${uuid})(?:\\?offset=(?<offset>\\d{1,9}))?$`)
const scanUriPattern = new RegExp(`^sov://scans/(?<id>${uuid})$`)

/** Maximum length of the list of sources in characters. */
const sourcesLength = 12_000

/** The sources of an answer, as many as fit, between separate marks; empty if there are no sources. */
const formatSources = ({ provenance }: ArchiveRow, nonce: string): string => {
  const sources = provenance?.sources ?? []
  const lines = sources.map(({ kind, title, url }) =>
    `${kind} ${formatSourceUrl(url)}${title === null ? "" : ` ${formatSourceTitle(title)}`}`
  )
  const shown = lines.length === 0 ? [] : takeFitting(lines, sourcesLength)
  const missing = lines.length - shown.length + (provenance?.cut ?? 0)
  return shown.length === 0
    ? ""
    : `\n\nSources${missing === 0 ? "" : `, without ${missing} more`}:\n${
      fenceText(shown.join("\n"), nonce, "sources")
    }`
}

const readPart = Effect.fnUntraced(
  function*(organizationId: OrganizationId, uri: string, id: AnswerId, offset: number, nonce: string) {
    const row = yield* readAnswer(organizationId, wholeHistory, id)
    const text = removeInvisible(row.rawResponse)
    // Only the first part of an answer includes the sources
    const sources = offset === 0 ? formatSources(row, nonce) : ""
    const part = truncate(text.slice(offset), partLength - sources.length)
    const end = offset + part.length
    const head = [
      `Answer ${row.id} of ${row.platform}, ${row.createdAt.toISOString()}${row.simulated ? ", SIMULATED" : ""}`,
      `Question: ${row.promptUsed}`,
      `Characters ${Math.min(offset, text.length)} to ${end} of ${text.length}${
        end < text.length ? `; it goes on at ${answerUri(row.id, end)}` : ""
      }${text.length < row.rawResponse.length ? "; invisible characters were removed" : ""}`,
      notice.replace("raw_response", "What stands between the marks")
    ]
    return { uri, mimeType: "text/plain", text: `${head.join("\n")}${sources}\n\n${fenceText(part, nonce)}\n` }
  }
)

const readScanText = Effect.fnUntraced(function*(organizationId: OrganizationId, uri: string, id: ScanId) {
  const { archived, counts, scan, score } = yield* readScan(organizationId, id)
  const text = JSON.stringify(scanSummaryJson(scan, score, counts, archived), undefined, 2)
  return { uri, mimeType: "application/json", text }
})

/**
 * The resource at `uri`; null if the organization has no such resource. `nonce` is a random word for the marks around
 * an answer.
 */
export const readResource = (
  organizationId: OrganizationId,
  uri: string,
  nonce: string
): Effect.Effect<ResourceText | null, StoreError, StoragePorts> => {
  if (uri === metricsUri) return Effect.succeed({ uri, mimeType: "text/markdown", text: metricsPage })
  const answer = answerUriPattern.exec(uri)?.groups
  const scan = scanUriPattern.exec(uri)?.groups
  const read = answer !== undefined
    ? readPart(organizationId, uri, answer["id"] as AnswerId, Number(answer["offset"] ?? 0), nonce)
    : scan !== undefined
    ? readScanText(organizationId, uri, scan["id"] as ScanId)
    : Effect.succeed(null)
  return Effect.catchTag(read, "NotFound", () => Effect.succeed(null))
}
