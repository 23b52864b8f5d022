/**
 * Prints the output of commands: data on stdout, everything else on stderr, in the format that the global options
 * choose.
 */
import { csvLine } from "@sov/core/common"
import { stripVTControlCharacters, styleText } from "node:util"
import type { CliError } from "../CliError.ts"
import { renderTable, type TableCell } from "../render/table.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { nameCommands } from "./commandName.ts"
import { visible, visibleStyled } from "./visible.ts"

/**
 * Makes text from outside (answers, names) safe for a terminal: removes escape sequences and control characters except
 * tabs and line breaks.
 */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  stripVTControlCharacters(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    ""
  )

type Style = Parameters<typeof styleText>[0]

/** A column of a list: its header, and its value for a row. */
export interface Column<Row> {
  readonly header: string
  readonly cell: (row: Row) => TableCell
  readonly align?: "left" | "right"
}

/** The display name of a platform: its label, if the operator set one, with its identifier. */
export type PlatformName = (id: string) => string

/** Names a platform without a label by its identifier. */
export const unlabelled: PlatformName = (id) => id

export class Output {
  readonly format: "table" | "json" | "ndjson" | "csv"
  readonly quiet: boolean
  readonly options: GlobalOptions
  /** Whether stdout and stderr are terminals. */
  readonly tty: { readonly out: boolean; readonly err: boolean }

  readonly platformName: PlatformName

  constructor(options: GlobalOptions, platformName: PlatformName = unlabelled) {
    this.options = options
    this.platformName = platformName
    this.format = options.json === true ? "json" : options.output ?? "table"
    this.quiet = options.quiet === true
    const human = process.env["TERM"] !== "dumb"
    this.tty = {
      out: process.stdout.isTTY && human,
      err: process.stderr.isTTY && human && process.env["CI"] !== "true"
    }
  }

  /** Whether a program reads the result. */
  get machine(): boolean {
    return this.format !== "table"
  }

  /** Styles text for stdout; the text stays plain if colour is off. */
  style(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
    const { color } = this.options
    if (color === "never" || color === false) return text
    return color === "always"
      ? styleText(style, text, { validateStream: false })
      : styleText(style, text, { stream })
  }

  /** JSON, indented for a terminal. */
  #json(value: unknown): string {
    return JSON.stringify(value, undefined, this.tty.out ? 2 : undefined)
  }

  /** Prints text for people. On a terminal, control characters are escaped, except sov's own styles. */
  write(text: string): void {
    process.stdout.write(process.stdout.isTTY ? visibleStyled(text) : text)
  }

  /** Prints data for programs byte for byte. On a terminal, control characters are escaped. */
  data(text: string): void {
    process.stdout.write(process.stdout.isTTY ? visible(text) : text)
  }

  line(text = ""): void {
    this.write(`${text}\n`)
  }

  /** Prints a note for people on stderr; prints nothing with --quiet. */
  note(text: string): void {
    if (this.quiet) return
    const line = `${nameCommands(text)}\n`
    process.stderr.write(process.stderr.isTTY ? visibleStyled(line) : line)
  }

  /** Returns an output that adds results to `results` instead of printing them. */
  collecting(results: Array<unknown>): Output {
    return Object.create(this, { result: { value: (value: unknown) => void results.push(value) } })
  }

  /** Prints one object: as JSON for programs, as `human` for people. */
  result(value: unknown, human: () => string): void {
    if (this.format === "json") this.data(`${this.#json(value)}\n`)
    else if (this.format === "ndjson") this.data(`${JSON.stringify(value)}\n`)
    else if (this.format === "csv") {
      const record = value as { readonly [key: string]: unknown }
      this.data(csvLine(Object.keys(record)) + csvLine(Object.values(record)))
    } else this.line(human())
  }

  /** Prints a list: a JSON array (or `wrap`ped), NDJSON lines, or a table with the given columns. */
  list<Row extends object>(
    rows: ReadonlyArray<Row>,
    columns: ReadonlyArray<Column<Row>>,
    options: { readonly wrap?: unknown; readonly empty: string }
  ): void {
    if (this.format === "json") {
      this.data(`${this.#json(options.wrap ?? rows)}\n`)
    } else if (this.format === "ndjson") this.data(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    else if (this.format === "csv") {
      // Reads every row, because a column such as "simulated" may be absent in the first
      const keys = [...new Set(rows.flatMap(Object.keys))]
      if (rows.length > 0) this.data(csvLine(keys))
      for (const row of rows) this.data(csvLine(keys.map((key) => (row as { readonly [k: string]: unknown })[key])))
    } else if (rows.length === 0) this.note(options.empty)
    else {
      const header = this.tty.out ? columns.map((column) => this.style("bold", column.header)) : undefined
      const show = (cell: TableCell) => process.stdout.isTTY && typeof cell === "string" ? visibleStyled(cell) : cell
      this.write(renderTable(rows.map((row) => columns.map((column) => show(column.cell(row)))), {
        header,
        align: columns.map((column) => column.align ?? "left"),
        width: this.tty.out ? process.stdout.columns || undefined : undefined
      }))
    }
  }

  /** Prints the one error of a command on stderr: lines for people, one JSON object for programs. */
  error(error: CliError): void {
    const hint = error.hint === undefined ? undefined : nameCommands(error.hint)
    if (this.machine) {
      const body = {
        error: { code: error.code, message: error.message, hint: hint ?? null, exit_code: error.exitCode }
      }
      // A name in the error may contain anything. With JSON's own escapes it is readable and parses to the same text
      process.stderr.write(`${visible(JSON.stringify(body))}\n`)
      return
    }
    process.stderr.write(`${this.style("red", "error:", process.stderr)} ${printable(error.message)}\n`)
    if (hint !== undefined) {
      process.stderr.write(`${this.style("dim", "hint:", process.stderr)} ${printable(hint)}\n`)
    }
  }
}
