/** Reading the alerts that were raised; on each home. */
import { EventId, findAlert, findOrganization, PublicUrl, readAlertLog, readAlertRules, wholeHistory } from "@sov/core"
import { at, newId } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { drop, named, seedWithRules } from "../../support/alertRules.ts"
import { scanWith, texts } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const mention = { rule: "new_mention", enabled: true } as const

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const { run } = storage

  it("the log shows an alert with its e-mails, its deliveries by host, and the texts of its keywords", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(drop, mention)
      yield* seedEndpoint(id, { url: "https://hooks.acme.example/T0/secret", events: ["sov.dropped"] })
      yield* scanWith(id, 100, named(8))
      yield* scanWith(id, 200, named(3))
      yield* scanWith(id, 300, named(12))
      const { alerts } = yield* readAlertLog(id, wholeHistory, {}, { limit: 9 })
      expect(alerts.map(({ alert }) => alert.rule)).toEqual(["new_mention", "sov_drop"])
      const [named12, fell] = alerts.map(({ alert }) => alert)
      const told = yield* findAlert(id, wholeHistory, fell!.id)
      expect(told.alert).toEqual(fell)
      expect(told.emails.map(({ to }) => to).toSorted()).toEqual(["ann@acme.example", "bob@acme.example"])
      expect(told.deliveries).toMatchObject([{ eventId: fell!.id }])
      expect([...told.hosts.values()]).toEqual(["hooks.acme.example"])
      expect(told.keywords.size).toBe(0)
      const rules = yield* readAlertRules(id, wholeHistory)
      expect(rules.find(({ rule }) => rule.rule === "new_mention")?.lastAlertAt).toEqual(named12!.createdAt)
      const later = { since: new Date(named12!.createdAt.getTime() + 1) }
      expect(new Set((yield* readAlertRules(id, later)).map(({ lastAlertAt }) => lastAlertAt))).toEqual(new Set([null]))
      const found = yield* findAlert(id, wholeHistory, named12!.id)
      expect(found.deliveries).toEqual([])
      expect(new Set(found.keywords.values())).toEqual(new Set(texts.slice(4)))
    })))

  it("the log is paged with a cursor, which is refused if the filters differ", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(drop)
      for (let n = 0; n < 3; n++) {
        yield* scanWith(id, 100 + 200 * n, named(8))
        yield* scanWith(id, 200 + 200 * n, named(3))
      }
      const all = (yield* readAlertLog(id, wholeHistory, {}, { limit: 9 })).alerts.map(({ alert }) => alert.id)
      expect(all).toHaveLength(3)
      const first = yield* readAlertLog(id, wholeHistory, {}, { limit: 2 })
      const rest = yield* readAlertLog(id, wholeHistory, {}, { limit: 2, cursor: first.nextCursor! })
      expect([...first.alerts, ...rest.alerts].map(({ alert }) => alert.id)).toEqual(all)
      expect(rest.nextCursor).toBeNull()
      const other = readAlertLog(id, wholeHistory, { rule: "sov_drop" }, { limit: 2, cursor: first.nextCursor! })
      expect(yield* Effect.flip(other)).toMatchObject({ _tag: "BadCursor" })
    })))

  it("the log shows no alerts of other organizations or outside the window", () =>
    run(Effect.gen(function*() {
      const [id, other] = [yield* seedWithRules(drop), yield* seedWithRules(drop)]
      yield* scanWith(id, 100, named(8))
      const scan = yield* scanWith(id, 200, named(3))
      const [listed] = (yield* readAlertLog(id, wholeHistory, {}, { limit: 9 })).alerts
      const alertId = listed!.alert.id
      for (
        const missing of [findAlert(other, wholeHistory, alertId), findAlert(id, wholeHistory, yield* newId(EventId))]
      ) {
        expect(yield* Effect.flip(missing)).toMatchObject({ _tag: "NotFound", what: "alert" })
      }
      const window = { since: new Date(scan.completedAt!.getTime() + 1) }
      expect(yield* Effect.flip(findAlert(id, window, alertId))).toMatchObject({ _tag: "OutsideWindow", ...window })
      expect((yield* readAlertLog(id, window, {}, { limit: 9 })).alerts).toEqual([])
      expect((yield* readAlertLog(id, { since: at(0) }, {}, { limit: 9 })).alerts).toHaveLength(1)
    })))

  it("an alert's e-mail links to its page only if the dashboard has a public address", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(drop)
      const completeAt = Effect.fnUntraced(function*(seconds: number) {
        yield* scanWith(id, seconds, named(8))
        yield* scanWith(id, seconds + 100, named(3))
        const sql = yield* SqlClient.SqlClient
        const mails = yield* sql<{ readonly id: string; readonly text: string; readonly html: string }>`
          select id, body_text as text, body_html as html from mail where organization_id = ${id} order by created_at desc, id desc limit 1
        `
        return mails[0]!
      })
      const plain = yield* completeAt(100)
      expect(`${plain.text}${plain.html}`).not.toMatch(/https?:|<a /)
      const { slug } = yield* findOrganization(id)
      const linked = yield* Effect.provideService(completeAt(300), PublicUrl, "https://sov.acme.example")
      const url = `https://sov.acme.example/o/${slug}/alerts/${linked.id}`
      expect(linked.text).toContain(`The alert in the dashboard: ${url}\n`)
      expect(linked.html.match(/<a /g)).toHaveLength(1)
      expect(linked.html).toContain(`<a href="${url}">`)
    })))
})
