/** The files of an export as streams, the same files that the command writes. Each must be read once, in this order. */
import {
  beginDownload,
  type BegunExport,
  contextFile,
  countExportedRow,
  exportedRowJson,
  formatManifest,
  manifestFile,
  noRowsExported
} from "@sov/core/archive"
import { auditEntryJson, streamAuditLog } from "@sov/core/audit"
import type { BadCursor, StoragePorts, StoreError } from "@sov/core/common"
import { exportRecords, type Organization, organizationExportJson, wholeHistory } from "@sov/core/organizations"
import { Clock, Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import type { ZipEntry } from "./zip.ts"

/** A stream of texts as bytes, and a summary of the bytes read. */
const hashed = <E, R>(texts: Stream.Stream<string, E, R>) => {
  const hash = createHash("sha256")
  const content = Stream.map(texts, (text): Uint8Array => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    return bytes
  })
  return { content, sha256: () => hash.digest("hex") }
}

/**
 * The archive as a file named `file`, its context and its manifest. `onEnd` receives the manifest's summary of the
 * rows.
 */
export const archiveFiles = (
  begun: BegunExport,
  file: string,
  onEnd: (written: { readonly rows: number; readonly sha256: string }) => void = () => {}
) => {
  let written = noRowsExported
  const rows = hashed(Stream.map(begun.pages(), (page) =>
    page.map((row) => {
      const exported = exportedRowJson(row)
      written = countExportedRow(written, exported)
      return `${JSON.stringify(exported)}\n`
    }).join("")))
  const context = hashed(Stream.map(begun.context, (line) => `${line}\n`))
  const manifest = Stream.suspend(() => {
    const sha256 = rows.sha256()
    onEnd({ rows: written.rows, sha256 })
    const described = begun.describe({ format: "ndjson", gzip: false, sha256 }, written, context.sha256())
    return Stream.make<[Uint8Array]>(Buffer.from(formatManifest(described)))
  })
  return [
    { name: file, content: rows.content },
    { name: contextFile(file), content: context.content },
    { name: manifestFile(file), content: manifest }
  ]
}

/** A file with one line per row, which also counts its lines. */
const linesFile = <E, R>(name: string, pages: Stream.Stream<ReadonlyArray<string>, E, R>) => {
  let rows = 0
  const { content, sha256 } = hashed(Stream.map(pages, (lines) => {
    rows += lines.length
    return lines.map((line) => `${line}\n`).join("")
  }))
  return { name, content, describe: () => ({ rows, sha256: sha256() }) }
}

/**
 * All data of one organization, the same files as `sov org export`. `export.json` comes last; an export without it is
 * incomplete. The organization's audit log records the export.
 */
export const organizationFiles = Effect.fnUntraced(function*(organization: Organization) {
  const { id } = organization
  const at = new Date(yield* Clock.currentTimeMillis)
  const begun = yield* beginDownload(id, wholeHistory, {})
  let archived: { readonly rows: number; readonly sha256: string } = { rows: 0, sha256: "" }
  const archive = archiveFiles(begun, "archive.ndjson", (written) => {
    archived = written
  })
  const records = linesFile("records.ndjson", exportRecords(id))
  const auditLines = Stream.map(streamAuditLog(id), (page) => page.map((one) => JSON.stringify(auditEntryJson(one))))
  const audit = linesFile("audit.ndjson", auditLines)
  const summary = Stream.suspend(() => {
    const files = {
      "archive.ndjson": archived,
      "records.ndjson": records.describe(),
      "audit.ndjson": audit.describe()
    }
    const described = organizationExportJson(organization, at, files)
    return Stream.make<[Uint8Array]>(Buffer.from(`${JSON.stringify(described, null, 2)}\n`))
  })
  const files: ReadonlyArray<ZipEntry<BadCursor | StoreError, StoragePorts>> = [
    ...archive,
    records,
    audit,
    { name: "export.json", content: summary }
  ]
  return { at, files }
})
