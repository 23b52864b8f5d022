/** Acts and their entries on both homes: one transaction, the actor's name, and nothing for what changes nothing. */
import {
  type Act,
  ActionStore,
  type Actor,
  addCompetitor,
  addEndpoint,
  addKeywords,
  addView,
  anchorChain,
  annotate,
  type AnswerPlatforms,
  attestBusinessCard,
  AuditLog,
  beginDownload,
  beginExport,
  builtInSources,
  cancelDeletion,
  cancelScan,
  createApiKey,
  createShareLink,
  CurrentActor,
  decideTopics,
  disableEndpoint,
  editBusinessCard,
  EmailAddress,
  enableEndpoint,
  type EncryptionKeys,
  ignoreSuggestion,
  importKeywords,
  importTraffic,
  inviteMember,
  makeFormId,
  markAction,
  noBranding,
  type OrganizationId,
  pauseSchedule,
  planRescore,
  promoteSecret,
  readAuditLog,
  readKeywords,
  recordRescore,
  removeAnnotation,
  removeCompetitor,
  removeEndpoint,
  removeMember,
  removeSchedule,
  removeView,
  replayDelivery,
  requestDeletion,
  requeueDeliveries,
  rescore,
  restoreSuggestion,
  resumeSchedule,
  revealSecret,
  revokeApiKey,
  revokeShareLink,
  rollApiKey,
  rotateSecret,
  runSchedules,
  ScanStore,
  ScheduleStore,
  sendTestMail,
  setAlertRule,
  setBrand,
  setBranding,
  setEndpointEvents,
  setKeywordStatus,
  setLogo,
  setPlan,
  setRecipients,
  setRole,
  setScanQuota,
  setSchedule,
  signInWithLink,
  signOut,
  startScan,
  StoreError,
  tagKeywords,
  testEndpoint,
  unmarkAction,
  untagKeywords,
  type WebhookSender,
  wholeHistory,
  wordKeyword
} from "@sov/core"
import { seedOrganization, type Stores } from "@sov/core/testing"
import { Duration, Effect, Layer, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { someMark, someReport } from "../../contracts/actionStoreContract.ts"
import { failOneDelivery } from "../../contracts/webhookSeeds.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { png } from "../../support/logos.ts"
import { readOrganizationRows } from "../../support/organizationRows.ts"
import { layerPlatforms, scanRequest, scriptedPlatform } from "../../support/scriptedPlatforms.ts"
import { browser } from "../../support/signIn.ts"
import { accessRole, openStorage } from "../../support/storage.ts"
import { deliveryServices } from "../../support/webhooks.ts"

type Services = Stores | SqlClient.SqlClient | AnswerPlatforms | EncryptionKeys | WebhookSender
type Expected = Act["action"]

const services = Layer.merge(
  deliveryServices,
  layerPlatforms(scriptedPlatform("assistant_a", () => Effect.die("asked")))
)

const url = "http://127.0.0.1:9/a-path-that-is-a-secret?token=hunter2"
const line =
  "192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 9 \"https://chatgpt.com/\" \"Mozilla/5.0\"\n"

/** The organization's entries, oldest first. */
const entriesOf = (id: OrganizationId) =>
  Effect.map(readAuditLog(id, wholeHistory, {}, { limit: 999 }), ({ entries }) => entries.toReversed())

const failure = new StoreError({ reason: "internal", message: "the audit log fails" })

/** An audit log that takes no entry, also of a scan's start, which is stored with its entry. */
const failing = Effect.gen(function*() {
  const [log, scans] = yield* Effect.all([AuditLog, ScanStore])
  return Layer.merge(
    Layer.succeed(AuditLog, { ...log, record: () => Effect.fail(failure) }),
    Layer.succeed(ScanStore, {
      ...scans,
      // Of two entries with the same id the second one cannot be added
      start: (id, start) =>
        scans.start(id, { ...start, entries: [...start.entries, ...start.entries] }).pipe(
          Effect.mapError((error) => error.reason === "constraint" ? failure : error)
        )
    })
  )
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home, accessRole)
  afterAll(storage.close)
  const run = <A, E>(effect: Effect.Effect<A, E, Services>) => storage.run(Effect.provide(effect, services))

  it("every act is recorded in its own transaction, and rolled back if its entry cannot be stored", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const failingStores = yield* failing

      /** The act fails and changes nothing where the audit log fails; else it records exactly this. */
      const perform = Effect.fnUntraced(function*<A, E, R>(
        expected: ReadonlyArray<Expected>,
        act: Effect.Effect<A, E, R>
      ) {
        const before = yield* readOrganizationRows(id)
        const error = yield* Effect.flip(Effect.provide(act, failingStores))
        expect(error, expected.join()).toMatchObject({ _tag: "StoreError", message: "the audit log fails" })
        expect(yield* readOrganizationRows(id), expected.join()).toEqual(before)

        const known = (yield* entriesOf(id)).length
        const result = yield* act
        const recorded = (yield* entriesOf(id)).slice(known)
        expect(recorded.map(({ action }) => action)).toEqual(expected)
        return result
      })
      /** What changes nothing records nothing, so that a failing audit log does not matter. */
      const changeNothing = <A, E, R>(act: Effect.Effect<A, E, R>) => Effect.provide(act, failingStores)

      const brand = { name: "Acme", aliases: [], domains: ["acme.example"], excludes: [] }
      yield* perform(["brand.changed"], setBrand(id, brand))
      yield* changeNothing(setBrand(id, brand))
      const rival = { name: "Globex", aliases: [], domains: [] }
      const { entity } = yield* perform(["competitor.added"], addCompetitor(id, rival))
      yield* perform(["competitor.changed"], addCompetitor(id, { ...rival, aliases: ["GX"] }))
      yield* changeNothing(addCompetitor(id, rival))
      yield* perform(["competitor.removed"], removeCompetitor(id, entity.id))
      yield* perform(["suggestion.ignored"], ignoreSuggestion(id, "Hooli"))
      yield* changeNothing(ignoreSuggestion(id, "hooli"))
      yield* perform(["suggestion.restored"], restoreSuggestion(id, "HOOLI"))
      yield* changeNothing(restoreSuggestion(id, "Hooli"))

      const [first] = yield* perform(
        ["keyword.added", "keyword.added"],
        addKeywords(id, ["best anvil?", "which forge?"])
      )
      yield* changeNothing(addKeywords(id, ["best anvil?"]))
      const setStatus = (status: "active" | "paused" | "archived") => setKeywordStatus(id, first!.keyword.id, status)
      yield* perform(["keyword.paused"], setStatus("paused"))
      yield* changeNothing(setStatus("paused"))
      yield* perform(["keyword.resumed"], setStatus("active"))
      yield* perform(["keyword.archived"], setStatus("archived"))
      yield* perform(["keyword.tagged"], tagKeywords(id, [first!.keyword.id], ["pricing"]))
      yield* changeNothing(tagKeywords(id, [first!.keyword.id], ["Pricing"]))
      yield* perform(["keyword.untagged"], untagKeywords(id, [first!.keyword.id], ["pricing"]))
      yield* changeNothing(untagKeywords(id, [first!.keyword.id], ["pricing"]))
      const filed = { keywords: [{ line: 1, text: "which hammer?", tags: ["tools"], status: null }], refused: [] }
      yield* perform(["keyword.added", "keyword.tagged"], importKeywords(id, filed))
      yield* changeNothing(importKeywords(id, filed))

      const again = yield* addKeywords(id, ["best anvil?"])
      const both = [again[0]!.keyword.id, (yield* readKeywords(id))[1]!.id]
      yield* perform(["topic.decided"], decideTopics(id, "join", both))
      yield* changeNothing(decideTopics(id, "keep", both))

      const german = { name: "germany", country: "DE", language: "de", context: null }
      yield* perform(["view.added"], addView(id, german))
      yield* perform(["view.worded"], wordKeyword(id, "germany", "which hammer?", "Welcher Hammer?"))
      yield* perform(["view.removed"], removeView(id, "germany"))

      yield* perform(["plan.changed"], setPlan(id, "business"))
      yield* changeNothing(setPlan(id, "business"))
      yield* perform(["organization.deletion_requested"], requestDeletion(id))
      yield* changeNothing(requestDeletion(id))
      yield* perform(["organization.deletion_cancelled"], cancelDeletion(id))
      yield* changeNothing(cancelDeletion(id))
      yield* perform(["quota.changed"], setScanQuota(id, 7))
      yield* changeNothing(setScanQuota(id, 7))

      const { key } = yield* perform(["key.created"], createApiKey(id, "ci", { scopes: ["read"] }))
      const rolled = yield* perform(["key.rolled"], rollApiKey(id, key.id, Duration.hours(1)))
      yield* perform(["key.revoked"], revokeApiKey(id, rolled.key.id))
      yield* changeNothing(revokeApiKey(id, rolled.key.id))

      const { link } = yield* perform(["share_link.created"], createShareLink(id, { name: "the board" }))
      yield* perform(["share_link.revoked"], revokeShareLink(id, link.id))
      yield* changeNothing(revokeShareLink(id, link.id))

      yield* perform(["branding.changed"], setBranding(id, { ...noBranding, sender: "Studio" }))
      yield* changeNothing(setBranding(id, { ...noBranding, sender: "Studio" }))
      yield* perform(["branding.changed"], setLogo(id, png))
      yield* changeNothing(setLogo(id, png))

      yield* (yield* ActionStore).keep(id, someReport)
      yield* perform(["action.marked"], markAction(id, someMark.id, "done"))
      yield* perform(["action.unmarked"], unmarkAction(id, someMark.id))

      const note = yield* perform(["annotation.added"], annotate(id, { day: "2026-11-20", text: "New pricing page" }))
      yield* perform(["annotation.removed"], removeAnnotation(id, note.id))

      yield* perform(["schedule.set"], setSchedule(id, { cron: "daily", samples: 1 }))
      yield* perform(["schedule.paused"], pauseSchedule(id))
      yield* changeNothing(pauseSchedule(id))
      yield* perform(["schedule.resumed"], resumeSchedule(id))
      yield* perform(["schedule.removed"], removeSchedule(id))

      const scan = yield* perform(["scan.started"], startScan(id, scanRequest, "once"))
      yield* changeNothing(startScan(id, scanRequest, "once"))
      yield* perform(["scan.cancelled"], cancelScan(id, scan.id))
      yield* changeNothing(cancelScan(id, scan.id))

      const rule = { rule: "sov_drop", enabled: true, threshold: 40 } as const
      yield* perform(["alert_rule.changed"], setAlertRule(id, rule))
      yield* changeNothing(setAlertRule(id, rule))
      yield* perform(["recipients.changed"], setRecipients(id, [EmailAddress.make("ann@acme.example")]))
      const sent: Array<string> = []
      const sender = { send: ({ to }: { readonly to: string }) => Effect.sync(() => void sent.push(to)) }
      yield* perform(["recipients.tested"], sendTestMail(id, "sov_drop", sender))
      expect(sent).toEqual(["ann@acme.example"])

      const { endpoint } = yield* perform(["endpoint.added"], addEndpoint(id, url, ["scan.completed"]))
      yield* perform(["endpoint.events_changed"], setEndpointEvents(id, endpoint.id, ["sov.dropped"]))
      yield* changeNothing(setEndpointEvents(id, endpoint.id, ["sov.dropped"]))
      expect((yield* entriesOf(id)).at(-1)?.detail).toEqual({
        host: "127.0.0.1:9",
        events: ["sov.dropped"],
        before: ["scan.completed"]
      })
      yield* perform(["endpoint.secret_revealed"], revealSecret(id, endpoint.id))
      yield* perform(["endpoint.disabled"], disableEndpoint(id, endpoint.id))
      yield* changeNothing(disableEndpoint(id, endpoint.id))
      yield* perform(["endpoint.enabled"], enableEndpoint(id, endpoint.id))
      yield* changeNothing(enableEndpoint(id, endpoint.id))
      yield* perform(["endpoint.secret_rotated"], rotateSecret(id, endpoint.id, false))
      yield* perform(["endpoint.secret_promoted"], promoteSecret(id, endpoint.id))
      yield* changeNothing(promoteSecret(id, endpoint.id))
      const { deliveryId } = yield* perform(["endpoint.tested"], testEndpoint(id, endpoint.id, "scan.completed"))
      yield* perform(["delivery.replayed"], replayDelivery(id, deliveryId))
      yield* changeNothing(requeueDeliveries(id, endpoint.id, new Date()))
      yield* failOneDelivery(id, endpoint)
      yield* perform(["endpoint.deliveries_replayed"], requeueDeliveries(id, endpoint.id, new Date(0)))
      yield* perform(["endpoint.removed"], removeEndpoint(id, endpoint.id))

      const fact = { field: "name", value: ["Acme"], source: null, updatedAt: null } as const
      const edit = (dryRun: boolean) => editBusinessCard(id, [fact], { source: "by hand", dryRun })
      yield* changeNothing(edit(true))
      yield* perform(["card.edited"], edit(false))
      yield* perform(["card.attested"], attestBusinessCard(id, "Ann"))

      const invite = (name: string) => {
        const email = EmailAddress.make(`${name}-${id}@acme.example`)
        return inviteMember(id, { email, role: "owner", origin: "https://sov.example" })
      }
      const [ann, ben] = [
        yield* perform(["member.invited", "link.created"], invite("ann")),
        yield* perform(["member.invited", "link.created"], invite("ben"))
      ]
      yield* perform(["member.role_changed"], setRole(id, ben.person.id, "viewer"))
      yield* changeNothing(setRole(id, ben.person.id, "viewer"))
      yield* perform(["member.removed"], removeMember(id, ben.person.id))
      const session = yield* perform(["session.started"], signInWithLink(ann.url!.slice(-43), browser))
      yield* perform(["session.ended"], signOut(session.token))
      yield* changeNothing(signOut(session.token))

      yield* perform(["archive.anchored"], anchorChain(id))
      const plan = yield* planRescore(id, {})
      yield* perform(["rescore.started"], rescore(id, plan, () => undefined))
      const run = yield* perform(["rescore.started"], Effect.flatMap(makeFormId, (one) => recordRescore(id, plan, one)))
      yield* changeNothing(recordRescore(id, plan, run))
      const renamed = { ...plan, set: { ...plan.set, version: plan.set.version + 1 } }
      const next = yield* perform(["rescore.started"], recordRescore(id, renamed, run))
      expect(next).not.toBe(run)
      yield* perform(["archive.exported"], beginDownload(id, wholeHistory, { platform: "assistant_a" }))
      yield* changeNothing(beginExport(id, wholeHistory, {}))
      const traffic = (dryRun: boolean) =>
        importTraffic(id, Stream.make(Buffer.from(line)), { sources: builtInSources, dryRun })
      yield* changeNothing(traffic(true))
      yield* perform(["traffic.import_started"], traffic(false))
      yield* changeNothing(traffic(false))

      const everything = JSON.stringify(yield* entriesOf(id))
      expect(everything).toContain("127.0.0.1:9")
      expect(everything).not.toContain(session.token)
      expect(everything).not.toContain(ann.url!.slice(-43))
      expect(everything).not.toMatch(/hunter2|a-path|sov_live_[0-9A-Za-z]{5}|whsec/)
    })))

  it("an entry names its actor, which is the command line unless another actor is provided", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      yield* setBrand(id, { name: "Acme", aliases: [], domains: [], excludes: [] })
      yield* addKeywords(id, ["best anvil?"])
      const { key } = yield* createApiKey(id, "ci")
      const actor: Actor = { kind: "key", name: "ci", personId: null, keyId: key.id }
      const scan = yield* Effect.provideService(startScan(id, scanRequest), CurrentActor, actor)
      yield* cancelScan(id, scan.id)
      const found = yield* entriesOf(id)
      expect(found.map((entry) => [entry.action, entry.actor.kind, entry.actor.name])).toEqual([
        ["brand.changed", "command line", "command line"],
        ["keyword.added", "command line", "command line"],
        ["key.created", "command line", "command line"],
        ["scan.started", "key", "ci"],
        ["scan.cancelled", "command line", "command line"]
      ])
      expect(found[3]).toMatchObject({
        actor,
        subject: { kind: "scan", id: scan.id },
        detail: { scan_type: "manual", platforms: ["assistant_a"], keywords: 1, samples: 1, simulated: false }
      })
    })))

  it("an entry names the schedule for scans that a schedule starts", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      yield* setBrand(id, { name: "Acme", aliases: [], domains: [], excludes: [] })
      yield* addKeywords(id, ["best anvil?"])
      const schedule = yield* setSchedule(id, { cron: "daily", samples: 1 })
      yield* (yield* ScheduleStore).save(id, { ...schedule, nextAt: new Date(Date.now() - 1000) })
      yield* runSchedules()
      const { entries } = yield* readAuditLog(id, wholeHistory, { action: "scan.started" }, { limit: 9 })
      expect(entries.map(({ actor, detail }) => [actor.kind, actor.name, detail["scan_type"]]))
        .toEqual([["system", "schedule", "scheduled"]])
    })))

  it("the log is paged and filtered, and refuses a cursor of other filters or another organization", () =>
    run(Effect.gen(function*() {
      const [{ id }, other] = [yield* seedOrganization(), yield* seedOrganization()]
      yield* addKeywords(id, ["a", "b", "c"])
      yield* setScanQuota(id, 1)
      const first = yield* readAuditLog(id, wholeHistory, {}, { limit: 3 })
      const rest = yield* readAuditLog(id, wholeHistory, {}, { limit: 3, cursor: first.nextCursor! })
      expect([first.entries.length, rest.entries.length, rest.nextCursor]).toEqual([3, 1, null])
      expect((yield* readAuditLog(id, wholeHistory, { action: "quota.changed" }, { limit: 1 })).nextCursor).toBeNull()
      const cursor = first.nextCursor!
      for (
        const refused of [
          readAuditLog(other.id, wholeHistory, {}, { limit: 3, cursor }),
          readAuditLog(id, wholeHistory, { action: "quota.changed" }, { limit: 3, cursor }),
          readAuditLog(id, wholeHistory, {}, { limit: 3, cursor: cursor.slice(1) })
        ]
      ) expect(yield* Effect.flip(refused)).toMatchObject({ _tag: "BadCursor" })
    })))
})
