/** The options of `platform add` and `platform set` that describe a platform. */
export interface BindingFlags {
  readonly adapter?: string
  readonly model?: string
  readonly apiKeyEnv?: string
  readonly baseUrl?: string
  readonly webSearch?: boolean
  readonly concurrency?: string
  readonly requestsPerMinute?: string
}

/** Converts text to a number. Other text stays as it is, so that the field's own check reports it. */
const toNumber = (text: string | undefined) =>
  text === undefined ? undefined : Number.isNaN(Number(text)) ? text : Number(text)

/** The members of the platform's entry that the flags set. */
export const readFlags = (flags: BindingFlags): Readonly<Record<string, unknown>> => {
  const given = {
    adapter: flags.adapter,
    baseUrl: flags.baseUrl,
    model: flags.model,
    apiKeyEnv: flags.apiKeyEnv,
    webSearch: flags.webSearch,
    concurrency: toNumber(flags.concurrency),
    requestsPerMinute: toNumber(flags.requestsPerMinute)
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
