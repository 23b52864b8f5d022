/**
 * The schedule: showing, setting, pausing, resuming and removing it. The next runs of a new schedule can be previewed.
 */
import { makeFormId } from "@sov/core/audit"
import type { OrganizationId } from "@sov/core/common"
import { PlatformId } from "@sov/core/platforms"
import {
  findSchedule,
  isOverdue,
  pauseSchedule,
  plainTimingToCron,
  previewSchedule,
  readSchedule,
  removeSchedule as remove,
  resumeSchedule,
  type Schedule,
  setSchedule,
  type Weekday,
  weekdays
} from "@sov/core/schedules"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import type { Faults } from "../pages/forms.ts"
import {
  removeSchedulePage,
  type ScheduleContent,
  schedulePage,
  type SchedulePreview,
  scheduleWords,
  shownRuns,
  toTypedSchedule,
  type TypedSchedule
} from "../pages/schedule.ts"
import { findTimeZone, isAsSeen, readChoice, readTexts } from "./forms.ts"
import { replyWithPage } from "./replies.ts"
import { submitForm } from "./saveForm.ts"

const makePage = Effect.fnUntraced(function*(
  { at, configured, frame, organization, samples }: OrganizationRequest,
  { changed = false, faults = {}, preview = null, stateChanged = false, typed }: Partial<
    Pick<ScheduleContent, "changed" | "faults" | "preview" | "stateChanged" | "typed">
  > = {}
) {
  const report = yield* readSchedule(organization.id).pipe(Effect.catchTag("NoSchedule", () => Effect.succeed(null)))
  return schedulePage(frame, {
    report,
    overdue: report !== null && isOverdue(report.schedule, at),
    configured,
    typed: typed ?? toTypedSchedule(report?.schedule ?? null, { timeZone: organization.timeZone, samples }),
    faults,
    changed,
    stateChanged,
    preview,
    formId: yield* makeFormId
  })
})

/** GET /o/{slug}/settings/schedule */
export const showSchedule = (request: OrganizationRequest) => replyWithPage(makePage(request))

const path = "/settings/schedule"

/** The current schedule in words, so that a form can detect whether somebody has changed it. */
const readWords = (id: OrganizationId) => Effect.map(findSchedule(id), scheduleWords)

const isPlatformId = Schema.is(PlatformId)
const isWeekday = (text: string): text is Weekday => (weekdays as ReadonlyArray<string>).includes(text)

/** The cron expression described by a form, or the invalid field. */
const parseTiming = ({ cron, every, time, weekday }: TypedSchedule): string | Faults<keyof TypedSchedule> => {
  if (every === "cron") return cron === "" ? { cron: "Enter a cron expression." } : cron
  if (every !== "day" && every !== "week") return { every: "Choose one of the three." }
  if (every === "week" && !isWeekday(weekday)) return { weekday: "Choose a day." }
  const plain = every === "day" ? { every, time } as const : { every, time, weekday: weekday as Weekday } as const
  return plainTimingToCron(plain) ?? { time: "Enter a time such as 07:00." }
}

/** The schedule described by a form, or the invalid fields. */
const parseSchedule = (typed: TypedSchedule) => {
  const timing = parseTiming(typed)
  const platforms = [...new Set(typed.platforms)]
  const faults: Faults<keyof TypedSchedule> = {
    ...typeof timing === "string" ? {} : timing,
    ...typed.timeZone === "" ? { timeZone: "Enter a time zone such as Europe/Berlin." } : {},
    ...platforms.every(isPlatformId) ? {} : { platforms: "One of these is not a platform." },
    ...["1", "2", "3", "4", "5"].includes(typed.samples) ? {} : { samples: "Enter a number from 1 to 5." }
  }
  return typeof timing !== "string" || Object.keys(faults).length > 0 ? { faults, request: null } : {
    faults,
    request: {
      cron: timing,
      timeZone: findTimeZone(typed.timeZone),
      samples: Number(typed.samples),
      ...platforms.length === 0 ? {} : { platforms: platforms.filter(isPlatformId) }
    }
  }
}

/** Assigns an error from the rules of schedules to the form field that caused it. */
const toFault = (
  { every }: TypedSchedule,
  { field, message }: { readonly field: string; readonly message: string }
): Faults<keyof TypedSchedule> =>
  field === "time_zone" ? { timeZone: message } : every === "cron" ? { cron: message } : { time: message }

/** POST /o/{slug}/settings/schedule: previews the next runs, or stores the schedule. */
export const saveSchedule = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization: { id } } = request
  const typed: TypedSchedule = {
    ...readTexts(request, ["every", "time", "weekday", "cron", "timeZone", "samples"]),
    platforms: form.getAll("platforms")
  }
  const refuse = (faults: Faults<keyof TypedSchedule>) =>
    replyWithPage(makePage(request, { typed, faults }), { status: 422 })
  const parsed = parseSchedule(typed)
  if (parsed.request === null) return yield* refuse(parsed.faults)
  if (form.get("step") === "preview") {
    const changed = !isAsSeen(request, yield* readWords(id))
    return yield* previewSchedule(id, parsed.request, shownRuns).pipe(
      Effect.flatMap((preview: SchedulePreview) => replyWithPage(makePage(request, { typed, preview, changed }))),
      Effect.catchTag("Rejected", (error) => refuse(toFault(typed, error)))
    )
  }
  return yield* submitForm(request, {
    read: readWords(id),
    edit: setSchedule(id, parsed.request),
    to: path,
    done: () => "schedule-set",
    changed: makePage(request, { typed, changed: true })
  }).pipe(Effect.catchTag("Rejected", (error) => refuse(toFault(typed, error))))
})

/** Another person removed the schedule after the form was opened. */
const noSchedule = new PageRefused({ status: 409, words: "The schedule no longer exists." })

/** POST /o/{slug}/settings/schedule/state: pauses or resumes the schedule. */
export const setScheduleState = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  const state = yield* readChoice(request, "state", Schema.Literals(["pause", "resume"]))
  return yield* submitForm(request, {
    read: readWords(id),
    edit: state === "pause" ? pauseSchedule(id) : resumeSchedule(id),
    to: path,
    done: () => state === "pause" ? "schedule-paused" : "schedule-resumed",
    changed: makePage(request, { stateChanged: true })
  })
}, Effect.catchTag("NoSchedule", () => Effect.fail(noSchedule)))

/** The page that asks for confirmation before the schedule is removed. Fails with `missing` if there is no schedule. */
const makeRemovalPage = Effect.fnUntraced(
  function*({ frame, organization: { id } }: OrganizationRequest, changed: boolean, missing: PageRefused) {
    const schedule: Schedule = (yield* findSchedule(id)) ?? (yield* missing)
    return removeSchedulePage(frame, { schedule, changed, formId: yield* makeFormId })
  }
)

/** GET /o/{slug}/settings/schedule/remove */
export const showScheduleRemoval = (request: OrganizationRequest) =>
  replyWithPage(makeRemovalPage(request, false, noSuchPage))

/** POST /o/{slug}/settings/schedule/remove */
export const removeSchedule = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  return yield* submitForm(request, {
    read: readWords(id),
    edit: remove(id),
    to: path,
    done: () => "schedule-removed",
    changed: makeRemovalPage(request, true, noSchedule)
  })
}, Effect.catchTag("NoSchedule", () => Effect.fail(noSchedule)))
