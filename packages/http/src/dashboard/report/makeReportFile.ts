/**
 * Creates a report as one file: the page, its style, and the evidence as hidden text. The file contains no script and
 * loads nothing.
 */
import {
  formatEvidence,
  type Logo,
  measureShownAnswers,
  type ReportEvidence,
  type ReportFigures,
  type ShownMentions
} from "@sov/core/reports"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { html, render } from "../html.ts"
import { visible } from "../visible.ts"
import { formatBrandStyle } from "./formatBrandStyle.ts"
import { pageVersion, reportPage, titleOf } from "./reportPage.ts"

const readStyle = (): string =>
  ["style.css", "report.css"].map((name) => readFileSync(new URL(`../assets/${name}`, import.meta.url), "utf8")).join(
    ""
  )

interface Style {
  readonly css: string
  /** SHA-256 of the CSS. */
  readonly sha256: Buffer
}

let style: Style | undefined

const findStyle = (): Style => {
  if (style !== undefined) return style
  const css = `\n${readStyle()}`
  return style = { css, sha256: createHash("sha256").update(css).digest() }
}

/** The page version and style hash of reports made by this version. */
export const describePage = () => ({ version: pageVersion, style: findStyle().sha256.toString("hex") })

/** The text directly before and after the lines of evidence. */
export const evidenceBegin = "<pre hidden id=\"evidence\">\n"
export const evidenceEnd = "\n</pre>\n</body></html>\n"

/** Assembles the file from the page and the lines of evidence. */
export const assembleReportFile = (
  evidence: ReportEvidence,
  figures: ReportFigures,
  logo: Logo | null,
  lines: ReadonlyArray<string>,
  mentions: ShownMentions
): string => {
  const { css, sha256 } = findStyle()
  const own = formatBrandStyle(evidence.header.branding)
  // Allows only the styles and the images in the file
  const policy = `default-src 'none'; style-src 'sha256-${sha256.toString("base64")}'${
    own === "" ? "" : ` 'sha256-${createHash("sha256").update(own).digest("base64")}'`
  }; img-src data:; base-uri 'none'; form-action 'none'`
  const head = render(html`<title>${visible(titleOf(evidence))}</title></head>
<body class="bare report">
${reportPage(evidence, figures, logo, mentions)}`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<style>${css}</style>${
    own === "" ? "" : `
<style>${own}</style>`
  }
${head}${evidenceBegin}${lines.join("\n")}${evidenceEnd}`
}

/** Creates a report file. Without `mentions`, its answers are measured now. */
export const makeReportFile = (
  evidence: ReportEvidence,
  figures: ReportFigures,
  logo: Logo | null,
  mentions: ShownMentions = measureShownAnswers(evidence)
): string => assembleReportFile(evidence, figures, logo, formatEvidence(evidence), mentions)
