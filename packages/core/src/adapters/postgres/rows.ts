/** Converts the driver's rows to the domain's shapes: a schema of the columns decodes each row once. */
import { Effect, Record, Result, Schema, SchemaGetter, String } from "effect"

const encode = SchemaGetter.forbidden<never, unknown>(() => "rows are only read")

type Names<Fields> = { readonly [member in keyof Fields]?: string }

/**
 * Pairs the members of a record with their columns: a column has the member's name in snake case unless `names` has
 * another name.
 */
const pairColumns = <Fields extends object>(fields: Fields, names: Names<Fields>) =>
  (Object.keys(fields) as Array<keyof Fields & string>).map((member) =>
    [member, names[member] ?? String.camelToSnake(member)] as const
  )

/** The columns that `rowOf` reads, as a list for SELECT and RETURNING. */
export const listColumns = <Fields extends object>(fields: Fields, names: Names<Fields> = {}): string =>
  pairColumns(fields, names).map(([, column]) => column).join(", ")

/** The members that `rowOf` reads, as columns for INSERT. Other members of the record are left out. */
export const toColumns = <Fields extends object>(
  fields: Fields,
  record: { readonly [member in keyof Fields]: unknown },
  names: Names<Fields> = {}
): Record<string, unknown> =>
  Object.fromEntries(pairColumns(fields, names).map(([member, column]) => [column, record[member]]))

/** A row as the driver returns it, or as `to_jsonb` builds it. */
const Row = Schema.declare((value): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
)

/**
 * The schema of a row. Each member is a column, whose name is the member's name in snake case unless `names` has
 * another; further columns are dropped. Members within a `jsonb` value keep their names. For a row within a row
 * (`to_jsonb(a_row)`) use `rowOf` again. Declare the schema at module level, so that it is compiled once.
 */
export const rowOf = <const Fields extends { readonly [member: string]: Schema.ConstraintDecoder<unknown> }>(
  fields: Fields,
  names: Names<Fields> = {}
): Schema.Decoder<Schema.Struct.Type<Fields>, Schema.Struct.DecodingServices<Fields>> => {
  const columns = pairColumns(fields, names)
  const members: Schema.Decoder<Schema.Struct.Type<Fields>, Schema.Struct.DecodingServices<Fields>> = Schema.Struct(
    fields
  )
  return Row.pipe(Schema.decodeTo(members, {
    decode: SchemaGetter.transform((row) => {
      const named: Record<string, unknown> = {}
      for (const [member, column] of columns) if (row[column] !== undefined) named[member] = row[column]
      return named
    }),
    encode
  }))
}

/** The schema of a row of a join: each part reads its columns of the same row. */
export const joinOf = <const Parts extends { readonly [part: string]: Schema.ConstraintDecoder<unknown> }>(
  parts: Parts
): Schema.Decoder<Schema.Struct.Type<Parts>, Schema.Struct.DecodingServices<Parts>> => {
  const joined: Schema.Decoder<Schema.Struct.Type<Parts>, Schema.Struct.DecodingServices<Parts>> = Schema.Struct(parts)
  return Schema.Unknown.pipe(Schema.decodeTo(joined, {
    decode: SchemaGetter.transform((row) => Record.map(parts, () => row)),
    encode
  }))
}

/** A `jsonb` value of a type without a schema. Its content is not checked, because only sov writes it. */
export const jsonOf = <A>(): Schema.Decoder<A> => Schema.declare((value): value is A => value !== undefined)

/** Changes the shape of a row after its columns are decoded. */
export const mapRow = <A, B>(change: (row: A) => B) => (row: Schema.Decoder<A>): Schema.Decoder<B> =>
  row.pipe(Schema.decodeTo(jsonOf<B>(), {
    decode: SchemaGetter.transform(change),
    encode
  }))

// Checks types and the names of states, but not limits on input, which may have been higher when the row was written.
const options = { disableChecks: true }

/** Decodes the rows of a statement. If a column cannot be decoded, `withStoreErrors` names it. */
export const decodeRows = <A>(row: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(row, options)
  return Effect.flatMap((rows: ReadonlyArray<unknown>) => Effect.fromResult(Result.all(rows.map((one) => decode(one)))))
}

/** Decodes the first row; null if the statement returned no row. */
export const decodeFirst = <A>(row: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(row, options)
  return Effect.flatMap(([first]: ReadonlyArray<unknown>) =>
    first === undefined ? Effect.succeed(null) : Effect.fromResult(decode(first))
  )
}

/** Decodes the row of a statement that always returns one. */
export const decodeOne = <A>(row: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(row, options)
  return Effect.flatMap(([first]: ReadonlyArray<unknown>) => Effect.fromResult(decode(first)))
}

/** Decodes the number that a statement returns as `count`. */
export const decodeCount = decodeOne(rowOf({ count: Schema.Int }).pipe(mapRow(({ count }) => count)))
