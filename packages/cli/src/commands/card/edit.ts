/** sov card set, import: enters facts by hand or from a schema.org document. */
import {
  type CardEdited,
  cardEditedJson,
  cardText,
  editBusinessCard,
  maxSourceLength,
  readBusinessCard
} from "@sov/core/card"
import { type OrganizationId, Rejected } from "@sov/core/common"
import { Effect, Result } from "effect"
import { basename } from "node:path"
import { usageError } from "../../CliError.ts"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { readText } from "../../input/readText.ts"
import type { Output } from "../../output/Output.ts"
import { renderTable } from "../../render/table.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { findField, loadCardRules, rejectOnFault, valueText } from "./cardInput.ts"

interface SourceOptions extends GlobalOptions {
  readonly source?: string
}

const parseSource = ({ source }: SourceOptions): Effect.Effect<string | null, Rejected> =>
  source === undefined ? Effect.succeed(null) : Effect.fromResult(
    Result.mapError(
      cardText(source, maxSourceLength),
      (why) => new Rejected({ field: "source", message: `--source ${why}` })
    )
  )

/** Notes the trust score after an edit, and whether the card is still attested. */
const noteTrust = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId) {
  const { attestationState, trust } = yield* readBusinessCard(organizationId)
  const outdated = attestationState === "outdated" ? "; the attestation is outdated (sov card attest --by NAME)" : ""
  out.note(`Trust score ${trust.score} of 100${outdated}`)
})

const describeEdit = (edit: CardEdited): string => {
  const { change, field, previous, value } = cardEditedJson(edit)
  return {
    set: `${field}: ${valueText(value)}`,
    changed: `${field}: ${valueText(value)} (was ${valueText(previous)})`,
    confirmed: `${field}: ${valueText(value)} (confirmed)`,
    cleared: `${field}: cleared (was ${valueText(previous)})`
  }[change]
}

interface SetOptions extends SourceOptions {
  readonly clear?: boolean
}

/** Runs `sov card set`. */
export const set = (options: SetOptions, name: string, texts: ReadonlyArray<string>) =>
  runCommand(options, {}, function*({ out }) {
    if (options.clear === true && texts.length > 0) {
      return yield* Effect.fail(usageError("give values or --clear, not both"))
    }
    const field = yield* findField(name)
    if (options.clear !== true && texts.length === 0) {
      const { cardForm } = yield* loadCardRules
      return yield* Effect.fail(usageError(`${field} needs a value: ${cardForm(field)}`, "--clear empties the field"))
    }
    const { parseCardField } = yield* loadCardRules
    const value = options.clear === true ? null : (yield* rejectOnFault(parseCardField(field, texts))).value
    const source = yield* parseSource(options)
    const organization = yield* currentOrganization(options)
    const facts = [{ field, value, source, updatedAt: null }]
    const [edit] = yield* editBusinessCard(organization.id, facts, { source: "entered by hand" })
    if (edit === undefined) return out.result({ field, change: "none" }, () => `${field} is empty already`)
    out.result(cardEditedJson(edit), () => describeEdit(edit))
    yield* noteTrust(out, organization.id)
  })

interface ImportOptions extends SourceOptions {
  readonly replace?: boolean
  readonly dryRun?: boolean
}

/** Maximum length of a document, in millions of characters. */
const maxDocumentMillion = 1

/** Runs `sov card import`. */
export const importCard = (options: ImportOptions, file: string) =>
  runCommand(options, {}, function*({ out }) {
    const given = yield* parseSource(options)
    const { readCardJsonLd } = yield* loadCardRules
    const document = yield* rejectOnFault(readCardJsonLd(yield* readText(file, maxDocumentMillion)))
    const organization = yield* currentOrganization(options)
    const facts = document.facts.map((fact) => ({ ...fact, source: given ?? fact.source }))
    const rules = {
      source: yield* parseSource({
        ...options,
        source: file === "-" ? "imported" : `imported from ${basename(file)}`
      }),
      replace: options.replace === true
    }
    const edit = (dryRun: boolean) =>
      editBusinessCard(organization.id, facts, { ...rules, source: rules.source ?? "imported", dryRun })
    const planned = yield* edit(true)
    const cleared = planned.filter(({ value }) => value === null).map(({ field }) => field)
    if (cleared.length > 0 && options.dryRun !== true) {
      yield* confirm(out, `Clear ${cleared.length} fields that ${file} does not have: ${cleared.join(", ")}?`)
    }
    const edits = options.dryRun === true ? planned : yield* edit(false)
    const rows = edits.map(cardEditedJson)
    out.result(
      { dry_run: options.dryRun === true, changes: rows, ignored: document.ignored },
      () =>
        renderTable(rows.map((row) => [row.field, row.change, valueText(row.value), row.source]), {
          header: ["FIELD", "CHANGE", "VALUE", "SOURCE"],
          align: ["left", "left", "left", "left"],
          width: out.tty.out ? process.stdout.columns || undefined : undefined
        }).trimEnd()
    )
    if (document.ignored.length > 0) {
      out.note(`Ignored, as a card has no place for it: ${document.ignored.join(", ")}`)
    }
    if (options.dryRun === true) out.note("Nothing was changed (--dry-run).")
    else yield* noteTrust(out, organization.id)
  })
