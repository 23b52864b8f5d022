/** `npm run check:providers` reports changes in the official types, tested with a changed copy of them on disk. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { compareMembers, describeDifference, isBreaking, type Kept } from "../devtools/providers/compareMembers.ts"
import { memberPairs } from "../devtools/providers/memberPairs.ts"
import { type Found, readMembers } from "../devtools/providers/readMembers.ts"

const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")
const modules = join(repository, "node_modules")
const kept = JSON.parse(
  readFileSync(new URL("../devtools/providers/kept.json", import.meta.url), "utf8")
) as Kept

interface Change {
  readonly name: string
  readonly file: string
  readonly change: (text: string) => string
}

/** The findings for the installed SDKs with these changes in their files. */
const lookWith = (...changes: ReadonlyArray<Change>): ReadonlyMap<string, Found> => {
  const folder = mkdtempSync(join(tmpdir(), "sov-providers-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const one of new Set(memberPairs.map((pair) => pair.package))) {
    const at = join(folder, "node_modules", one)
    mkdirSync(dirname(at), { recursive: true })
    if (changes.some(({ name }) => name === one)) {
      cpSync(join(modules, one), at, {
        recursive: true,
        filter: (path) => !path.includes("/src/")
      })
    } else symlinkSync(join(modules, one), at)
  }
  for (const { change, file, name } of changes) {
    const changed = join(folder, "node_modules", name, file)
    writeFileSync(changed, change(readFileSync(changed, "utf8")))
  }
  return readMembers(folder, repository)
}
const described = (found: ReadonlyMap<string, Found>) =>
  compareMembers(kept.types, found).filter(isBreaking).map(describeDifference)

const sdk = "@anthropic-ai/sdk"
const messages = "resources/messages/messages.d.ts"
/** Renames a member. */
const renaming = (name: string, file: string, member: string): Change => ({
  name,
  file,
  change: (text) => text.replaceAll(new RegExp(`^( +)${member}(\\??):`, "gm"), "$1renamed$2:")
})

describe("the check of the providers' types", () => {
  it("the check finds the stored types, and in each the members that sov uses", () => {
    const found = lookWith()
    expect(compareMembers(kept.types, found)).toEqual([])
    for (const [name, { all, used }] of found) {
      expect(used.length, name).toBeGreaterThan(0)
      expect(all.length, name).toBeGreaterThan(1)
    }
  })

  it("the check reports a renamed member and a deprecated member", () => {
    const found = lookWith({
      name: sdk,
      file: messages,
      change: (text) =>
        text
          .replaceAll(/^( +)max_tokens:/gm, "$1max_output:")
          .replaceAll(/^( +)model:/gm, "$1/** @deprecated use another */\n$1model:")
    })
    expect(described(found)).toEqual([
      "gone: max_tokens of Messages request (sov uses it)",
      "deprecated: model of Messages request (sov uses it)",
      "deprecated: model of Messages reply (sov uses it)"
    ])
    expect(compareMembers(kept.types, found).map(describeDifference)).toContain("new: max_output of Messages request")
  })

  it("the check reports every member of a removed type, members of nested types, and the end of a model", () => {
    const [responses, node] = ["resources/responses/responses.d.ts", "dist/node/node.d.ts"]
    const found = lookWith(
      { name: sdk, file: messages, change: (text) => text.replaceAll("interface Usage {", "interface Used {") },
      renaming(sdk, "resources/models.d.ts", "retires_at"),
      renaming("openai", "resources/models.d.ts", "shutdown_date"),
      renaming("@google/genai", node, "(?:modelStatus|retirementTime)"),
      renaming("@mistralai/mistralai", "esm/models/components/conversationusageinfo.d.ts", "promptTokens"),
      renaming("openai", responses, "(?:input_tokens|annotations|start_index|user_location)"),
      renaming(sdk, messages, "(?:max_uses|web_search_requests|cited_text)"),
      renaming("@google/genai", node, "(?:promptTokenCount|finishReason|uri)")
    )
    expect(described(found)).toEqual(expect.arrayContaining([
      "gone: input_tokens of usage of a Messages reply (sov uses it)",
      "gone: retires_at of description of a model of Anthropic (sov uses it)",
      "gone: shutdown_date of description of a model of OpenAI (sov uses it)",
      "gone: modelStatus of generateContent reply (sov uses it)",
      "gone: retirementTime of model status of a Gemini reply (sov uses it)",
      "gone: prompt_tokens of usage of a Conversations reply (sov uses it)",
      "gone: input_tokens of usage of a Responses reply (sov uses it)",
      "gone: annotations of text of a Responses reply (sov uses it)",
      "gone: start_index of citation of a Responses reply (sov uses it)",
      "gone: user_location of web search tool of a Responses request (sov uses it)",
      "gone: max_uses of web search tool of a Messages request (sov uses it)",
      "gone: web_search_requests of searches in the usage of a Messages reply (sov uses it)",
      "gone: cited_text of citation of a Messages reply (sov uses it)",
      "gone: promptTokenCount of usage of a Gemini reply (sov uses it)",
      "gone: finishReason of candidate of a Gemini reply (sov uses it)",
      "gone: uri of page of a Gemini reply (sov uses it)"
    ]))
  })
})
