/** Event `platform.changed`, on a real database of each home. */
import { EmailAddress, listDeliveries, MailStore, readAlertLog, setAlertRule, wholeHistory } from "@sov/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("an event reports a change of model once, even if scans of other platforms are in between", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* seedEndpoint(organizationId, { events: ["platform.changed"] })
      const scan = (seconds: number, model: string, platforms: ReadonlyArray<"assistant_a" | "assistant_b">) =>
        scanWith(organizationId, seconds, () => "Acme Forge.", { model, platforms })
      const first = yield* scan(100, "gemini-2.5-pro", ["assistant_a"])
      yield* scan(200, "other", ["assistant_b"])
      const changed = yield* scan(300, "gemini-3.8-flash", ["assistant_a"])
      yield* scan(400, "gemini-3.8-flash", ["assistant_a"])
      const [delivery, ...more] = yield* listDeliveries(organizationId, { limit: 9 })
      expect(more).toEqual([])
      const sql = yield* SqlClient.SqlClient
      const [event] = yield* sql<{ readonly body: Uint8Array }>`
        select body from event where id = ${delivery!.eventId}
      `
      expect(JSON.parse(Buffer.from(event!.body).toString("utf8"))).toMatchObject({
        event: "platform.changed",
        data: {
          scan_id: changed.id,
          previous_scan_id: first.id,
          platform: "assistant_a",
          reason: "model",
          before: "gemini-2.5-pro",
          after: "gemini-3.8-flash"
        }
      })
    })))

  it("an event reports a change of market, persona and search engine", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* seedEndpoint(organizationId, { events: ["platform.changed"] })
      const german = { country: "DE", language: null }
      const berlin = { ...german, place: "Berlin" }
      const spoken = { ...berlin, persona: "0123456789ab" }
      const markets = [undefined, null, null, german, berlin, spoken, { ...spoken, search_engine: "exa" }]
      for (const [n, market] of markets.entries()) {
        yield* scanWith(organizationId, (n + 1) * 100, () => "Acme Forge.", {
          platforms: ["assistant_a"],
          ...market === undefined ? {} : { market }
        })
      }
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql<{ readonly body: Uint8Array }>`
        select body from event where organization_id = ${organizationId} order by id
      `
      const told = events.map(({ body }) =>
        JSON.parse(Buffer.from(body).toString("utf8")) as {
          readonly event: string
          readonly data: { readonly reason: string; readonly before: string; readonly after: string }
        }
      ).filter(({ event }) => event === "platform.changed").map(({ data }) => data)
      expect(told.map(({ after, before, reason }) => `${reason}: ${before} → ${after}`)).toEqual([
        "market: none → DE",
        "market: DE → DE, Berlin",
        "persona: none → 0123456789ab",
        "engine: the provider's own → exa"
      ])
    })))

  it("the rule raises an alert for each platform, with the event's id and an e-mail", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* seedEndpoint(organizationId, { events: ["platform.changed"] })
      yield* setAlertRule(organizationId, { rule: "platform_changed", enabled: true })
      yield* (yield* MailStore).setRecipients(organizationId, [EmailAddress.make("ops@example.com")], new Date(0))
      const platforms = ["assistant_a", "assistant_b"] as const
      for (const [n, model] of ["vendor-4", "vendor-5", "vendor-5"].entries()) {
        yield* scanWith(organizationId, (n + 1) * 100, () => "Acme Forge.", { model, platforms })
      }
      const { alerts } = yield* readAlertLog(organizationId, wholeHistory, {}, { limit: 9 })
      const raised = alerts.map(({ alert: { data, rule } }) => `${rule} ${"platform" in data ? data.platform : ""}`)
      expect(raised.toSorted()).toEqual(["platform_changed assistant_a", "platform_changed assistant_b"])
      expect(alerts.map(({ emails }) => emails.length)).toEqual([1, 1])
      const delivered = yield* listDeliveries(organizationId, { limit: 9 })
      expect(delivered.map(({ eventId }) => eventId).toSorted()).toEqual(alerts.map(({ alert }) => alert.id).toSorted())
    })))
})
