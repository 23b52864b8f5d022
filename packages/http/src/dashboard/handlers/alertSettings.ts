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
import { parseDecimal } from "@sov/core/common"
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
import { Effect, Schema } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { alertPreview, type AlertRuleContent, alertRulePage, toTypedRule, type TypedRule } from "../pages/alertRule.ts"
import {
  type AlertSettingsContent,
  alertSettingsPage,
  describeRuleSetting,
  digestState,
  recipientLines
} from "../pages/alertSettings.ts"
import type { Faults } from "../pages/forms.ts"
import { distinctLines, isAsSeen, readChoice, readFormId, readParam, readText } from "./forms.ts"
import { redirectTo, replyWithPage } from "./replies.ts"
import { saveForm, submitForm } from "./saveForm.ts"

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
export const showAlertSettings = (request: OrganizationRequest) => replyWithPage(makePage(request))

const path = "/settings/alerts"

const isEmailAddress = Schema.is(EmailAddress)

/** POST /o/{slug}/settings/alerts/recipients */
export const saveRecipients = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization: { id } } = request
  const typed = form.get("addresses") ?? ""
  const refuse = (message: string) =>
    replyWithPage(makePage(request, { refused: { typed, faults: { addresses: message }, changed: false } }), {
      status: 422
    })
  const given = distinctLines(typed)
  const addresses = given.filter(isEmailAddress)
  const wrong = given.find((one) => !isEmailAddress(one))
  if (wrong !== undefined) return yield* refuse(`“${wrong}” is not an e-mail address.`)
  const { hasMailServer } = yield* readMailSetup(id)
  return yield* submitForm(request, {
    read: Effect.map(readRecipients(id), recipientLines),
    edit: setRecipients(id, addresses),
    to: path,
    done: () => hasMailServer || addresses.length === 0 ? "recipients-set" : "recipients-set-no-mail",
    changed: makePage(request, { refused: { typed, faults: {}, changed: true } })
  }).pipe(Effect.catchTag("Rejected", ({ message }) => refuse(`There can be ${message}.`)))
})

/** POST /o/{slug}/settings/alerts/digest */
export const saveDigest = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  const state = yield* readChoice(request, "state", Schema.Literals(["on", "off"]))
  const { hasMailServer } = yield* readMailSetup(id)
  return yield* submitForm(request, {
    read: Effect.map(readDigestSetting(id), digestState),
    edit: setDigest(id, state === "on"),
    to: path,
    done: ({ enabled }) => !enabled ? "digest-off" : hasMailServer ? "digest-on" : "digest-on-no-mail",
    changed: makePage(request, { digestChanged: true })
  })
})

/** POST /o/{slug}/settings/alerts/test */
export const sendTest = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  const rule = yield* readChoice(request, "rule", AlertRuleName)
  return yield* runOnce(id, yield* readFormId(request), sendTestMail(id, rule)).pipe(
    Effect.flatMap((tested) => replyWithPage(makePage(request, { tested }))),
    Effect.catchTag("DoneBefore", () => Effect.succeed(redirectTo(request, path, "test-sent-before")))
  )
})

const findRule = (request: OrganizationRequest) =>
  Effect.flatMap(readParam(request, AlertRuleName, "rule"), (name) => readAlertRule(request.organization.id, name))

const isSensitivity = Schema.is(Sensitivity)
const isThreshold = Schema.is(Threshold)

/** The rule described by a form, or its invalid fields. */
const parseRule = ({ rule }: AlertRule, typed: TypedRule) => {
  const { enabled, sensitivity } = typed
  const typedNumber = parseDecimal(typed.threshold)
  const number = Number.isNaN(typedNumber) ? null : typedNumber
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

/** How long a page waits for the preview of a rule. The command line has no such limit. */
const maxPreviewDuration = "5 seconds"

/** The late part of a rule's page: the alerts that the rule would have raised for the last scans. */
const makePreview = (
  { frame, organization: { id }, window }: OrganizationRequest,
  change: ReturnType<typeof parseRule>["change"]
) =>
  previewAlertRule(id, window, change).pipe(
    Effect.timeoutOrElse({ duration: maxPreviewDuration, orElse: () => Effect.succeed("too long" as const) }),
    Effect.catchTag("Rejected", () => Effect.succeed(null)),
    Effect.catchTag("StoreError", (error) => error.retryable ? Effect.succeed("failed" as const) : Effect.die(error)),
    Effect.map((outcome) => alertPreview(frame, change.rule, outcome))
  )

interface ShownRule extends Partial<Pick<AlertRuleContent, "changed" | "faults" | "typed">> {
  readonly status?: number
  /** Whether the preview ran out of time. */
  readonly stopped?: boolean
}

const showRule = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  rule: AlertRule,
  { changed = false, faults = {}, status = 200, stopped = false, typed = toTypedRule(rule) }: ShownRule = {}
) {
  const parsed = parseRule(rule, typed)
  const preview = Object.keys(parsed.faults).length > 0 ? "no rule" : stopped ? "stopped" : "follows"
  const formId = yield* makeFormId
  const page = alertRulePage(request.frame, { rule, typed, faults, changed, preview, formId })
  return showPage(page, { status, late: preview === "follows" ? makePreview(request, parsed.change) : null })
})

/** GET /o/{slug}/settings/alerts/{rule} */
export const showAlertRule = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return yield* showRule(request, yield* findRule(request))
})

/** POST /o/{slug}/settings/alerts/{rule}: previews the alerts of the rule, or stores the rule. */
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
    return yield* showRule(request, rule, { typed, faults, status: 422 })
  }
  const step = form.get("step")
  if (step === "preview" || step === "stop") {
    const changed = !isAsSeen(request, describeRuleSetting(rule))
    return yield* showRule(request, rule, { typed, changed, stopped: step === "stop" })
  }
  const read = readAlertRule(id, rule.rule)
  return yield* saveForm(request, Effect.map(read, describeRuleSetting), setAlertRule(id, change)).pipe(
    Effect.map(({ enabled }) => redirectTo(request, path, enabled ? "alert-rule-on" : "alert-rule-off")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, path, "sent-before")),
      ChangedMeanwhile: () =>
        Effect.flatMap(read, (now) => showRule(request, now, { typed, changed: true, status: 409 })),
      Rejected: ({ message }: Rejected) =>
        showRule(request, rule, { typed, faults: { threshold: message }, status: 422 })
    })
  )
})
