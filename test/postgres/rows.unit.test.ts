import { Effect, Exit, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { decodeFirst, decodeOne, decodeRows, mapRow, rowOf } from "../../packages/core/src/adapters/postgres/rows.ts"
import { withStoreErrors } from "../../packages/core/src/adapters/postgres/sqlErrors.ts"

const Row = rowOf({
  status: Schema.Literals(["open", "ended"]),
  startedAt: Schema.Date,
  note: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const startedAt = new Date(0)
const row = { status: "open", started_at: startedAt, further: 1 }

describe("rows", () => {
  it("a row is decoded from columns in snake case, and further columns are dropped", async () => {
    expect(await Effect.runPromise(decodeRows(Row)(Effect.succeed([row, { ...row, note: null }]))))
      .toEqual([{ status: "open", startedAt }, { status: "open", startedAt, note: null }])
  })

  it("the first row of an empty result is null", async () => {
    expect(await Effect.runPromise(decodeFirst(Row)(Effect.succeed([])))).toBeNull()
    expect(Exit.isFailure(await Effect.runPromiseExit(decodeOne(Row)(Effect.succeed([]))))).toBe(true)
  })

  it("a row that contains a row gets the shape of the domain", async () => {
    const Outer = rowOf({ innerRow: Row }).pipe(mapRow(({ innerRow }) => innerRow.startedAt))
    expect(await Effect.runPromise(decodeOne(Outer)(Effect.succeed([{ inner_row: row }])))).toBe(startedAt)
  })

  it("an older row can be read even if it exceeds the limit for new input", async () => {
    const Short = rowOf({ text: Schema.String.check(Schema.isMaxLength(1)) })
    expect(await Effect.runPromise(decodeOne(Short)(Effect.succeed([{ text: "ab" }])))).toEqual({ text: "ab" })
  })

  it("the error for a row that cannot be decoded names the column and quotes no value", async () => {
    const error = await Effect.runPromise(
      Effect.succeed([{ ...row, status: "secret" }]).pipe(decodeRows(Row), withStoreErrors("list"), Effect.flip)
    )
    expect(error).toMatchObject({
      _tag: "StoreError",
      reason: "internal",
      message: "list: column status of a row cannot be decoded"
    })
    expect(JSON.stringify(error)).not.toContain("secret")
  })
})
