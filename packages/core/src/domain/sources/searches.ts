import type { PlatformId } from "../platforms/Platform.ts"
import type { SourcedRow } from "./citing.ts"

/** A query that a platform used to search. */
export interface Search {
  readonly query: string
  readonly platform: PlatformId
  /** Number of the platform's answers for which it searched with this query, out of `of`. */
  readonly answers: number
  readonly of: number
}

/** The queries of answers by platform, most frequent first. */
export const countSearches = (rows: ReadonlyArray<Pick<SourcedRow, "platform" | "queries">>): ReadonlyArray<Search> => {
  const platforms = [...Map.groupBy(rows, ({ platform }) => platform)]
  return platforms.flatMap(([platform, own]) => {
    const answers = new Map<string, number>()
    for (const { queries } of own) {
      for (const query of new Set(queries)) answers.set(query, (answers.get(query) ?? 0) + 1)
    }
    return [...answers].map(([query, count]): Search => ({ query, platform, answers: count, of: own.length }))
  }).toSorted((a, b) =>
    b.answers - a.answers || (a.platform < b.platform ? -1 : a.platform > b.platform ? 1 : a.query < b.query ? -1 : 1)
  )
}
