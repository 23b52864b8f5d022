/** sov keyword tag|untag: adds or removes tags of a keyword. */
import { findKeyword, type RetaggedKeyword, taggedKeywordJson, tagKeywords, untagKeywords } from "@sov/core/tracking"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { tagOptions } from "../../input/tagOptions.ts"
import { printable } from "../../output/Output.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface TagCommandOptions extends GlobalOptions {
  readonly tag?: ReadonlyArray<string>
}

const tagsText = ({ changed, keyword, tags }: RetaggedKeyword): string =>
  `${printable(keyword.text)}: ${tags.length === 0 ? "no tags" : printable(tags.join(", "))}${
    changed ? "" : " (nothing changed)"
  }`

const change =
  (retag: typeof tagKeywords) => (options: TagCommandOptions, idOrText: string, names: ReadonlyArray<string>) =>
    runCommand(options, { repeatable: true }, function*({ out }) {
      const tags = yield* tagOptions([...names, ...options.tag ?? []])
      if (tags.length === 0) {
        return yield* Effect.fail(usageError("name at least one tag", "sov keyword tag \"best anvil?\" pricing"))
      }
      const organization = yield* currentOrganization(options)
      const { id } = yield* findKeyword(organization.id, idOrText)
      const [done] = yield* retag(organization.id, [id], tags)
      out.result(taggedKeywordJson(done!.keyword, done!.tags), () => tagsText(done!))
    })

/** Runs `sov keyword tag ID|TEXT TAG…`. */
export const tag = change(tagKeywords)

/** Runs `sov keyword untag ID|TEXT TAG…`. */
export const untag = change(untagKeywords)
