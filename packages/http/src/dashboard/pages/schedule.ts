/** The schedule: when scans start automatically. */
import type { AuditEntryId } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import {
  maxCronLength,
  nextRuns,
  plainTimingFromCron,
  type Schedule,
  type ScheduleReport,
  type Timing,
  type Weekday,
  weekdays
} from "@sov/core/schedules"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import { formatWeekday } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { confirmPage } from "./confirm.ts"
import { hiddenField, selectField } from "./fields.ts"
import {
  changedActNote,
  changedNote,
  choiceField,
  type Faults,
  formIdField,
  refusedNote,
  seenField,
  textField,
  zoneField
} from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState, factList } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** Number of upcoming runs to show. */
export const shownRuns = 5

/** The fields of the schedule form. */
export interface TypedSchedule {
  readonly every: string
  /** In the form `HH:MM`. */
  readonly time: string
  readonly weekday: string
  readonly cron: string
  readonly timeZone: string
  readonly samples: string
  /** The platforms to ask; empty = all that are configured when the run starts. */
  readonly platforms: ReadonlyArray<string>
}

const seven = { every: "week", time: "07:00", weekday: "monday" } as const

/** The form values of a schedule. If there is no schedule, the values of a weekly one, which is recommended. */
export const toTypedSchedule = (
  schedule: Schedule | null,
  otherwise: { readonly timeZone: string; readonly samples: number }
): TypedSchedule => {
  const plain = schedule === null ? null : plainTimingFromCron(schedule.cron)
  return {
    ...seven,
    cron: "",
    ...schedule !== null && plain === null ? { every: "cron", cron: schedule.cron } : {},
    ...plain,
    timeZone: schedule?.timeZone ?? otherwise.timeZone,
    samples: String(schedule?.samples ?? otherwise.samples),
    platforms: schedule?.platforms ?? []
  }
}

/**
 * A schedule as text, such as `every Monday at 07:00, Europe/Berlin, …`, so that a form can detect whether it has
 * changed.
 */
export const scheduleWords = (schedule: Schedule | null): string => {
  if (schedule === null) return "no schedule"
  const { cron, paused, platforms, samples, timeZone } = schedule
  return [
    `${timingWords(cron)}, ${timeZone}`,
    platforms === null ? "all platforms" : platforms.join(", "),
    `each question ${samples === 1 ? "once" : `${samples} times`}`,
    ...paused ? ["paused"] : []
  ].join("; ")
}

const capitalized = (day: Weekday): string => day.slice(0, 1).toUpperCase() + day.slice(1)

const timingWords = (cron: string): string => {
  const plain = plainTimingFromCron(cron)
  if (plain === null) return cron
  return plain.every === "day"
    ? `every day at ${plain.time}`
    : `every ${capitalized(plain.weekday)} at ${plain.time}`
}

/** The next runs of the typed schedule. */
export interface SchedulePreview {
  readonly timing: Timing
  readonly runs: ReadonlyArray<Date>
}

export interface ScheduleContent {
  /** Null = no schedule is set. */
  readonly report: ScheduleReport | null
  readonly overdue: boolean
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  readonly typed: TypedSchedule
  readonly faults: Faults<keyof TypedSchedule>
  /** Whether somebody else has changed the schedule since the form that sets it was opened. */
  readonly changed: boolean
  /** Whether somebody else has changed the schedule since the form that pauses or resumes it was opened. */
  readonly stateChanged: boolean
  readonly preview: SchedulePreview | null
  readonly formId: AuditEntryId
}

const runList = (runs: ReadonlyArray<Date>, timeZone: string): Html =>
  html`<ol class="bullets">${
    runs.map((run) => html`<li><time datetime="${run.toISOString()}">${formatWeekday(run, timeZone)}</time></li>`)
  }</ol>`

const lastRun = (
  { organization: { slug } }: Frame,
  { lastRun: run, schedule: { timeZone } }: ScheduleReport
): Fragment => {
  if (run === null) return "none yet"
  const when = formatWeekday(run.scheduledAt, timeZone)
  return run.skipped !== null
    ? `${when}: skipped, ${run.skipped.message}`
    : html`${when}: ${
      run.scan === null
        ? "scan started"
        : html`<a href="${inOrganization(slug, `/scans/${run.scan.id}`)}">scan ${run.scan.status}</a>`
    }`
}

const stateForm = ({ organization: { slug } }: Frame, { formId, report }: ScheduleContent): Html => {
  const [state, words] = report!.schedule.paused ? ["resume", "Resume"] : ["pause", "Pause"]
  return html`<div class="actions"><form method="post" action="${inOrganization(slug, "/settings/schedule/state")}">${
    formIdField(formId)
  }${seenField(scheduleWords(report!.schedule))}${
    hiddenField("state", state)
  }<button>${words}</button></form><a class="button danger" href="${
    inOrganization(slug, "/settings/schedule/remove")
  }">Remove…</a></div>`
}

