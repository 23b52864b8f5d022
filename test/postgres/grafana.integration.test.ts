/** The dashboard for Grafana over the views: every query runs, and gives what its panel shows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../support/completedScans.ts"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

interface Target {
  readonly rawSql: string
  readonly format: "table" | "time_series"
}

const dashboard = JSON.parse(
  readFileSync(new URL("../../deploy/grafana/visibility.json", import.meta.url), "utf8")
) as {
  readonly templating: { readonly list: ReadonlyArray<{ readonly query: string }> }
  readonly panels: ReadonlyArray<{ readonly title: string; readonly targets: ReadonlyArray<Target> }>
}
const targets = dashboard.panels.flatMap(({ targets, title }) => targets.map((target) => ({ title, ...target })))

describe.each(homes)("deploy/grafana/visibility.json on the %s home", (home) => {
  const storage = openStorage(home, "superuser")
  afterAll(storage.close)
  const rows = (statement: string) =>
    storage.run(Effect.gen(function*() {
      return yield* (yield* SqlClient.SqlClient).unsafe<Record<string, unknown>>(statement)
    }))
  let organization: unknown

  beforeAll(async () => {
    await storage.run(Effect.gen(function*() {
      const id = yield* seed
      for (const seconds of [0, 100]) {
        yield* scanWith(id, seconds, (n) => n % 2 === 0 ? "Acme Forge, says https://example.com/a." : "Globex.")
      }
      // Narrowed: two more keywords were tracked
      yield* scanWith(id, 200, () => "Acme Forge.", { askable: { keywords: 8, platforms: 2 } })
    }))
    const [variable] = dashboard.templating.list
    ;[{ organization }] = await rows(variable!.query) as [{ readonly organization: unknown }]
  })

  it.each(targets)(
    "the queries of the panel $title work",
    async ({ format, rawSql, title }) => {
      const found = await rows(
        rawSql
          .replaceAll("${organization:sqlstring}", `'${String(organization)}'`)
          .replaceAll(
            /\$__timeFilter\((\w+)\)/g,
            "$1 between now() - interval '100 years' and now() + interval '1 day'"
          )
      )
      expect(rawSql).not.toMatch(/\$(?!\{organization:sqlstring\}|__timeFilter)/)
      expect(found.length).toBeGreaterThan(0)
      if (format === "time_series") expect(found[0]!["time"]).toBeInstanceOf(Date)
      // 100 in the narrowed scan, 50 in the others
      const shares = found.flatMap((row) => ["sov", "share of voice"].flatMap((name) => row[name] ?? []))
      if (title === "Narrowed scans") {
        expect(found).toMatchObject([{ "share of voice": 100, keywords: "6 of 8", platforms: "2 of 2" }])
      } else expect(shares).toEqual(shares.map(() => 50))
    }
  )
})
