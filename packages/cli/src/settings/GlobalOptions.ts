/** The options of every command; commander fills them from flags, then from `SOV_*` variables. */
export interface GlobalOptions {
  readonly output?: "table" | "json" | "ndjson" | "csv"
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly color?: "auto" | "always" | "never" | boolean
  /** False after `--no-input`. */
  readonly input?: boolean
  readonly yes?: boolean
  readonly org?: string
  readonly dataDir: string
  /** The address of a server to use instead of a database. */
  readonly url?: string
  readonly databaseUrlFile?: string
  readonly config: string
  /** Where commander found the options that name a home, an organization or a file. */
  readonly sources?: { readonly [option: string]: string | undefined }
}
