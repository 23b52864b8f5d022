/** sov keyword: the prompts that are asked. */
import {
  type AddedKeyword,
  addKeywords,
  findKeyword,
  type Keyword,
  keywordJson,
  keywordStatuses,
  KeywordText,
  readKeywords,
  setKeywordStatus
} from "@sov/core"
import { Effect } from "effect"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const addedText = ({ isNew, keyword: { status, text } }: AddedKeyword): string =>
  isNew
    ? `Tracking: ${text}`
    : status === "paused"
    ? `Tracked already, paused: ${text} (sov keyword resume asks it again)`
    : `Tracked already: ${text}`

export const add = (options: GlobalOptions, texts: ReadonlyArray<string>) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const checked = yield* Effect.forEach(texts, (text) => decodeInput(KeywordText, text, "keyword"))
      const added = yield* addKeywords(organization.id, checked)
      const all = added.map(({ keyword }) => keywordJson(keyword))
      out.result(all.length === 1 ? all[0] : all, () => added.map(addedText).join("\n"))
    }))

export const list = (options: GlobalOptions & { readonly all?: boolean }) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const statuses = options.all === true
        ? keywordStatuses
        : keywordStatuses.filter((status) => status !== "archived")
      const keywords = yield* readKeywords(organization.id, statuses)
      out.list(keywords.map(keywordJson), [
        { header: "KEYWORD", cell: (row) => row.text },
        { header: "STATUS", cell: (row) => row.status },
        { header: "ID", cell: (row) => row.id }
      ], { empty: "No keywords yet: sov keyword add \"best tool for …?\"" })
    }))

export const setStatus = (
  options: GlobalOptions,
  idOrText: string,
  status: Keyword["status"]
) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const keyword = yield* findKeyword(organization.id, idOrText)
      if (status === "archived") yield* confirm(out, `Stop asking ${JSON.stringify(keyword.text)}? Its answers stay.`)
      const changed = yield* setKeywordStatus(organization.id, keyword.id, status)
      out.result(keywordJson(changed), () => `${keyword.text}: ${status}`)
    }))