const presentPanel = (frame: Frame, content: ScheduleContent): Html => {
  const { overdue, report, stateChanged } = content
  if (report === null) {
    return html`<section class="panel">${
      emptyState("No schedule", "Scans start only manually. One scan a week suits most brands.")
    }</section>`
  }
  const { attended, schedule } = report
  const { nextAt, paused, timeZone } = schedule
  const runs = nextAt === null ? [] : [nextAt, ...nextRuns(schedule, nextAt, shownRuns - 1)]
  return html`<section class="panel" aria-labelledby="present"><header><h2 id="present">Current schedule</h2>${
    paused && html`<p><span class="pill warn">paused</span></p>`
  }</header>${stateChanged && changedActNote(visible(scheduleWords(schedule)))}${
    !attended &&
    html`<p class="note warn">Nothing is running schedules at the moment. Start sov serve or sov worker.</p>`
  }${overdue && html`<p class="note warn">A run is overdue.</p>`}${
    factList([
      ["When", html`${timingWords(schedule.cron)}, ${visible(timeZone)} <code>${visible(schedule.cron)}</code>`],
      [
        "Asks",
        html`${
          schedule.platforms === null
            ? "all configured platforms"
            : visible(schedule.platforms.map((id) => platformName(frame, id)).join(", "))
        }, each question ${schedule.samples === 1 ? "once" : `${schedule.samples} times`}`
      ],
      ["Next runs", runs.length > 0 ? runList(runs, timeZone) : paused ? "none while paused" : "none"],
      ["Last run", lastRun(frame, report)]
    ])
  }${
    atLeast(frame.role, "member") && stateForm(frame, content)
  }<footer>Scheduled scans do not count towards the monthly quota.</footer></section>`
}

const platformField = (frame: Frame, { configured, faults, typed }: ScheduleContent): Fragment => {
  const known: ReadonlyArray<PlatformId> = (configured ?? []).map(({ id }) => id)
  const others = typed.platforms.filter((id) => !known.some((one) => one === id))
  return (known.length + others.length > 0 || faults.platforms !== undefined) && choiceField({
    type: "checkbox",
    name: "platforms",
    label: "Platforms (none selected: all that are configured when it runs)",
    choices: [...known.map((id) => [id, platformName(frame, id)] as const), ...others.map((id) => [id, id] as const)],
    chosen: typed.platforms,
    fault: faults.platforms
  })
}

const previewNote = ({ preview }: ScheduleContent): Fragment =>
  preview !== null &&
  html`<div class="note" role="status"><p>This schedule would run ${timingWords(preview.timing.cron)}, ${
    visible(preview.timing.timeZone)
  }:</p>${runList(preview.runs, preview.timing.timeZone)}</div>`

const setForm = (frame: Frame, content: ScheduleContent): Html => {
  const { changed, faults, formId, report, typed } = content
  const now = scheduleWords(report?.schedule ?? null)
  return html`<section class="panel" aria-labelledby="set"><header><h2 id="set">${
    report === null ? "Set a schedule" : "Replace this schedule"
  }</h2></header>${changed && changedNote(visible(now))}${refusedNote(faults)}${
    previewNote(content)
  }<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/settings/schedule")}">${
    formIdField(formId)
  }${seenField(now)}${
    choiceField({
      type: "radio",
      name: "every",
      label: "How often",
      choices: [["day", "every day"], ["week", "every week"], ["cron", "with a cron expression"]],
      chosen: [typed.every],
      fault: faults.every
    })
  }<div class="when day week">${
    textField({
      name: "time",
      label: "Time of day",
      value: typed.time,
      fault: faults.time,
      hint: "HH:MM in the time zone below"
    })
  }</div><div class="when week">${
    selectField({
      name: "weekday",
      label: "Day of the week",
      choices: weekdays.map((day) => [day, capitalized(day)]),
      chosen: typed.weekday
    })
  }</div><div class="when cron">${
    textField({
      name: "cron",
      label: "Cron expression",
      value: typed.cron,
      fault: faults.cron,
      hint: "Minute, hour, day of month, month, day of week, such as 0 7 * * 1-5; or hourly, daily, weekly, monthly",
      maxLength: maxCronLength
    })
  }</div>${zoneField(typed.timeZone, faults.timeZone)}${
    textField({
      name: "samples",
      label: "How often to ask each question on each platform",
      type: "number",
      min: 1,
      max: 5,
      value: typed.samples,
      fault: faults.samples
    })
  }${
    platformField(frame, content)
  }<div class="actions"><button name="step" value="preview">Preview</button><button class="primary" name="step" value="save">Save</button></div></form><footer>Saving replaces the current schedule. A paused schedule resumes.</footer></section>`
}

export const schedulePage = (frame: Frame, content: ScheduleContent): Html =>
  layout(frame, {
    title: "Schedule",
    here: "settings",
    summary: html`<a href="${inOrganization(frame.organization.slug, "/settings")}">Settings</a>`,
    body: html`<div class="grid">${presentPanel(frame, content)}${
      atLeast(frame.role, "member") && setForm(frame, content)
    }</div>`
  })

/** Asks for confirmation before the schedule is removed, and states the consequences. */
export const removeSchedulePage = (
  frame: Frame,
  { changed, formId, schedule }: {
    readonly schedule: Schedule
    readonly formId: AuditEntryId
    /** Whether somebody else has changed the schedule since the page was opened. */
    readonly changed: boolean
  }
): Html => {
  const words = scheduleWords(schedule)
  return confirmPage(frame, {
    title: "Remove the schedule",
    here: "settings",
    back: { path: "/settings/schedule", name: "Schedule" },
    action: "/settings/schedule/remove",
    formId,
    note: changed && changedActNote(visible(words)),
    consequences: [
      `Scans no longer start automatically: ${visible(words)}.`,
      "Scans that it started are kept, and a running scan continues."
    ],
    fields: seenField(words),
    button: html`<button class="danger">Remove the schedule</button>`
  })
}
