import { Tag } from "@sov/core/tracking"
import { Effect } from "effect"
import { decodeInput } from "./decodeInput.ts"

/** Checks that the given tags are valid tags of keywords. */
export const tagOptions = (tags: ReadonlyArray<string> = []) =>
  Effect.forEach(tags, (tag) => decodeInput(Tag, tag, "--tag"))
