/** The sources of one answer, for `archive show`. */
import type { ArchiveRow } from "@sov/core/archive"
import type { ReadSources, Source } from "@sov/core/sources"
import { type Output, printable } from "../../output/Output.ts"
import { renderTable } from "../../render/table.ts"

/**
 * Whether the seal covers the sources as they are shown; null if the platform reports no sources or they are unknown.
 */
const sealedOrDerived = ({ provenance }: ArchiveRow, sources: ReadSources | null): "sealed" | "derived" | null =>
  sources === null || sources.status !== "complete"
    ? null
    : provenance !== undefined && provenance.leafVersion > 1 && provenance.sourceVersion === sources.sourceVersion
    ? "sealed"
    : "derived"

/** The target of a redirect, if known. No seal covers it, because it was requested later. */
const targetJson = (sources: ReadSources | null, url: string): { readonly resolved?: string } => {
  const resolved = sources?.targets.get(url)
  return resolved === undefined ? {} : { resolved }
}

export const shownSourcesJson = (row: ArchiveRow, sources: ReadSources | null) => ({
  search: row.provenance?.search ?? null,
  sources_status: sealedOrDerived(row, sources) ?? (sources?.status === "unreadable" ? "unreadable" : "unknown"),
  sources_cut: sources?.cut ?? 0,
  sources: (sources?.sources ?? []).map(({ domain, end, host, kind, page, start, title, url }) => ({
    kind,
    url,
    title,
    page,
    host,
    domain,
    start,
    end,
    ...targetJson(sources, url)
  })),
  queries: sources?.queries ?? []
})

const unknownText = (sources: ReadSources | null): string =>
  sources === null
    ? "not read yet: sov rescore does"
    : sources.status === "unreadable"
    ? "what the platform sent could not be read"
    : "the platform names none to us"

const kindLabels: Readonly<Record<Source["kind"], string>> = {
  cited: "cited",
  retrieved: "retrieved",
  in_text: "in text"
}

/** Longest title that is shown, in characters. */
const maxTitleWidth = 120

export const shownSourcesText = (
  out: Output,
  row: ArchiveRow,
  sources: ReadSources | null
): ReadonlyArray<string> => {
  const found = sources?.sources ?? []
  const kinds = (["cited", "retrieved", "in_text"] as const).flatMap((kind) => {
    const count = found.filter((source) => source.kind === kind).length
    return count === 0 ? [] : [`${count} ${kindLabels[kind]}`]
  })
  const cut = sources?.cut ?? 0
  const facts = [
    kinds.length === 0 ? "none" : kinds.join(", "),
    // A seal over an empty list proves that the answer had no sources
    ...kinds.length === 0 && sources?.status === "complete"
      ? ["the platform named none"]
      : [sealedOrDerived(row, sources) ?? unknownText(sources)],
    ...cut === 0 ? [] : [`${cut} more not kept`]
  ]
  const queries = (sources?.queries ?? []).map((query) => `"${printable(query).replace(/\s+/g, " ")}"`)
  const rows = found.map((source, i) => [
    String(i + 1),
    kindLabels[source.kind],
    printable(
      (source.page ?? sources?.targets.get(source.url) ?? source.host ?? source.url).replace(/^https:\/\//, "")
    ),
    printable((source.title ?? "").slice(0, maxTitleWidth))
  ])
  return [
    `${out.style("dim", "sources:")} ${facts.join(" · ")}`,
    ...queries.length === 0 ? [] : [`${out.style("dim", "searched for:")} ${queries.join(", ")}`],
    ...rows.length === 0 ? [] : renderTable(rows, {
      header: ["", "", "", ""],
      align: ["right", "left", "left", "left"],
      width: out.tty.out ? process.stdout.columns || undefined : undefined
    }).split("\n").slice(1, -1)
  ]
}
