/** Creates organizations with alert rules, and lists the alerts that were raised. */
import { AlertStore, MailStore, type OrganizationId, setAlertRule } from "@sov/core"
import { at } from "@sov/core/testing"
import { Effect } from "effect"
import { address } from "../contracts/mailStoreContract.ts"
import { seed } from "./completedScans.ts"

/** Answers for six keywords on two platforms, of which the first `count` cells name the brand. */
export const named = (count: number) => (keyword: number, platform: string): string =>
  2 * keyword + (platform === "assistant_a" ? 0 : 1) < count ? "Take Acme Forge." : "Take anything."

/** An answer that names the tracked brands. */
export const usual = () => "Take an Acme Forge, as most smiths like it; Globex is dear."

/**
 * Answers in which those to the first `questions` questions also name `names`: in a list on one platform, in a sentence
 * on the other.
 */
export const naming = (names: ReadonlyArray<string>, questions = 6) => (keyword: number, platform: string) =>
  keyword >= questions
    ? usual()
    : platform === "assistant_a"
    ? `${usual()}\n${names.map((name) => `- **${name} Anvil ${keyword}00**: sturdy.`).join("\n")}`
    : `${usual()} Many smiths buy a ${names.join(" or from ")} these days.`

/** An organization with these rules and two recipients. */
export const seedWithRules = Effect.fnUntraced(function*(...rules: ReadonlyArray<Parameters<typeof setAlertRule>[1]>) {
  const organizationId = yield* seed
  yield* (yield* MailStore).setRecipients(
    organizationId,
    [address("ann@acme.example"), address("bob@acme.example")],
    at(0)
  )
  for (const rule of rules) yield* setAlertRule(organizationId, rule)
  return organizationId
})

/** Rule `sov_drop` with a threshold of 50. */
export const drop = { rule: "sov_drop", enabled: true, threshold: 50 } as const

/** The newest alerts of an organization. */
export const listed = (organizationId: OrganizationId) =>
  Effect.flatMap(AlertStore, (store) => store.list(organizationId, { limit: 99 }))
