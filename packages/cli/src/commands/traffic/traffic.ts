/** sov traffic: visits that AI assistants send, counted from web server logs. */
import { wholeHistory } from "@sov/core/organizations"
import { DomainName } from "@sov/core/tracking"
import {
  builtInSources,
  importTraffic,
  type LogField,
  logFields,
  type LogFormat,
  readAiTraffic
} from "@sov/core/traffic"
import { Effect } from "effect"
import { setFlagsFromString } from "node:v8"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { dateOption } from "../../input/dateOption.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { printable } from "../../output/Output.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { runForOrganization, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { readLogBytes, readLogSize } from "./logFile.ts"
import { addCounts, type ImportedLog, importJson, importText, makeZeroCounts, trafficJson } from "./trafficReport.ts"
import { trafficSources } from "./trafficSources.ts"
import { trafficText } from "./trafficView.ts"

interface SourcesOptions extends GlobalOptions {
  readonly sourceTable?: string
}

interface ImportOptions extends SourcesOptions {
  readonly format?: LogFormat
  readonly field?: ReadonlyArray<string>
  readonly site?: ReadonlyArray<string>
  readonly dryRun?: boolean
}

const isField = (name: string): name is LogField => (logFields as ReadonlyArray<string>).includes(name)

/** Parses `--field referrer=http_referer` into names of fields. */
const parseFieldNames = Effect.fnUntraced(function*(given: ReadonlyArray<string>) {
  const names: { [F in LogField]?: string } = {}
  for (const one of given) {
    const [field = "", ...rest] = one.split("=")
    const name = rest.join("=")
    if (!isField(field) || name === "") {
      return yield* Effect.fail(
        usageError(`--field ${JSON.stringify(one)}: give FIELD=NAME, FIELD being one of ${logFields.join(", ")}`)
      )
    }
    names[field] = name
  }
  return names
})

/** Maximum number of landing pages in a report. */
const maxPages = 1000
const bytesPerMegabyte = 1_000_000

/** sov traffic import FILE... */
export const importLogs = (options: ImportOptions, files: ReadonlyArray<string>) => {
  // Lines become garbage as soon as they are read; without these flags, V8 lets the heap grow to twice the size
  setFlagsFromString("--optimize-for-size")
  setFlagsFromString("--semi-space-growth-factor=1")
  const given = Effect.gen(function*() {
    if (files.filter((file) => file === "-").length > 1) {
      return yield* Effect.fail(usageError("stdin (-) can be read only once"))
    }
    return {
      sites: yield* Effect.forEach(options.site ?? [], (host) => decodeInput(DomainName, host, "--site")),
      sizes: yield* Effect.forEach(files, readLogSize),
      fields: yield* parseFieldNames(options.field ?? []),
      sources: yield* trafficSources(options.sourceTable)
    }
  })
  // Kept outside the program, so that lines added before a lost connection still count when the program runs again
  const added = files.map(makeZeroCounts)
  return runForOrganization(
    options,
    { before: given, repeatable: !files.includes("-") },
    function*({ out }, organization) {
      const { fields, sites, sizes, sources } = yield* given
      const total = sizes.reduce<number | null>((sum, size) => sum === null || size === null ? null : sum + size, 0)
      const progress = makeRowProgress(out, "Importing", total === null ? null : total / bytesPerMegabyte, "MB")
      const logs: Array<ImportedLog> = []
      const work = Effect.gen(function*() {
        for (const [n, file] of files.entries()) {
          const read = readLogBytes(file, (bytes) => progress.add(bytes / bytesPerMegabyte))
          const { found, log, ownSite } = yield* importTraffic(organization.id, read, {
            sources,
            fields,
            ...options.format === undefined ? {} : { format: options.format },
            ownHosts: sites,
            dryRun: options.dryRun === true,
            onAdded: (counts) => {
              added[n] = addCounts(added[n]!, counts)
            }
          }).pipe(Effect.catchTag("InvalidLog", (error) =>
            Effect.fail(
              new CliError(
                "log-unfit",
                exitCodes.usage,
                `${file === "-" ? "stdin" : file}: ${error.message}`,
                "--format combined|json|csv says what it is, --field FIELD=NAME where it has a name of its own"
              )
            )))
          logs.push({ file, log, found, added: added[n]!, ownSite })
        }
      })
      yield* work.pipe(
        Effect.ensuring(Effect.sync(progress.clear)),
        Effect.onInterrupt(() =>
          Effect.sync(() =>
            out.note("Stopped; what is counted stays. Go on: repeat the command, nothing counts twice.")
          )
        )
      )
      const result = { logs, sources: sources.version, dryRun: options.dryRun === true }
      out.result(importJson(result), () => importText(result))
    }
  )
}

/** Runs `sov traffic show`. */
export const show = (
  options: SourcesOptions & {
    readonly from?: string
    readonly to?: string
    readonly crawlers?: boolean
    readonly pages?: string
  }
) => {
  const day = (option: "--from" | "--to", text: string | undefined) =>
    text === undefined
      ? Effect.succeed(null)
      : Effect.map(
        dateOption(option, text, option === "--from" ? "from" : "to"),
        (date) => date.toISOString().slice(0, 10)
      )
  const query = Effect.gen(function*() {
    return {
      from: yield* day("--from", options.from),
      to: yield* day("--to", options.to),
      pages: yield* integerOption("--pages", options.pages ?? "10", 0, maxPages),
      crawlers: options.crawlers === true,
      sources: yield* trafficSources(options.sourceTable)
    }
  })
  return runForOrganization(options, { before: query, repeatable: true }, function*({ out }, organization) {
    const traffic = yield* readAiTraffic(organization.id, wholeHistory, yield* query)
    out.result(trafficJson(traffic), () => trafficText(traffic, makeCanvas(out)))
  })
}

/** Runs `sov traffic sources`. */
export const listSources = (options: SourcesOptions) =>
  runWithoutDatabase(options, function*({ out }) {
    const table = yield* trafficSources(options.sourceTable)
    const { assistants = [] } = table
    if (!out.machine) out.note(`Source table ${table.version}; built in: ${builtInSources.version}.`)
    out.list(assistants, [
      { header: "ID", cell: (one) => one.id },
      { header: "NAME", cell: (one) => printable(one.name) },
      {
        header: "REFERRERS",
        cell: (one) =>
          [...one.hosts ?? [], ...(one.paths ?? []).map(({ host, path }) => printable(`${host}${path}`))].join(" ")
      },
      { header: "TAGS", cell: (one) => printable((one.tags ?? []).join(" ")) },
      { header: "BASIS", cell: (one) => printable(one.basis ?? "") }
    ], { wrap: table, empty: "The table is empty." })
  })
