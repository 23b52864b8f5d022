/** From the driver's rows to the domain's shapes: a schema of the columns decodes each row once. */
import { Effect, Result, Schema, SchemaGetter, String } from "effect"

const encode = SchemaGetter.forbidden<never, unknown>(() => "rows are only read")

/**
 * The schema of a row. Each member is a column, whose name is the member's in snake case; further columns are dropped.
 * Members within a `jsonb` value keep their names. For a row within a row (`to_jsonb(a_row)`) use `rowOf` again.
 * Declare the schema at module level: it is compiled once.
 */
export const rowOf = <const Fields extends { readonly [member: string]: Schema.ConstraintDecoder<unknown> }>(
  fields: Fields
): Schema.Decoder<Schema.Struct.Type<Fields>, Schema.Struct.DecodingServices<Fields>> => {
  const columns = Object.keys(fields).map((member) => [member, String.camelToSnake(member)] as const)
  const members: Schema.Decoder<Schema.Struct.Type<Fields>, Schema.Struct.DecodingServices<Fields>> = Schema.Struct(
    fields
  )
  return Schema.Record(Schema.String, Schema.Unknown).pipe(Schema.decodeTo(members, {
    decode: SchemaGetter.transform((row) => {
      const named: Record<string, unknown> = {}
      for (const [member, column] of columns) if (row[column] !== undefined) named[member] = row[column]
      return named
    }),
    encode
  }))
}

/** A `jsonb` value of a type without schema. Only this program writes it, so its content isn't checked. */
export const jsonOf = <A>(): Schema.Decoder<A> => Schema.declare((value): value is A => value !== undefined)

/** Changes the shape of a row after its columns are decoded. */
export const mapRow = <A, B>(change: (row: A) => B) => (row: Schema.Decoder<A>): Schema.Decoder<B> =>
  row.pipe(Schema.decodeTo(jsonOf<B>(), {
    decode: SchemaGetter.transform(change),
    encode
  }))

// Types are checked, and names of states. Limits of inputs are not: they may have been higher when a row was written.
const options = { disableChecks: true }

/** Decodes the rows of a statement. `withStoreErrors` names the column that cannot be decoded. */
export const decodeRows = <A>(row: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(row, options)
  return Effect.flatMap((rows: ReadonlyArray<unknown>) => Effect.fromResult(Result.all(rows.map((one) => decode(one)))))
}

/** Decodes the first row; null when there is none. */
export const decodeFirst = <A>(row: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(row, options)
  return Effect.flatMap(([first]: ReadonlyArray<unknown>) =>
    first === undefined ? Effect.succeed(null) : Effect.fromResult(decode(first))
  )
}

/** Decodes the row of a statement that always gives one. */
export const decodeOne = <A>(row: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(row, options)
  return Effect.flatMap(([first]: ReadonlyArray<unknown>) => Effect.fromResult(decode(first)))
}
