/** The business card for people: the trust score and its parts, the groups, the fields. */
import { businessCardJson, type BusinessCardReport, type CardField } from "@sov/core/card"
import { roundHalfUp } from "@sov/core/scoring"
import { printable } from "../../output/Output.ts"
import { renderTable } from "../../render/table.ts"
import { renderLabelled } from "../../render/wrapped.ts"
import { valueText } from "./cardInput.ts"

const formatDay = (iso: string | null): string => iso?.slice(0, 10) ?? "-"
const formatFactor = (value: number): string => roundHalfUp(value, 2).toFixed(2)

/**
 * The card as lines of text. `forms` lists empty fields and the values that they accept. Without `width`, no line is
 * cut.
 */
export const cardView = (
  report: BusinessCardReport,
  forms: ReadonlyArray<readonly [CardField, string]>,
  { bold, width }: { readonly bold: (text: string) => string; readonly width: number | undefined }
): string => {
  const { attestation, attestationState, trust } = report
  const { field_groups, fields } = businessCardJson(report)
  const missing = field_groups.flatMap((group) => group.missing)
  const columns = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
    renderTable(rows, { header, align: header.map(() => "left" as const), width })
  const who = attestation === null
    ? "Never attested"
    : `Attested by ${printable(attestation.by)} on ${formatDay(attestation.at.toISOString())}${
      attestationState === "outdated" ? ", edited since" : ""
    }`
  return [
    bold(`Trust score ${trust.score} of 100`),
    `100 × completeness ${formatFactor(trust.completeness)} × (0.7 + 0.3 × freshness ${
      formatFactor(trust.freshness)
    })` +
    ` × attestation ${trust.attestation.toFixed(1)}`,
    who,
    "",
    columns(
      ["GROUP", "WEIGHT", "FRESHNESS", "COMPLETE", "OLDEST", "STALE FROM"],
      field_groups.map((group) => [
        group.group,
        `${group.weight} %`,
        group.freshness,
        `${roundHalfUp(100 * group.completeness, 0)} %`,
        formatDay(group.updated_at),
        formatDay(group.stale_at)
      ])
    ),
    ...missing.length === 0 ? [] : [...renderLabelled([["Missing:", missing.join(", ")]], width), ""],
    ...fields.length === 0 ? [] : [columns(
      ["FIELD", "VALUE", "FRESHNESS", "UPDATED", "SOURCE"],
      fields.map((one) => [
        one.field,
        valueText(one.value),
        one.freshness,
        formatDay(one.updated_at),
        printable(one.source)
      ])
    )],
    ...forms.length === 0 ? [] : [columns(["EMPTY", "TAKES"], forms.map(([field, form]) => [field, form]))]
  ].join("\n").trimEnd()
}
