/** The preview of a rule over stored scans says what completion itself would have raised, and stores nothing. */
import { AlertStore, type OrganizationId, previewAlertRule, setAlertRule, setBrand, wholeHistory } from "@sov/core"
import { at } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { listed, named } from "../../support/alertRules.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { readOrganizationRows } from "../../support/organizationRows.ts"
import { openStorage } from "../../support/storage.ts"

/** Cells of 12 that name the brand, scan by scan: falls below a half, recovers, falls again. */
const course = [8, 3, 3, 9, 2, 8, 0, 1, 0]

/** The same course of scans for a new organization, with `rule` enabled from the first or never. */
const history = Effect.fnUntraced(function*(rule: Parameters<typeof setAlertRule>[1] | null) {
  const organizationId = yield* seed
  if (rule !== null) yield* setAlertRule(organizationId, rule)
  for (const [n, cells] of course.entries()) yield* scanWith(organizationId, 100 * (n + 1), named(cells))
  return organizationId
})

/** What an alert says, without what differs between two organizations. */
const essence = ({ data, rule }: { readonly rule: string; readonly data: object }) => ({
  rule,
  ...Object.fromEntries(
    Object.entries(data).filter(([member]) => !/_id$|^mentions$/.test(member))
  )
})

const previewed = (organizationId: OrganizationId, change: Parameters<typeof previewAlertRule>[2]) =>
  Effect.map(
    previewAlertRule(organizationId, wholeHistory, change),
    ({ scans }) => scans.map(({ alerts }) => alerts.map(essence))
  )

const rules = [
  { rule: "sov_drop", threshold: 50, sensitivity: "immediate" },
  { rule: "sov_drop", threshold: 50, sensitivity: "confirmed" },
  { rule: "new_mention", sensitivity: "immediate" },
  { rule: "competitor_overtake", sensitivity: "immediate" }
] as const

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const { run } = storage

  it.each(rules)(
    "the preview agrees with the alerts that were raised: $rule $sensitivity",
    (rule) =>
      run(Effect.gen(function*() {
        const enabled = yield* history({ ...rule, enabled: true })
        const raised = (yield* listed(enabled)).toReversed().map(essence)
        const asked = yield* history(null)
        expect((yield* previewed(asked, rule)).flat()).toEqual(raised)
        if (rule.rule === "sov_drop") expect(raised.length).toBeGreaterThan(0)
      }))
  )

  it("the preview names the scans that would have raised alerts", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* history(null)
      const { rule, scans } = yield* previewAlertRule(organizationId, wholeHistory, { rule: "sov_drop", threshold: 50 })
      expect(rule).toEqual({ rule: "sov_drop", enabled: true, threshold: 50, sensitivity: "immediate" })
      expect(scans.map(({ alerts }) => alerts.length)).toEqual([0, 1, 0, 0, 1, 0, 1, 0, 0])
      expect(scans.every(({ measured }) => measured)).toBe(true)
    })))

  it("the preview stores nothing and does not change the memory of the active rule", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* history({ rule: "sov_drop", enabled: true, threshold: 40 })
      const before = yield* readOrganizationRows(organizationId)
      yield* previewAlertRule(organizationId, wholeHistory, { rule: "sov_drop", threshold: 60 })
      expect(yield* readOrganizationRows(organizationId)).toEqual(before)
    })))

  it("the preview covers the scans of the window, and compares the first of them with earlier scans", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* history(null)
      const { scans } = yield* previewAlertRule(organizationId, { since: at(500) }, { rule: "sov_drop", threshold: 50 })
      expect(scans.map(({ alerts }) => alerts.length)).toEqual([1, 0, 1, 0, 0])
    })))

  it("scans that were measured with other names are not judged", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* history(null)
      yield* setBrand(organizationId, { name: "Acme", aliases: [], domains: [], excludes: [] })
      const { scans } = yield* previewAlertRule(organizationId, wholeHistory, { rule: "sov_drop", threshold: 50 })
      expect(scans.map(({ alerts, measured }) => [measured, alerts.length])).toEqual(course.map(() => [false, 0]))
    })))

  it("the preview uses the stored threshold by default, and is refused if there is no threshold", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* history(null)
      const refused = yield* Effect.flip(previewAlertRule(organizationId, wholeHistory, { rule: "sov_drop" }))
      expect(refused).toMatchObject({ _tag: "Rejected", field: "threshold" })
      yield* setAlertRule(organizationId, { rule: "sov_drop", enabled: false, threshold: 50 })
      const { rule } = yield* previewAlertRule(organizationId, wholeHistory, { rule: "sov_drop" })
      expect(rule.threshold).toBe(50)
      expect(yield* (yield* AlertStore).list(organizationId, { limit: 9 })).toEqual([])
    })))
})
