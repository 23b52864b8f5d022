import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationData } from "../../../ports/OrganizationData.ts"
import { type BackupTable, backupTables } from "../backup/backupTables.ts"
import { firstPage, selectPage } from "../backup/selectPage.ts"
import { withStoreErrors } from "../sqlErrors.ts"

/** Columns that let somebody in, or are a part of what does. */
const secretColumns: { readonly [table: string]: ReadonlyArray<string> } = {
  api_key: ["hash"],
  mail: ["body_text", "body_html"],
  share_link: ["hash"],
  webhook_endpoint: ["secret", "next_secret"]
}

const isOwned = ({ columns, name }: BackupTable): boolean =>
  name === "organization" || columns.includes("organization_id")

/** Rows of all tables that the catalog lists: a table that a migration adds is included. */
export const PgOrganizationData = Layer.effect(
  OrganizationData,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const owned = backupTables.pipe(
      Effect.map((tables) => tables.filter(isOwned)),
      Effect.provideService(SqlClient.SqlClient, sql),
      withStoreErrors("list tables")
    )
    return OrganizationData.of({
      tables: () => Effect.map(owned, (tables) => tables.map(({ name }) => name)),

      page: Effect.fnUntraced(function*(organizationId, name, start) {
        const table = (yield* owned).find((one) => one.name === name)
        if (table === undefined) return { rows: [], next: null }
        const columns = table.columns.filter((column) => secretColumns[name]?.includes(column) !== true)
        const owner = name === "organization" ? "id" : "organization_id"
        const page = yield* selectPage(
          sql,
          { ...table, columns },
          [[`${owner} = ?::text::uuid`, organizationId]],
          start ?? firstPage
        ).pipe(withStoreErrors("read the organization's rows"))
        return page === null ? { rows: [], next: null } : { rows: page.json.split("\n"), next: page.next }
      })
    })
  })
)
