/** Compares answers that people captured in apps with those of APIs, and offers a form for adding a captured answer. */
import type { CapturedImport } from "@sov/core/archive"
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { type PlatformId, platformIds } from "@sov/core/platforms"
import { otherQuestions, type surfacesJson } from "@sov/core/scoring"
import { describeImport } from "@sov/core/tracking"
import { formatDate, formatPercent, formatRange, type Range } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { selectField } from "./fields.ts"
import { type Faults, formIdField, linesField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The values of the form for a captured answer. */
export interface CapturedForm {
  readonly platform: string
  readonly question: string
  readonly text: string
  readonly captured_at: string
  readonly captured_by: string
  readonly account: string
}

type Found = ReturnType<typeof surfacesJson>

export interface SurfacesContent {
  /** The comparison, or a sentence about what is missing for it. */
  readonly found: Found | string
  readonly simulated: boolean
  /** Texts of the tracked questions. */
  readonly questions: ReadonlyArray<string>
  readonly formId: AuditEntryId
  readonly input: CapturedForm
  readonly faults: Faults<keyof CapturedForm>
  /** The result of an uploaded file, or a sentence about what is missing for it; null = no file was uploaded. */
  readonly imported: CapturedImport | string | null
}

const figure = (words: string, mean: number | null, interval: Range | null): Html =>
  html`<div><dt>${words}</dt><dd><b>${formatPercent(mean)}</b> <span class="range">${
    interval === null ? "too few topics for an interval" : `95 % ${formatRange(interval)}, for ${otherQuestions}`
  }</span></dd></div>`

const comparison = (frame: Frame, found: Found): Html =>
  html`<section class="panel" aria-labelledby="agreement"><header><h2 id="agreement">How far they agree</h2><p>${
    formatDate(new Date(found.captured_from))
  } to ${formatDate(new Date(found.captured_to))}</p></header><p class="small">${
    visible(found.app)
  }: ${found.app_answers} answers. ${visible(found.api)}: ${found.api_answers} answers of ${
    formatDate(new Date(found.api_completed_at))
  } to the same questions on the same platforms.${
    found.older_imports_left_out && ` Only the newest ${found.imports} imports count.`
  }${found.unmatched > 0 && ` ${found.unmatched} without an API answer are left out.`}</p><dl>${
    figure("Both name the brand, or neither does", found.agreement, found.agreement_interval_95)
  }${figure("Names in either that are in both (Jaccard)", found.jaccard, found.jaccard_interval_95)}</dl>${
    dataTable(
      "agreement",
      ["Question", "Platform", numeric("Agree"), numeric("Jaccard")],
      found.cells.map((cell) =>
        html`<tr><th scope="row" class="break">${visible(cell.keyword)}</th><td>${
          visible(platformName(frame, cell.platform))
        }</td><td class="num">${formatPercent(cell.agreement)}</td><td class="num">${
          formatPercent(cell.jaccard)
        }</td></tr>`
      ),
      "stacked"
    )
  }<footer>It says how far the two surfaces agreed at that time. It never corrects a share: API and app answers are not added up. The share of the view “captured” is ${
    describeImport(found.newest_import_answers)
  }.</footer></section>`

const capturePanel = (frame: Frame, { faults, formId, input, questions }: SurfacesContent): Fragment =>
  frame.role !== "viewer" &&
  html`<section class="panel" aria-labelledby="capture"><header><h2 id="capture">Add an answer from an app</h2><p>kept and sealed as a view of its own</p></header>${
    refusedNote(faults)
  }<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/surfaces")}">${
    formIdField(formId)
  }${
    selectField({
      name: "platform",
      label: "Platform",
      choices: platformIds.map((id: PlatformId) => [id, platformName(frame, id)]),
      chosen: input.platform
    })
  }${
    selectField({
      name: "question",
      label: "Question",
      choices: questions.map((text) => [text, text]),
      chosen: input.question
    })
  }${linesField({ name: "text", label: "The whole answer", value: input.text, required: true, fault: faults.text })}${
    textField({
      name: "captured_at",
      label: "When",
      value: input.captured_at,
      required: true,
      hint: "With the zone, such as 2026-11-28T14:05:00Z",
      fault: faults.captured_at
    })
  }${
    textField({
      name: "captured_by",
      label: "Captured by",
      value: input.captured_by,
      required: true,
      fault: faults.captured_by
    })
  }${
    textField({
      name: "account",
      label: "State of the account",
      value: input.account,
      required: true,
      hint: "Such as: logged out, free, Plus with memory off",
      fault: faults.account
    })
  }<div class="actions"><button class="primary">Add this answer</button></div></form></section>`

/** Maximum number of refused lines that the page lists. */
const maxRefused = 20

const importResult = (imported: NonNullable<SurfacesContent["imported"]>): Html => {
  if (typeof imported === "string") return html`<p class="note warn" role="alert">${imported}</p>`
  const { added, existing, refused } = imported
  return html`<p class="note${refused.length > 0 && " warn"}" role="alert">${
    pluralized(added, "answer")
  } archived and sealed, ${existing} already there, ${pluralized(refused.length, "line")} refused.</p>${
    refused.length > 0 && html`<ul class="bullets">${
      refused.slice(0, maxRefused).map(({ line, reason }) => html`<li>Line ${line}: ${visible(reason)}</li>`)
    }</ul>`
  }${refused.length > maxRefused && html`<p class="small">${refused.length - maxRefused} more lines are refused.</p>`}`
}

const filePanel = (frame: Frame, { imported }: SurfacesContent): Fragment =>
  frame.role !== "viewer" &&
  html`<section class="panel" aria-labelledby="file"><header><h2 id="file">Import a file of answers</h2><p>CSV or NDJSON, up to 64 MB and 10,000 answers</p></header>${
    imported !== null && importResult(imported)
  }<p class="small">Columns or members: <code>platform</code>, <code>question</code>, <code>text</code>, <code>captured_at</code>, <code>captured_by</code>, <code>account</code>. The same file sent twice adds nothing.</p><form class="fields" method="post" enctype="multipart/form-data" action="${
    inOrganization(frame.organization.slug, "/surfaces/file")
  }"><div class="field"><label for="answers">File</label><input type="file" id="answers" name="answers" required></div><div class="actions"><button>Import the file</button></div></form><footer>Or <code>sov archive import --surface app FILE</code></footer></section>`

export const surfacesPage = (frame: Frame, content: SurfacesContent): Html =>
  layout(frame, {
    title: "API and app",
    here: "views",
    simulated: content.simulated,
    summary: html`<a href="${inOrganization(frame.organization.slug, "/views")}">Views</a>`,
    body: html`<div class="grid">${
      typeof content.found === "string"
        ? emptyState("Nothing to compare yet", content.found)
        : comparison(frame, content.found)
    }${content.questions.length > 0 && capturePanel(frame, content)}${
      content.questions.length > 0 && filePanel(frame, content)
    }</div>`
  })
