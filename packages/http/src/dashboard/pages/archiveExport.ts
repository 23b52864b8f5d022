/** Export of the archive as a file: what it contains, which answers to include, and how to verify it. */
import { contextFile, manifestFile } from "@sov/core/archive"
import { atLeast } from "@sov/core/people"
import { platformIds } from "@sov/core/platforms"
import type { Keyword } from "@sov/core/tracking"
import { formatDate } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { selectField, tagField } from "./fields.ts"
import { type Faults, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"
import { copyBox } from "./snippets.ts"
import { platformName } from "./words.ts"

export const exportFields = ["from", "to", "keyword_id", "platform", "tag"] as const
export type ExportField = typeof exportFields[number]

/** An export without filters, that is, of all answers. */
export const noExportFilters: { readonly [field in ExportField]: string } = {
  from: "",
  to: "",
  keyword_id: "",
  platform: "",
  tag: ""
}

/** Name of the file with the answers in the ZIP. */
export const exportFile = "archive.ndjson"

export interface ArchiveExportContent {
  /** The newest seal in the format of `sov archive head`; null before the first seal. */
  readonly head: string | null
  /** Keywords that the form offers, including paused and archived ones. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  /** Tags in use. */
  readonly tags: ReadonlyArray<string>
  readonly typed: { readonly [field in ExportField]: string }
  readonly faults: Faults<ExportField>
}

const contents: ReadonlyArray<readonly [file: string, words: string]> = [
  [exportFile, "the answers, newest first: one JSON object per line, as in the REST API"],
  [
    contextFile(exportFile),
    "the seals that prove them, and the scans, failures, questions and names that an import needs"
  ],
  [manifestFile(exportFile), "the number of answers, the filters used, and the SHA-256 of both files"]
]

const fault = (words: string | undefined): Html | false =>
  words !== undefined && html`<span class="fault">${words}</span>`

const form = (frame: Frame, { faults, keywords, tags, typed }: ArchiveExportContent): Html =>
  html`<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/settings/export")}">${
    textField({ name: "from", label: "From", type: "date", value: typed.from, fault: faults.from })
  }${textField({ name: "to", label: "To", type: "date", value: typed.to, fault: faults.to })}${
    selectField({
      name: "keyword_id",
      label: "Question",
      all: "All questions",
      choices: keywords.map(({ id, text }) => [id, text]),
      chosen: typed.keyword_id === "" ? null : typed.keyword_id
    })
  }${fault(faults.keyword_id)}${tagField(tags, typed.tag === "" ? undefined : typed.tag)}${fault(faults.tag)}${
    selectField({
      name: "platform",
      label: "Platform",
      all: "All platforms",
      choices: platformIds.map((id) => [id, platformName(frame, id)]),
      chosen: typed.platform === "" ? null : typed.platform
    })
  }${fault(faults.platform)}<div class="actions"><button class="primary">Download ZIP</button></div></form>`

const verification = `unzip archive-*.zip\nsov archive verify --file ${exportFile}`

export const archiveExportPage = (frame: Frame, content: ArchiveExportContent): Html => {
  const { faults, head } = content
  const { organization: { slug }, role, since } = frame
  return layout(frame, {
    title: "Export the archive",
    here: "settings",
    summary: html`<a href="${inOrganization(slug, "/settings")}">Settings</a>`,
    body: html`${refusedNote(faults)}${
      since !== null &&
      html`<p class="note">Your plan shows answers since ${
        formatDate(since)
      }, and so does the export. Older answers are kept; a plan with a longer history exports them too.</p>`
    }<div class="grid two"><section class="panel" aria-labelledby="what"><header><h2 id="what">Which answers</h2></header>${
      atLeast(role, "member")
        ? form(frame, content)
        : html`<p>Members and owners can export the archive. As a viewer you can download <a href="${
          inOrganization(slug, "/answers")
        }">the answers as CSV</a>.</p>`
    }<footer>Without a filter, the export contains all answers. Each download is recorded in the audit log. You can cancel a download at any time; nothing is left on the server.</footer></section><section class="panel" aria-labelledby="files"><header><h2 id="files">What is in the ZIP</h2></header><ul class="bullets">${
      contents.map(([file, words]) => html`<li><code>${file}</code>: ${words}</li>`)
    }</ul></section><section class="panel" aria-labelledby="verify"><header><h2 id="verify">Verify the export</h2></header><p class="small">This lists every answer that was changed, removed or added since it was sealed. It needs no database. The archive documentation also has a program that does not need sov.</p>${
      copyBox("verification", verification)
    }${
      head === null
        ? html`<p class="small">Nothing is sealed yet. The first completed scan creates the first seal.</p>`
        : html`<p class="small">The latest seal. Store it where nobody with write access to the database can change it; <code>--head</code> then checks against it:</p>${
          copyBox("head", head)
        }`
    }</section></div>`
  })
}
