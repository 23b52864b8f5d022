import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer, Schema } from "effect"
import type { OrganizationId } from "../../../domain/ids.ts"
import {
  formatTrafficDay,
  toTrafficHour,
  type TrafficLine,
  type TrafficRange
} from "../../../domain/traffic/AiTraffic.ts"
import { trafficSignals } from "../../../domain/traffic/classify.ts"
import { lineIdLength } from "../../../domain/traffic/lineIds.ts"
import { TrafficStore } from "../../../ports/TrafficStore.ts"
import { decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { inBatches } from "../values.ts"

/** How many hours one statement reads line ids for: consecutive lines of a log belong to few hours. */
const hoursPerStatement = 32

const LinesRow = rowOf({ hour: Schema.Int, ids: Schema.Uint8Array })
const DayRow = rowOf({
  signal: Schema.Literals(trafficSignals),
  source: Schema.String,
  day: Schema.String,
  count: Schema.Number,
  tagged: Schema.Number,
  foreignReferrer: Schema.Number
})
const PageRow = rowOf({ signal: Schema.Literals(trafficSignals), path: Schema.String, count: Schema.Number })
const SourcesRow = rowOf({ sources: Schema.String }).pipe(mapRow(({ sources }) => sources))

/** Groups lines by hour and then by id; duplicates count once. */
const groupByHour = (lines: ReadonlyArray<TrafficLine>): ReadonlyMap<number, Map<string, TrafficLine>> => {
  const hours = new Map<number, Map<string, TrafficLine>>()
  for (const line of lines) {
    const hour = toTrafficHour(line.time)
    const found = hours.get(hour)
    if (found === undefined) hours.set(hour, new Map([[line.id, line]]))
    else found.set(line.id, line)
  }
  return hours
}

/** How much each row of `traffic_count` increases. */
const countByDay = (lines: ReadonlyArray<TrafficLine>) => {
  const counts = new Map<string, { readonly line: TrafficLine; readonly day: string; count: number }>()
  for (const line of lines) {
    const day = formatTrafficDay(line.time)
    const key = `${day} ${line.signal} ${line.source} ${line.tag}\n${line.foreignReferrer} ${line.path}`
    const found = counts.get(key)
    if (found === undefined) counts.set(key, { line, day, count: 1 })
    else found.count++
  }
  return [...counts.values()]
}

/** Counts in table `traffic_count`; line ids in `traffic_lines`, which only grows. */
export const PgTrafficStore = Layer.effect(
  TrafficStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

    /** Finds the lines that are not counted yet, by hour, and how many parts each hour already has. */
    const findNewLines = Effect.fnUntraced(
      function*(organizationId: OrganizationId, lines: ReadonlyArray<TrafficLine>) {
        const hours = groupByHour(lines)
        const parts = new Map<number, number>()
        for (const some of Array.chunksOf([...hours.keys()], hoursPerStatement)) {
          const rows = yield* sql`
          select hour, ids from traffic_lines where organization_id = ${organizationId} and ${sql.in("hour", some)}
        `.pipe(decodeRows(LinesRow))
          for (const { hour, ids } of rows) {
            parts.set(hour, (parts.get(hour) ?? 0) + 1)
            const text = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength).toString("latin1")
            const left = hours.get(hour)!
            for (let at = 0; at < text.length; at += lineIdLength) left.delete(text.slice(at, at + lineIdLength))
          }
        }
        return { hours, parts, lines: [...hours.values()].flatMap((left) => [...left.values()]) }
      }
    )

    const matchRange = ({ from, to }: TrafficRange) =>
      sql.and([
        ...from === null ? [] : [sql`day >= ${from}::date`],
        ...to === null ? [] : [sql`day <= ${to}::date`],
        sql`true`
      ])

    return TrafficStore.of({
      add: (organizationId, lines, sources) =>
        sql.withTransaction(Effect.gen(function*() {
          // Imports run one at a time: concurrent ones could count the same lines
          yield* sql`select from organization where id = ${organizationId} for no key update`
          const found = yield* findNewLines(organizationId, lines)
          const parts = [...found.hours].flatMap(([hour, left]) =>
            left.size === 0 ? [] : [{
              organization_id: organizationId,
              hour,
              part: found.parts.get(hour) ?? 0,
              sources,
              ids: Buffer.from([...left.keys()].join(""), "latin1")
            }]
          )
          yield* inBatches(sql, parts, (batch) => sql`insert into traffic_lines ${sql.insert(batch)}`)
          const counts = countByDay(found.lines)
          const column = (of: (one: typeof counts[number]) => string | number | boolean) =>
            counts.map((one) => String(of(one)))
          // Passes arrays: with a parameter for each value, the database would be the bottleneck of an import
          yield* sql`
            insert into traffic_count
            select ${organizationId}::uuid, * from unnest(
              ${column(({ day }) => day)}::text[]::date[], ${column(({ line }) => line.signal)}::text[],
              ${column(({ line }) => line.source)}::text[], ${column(({ line }) => line.tag)}::text[],
              ${column(({ line }) => line.foreignReferrer)}::text[]::boolean[], ${
            column(({ line }) => line.path)
          }::text[],
              ${column(({ count }) => count)}::text[]::bigint[]
            )
            on conflict (organization_id, day, signal, source, tag, foreign_referrer, path)
            do update set count = traffic_count.count + excluded.count
          `
          return found.lines
        })).pipe(withStoreErrors("count traffic")),

      listUncounted: (organizationId, lines) =>
        findNewLines(organizationId, lines).pipe(
          Effect.map((found) => found.lines),
          withStoreErrors("look for traffic")
        ),

      days: (organizationId, range) =>
        sql`
          select signal, source, day::text, sum(count)::float8 as count,
            coalesce(sum(count) filter (where tag <> ''), 0)::float8 as tagged,
            coalesce(sum(count) filter (where foreign_referrer), 0)::float8 as foreign_referrer
          from traffic_count where organization_id = ${organizationId} and ${matchRange(range)}
          group by signal, source, traffic_count.day
          order by signal collate "C", source collate "C", traffic_count.day
        `.pipe(
          decodeRows(DayRow),
          withStoreErrors("read traffic")
        ),

      pages: (organizationId, range, limit) =>
        sql`
          select signal, path, count from (
            select signal, path, sum(count)::float8 as count,
              row_number() over (partition by signal order by sum(count) desc, path collate "C") as place
            from traffic_count
            where organization_id = ${organizationId} and signal <> 'crawler' and ${matchRange(range)}
            group by signal, path
          ) page
          where place <= ${limit} order by signal collate "C", place
        `.pipe(
          decodeRows(PageRow),
          withStoreErrors("read landing pages")
        ),

      sources: (organizationId, { from, to }) =>
        sql`
          select distinct sources from traffic_lines
          where organization_id = ${organizationId}
            and ${from === null ? sql`true` : sql`hour >= (${from}::date - date '1970-01-01') * 24`}
            and ${to === null ? sql`true` : sql`hour < (${to}::date - date '1970-01-01') * 24 + 24`}
          order by sources
        `.pipe(decodeRows(SourcesRow), withStoreErrors("read traffic sources"))
    })
  })
)
