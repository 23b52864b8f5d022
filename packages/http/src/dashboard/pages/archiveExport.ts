/** The archive as a file: what is in it, which answers, and how it is verified. */
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

export type ExportField = "from" | "to" | "keyword_id" | "platform" | "tag"

/** Nothing chosen: all answers. */
export const noExportFilters: { readonly [field in ExportField]: string } = {
  from: "",
  to: "",
  keyword_id: "",
  platform: "",
  tag: ""
}

/** The name of the answers' file in the ZIP. */
export const exportFile = "archive.ndjson"

export interface ArchiveExportContent {
  /** The newest seal as `sov archive head` prints it; null before the first. */
  readonly head: string | null
  /** Of all answers, paused and archived ones as well. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  /** That keywords were given. */
  readonly tags: ReadonlyArray<string>
  readonly typed: { readonly [field in ExportField]: string }
  readonly faults: Faults<ExportField>
}

const contents: ReadonlyArray<readonly [file: string, words: string]> = [
  [exportFile, "the answers, newest first, one JSON object a line, as the REST API gives them"],
  [
    contextFile(exportFile),
    "the seals that prove them, and scans, failed questions, keywords and names, which an import needs"
  ],
  [manifestFile(exportFile), "how many answers there are, which were asked for, and the SHA-256 of both files"]
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
  }${fault(faults.platform)}<div class="actions"><button class="primary">Download the ZIP</button></div></form>`

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
      html`<p class="note">The plan shows what came since ${
        formatDate(since)
      }, and the export has that much. Older answers are kept; a plan with a longer history exports them, too.</p>`
    }<div class="grid two"><section class="panel" aria-labelledby="what"><header><h2 id="what">Which answers</h2></header>${
      atLeast(role, "member")
        ? form(frame, content)
        : html`<p>Members and owners export the archive. As a viewer you can download <a href="${
          inOrganization(slug, "/answers")
        }">the answers as CSV</a>.</p>`
    }<footer>Without a choice it has all answers. Each download is in the audit log. It takes as long as the connection needs; closing it ends it, and nothing is left on the server.</footer></section><section class="panel" aria-labelledby="files"><header><h2 id="files">What is in the ZIP</h2></header><ul class="bullets">${
      contents.map(([file, words]) => html`<li><code>${file}</code>: ${words}</li>`)
    }</ul></section><section class="panel" aria-labelledby="verify"><header><h2 id="verify">Verify it elsewhere</h2></header><p class="small">This names every answer that was changed, removed or added since it was sealed. It needs no database; the documentation of the archive has a program that needs no sov either.</p>${
      copyBox("verification", verification)
    }${
      head === null
        ? html`<p class="small">Nothing is sealed yet: the first scan that ends makes the first seal.</p>`
        : html`<p class="small">The newest seal, to be noted where nobody who can write the database can change it; with <code>--head</code> the check needs that very seal:</p>${
          copyBox("head", head)
        }`
    }</section></div>`
  })
}
