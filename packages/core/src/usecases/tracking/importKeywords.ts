import { Data, Effect, Schedule } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import { KeywordId, type OrganizationId } from "../../domain/ids.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import type { KeywordFile, RefusedLine } from "../../domain/tracking/keywordFile.ts"
import { type ImportedKeyword, type ImportPlan, planImport } from "../../domain/tracking/keywordImport.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { statusActions } from "./setKeywordStatus.ts"
import { listTagActs } from "./tagKeywords.ts"

/** The result of importing a file: each of its keywords is either counted once or refused. */
export interface ImportResult {
  readonly added: number
  readonly existing: number
  /** Refused lines in the order of the file. */
  readonly refused: ReadonlyArray<RefusedLine>
}

/** The audit acts for a keyword: that it is tracked, and its status if that is not the default. */
const listStatusActs = ({ before, id, status, text }: ImportedKeyword): ReadonlyArray<Act> => {
  if (before === status) return []
  const isNew = before === null || before === "archived"
  return [
    ...isNew ? [{ action: "keyword.added", subjectId: id, detail: { text } } as const] : [],
    ...isNew && status === "active" ? [] : [{ action: statusActions[status], subjectId: id, detail: { text } }]
  ]
}

const listActs = ({ keywords, tagged }: ImportPlan): ReadonlyArray<Act> => [
  ...keywords.flatMap(listStatusActs),
  ...listTagActs("keyword.tagged", tagged, new Map(keywords.map((one) => [one.id, one])))
]

/** A concurrent request has just added one of the texts, so the import must be planned again. */
class KeywordsChanged extends Data.TaggedError("KeywordsChanged") {}

/**
 * Tracks the keywords of a file, with their tags and statuses: all acceptable ones, or none if it is interrupted. A
 * `dryRun` returns the same result and changes nothing.
 */
export const importKeywords = Effect.fn("importKeywords")(function*(
  organizationId: OrganizationId,
  file: Pick<KeywordFile, "keywords" | "refused">,
  { dryRun = false }: { readonly dryRun?: boolean } = {}
) {
  const store = yield* KeywordStore
  const createdAt = yield* now
  const ids = yield* Effect.forEach(file.keywords, () => newId(KeywordId))
  const plan = Effect.gen(function*() {
    let next = 0
    return planImport(
      yield* store.list(organizationId, keywordStatuses),
      yield* store.listTags(organizationId),
      file.keywords,
      () => ids[next++]!
    )
  })
  const apply = Effect.gen(function*() {
    const made = yield* plan
    const created = made.keywords.filter(({ before }) => before === null)
    const stored = yield* store.add(
      organizationId,
      created.map(({ id, status, text }) => ({ id, text, status, createdAt }))
    )
    if (stored.some(({ id }, n) => id !== created[n]!.id)) return yield* new KeywordsChanged()
    const changed = made.keywords.filter(({ before, status }) => before !== null && before !== status)
    yield* store.setStatuses(organizationId, changed)
    yield* store.addTags(organizationId, made.tagged)
    return made
  })
  const run = runActs(organizationId, apply, listActs).pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "KeywordsChanged", schedule: Schedule.recurs(20) }),
    Effect.catchTag("KeywordsChanged", Effect.die)
  )
  const { added, existing, refused } = yield* dryRun ? plan : run
  const result: ImportResult = {
    added,
    existing,
    refused: [...file.refused, ...refused].toSorted((a, b) => a.line - b.line)
  }
  return result
})
