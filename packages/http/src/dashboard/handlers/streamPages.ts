import { Effect, Option, Stream } from "effect"

/** All rows of a paginated list, for its CSV. Only one page is in memory at a time. */
export const streamPages = <Row, E, R>(
  read: (cursor: string | undefined) => Effect.Effect<
    { readonly rows: ReadonlyArray<Row>; readonly nextCursor: string | null },
    E,
    R
  >
): Stream.Stream<Row, E, R> =>
  Stream.paginate(undefined as string | undefined, (cursor) =>
    Effect.map(
      read(cursor),
      ({ nextCursor, rows }) => [rows, nextCursor === null ? Option.none() : Option.some(nextCursor)] as const
    ))
