/** sov card show, attest, history, export: the facts about the organization, and how trustworthy they are. */
import {
  attestBusinessCard,
  businessCardJson,
  cardChangeJson,
  type CardField,
  cardFieldNames,
  cardJsonLd,
  jsonLdElement,
  jsonLdText,
  listCardChanges,
  readBusinessCard
} from "@sov/core/card"
import { maxLogPage } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { Effect } from "effect"
import { resolve } from "node:path"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { writeOut } from "../../output/writeOut.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { findField, valueText } from "./cardInput.ts"
import { cardView } from "./cardView.ts"

/** Runs `sov card show`. */
export const show = (options: GlobalOptions & { readonly all?: boolean }) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const report = yield* readBusinessCard(organization.id)
    const empty = cardFieldNames.filter((name) => !report.card.has(name))
    const forms = options.all === true && !out.machine
      ? yield* Effect.promise(async () => {
        const { cardForm } = await import("@sov/core/business-card")
        return empty.map((name) => [name, cardForm(name)] as const)
      })
      : []
    out.result(businessCardJson(report), () =>
      cardView(report, forms, {
        bold: (text) => out.style("bold", text),
        width: out.tty.out ? process.stdout.columns || undefined : undefined
      }))
    if (report.card.size === 0) {
      out.note(
        "The card is empty: sov card set name \"Acme GmbH\", or sov card import FILE (sov card show --all: fields)"
      )
    } else if (report.attestationState !== "attested") {
      out.note("sov card attest --by NAME vouches for the card as it is.")
    }
  })

/** Runs `sov card attest`. */
export const attest = (options: GlobalOptions & { readonly by: string }) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const { at, by, cardHash } = yield* attestBusinessCard(organization.id, options.by)
    const { trust } = yield* readBusinessCard(organization.id)
    out.result(
      { attested_by: by, attested_at: at.toISOString(), hash: cardHash, trust_score: trust.score },
      () => `${by} attests the card (sha256 ${cardHash.slice(0, 16)}…); trust score ${trust.score} of 100`
    )
  })

interface HistoryOptions extends GlobalOptions {
  readonly field?: string
  readonly limit: string
}

/** Runs `sov card history`. */
export const history = (options: HistoryOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const limit = yield* integerOption("--limit", options.limit, 1, maxLogPage)
    const field: CardField | undefined = options.field === undefined ? undefined : yield* findField(options.field)
    const organization = yield* currentOrganization(options)
    const changes = yield* listCardChanges(organization.id, wholeHistory, { limit, field })
    const rows = changes.map((change) => ({ ...cardChangeJson(change) }))
    out.list(rows, [
      { header: "ENTERED", cell: (row) => row.changed_at },
      { header: "FIELD", cell: (row) => row.field },
      { header: "CHANGE", cell: (row) => row.change },
      { header: "VALUE", cell: (row) => valueText(row.value) },
      { header: "BEFORE", cell: (row) => row.change === "confirmed" ? "" : valueText(row.previous) },
      { header: "SOURCE", cell: (row) => row.source }
    ], { empty: "No changes yet: sov card set name \"Acme GmbH\" makes one." })
    if (rows.length === limit && !out.machine) out.note(`There may be more: --limit N (now ${limit})`)
  })

interface ExportOptions extends GlobalOptions {
  readonly out: string
  readonly public?: boolean
  readonly html?: boolean
}

/** Runs `sov card export`. */
export const exportCard = (options: ExportOptions) => {
  const file = options.out === "-" ? null : resolve(options.out)
  const before = file === null ? Effect.void : checkTarget(file, options.yes === true)
  return runForOrganization(options, { before }, function*({ out }, organization) {
    const { card } = yield* readBusinessCard(organization.id)
    if (card.size === 0) out.note("The card is empty.")
    const document = cardJsonLd(card, { sources: options.public !== true && options.html !== true })
    const text = `${options.html === true ? jsonLdElement(document) : jsonLdText(document)}\n`
    if (file === null) return yield* writeOut(text)
    // The file is readable for everybody, because a web server serves it
    const part = yield* createPartFile(file, { shared: true })
    yield* part.write(text)
    yield* part.finish
    out.note(`Wrote ${card.size} fields to ${options.out}.`)
  })
}
