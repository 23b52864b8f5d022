import { Effect, Option, Stream } from "effect"

/** All rows of a list that is read page by page, a page in memory at a time: for its CSV. */
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
