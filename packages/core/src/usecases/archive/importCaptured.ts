/**
 * Imports answers that people captured in apps: archives and seals them as a separate view, and measures them by the
 * same rules.
 */
import { Effect } from "effect"
import type { AnswerFilters } from "../../domain/archive/ArchiveFilters.ts"
import { type ArchivedAnswer, type ArchiveRow, provenanceFromAnswer } from "../../domain/archive/ArchiveRow.ts"
import type { CapturedFile } from "../../domain/archive/capturedFile.ts"
import { hashLeaf } from "../../domain/archive/Seal.ts"
import { AnswerId, CellId, type OrganizationId, ScanId } from "../../domain/ids.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { maxSamples } from "../../domain/scanning/startRequest.ts"
import { captureAnswer, hashPayload } from "../../domain/sources/captureAnswer.ts"
import { keywordStatuses, tidyKeyword } from "../../domain/tracking/Keyword.ts"
import { capturedView } from "../../domain/tracking/ViewInput.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotReady } from "../errors.ts"
import { newId, newIds } from "../newId.ts"
import { now } from "../now.ts"
import { completeScan } from "../scanning/completeScan.ts"

/** The result of importing a file. */
export interface CapturedImport extends Pick<CapturedFile, "refused"> {
  readonly added: number
  /** Number of answers that were already archived. */
  readonly existing: number
  /** The new scan; null if no answer was added. */
  readonly scanId: ScanId | null
}

const adapter = "captured"
const pageSize = 100

/** Hashes of all captured answers, so that no answer is archived twice. */
const readArchived = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const archive = yield* ArchiveStore
  const filters: AnswerFilters = { view: capturedView.name }
  const hashes = new Set<string>()
  let after: ArchiveRow | undefined
  while (true) {
    const page = yield* archive.page(organizationId, filters, {
      limit: pageSize,
      provenance: true,
      ...after === undefined ? {} : { after }
    })
    for (const { provenance } of page) hashes.add(provenance!.payloadSha256!)
    after = page.at(-1)
    if (page.length < pageSize) return hashes
  }
})

/**
 * Archives captured answers to tracked questions as one scan of the view `captured`, which completes at once. The
 * record of each answer (who saw it, when and with which account) is its payload, whose hash the leaf covers. Refuses
 * answers to other questions and answers with a time in the future. Fails with NotReady if no brand is set.
 */
export const importCaptured = Effect.fn("importCaptured")(
  function*(organizationId: OrganizationId, file: CapturedFile) {
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    if (set === null) return yield* new NotReady({ missing: "brand" })
    const at = yield* now
    const keywords = new Map(
      (yield* (yield* KeywordStore).list(organizationId, keywordStatuses)).map((one) => [tidyKeyword(one.text), one.id])
    )
    const known = yield* readArchived(organizationId)
    const refused = [...file.refused]
    const samples = new Map<string, number>()
    const scanId = yield* newId(ScanId)
    let existing = 0
    const taken = file.answers.flatMap(({ line, ...record }) => {
      const keywordId = keywords.get(record.question)
      if (keywordId === undefined || Date.parse(record.captured_at) > at.getTime()) {
        const reason = keywordId === undefined ? "its question is not tracked" : "its captured_at lies ahead"
        refused.push({ line, reason })
        return []
      }
      const payload = Buffer.from(JSON.stringify(record))
      const hash = hashPayload(payload)
      if (known.has(hash)) {
        existing++
        return []
      }
      const key = `${record.platform} ${keywordId}`
      const sample = (samples.get(key) ?? 0) + 1
      if (sample > maxSamples) {
        const reason = `a file has at most ${maxSamples} answers of a platform to a question: put it into another file`
        refused.push({ line, reason })
        return []
      }
      known.add(hash)
      samples.set(key, sample)
      return [{ record, keywordId, payload, sample }]
    })
    refused.sort((a, b) => a.line - b.line)
    if (taken.length === 0) return { added: 0, existing, refused, scanId: null } satisfies CapturedImport
    const [ids, cellIds] = [yield* newIds(AnswerId, taken.length), yield* newIds(CellId, taken.length)]
    const scan: Scan = {
      id: scanId,
      status: "running",
      scanType: "manual",
      platforms: [...new Set(taken.map(({ record }) => record.platform))].toSorted(),
      samples: Math.max(...samples.values()),
      cellCount: taken.length,
      trackedSetVersion: set.version,
      simulated: false,
      quotaPeriod: null,
      // The scan starts at the time of the first capture, because its oldest answer is from then
      startedAt: new Date(Math.min(...taken.map(({ record }) => Date.parse(record.captured_at)))),
      completedAt: null,
      surface: "app",
      view: capturedView
    }
    const rows = taken.map(({ keywordId, payload, record, sample }, n): ArchivedAnswer => {
      const answer = {
        text: record.text,
        payload,
        model: "unknown",
        latencyMs: 0,
        finish: "other" as const,
        usage: { inputTokens: null, outputTokens: null, costUsd: null, requests: 0 },
        citations: [],
        simulated: false
      }
      const capture = {
        ...captureAnswer(adapter, answer),
        asked: { surface: "app" as const, view: capturedView.name, market: null }
      }
      const shown = {
        id: ids[n]!,
        scanId,
        platform: record.platform,
        keywordId,
        promptUsed: record.question,
        rawResponse: record.text,
        createdAt: at
      }
      const { text: _, ...call } = answer
      return {
        ...shown,
        ...call,
        capture,
        cellId: cellIds[n]!,
        sample,
        adapter,
        leafHash: hashLeaf({ ...shown, provenance: provenanceFromAnswer({ ...call, capture }) })
      }
    })
    const write = Effect.gen(function*() {
      yield* (yield* ScanStore).insert(organizationId, scan)
      const cells = rows.map(({ cellId, keywordId, platform, sample }) => ({
        id: cellId,
        scanId,
        keywordId,
        platform,
        sample
      }))
      yield* (yield* CellStore).insert(organizationId, cells, at)
      const archive = yield* ArchiveStore
      yield* Effect.forEach(rows, (row) => archive.archive(organizationId, row, null), { discard: true })
    })
    // Workers see the scan only once all its questions are answered
    yield* runActs(organizationId, write, () => [
      { action: "archive.imported", subjectId: organizationId, detail: { answers: rows.length, scans: 1, seals: 1 } }
    ])
    yield* completeScan(organizationId, scanId)
    return { added: rows.length, existing, refused, scanId } satisfies CapturedImport
  }
)
