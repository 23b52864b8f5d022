/** Alert settings: the rules, one rule with its preview, the recipients, and a test e-mail. */
import {
  type AlertRule,
  AlertRuleName,
  previewAlertRule,
  readAlertRule,
  readAlertRules,
  Sensitivity,
  setAlertRule,
  Threshold
} from "@sov/core/alerts"
import { makeFormId, runOnce } from "@sov/core/audit"
import type { Rejected } from "@sov/core/common"
import {
  EmailAddress,
  readDigestSetting,
  readMailSetup,
  readRecipients,
  sendTestMail,
  setDigest,
  setRecipients
} from "@sov/core/mail"
import { Effect, Option, Schema } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type AlertRuleContent, alertRulePage, type TypedRule, typedRule } from "../pages/alertRule.ts"
import {
  type AlertSettingsContent,
  alertSettingsPage,
  digestState,
  recipientLines,
  ruleSetting
} from "../pages/alertSettings.ts"
import type { Faults } from "../pages/forms.ts"
import { distinctLines, isAsSeen, readChoice, readFormId, readParam, readText } from "./forms.ts"
import { leadTo, shown } from "./replies.ts"
import { submitForm } from "./saveForm.ts"

const readContent = Effect.fnUntraced(function*(
  { organization, window }: OrganizationRequest,
  { digestChanged = false, refused = null, tested = null }: Partial<
    Pick<AlertSettingsContent, "digestChanged" | "refused" | "tested">
  > = {}
) {
  const { id } = organization
  const content: AlertSettingsContent = {
    rules: yield* readAlertRules(id, window),
    ...yield* readMailSetup(id),
    digest: yield* readDigestSetting(id),
    digestFormId: yield* makeFormId,
    timeZone: organization.timeZone,
    formId: yield* makeFormId,
    testFormId: yield* makeFormId,
    digestChanged,
    refused,
    tested
  }
  return content
})

const makePage = (request: OrganizationRequest, given?: Parameters<typeof readContent>[1]) =>
  Effect.map(readContent(request, given), (content) => alertSettingsPage(request.frame, content))

/** GET /o/{slug}/settings/alerts */
export const showAlertSettings = (request: OrganizationRequest) => shown(makePage(request))

const path = "/settings/alerts"

const isEmailAddress = Schema.is(EmailAddress)

/** POST /o/{slug}/settings/alerts/recipients */
export const saveRecipients = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization: { id } } = request
  const typed = form.get("addresses") ?? ""
  const refuse = (message: string) =>
    shown(makePage(request, { refused: { typed, faults: { addresses: message }, changed: false } }), { status: 422 })
  const given = distinctLines(typed)
  const addresses = given.filter(isEmailAddress)
  const wrong = given.find((one) => !isEmailAddress(one))
  if (wrong !== undefined) return yield* refuse(`“${wrong}” is not an e-mail address.`)
  return yield* submitForm(request, {
    read: Effect.map(readRecipients(id), recipientLines),
    edit: setRecipients(id, addresses),
    to: path,
    done: () => "recipients-set",
    changed: makePage(request, { refused: { typed, faults: {}, changed: true } })
  }).pipe(Effect.catchTag("Rejected", ({ message }) => refuse(`There can be ${message}.`)))
})

/** POST /o/{slug}/settings/alerts/digest */
export const saveDigest = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  const state = yield* readChoice(request, "state", Schema.Literals(["on", "off"]))
  return yield* submitForm(request, {
    read: Effect.map(readDigestSetting(id), digestState),
    edit: setDigest(id, state === "on"),
    to: path,
    done: ({ enabled }) => enabled ? "digest-on" : "digest-off",
    changed: makePage(request, { digestChanged: true })
  })
})

/** POST /o/{slug}/settings/alerts/test */
export const sendTest = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  const rule = yield* readChoice(request, "rule", AlertRuleName)
  return yield* runOnce(id, yield* readFormId(request), sendTestMail(id, rule)).pipe(
    Effect.flatMap((tested) => shown(makePage(request, { tested }))),
    Effect.catchTag("DoneBefore", () => Effect.succeed(leadTo(request, path, "test-sent-before")))
  )
})

