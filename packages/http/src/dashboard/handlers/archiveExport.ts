/** Exports the archive as one ZIP: answers, the seals that prove them, and the manifest. */
import { anchorFromSeal, type ArchiveFilters, beginDownload, formatAnchor, readChainHead } from "@sov/core/archive"
import { dateBound, type KeywordId } from "@sov/core/common"
import { PlatformId } from "@sov/core/platforms"
import { findSystemTag, findTagged, listTags, readKeywords } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { archiveFiles } from "../../exportFiles.ts"
import { zipStream } from "../../zip.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendFile } from "../guard/Reply.ts"
import {
  archiveExportPage,
  type ExportField,
  exportFields,
  exportFile,
  noExportFilters
} from "../pages/archiveExport.ts"
import type { Faults } from "../pages/forms.ts"
import { readTexts } from "./forms.ts"
import { listKeywordChoices } from "./keywordChoices.ts"
import { replyWithPage } from "./replies.ts"

const makePage = Effect.fnUntraced(function*(
  { frame, organization: { id } }: OrganizationRequest,
  { faults = {}, typed = noExportFilters }: {
    readonly faults?: Faults<ExportField>
    readonly typed?: typeof noExportFilters
  } = {}
) {
  const head = yield* readChainHead(id)
  return archiveExportPage(frame, {
    head: head === null ? null : formatAnchor(anchorFromSeal(head)),
    keywords: yield* listKeywordChoices(id, typed.keyword_id as KeywordId),
    tags: yield* listTags(id),
    typed,
    faults
  })
})

/** GET /o/{slug}/settings/export */
export const showArchiveExport = (request: OrganizationRequest) => replyWithPage(makePage(request))

const isPlatform = Schema.is(PlatformId)

/** The filters in an export form, or the invalid fields. */
const parseFilters = Effect.fnUntraced(
  function*({ organization }: OrganizationRequest, typed: { readonly [field in ExportField]: string }) {
    const from = typed.from === "" ? undefined : dateBound(typed.from, "from")
    const to = typed.to === "" ? undefined : dateBound(typed.to, "to")
    const keyword = typed.keyword_id === ""
      ? undefined
      : (yield* readKeywords(organization.id)).find(({ id }) => id === typed.keyword_id) ?? null
    const platform = typed.platform === "" ? undefined : isPlatform(typed.platform) ? typed.platform : null
    const tagged = typed.tag === "" || findSystemTag(typed.tag) !== null ||
      (yield* findTagged(organization.id, typed.tag)).length > 0
    const faults: Faults<ExportField> = {
      ...from === null ? { from: "Enter a day such as 2026-11-20." } : {},
      ...to === null ? { to: "Enter a day such as 2026-11-20." } : {},
      ...from != null && to != null && from > to ? { to: "This day is before the first one." } : {},
      ...keyword === null ? { keyword_id: "There is no such question." } : {},
      ...platform === null ? { platform: "There is no such platform." } : {},
      ...tagged ? {} : { tag: "No question has this tag." }
    }
    const filters: ArchiveFilters = {
      ...from == null ? {} : { from },
      ...to == null ? {} : { to },
      ...keyword == null ? {} : { keywordId: keyword.id },
      ...platform == null ? {} : { platform },
      ...typed.tag === "" ? {} : { tag: typed.tag }
    }
    return { faults, filters }
  }
)

/** POST /o/{slug}/settings/export: each request is a separate download with its own entry in the audit log. */
export const downloadExport = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { at, organization: { id, slug }, window } = request
  const typed = readTexts(request, exportFields)
  const { faults, filters } = yield* parseFilters(request, typed)
  if (Object.keys(faults).length > 0) return yield* replyWithPage(makePage(request, { faults, typed }), { status: 422 })
  const begun = yield* beginDownload(id, window, filters)
  return sendFile(
    `archive-${slug}-${at.toISOString().slice(0, 10)}.zip`,
    "application/zip",
    zipStream(archiveFiles(begun, exportFile), at)
  )
})
