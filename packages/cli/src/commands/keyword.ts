/** sov keyword: the prompts that are asked. */
import { addKeywords, type Keyword, keywordJson, KeywordStore, KeywordText } from "@sov/core"
import { Effect } from "effect"
import { confirm } from "../input/confirm.ts"
import { currentOrganization } from "../input/currentOrganization.ts"
import { decodeInput } from "../input/decodeInput.ts"
import { findKeyword } from "../input/findKeyword.ts"
import { runCommand } from "../runtime.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"

export const add = (options: GlobalOptions, texts: ReadonlyArray<string>) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const checked = yield* Effect.forEach(texts, (text) => decodeInput(KeywordText, text, "keyword"))
      const added = (yield* addKeywords(organization.id, checked)).map(keywordJson)
      out.result(
        added.length === 1 ? added[0] : added,
        () => added.map((keyword) => `Tracking: ${keyword.text}`).join("\n")
      )
    }))

export const list = (options: GlobalOptions & { readonly all?: boolean }) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const statuses = options.all === true ? ["active", "paused", "archived"] as const : ["active", "paused"] as const
      const keywords = yield* (yield* KeywordStore).list(organization.id, statuses)
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
      const changed = yield* (yield* KeywordStore).setStatus(organization.id, keyword.id, status)
      out.result(keywordJson(changed!), () => `${keyword.text}: ${status}`)
    }))
