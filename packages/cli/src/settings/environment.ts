/** An environment variable that sov reads. */
export interface Variable {
  readonly name: string
  readonly meaning: string
  /** Its value is never shown. */
  readonly secret?: boolean
  /** The value that is used if the variable is not set. */
  readonly default?: string
}

/**
 * Defaults of `sov serve`. Rates and connections are copies of `defaultRestRate` and `defaultMaxConnections` of
 * @sov/http and `defaultMcpRate` of @sov/mcp, which would load Effect here; test/cli/tree.unit.test.ts shows that they
 * are equal.
 */
export const defaults = {
  SOV_HOST: "127.0.0.1",
  SOV_PORT: "4680",
  SOV_REST_RATE: "600",
  SOV_MCP_RATE: "60",
  SOV_MAX_CONNECTIONS: "200"
} as const

/** Copies of `defaultRetention` of @sov/core, by the names that `sov db prune` uses; the same test compares them. */
export const retentionDays = {
  MAIL: ["sent e-mails; those to removed recipients for 29 at most", 90],
  DELIVERIES: ["ended webhook deliveries, with their attempts", 90],
  EVENTS: ["webhook events without a delivery", 90],
  ALERT_MEMORY: ["what alert rules remember of older scans", 400],
  AUDIT: ["the audit log", 730],
  SCHEDULE_RUNS: ["runs of schedules", 400],
  DIGESTS: ["which digests were sent; those to removed recipients for 29 at most", 400],
  SHARE_LINKS: ["share links that have expired or were revoked", 90],
  IDEMPOTENCY_KEYS: ["idempotency keys of started scans", 1]
} as const

/** All variables. `sov help environment` and the manual show them all, `sov config list` only sov's own. */
export const environment: ReadonlyArray<Variable> = [
  { name: "SOV_DATA_DIR", meaning: "home of the embedded database; default .sov (the demo: .sov-demo)" },
  {
    name: "SOV_DATABASE_URL",
    meaning: "postgres:// URL of a server (15 or newer), used instead of the data directory",
    secret: true
  },
  {
    name: "SOV_RLS",
    meaning: "1: sov serve starts only if row-level security shows it one organization at a time; " +
      "sov db roles switches it on, and off with 0"
  },
  {
    name: "SOV_CONFIG",
    meaning: "file with the platforms; default sov.config.json, the one in the data directory if it exists"
  },
  {
    name: "SOV_COMMAND",
    meaning: "the command that hints tell you to type, for a wrapper such as sov-admin; default sov or npx sov"
  },
  { name: "SOV_ORG", meaning: "name of the organization, if there are several" },
  { name: "SOV_SOURCE_TABLE", meaning: "file with more AI assistants and crawlers for sov traffic" },
  {
    name: "SOV_SIGNING_SECRET",
    meaning: "webhook secret of sov verify, sov sign and sov webhook listen",
    secret: true
  },
  {
    name: "SOV_ENCRYPTION_KEYS",
    meaning: "keys ID:BASE64 that encrypt webhook secrets, separated by commas; a data directory has its own",
    secret: true
  },
  { name: "SOV_WEBHOOK_ALLOW_CIDRS", meaning: "networks that webhooks may reach besides the public internet" },
  { name: "SOV_WEBHOOK_ALLOW_HTTP", meaning: "1: webhooks may also use http:// addresses" },
  { name: "SOV_URL", meaning: "address of a sov server that scan, score and archive ask instead of a database" },
  { name: "SOV_API_KEY", meaning: "API key for that server (sov key create makes one)", secret: true },
  {
    name: "SOV_HOST",
    meaning: `address that sov serve listens on; default ${defaults.SOV_HOST}`,
    default: defaults.SOV_HOST
  },
  { name: "SOV_PORT", meaning: `its port; default ${defaults.SOV_PORT}`, default: defaults.SOV_PORT },
  { name: "SOV_PUBLIC_URL", meaning: "address at which clients reach the server, if it differs" },
  {
    name: "SOV_ALLOWED_HOSTS",
    meaning:
      "additional host names to accept, separated by commas; * = all. IP addresses, localhost and its own name are accepted"
  },
  {
    name: "SOV_TRUSTED_PROXIES",
    meaning: "networks (10.0.0.0/8, with commas) of proxies before sov serve whose X-Forwarded-For counts; default none"
  },
  {
    name: "SOV_PROXY_USER_HEADER",
    meaning: "header in which these proxies name the e-mail address of the signed-in person; default none"
  },
  {
    name: "SOV_OIDC_ISSUER",
    meaning: "OpenID Connect issuer for sign-in to the dashboard, such as https://id.acme.example; needs SOV_PUBLIC_URL"
  },
  { name: "SOV_OIDC_CLIENT_ID", meaning: "client id of the dashboard at that issuer" },
  { name: "SOV_OIDC_CLIENT_SECRET", meaning: "its client secret", secret: true },
  { name: "SOV_OIDC_NAME", meaning: "display name of that issuer, such as Acme SSO; default its host" },
  {
    name: "SOV_REST_RATE",
    meaning: `REST requests per minute for each API key; default ${defaults.SOV_REST_RATE}, 0 = no limit`,
    default: defaults.SOV_REST_RATE
  },
  {
    name: "SOV_MCP_RATE",
    meaning: "JSON-RPC requests per minute for each API key at /api/mcp, over all servers; " +
      `default ${defaults.SOV_MCP_RATE}, 0 = no limit`,
    default: defaults.SOV_MCP_RATE
  },
  {
    name: "SOV_MAX_CONNECTIONS",
    meaning: "open connections to sov serve for each address (IPv6: each /64 network), except trusted proxies; " +
      `default ${defaults.SOV_MAX_CONNECTIONS}, 0 = no limit`,
    default: defaults.SOV_MAX_CONNECTIONS
  },
  {
    name: "SOV_OWNER_ORGANIZATIONS",
    meaning:
      "organizations that an owner may have by creating them in the dashboard, no limit of what they spend; default 0: " +
      "only the operator creates",
    default: "0"
  },
  { name: "SOV_METRICS", meaning: "public: /metrics is open to everybody, not only to this machine" },
  { name: "OTEL_EXPORTER_OTLP_ENDPOINT", meaning: "where sov serve sends its traces; default nowhere" },
  {
    name: "SOV_SMTP_URL",
    meaning: "mail server of alert e-mails: smtp:// or smtps://user:password@host:port",
    secret: true
  },
  { name: "SOV_MAIL_FROM", meaning: "address that alert e-mails come from: \"Acme alerts <alerts@acme.example>\"" },
  {
    name: "NAME_FILE",
    meaning: "file with the value of NAME, if NAME is one of the secrets above or ends with _API_KEY"
  },
  {
    name: "CREDENTIALS_DIRECTORY",
    meaning: "directory of files, each named after the variable whose value it holds; set by systemd for LoadCredential"
  },
  ...Object.entries(retentionDays).map(([kind, [what, days]]) => ({
    name: `SOV_KEEP_${kind}`,
    meaning: `days for which sov keeps ${what}; default ${days}`,
    default: String(days)
  })),
  { name: "SOV_NO_BROWSER", meaning: "any value: sov dashboard prints its link and opens no browser" },
  { name: "NO_COLOR", meaning: "no colours; --color always overrides it" },
  { name: "FORCE_COLOR", meaning: "colours even if stdout is not a terminal" },
  { name: "CI", meaning: "if true, progress is printed as plain lines, as when stderr is not a terminal" },
  { name: "TERM", meaning: "dumb: no colours, no redrawing" }
]
