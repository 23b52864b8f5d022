/** sov org delete, sov org deletions: deletes organizations with all of their data. */
import { NotFound } from "@sov/core/common"
import {
  cancelDeletion,
  countOrganizationRows,
  deleteOrganization,
  deletionDueAt,
  findOrganization,
  isTombstoneSigned,
  listDeletionRequests,
  listOrganizations,
  listTombstones,
  type Organization,
  requestDeletion,
  Tombstone
} from "@sov/core/organizations"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { confirm } from "../../input/confirm.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"
import type { Output } from "../../output/Output.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import { runCommand, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface DeleteOptions extends GlobalOptions {
  readonly now?: boolean
  readonly dryRun?: boolean
  readonly cancel?: boolean
}

type Counts = Effect.Success<ReturnType<typeof countOrganizationRows>>

const describeCounts = (counts: Counts): string =>
  [
    pluralizeGrouped(counts["answer"] ?? 0, "answer"),
    pluralizeGrouped(counts["scan"] ?? 0, "scan"),
    pluralizeGrouped(counts["keyword"] ?? 0, "question"),
    `${pluralizeGrouped(Object.values(counts).reduce((sum, rows) => sum + rows, 0), "row")} in all`
  ].join(", ")

const showCounts = Effect.fnUntraced(function*(out: Output, organization: Organization) {
  const rows = yield* countOrganizationRows(organization.id)
  const request = (yield* listDeletionRequests()).find(({ organizationId }) => organizationId === organization.id)
  const due = request === undefined ? null : deletionDueAt(request).toISOString()
  out.result({ organization_id: organization.id, dry_run: true, rows, due_at: due }, () =>
    [
      `Would delete ${organization.name}: ${describeCounts(rows)}.`,
      ...Object.entries(rows).map(([table, count]) => `  ${table.padEnd(22)}${count}`),
      ...due === null ? [] : [`Its deletion is requested, and due at ${due}.`]
    ].join("\n"))
})

const cancel = Effect.fnUntraced(function*(out: Output, { id, name }: Organization) {
  const cancelled = yield* cancelDeletion(id)
  out.result(
    { organization_id: id, cancelled },
    () => cancelled ? `${name} stays: its deletion is cancelled.` : `Nothing to do: nobody requested to delete ${name}.`
  )
})

const ownerNeeded = new CliError(
  "owner-needed",
  exitCodes.conflict,
  "this role of the database may not delete an organization at once",
  "set SOV_DATABASE_URL to the role that owns the tables, or leave out --now"
)

/** Runs `sov org delete SLUG`. */
export const deleteOne = (options: DeleteOptions, slug: string) =>
  runCommand(options, {}, function*({ out }) {
    const organization = yield* findOrganization(slug)
    const { id, name } = organization
    if (options.cancel === true) return yield* cancel(out, organization)
    if (options.dryRun === true) return yield* showCounts(out, organization)
    out.note(`${name} has ${describeCounts(yield* countOrganizationRows(id))}. sov org export writes all of it.`)
    if (options.now === true) {
      yield* confirm(out, `Delete ${name} now? This cannot be undone.`, slug)
      const stone = yield* deleteOrganization(id, { atOnce: true }).pipe(
        Effect.mapError((error) => error.reason === "denied" ? ownerNeeded : error)
      )
      if (stone === null) return yield* new NotFound({ what: "organization", id: slug })
      out.result(
        { organization_id: id, deleted: true, due_at: null, tombstone: stone },
        () => `Deleted ${name}. Its tombstone, to be kept elsewhere:\n${JSON.stringify(stone)}`
      )
      return
    }
    yield* confirm(out, `Delete ${name} in seven days?`, slug)
    const due = deletionDueAt(yield* requestDeletion(id)).toISOString()
    out.result(
      { organization_id: id, deleted: false, due_at: due, tombstone: null },
      () => `${name} is deleted at ${due}, or up to an hour later. Until then: sov org delete ${slug} --cancel`
    )
  })

const failIfChanged = (changed: ReadonlyArray<Tombstone>) =>
  changed.length === 0 ? Effect.void : Effect.fail(
    new CliError(
      "tombstone-changed",
      exitCodes.checkFailed,
      `not what was signed: ${changed.map((stone) => stone.organization_id).join(", ")}`
    )
  )

const decodeStone = Schema.decodeUnknownEffect(Schema.fromJsonString(Tombstone))

const describeStone = (stone: Tombstone): string =>
  `${stone.deleted_at}  ${stone.organization_id}  ${
    stone.head === null ? "no seal" : `seal ${stone.head.sequence} ${stone.head.hash}`
  }  by ${stone.deleted_by}  ${isTombstoneSigned(stone) ? "signed" : "CHANGED"}`

/** Lists the deletion requests, and the tombstones of deleted organizations, which it checks. */
const listAll = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const known = new Map((yield* listOrganizations()).map(({ id, slug }) => [id, slug]))
    const requests = (yield* listDeletionRequests()).map((request) => ({
      organization_id: request.organizationId,
      slug: known.get(request.organizationId) ?? null,
      requested_at: request.requestedAt.toISOString(),
      requested_by: request.requestedBy,
      due_at: deletionDueAt(request).toISOString()
    }))
    const stones = yield* listTombstones()
    const tombstones = stones.map((stone) => ({ ...stone, valid: isTombstoneSigned(stone) }))
    out.result({ requests, tombstones }, () =>
      requests.length + stones.length === 0
        ? "No organization is deleted or to be deleted."
        : [
          ...requests.map(({ due_at, organization_id, slug }) => `${due_at}  ${slug ?? organization_id}  is due`),
          ...stones.map(describeStone)
        ].join("\n"))
    yield* failIfChanged(stones.filter((stone) => !isTombstoneSigned(stone)))
  })

/** Checks a tombstone in a file, without a database. */
const checkFile = (options: GlobalOptions, file: string) =>
  runWithoutDatabase(options, function*({ out }) {
    const text = yield* Effect.try({
      try: () => readFileSync(file, "utf8"),
      catch: (error) => makeUnreadableError(file, error)
    })
    const stone = yield* decodeStone(text).pipe(
      Effect.mapError(() => usageError(`${file} is no tombstone`, "sov org delete --now prints one"))
    )
    const valid = isTombstoneSigned(stone)
    out.result({ ...stone, valid }, () => `${describeStone(stone)}\nby the key ${stone.public_key}`)
    yield* failIfChanged(valid ? [] : [stone])
  })

/** Runs `sov org deletions [--file FILE]`. */
export const listDeletions = (options: GlobalOptions & { readonly file?: string }) =>
  options.file === undefined ? listAll(options) : checkFile(options, options.file)
