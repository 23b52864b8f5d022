import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { type Branding, BrandingText, noBranding } from "../../../domain/reports/Branding.ts"
import { readLogo } from "../../../domain/reports/Logo.ts"
import { BrandingStore } from "../../../ports/BrandingStore.ts"
import { decodeFirst, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { upsert } from "../upsert.ts"

const BrandingRow = rowOf({
  ...BrandingText.fields,
  // Which tags are accepted depends on the version and on the installed data; a stored one stays readable
  locale: Schema.NullOr(Schema.String),
  logo: Schema.NullOr(Schema.Uint8Array)
}).pipe(
  mapRow(({ logo, ...text }): Branding => {
    const read = logo === null ? null : readLogo(logo)
    return { ...text, logo: typeof read === "string" ? null : read }
  })
)

/** Branding in table `branding`. */
export const PgBrandingStore = Layer.effect(
  BrandingStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return BrandingStore.of({
      find: (organizationId) =>
        sql`select * from branding where organization_id = ${organizationId}`.pipe(
          decodeFirst(BrandingRow),
          Effect.map((found) => found ?? noBranding),
          withStoreErrors("find branding")
        ),

      save: (organizationId, { logo, ...text }) =>
        upsert(sql, "branding", ["organization_id"], {
          organization_id: organizationId,
          ...text,
          logo: logo?.bytes ?? null
        }).pipe(Effect.asVoid, withStoreErrors("save branding"))
    })
  })
)
