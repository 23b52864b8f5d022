/** What lies beside an export: the manifest that describes it, and the names of the other files. */
import { Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { CliError } from "./CliError.ts"
import { exitCodes } from "./exitCodes.ts"

export const manifestFile = (file: string): string => `${file}.manifest.json`
/** Seals, scans, keywords and tracked sets as lines of JSON; beside NDJSON only. */
export const contextFile = (file: string): string => `${file}.context.ndjson`

const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Text = Schema.NullOr(Schema.String)

/** Rows in the order of the file, newest first; hashes are those of whole files. */
const Manifest = Schema.Struct({
  sov_export: Schema.Literal(1),
  format: Schema.Literals(["ndjson", "csv"]),
  gzip: Schema.Boolean,
  organization_id: Schema.String,
  rows: Schema.Int,
  simulated_rows: Schema.Int,
  /** Rows that no seal covers: their scans had not ended. Null in CSV. */
  unsealed_rows: Schema.NullOr(Schema.Int),
  first_id: Text,
  last_id: Text,
  from: Text,
  to: Text,
  keyword_id: Text,
  platform: Text,
  sha256: Hash,
  /** The newest seal when the export began. */
  chain_head: Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Hash })),
  context_sha256: Schema.NullOr(Hash),
  csv_formula_guard: Schema.optionalKey(Schema.String)
})
export type Manifest = typeof Manifest.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Manifest))

/** Whether the export holds the whole archive of its time. */
export const isWhole = (manifest: Manifest): boolean =>
  [manifest.from, manifest.to, manifest.keyword_id, manifest.platform].every((filter) => filter === null)

/** Reads the manifest beside `file`; throws a CliError. */
export const readManifest = (file: string): Manifest => {
  const path = manifestFile(file)
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw new CliError(
      "no-manifest",
      exitCodes.notFound,
      `cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? "error"}`,
      `keep it beside ${basename(file)}: sov archive export wrote both`
    )
  }
  return Result.getOrThrowWith(decode(text), () =>
    new CliError(
      "manifest-damaged",
      exitCodes.checkFailed,
      `${path} is no manifest of an export`,
      "sov archive export writes one; take the one that was written with the file"
    ))
}