const findRule = (request: OrganizationRequest) =>
  Effect.flatMap(readParam(request, AlertRuleName, "rule"), (name) => readAlertRule(request.organization.id, name))

const isSensitivity = Schema.is(Sensitivity)
const isThreshold = Schema.is(Threshold)

/** What a form says of the rule, or the fields that are not accepted. */
const parseRule = ({ rule }: AlertRule, typed: TypedRule) => {
  const { enabled, sensitivity } = typed
  const number = /^\d{1,3}(?:\.\d{1,6})?$/.test(typed.threshold) ? Number(typed.threshold) : null
  const mayBeEmpty = rule !== "sov_drop" || (typed.threshold === "" && enabled === "off")
  const faults: Faults<keyof TypedRule> = {
    ...enabled === "on" || enabled === "off" ? {} : { enabled: "Choose on or off." },
    ...mayBeEmpty || isThreshold(number) ? {} : { threshold: "Enter a number above 0 and at most 100, such as 40." },
    ...isSensitivity(sensitivity) ? {} : { sensitivity: "Choose one of the two options." }
  }
  const change = {
    rule,
    enabled: enabled === "on",
    ...rule === "sov_drop" && number !== null ? { threshold: number } : {},
    ...isSensitivity(sensitivity) ? { sensitivity } : {}
  }
  return { change, faults }
}

/** How long a page waits for a rule that reads answers. The command waits until it is done. */
const maxPreviewDuration = "10 seconds"

/** The rule over the last scans; null where it has no threshold yet, `late` where that takes too long. */
const readPreview = (
  { organization: { id }, window }: OrganizationRequest,
  change: ReturnType<typeof parseRule>["change"]
) => {
  const preview = previewAlertRule(id, window, change).pipe(Effect.catchTag("Rejected", () => Effect.succeed(null)))
  return change.rule === "new_competitor"
    ? Effect.map(Effect.timeoutOption(preview, maxPreviewDuration), Option.getOrElse(() => "late" as const))
    : preview
}

const showRule = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  rule: AlertRule,
  { changed = false, faults = {}, typed = typedRule(rule) }: Partial<
    Pick<AlertRuleContent, "changed" | "faults" | "typed">
  > = {}
) {
  const parsed = parseRule(rule, typed)
  const isRule = Object.keys(parsed.faults).length === 0
  return alertRulePage(request.frame, {
    rule,
    typed,
    faults,
    changed,
    preview: isRule ? yield* readPreview(request, parsed.change) : null,
    formId: yield* makeFormId
  })
})

/** GET /o/{slug}/settings/alerts/{rule} */
export const showAlertRule = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return yield* shown(showRule(request, yield* findRule(request)))
})

/** POST /o/{slug}/settings/alerts/{rule}: shows what it would have raised, or sets it. */
export const saveAlertRule = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization: { id } } = request
  const rule = yield* findRule(request)
  const typed: TypedRule = {
    enabled: readText(request, "enabled"),
    threshold: readText(request, "threshold"),
    sensitivity: readText(request, "sensitivity")
  }
  const { change, faults } = parseRule(rule, typed)
  if (Object.keys(faults).length > 0) {
    return yield* shown(showRule(request, rule, { typed, faults }), { status: 422 })
  }
  if (form.get("step") === "preview") {
    return yield* shown(showRule(request, rule, { typed, changed: !isAsSeen(request, ruleSetting(rule)) }))
  }
  const read = readAlertRule(id, rule.rule)
  return yield* submitForm(request, {
    read: Effect.map(read, ruleSetting),
    edit: setAlertRule(id, change),
    to: path,
    done: ({ enabled }) => enabled ? "alert-rule-on" : "alert-rule-off",
    changed: Effect.flatMap(read, (now) => showRule(request, now, { typed, changed: true }))
  }).pipe(
    Effect.catchTag(
      "Rejected",
      ({ message }: Rejected) =>
        shown(showRule(request, rule, { typed, faults: { threshold: message } }), { status: 422 })
    )
  )
})
