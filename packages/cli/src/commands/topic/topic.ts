/** sov topic: groups of questions that ask the same thing, as found by the program and decided by people. */
import { pluralized } from "@sov/core/common"
import {
  decideTopics,
  findKeyword,
  findTagged,
  readTopics,
  type Topic,
  type TopicAct,
  topicJson
} from "@sov/core/tracking"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { printable } from "../../output/Output.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const topicText = ({ decided, keywords }: Topic): string =>
  [
    `${pluralized(keywords.length, "question")}, ${decided ? "confirmed" : "found by the program"}`,
    ...keywords.map(({ status, text }) => `  ${printable(text)}${status === "archived" ? " (removed)" : ""}`)
  ].join("\n")

/** Runs `sov topic list`. */
export const list = (options: GlobalOptions & { readonly all?: boolean }) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const asked = (yield* readTopics(organization.id))
      .filter(({ keywords }) => keywords.some(({ status }) => status !== "archived"))
    const shown = options.all === true ? asked : asked.filter((one) => one.keywords.length > 1 || one.decided)
    const questions = asked.flatMap(({ keywords }) => keywords).filter(({ status }) => status !== "archived").length
    out.result(
      { questions, topics: asked.length, data: shown.map(topicJson) },
      () =>
        [
          `${pluralized(questions, "question")}, ${pluralized(asked.length, "topic")}`,
          ...shown.map(topicText)
        ].join("\n\n")
    )
    const open = shown.filter(({ decided, keywords }) => keywords.length > 1 && !decided).length
    if (open > 0) {
      out.note(
        `${pluralized(open, "topic")} to confirm: sov topic keep --all, or sov topic split and sov topic join`
      )
    }
  })

/** Runs `sov topic keep|split|join [QUESTION…]`. */
export const decide = (
  options: GlobalOptions & { readonly all?: boolean; readonly tag?: string },
  act: TopicAct,
  questions: ReadonlyArray<string>
) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const named = yield* Effect.forEach(questions, (one) => findKeyword(organization.id, one))
    const tagged = options.tag === undefined ? [] : yield* findTagged(organization.id, options.tag)
    const open = options.all === true
      ? (yield* readTopics(organization.id)).filter((one) => one.keywords.length > 1 && !one.decided)
        .flatMap(({ keywords }) => keywords.map(({ id }) => id))
      : []
    const ids = [...named.map(({ id }) => id), ...tagged, ...open]
    if (ids.length === 0 && options.all !== true) {
      return yield* Effect.fail(usageError("name at least one question", "sov topic list"))
    }
    const { changed, topics } = yield* decideTopics(organization.id, act, ids)
    out.result(
      { changed, data: topics.map(topicJson) },
      () => changed ? topics.map(topicText).join("\n") : "Nothing changed"
    )
    if (changed) {
      out.note(
        "A new series starts with the next scan, until you measure earlier scans with these topics: sov rescore"
      )
    }
  })
