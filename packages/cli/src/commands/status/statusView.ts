/** The output of `sov status` for people: about ten labelled lines. */
import { pluralized } from "@sov/core/common"
import { namePlatform } from "@sov/core/platforms"
import { formatZonedTime } from "@sov/core/schedules"
import { printable } from "../../output/Output.ts"
import { askedText } from "../../render/askedText.ts"
import { formatDuration } from "../../render/progress.ts"
import { originText } from "../../settings/databaseLocation.ts"
import type { StatusDocument } from "./readStatus.ts"

type Row = readonly [label: string, text: string]

/** `12_400_000` → "12 MB". */
export const formatBytes = (count: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB"]
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)))
  const value = count / 1000 ** step
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${units[step]!}`
}

/** Formats a time and its age. */
const formatAge = (iso: string, now: Date): string => {
  const ms = now.getTime() - Date.parse(iso)
  const day = 86_400_000
  return ms >= 2 * day ? `${iso.slice(0, 10)} (${Math.floor(ms / day)} days ago)` : `${formatDuration(ms)} ago`
}

const databaseRows = ({ database }: StatusDocument): ReadonlyArray<Row> => {
  const where = `${database.kind === "embedded" ? "embedded, in" : "server"} ${database.location} ${
    originText(database)
  }`
  if (database.state === "absent") return [["database", `none yet: ${where}`]]
  const error = database.error === null
    ? []
    : [
      ["", database.error.message] as const,
      ...database.error.hint === null ? [] : [["", database.error.hint] as const]
    ]
  if (database.state === "unreachable") return [["database", `CANNOT BE REACHED: ${where}`], ...error]
  const schema = database.state === "newer"
    ? []
    : [
      database.state === "ready"
        ? `schema ${database.schema_version}, up to date`
        : `${pluralized(database.pending_migrations ?? 0, "migration")} to run: sov db migrate`
    ]
  return [
    ["database", where],
    ["", [`Postgres ${database.version}`, formatBytes(database.size_bytes ?? 0), ...schema].join(", ")],
    ...error
  ]
}

const ownerRows = ({ owner }: StatusDocument, now: Date): ReadonlyArray<Row> => {
  if (owner === null) return []
  const who = `process ${owner.pid ?? "?"}`
  const since = owner.since === null ? "" : `, started ${formatAge(owner.since, now)}`
  const text = {
    serving: `${who}${since}`,
    opening: `${who}, which does not answer yet${since}`,
    refused: owner.message ?? "refuses",
    incompatible: `${who} of another version of sov${since}`,
    held: `none, but ${who} holds the directory`,
    none: "was not running; it starts when needed"
  }
  return [["owner", text[owner.state]]]
}

const lastScanText = (last: NonNullable<StatusDocument["organizations"][number]["last_scan"]>, now: Date): string => {
  const text = last.status === "running"
    ? `running, started ${formatAge(last.started_at, now)}`
    : `${last.status} ${formatAge(last.completed_at ?? last.started_at, now)}`
  const part = last.asked === undefined ? null : askedText(last.asked)
  const sov = last.avg_sov === null
    ? ""
    : `, share of voice ${last.avg_sov} %${part === null ? "" : ` (asked only ${part})`}`
  return `${text}${sov}${last.simulated ? " · SIMULATED" : ""}`
}

type ScheduleStatus = NonNullable<StatusDocument["organizations"][number]["schedule"]>

const scheduleText = (
  { attended, cron, next_run_at: next, overdue, paused, time_zone: zone }: ScheduleStatus
): string =>
  `${cron} in ${zone}, ${
    paused ? "PAUSED" : next === null ? "no run will ever come" : `next ${formatZonedTime(new Date(next), zone)}`
  }${overdue ? " · OVERDUE" : ""}${paused || attended ? "" : " · NOBODY runs it: sov worker"}`

const organizationRows = (one: StatusDocument["organizations"][number], now: Date): ReadonlyArray<Row> => [
  ["organization", `${one.name} (--org ${one.slug}), plan ${one.plan}`],
  [
    "quota",
    `${one.quota.used} of ${one.quota.limit} manual scans used in ${one.quota.period}, ` +
    `resets ${one.quota.resets_at.slice(0, 10)}`
  ],
  ["archive", pluralized(one.answers, "answer")],
  ["last scan", one.last_scan === null ? "none yet" : lastScanText(one.last_scan, now)],
  ...one.schedule === null ? [] : [["schedule", scheduleText(one.schedule)] as const]
]

const runningText = (scan: StatusDocument["running"][number], now: Date): string => {
  const waits = [
    ...scan.due === 0 ? [] : [`${scan.due} due`],
    ...scan.waiting === 0 || scan.retry_at === null
      ? []
      : [`${scan.waiting} wait for a retry in ${formatDuration(Date.parse(scan.retry_at) - now.getTime())} or later`],
    ...scan.platforms_not_configured === null || scan.platforms_not_configured.length === 0
      ? []
      : [`${scan.not_configured} of ${scan.platforms_not_configured.join(", ")}, not configured here`]
  ]
  return `${scan.ended}/${scan.cells} ended${scan.simulated ? " · SIMULATED" : ""}${
    waits.length === 0 ? "" : `: ${waits.join("; ")}`
  } (${scan.organization}, ${scan.scan_id})`
}

const activityText = (
  { doing, seen_at: seenAt, taken_over: takenOver }: StatusDocument["workers"][number],
  { workers }: StatusDocument
): string => {
  if (doing.length > 0) return doing.join(", ")
  if (takenOver.length === 0) return "idle"
  // Uses only the registry's clock, because it may differ from this machine's clock
  const lastSign = Math.max(...workers.map((one) => Date.parse(one.seen_at)))
  return `no heartbeat for ${formatDuration(lastSign - Date.parse(seenAt))}, other workers have taken over`
}

const workerText = (worker: StatusDocument["workers"][number], status: StatusDocument, now: Date): string =>
  `process ${worker.pid} on ${worker.host}, ${activityText(worker, status)}, started ${
    formatAge(worker.started_at, now)
  } (${worker.id})`

const endedRows = (
  { at, label, message, platform }: StatusDocument["platforms_ended"][number],
  now: Date
): ReadonlyArray<Row> => [
  ["platform", `${namePlatform({ id: platform, ...label === null ? {} : { label } })} CANNOT BE ASKED: ${message}`],
  ["", `found ${formatAge(at, now)}; set model or baseUrl in sov.config.json, then: sov platform test ${platform}`]
]

const makeListRows = (label: string, texts: ReadonlyArray<string>, total: number, none: string): ReadonlyArray<Row> =>
  texts.length === 0 ? [[label, none]] : [
    ...texts.map((text, n): Row => [n === 0 ? label : "", text]),
    ...total > texts.length ? [["", `and ${total - texts.length} more`] as const] : []
  ]

const makeStatusRows = (status: StatusDocument, now: Date): ReadonlyArray<Row> => {
  const head: ReadonlyArray<Row> = [
    ["sov", `${status.sov.version} on Node ${status.sov.node}`],
    ...databaseRows(status),
    ...ownerRows(status, now)
  ]
  if (status.organizations_total === null) return head
  const more = status.organizations_total - status.organizations.length
  return [
    ...head,
    ...status.organizations_total === 0 ? [["organization", "none yet: sov init sets one up"] as const] : [],
    ...status.organizations.flatMap((one) => organizationRows(one, now)),
    ...more > 0 ? [["", `and ${more} more: sov org list`] as const] : [],
    ...status.platforms_ended.flatMap((one) => endedRows(one, now)),
    ...makeListRows("running", status.running.map((scan) => runningText(scan, now)), status.running_total, "no scan"),
    ...makeListRows("workers", status.workers.map((one) => workerText(one, status, now)), status.workers.length, "none")
  ]
}

/**
 * The rows, with ages relative to `now`. Names from outside are escaped, so that they cannot control a terminal or
 * begin a line.
 */
export const statusRows = (status: StatusDocument, now: Date): ReadonlyArray<Row> =>
  makeStatusRows(status, now).map(([label, text]) => [label, printable(text).replace(/\s+/g, " ")])
