import { Tag } from "@sov/core/tracking"
import { Effect } from "effect"
import { decodeInput } from "./decodeInput.ts"

/** The tags that were typed, checked as tags that a keyword can be given. */
export const tagOptions = (tags: ReadonlyArray<string> = []) =>
  Effect.forEach(tags, (tag) => decodeInput(Tag, tag, "--tag"))
