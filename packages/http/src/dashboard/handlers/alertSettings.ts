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
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { type AlertRuleContent, alertRulePage, type TypedRule, typedRule } from "../pages/alertRule.ts"
import {
  type AlertSettingsContent,
  alertSettingsPage,
  digestState,
  recipientLines,
  type RefusedRecipients,
  ruleSetting
} from "../pages/alertSettings.ts"
import type { DoneCode } from "../pages/done.ts"
import type { Faults } from "../pages/forms.ts"
import { inOrganization } from "../pages/sections.ts"
import { distinctLines, isAsSeen, readFormId, readText } from "./forms.ts"
import { saveForm } from "./saveForm.ts"

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

/** GET /o/{slug}/settings/alerts */
export const showAlertSettings = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return showPage(alertSettingsPage(request.frame, yield* readContent(request)))
})

const backToSettings = ({ organization: { slug } }: OrganizationRequest, done: DoneCode) =>
  seeOther(inOrganization(slug, "/settings/alerts", { done }))

const isEmailAddress = Schema.is(EmailAddress)

/** POST /o/{slug}/settings/alerts/recipients */
export const saveRecipients = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization: { id } } = request
  const typed = form.get("addresses") ?? ""
  const refuse = (refused: Omit<RefusedRecipients, "typed">, status: 409 | 422) =>
    Effect.map(
      readContent(request, { refused: { typed, ...refused } }),
      (content) => showPage(alertSettingsPage(frame, content), { status })
    )
  const given = distinctLines(typed)
  const addresses = given.filter(isEmailAddress)
  const wrong = given.find((one) => !isEmailAddress(one))
  if (wrong !== undefined) {
    return yield* refuse({ faults: { addresses: `“${wrong}” is not an e-mail address.` }, changed: false }, 422)
  }
  return yield* saveForm(request, Effect.map(readRecipients(id), recipientLines), setRecipients(id, addresses)).pipe(
    Effect.map(() => backToSettings(request, "recipients-set")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(backToSettings(request, "sent-before")),
      ChangedMeanwhile: () => refuse({ faults: {}, changed: true }, 409),
      Rejected: ({ message }) => refuse({ faults: { addresses: `There can be ${message}.` }, changed: false }, 422)
    })
  )
})

/** POST /o/{slug}/settings/alerts/digest */
export const saveDigest = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization: { id } } = request
  const state = form.get("state")
  if (state !== "on" && state !== "off") return yield* new PageRefused({ status: 400, words: null })
  const read = Effect.map(readDigestSetting(id), digestState)
  return yield* saveForm(request, read, setDigest(id, state === "on")).pipe(
    Effect.map(({ enabled }) => backToSettings(request, enabled ? "digest-on" : "digest-off")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(backToSettings(request, "sent-before")),
      ChangedMeanwhile: () =>
        Effect.map(
          readContent(request, { digestChanged: true }),
          (content) => showPage(alertSettingsPage(frame, content), { status: 409 })
        )
    })
  )
})

const isRuleName = Schema.is(AlertRuleName)

/** POST /o/{slug}/settings/alerts/test */
export const sendTest = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization: { id } } = request
  const rule = form.get("rule")
  if (!isRuleName(rule)) return yield* new PageRefused({ status: 400, words: null })
  return yield* runOnce(id, yield* readFormId(request), sendTestMail(id, rule)).pipe(
    Effect.flatMap((tested) => readContent(request, { tested })),
    Effect.map((content) => showPage(alertSettingsPage(frame, content))),
    Effect.catchTag("DoneBefore", () => Effect.succeed(backToSettings(request, "test-sent-before")))
  )
})

const findRule = ({ organization, params }: OrganizationRequest) => {
  const name = params["rule"]
  return isRuleName(name) ? readAlertRule(organization.id, name) : Effect.fail(noSuchPage)
}

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
  return showPage(yield* showRule(request, yield* findRule(request)))
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
    return showPage(yield* showRule(request, rule, { typed, faults }), { status: 422 })
  }
  if (form.get("step") === "preview") {
    return showPage(yield* showRule(request, rule, { typed, changed: !isAsSeen(request, ruleSetting(rule)) }))
  }
  const read = Effect.map(readAlertRule(id, rule.rule), ruleSetting)
  return yield* saveForm(request, read, setAlertRule(id, change)).pipe(
    Effect.map((after) => backToSettings(request, after.enabled ? "alert-rule-on" : "alert-rule-off")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(backToSettings(request, "sent-before")),
      ChangedMeanwhile: () =>
        Effect.flatMap(
          readAlertRule(id, rule.rule),
          (now) =>
            Effect.map(showRule(request, now, { typed, changed: true }), (page) => showPage(page, { status: 409 }))
        ),
      Rejected: ({ message }: Rejected) =>
        Effect.map(
          showRule(request, rule, { typed, faults: { threshold: message } }),
          (page) => showPage(page, { status: 422 })
        )
    })
  )
})
