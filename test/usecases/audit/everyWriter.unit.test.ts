/**
 * Every use case that writes to the database records what it does in the audit log, or is listed here with the reason
 * why it does not. The writing ones are found in the sources, so that a new one that was forgotten fails.
 */
import { auditActions } from "@sov/core"
import { describe, expect, it } from "vitest"
import { findWrites, useCaseSources, writingMethods } from "../../support/storeWrites.ts"

const noOrganization = "belongs to the installation, not to an organization"
const ofScan = "work of a scan that somebody or a schedule has started, which has its entry"
const delivery = "sends what an act or a scan has caused"
const signIn = "startSession.ts records the sign-in"
const computed = "derived from the archive; nobody decides it"

const withoutEntry: { readonly [useCase: string]: string } = {
  "access/accessCache.ts": noOrganization,
  "access/countRequests.ts": "counts a request against the rate limit",
  "access/operatorKeys.ts": "the operator's log has it",
  "access/keyCache.ts": "stores when a key was last used",
  "alerts/raiseAlerts.ts": ofScan,
  "archive/exportArchive.ts": "reads; it adds to a set in memory",
  "archive/sealAnswers.ts": ofScan,
  "audit/recordActs.ts": "is the audit log",
  "mail/mailWorker.ts": delivery,
  "mail/queueMail.ts": delivery,
  "mail/digestKind.ts": "sends what setDigest.ts has switched on",
  "mail/unsubscribe.ts": "a recipient, who is no member, decides for themself; the recipients say since when",
  "measuring/judgeAnswers.ts": ofScan,
  "measuring/measurePage.ts": computed,
  "experiments/announceEnd.ts": "stopExperiment.ts records an early end; the end of a sealed plan is nobody's act",
  "measuring/measureScan.ts": computed,
  "card/judgeCard.ts": "keeps what a judge decided; each decision has the judge and the time",
  "editUnchanged.ts": "locks the organization; the edit that it runs records the act",
  "organizations/provisionOrganization.ts": "creating, tracking and limiting are acts of their own",
  "organizations/exportRecords.ts": "reads; what it reads is in the order of insertion",
  "people/endWhatOwnerOpened.ts": "removeMember.ts and setRole.ts record the act",
  "people/requestLoginLink.ts": "a person who asks for a link is not signed in yet; using it has an entry",
  "people/sessionCache.ts": "stores when a session was last used",
  "people/signInWithLink.ts": signIn,
  "people/signOut.ts": "recordEnd of endSession.ts records it",
  "platforms/healthRecord.ts": noOrganization,
  "platforms/makePaidCalls.ts": "keeps what the calls used; it changes nothing of the organization",
  "platforms/askCells.ts": ofScan,
  "platforms/recordCredit.ts": noOrganization,
  "scanning/archiveAnswer.ts": ofScan,
  "scanning/askCell.ts": ofScan,
  "schedules/scheduleKind.ts": "the scan that it starts has an entry, by the schedule",
  "scoring/keepScoreDetail.ts": computed,
  "sharing/openShareLink.ts": "stores when a link was last opened",
  "sources/deriveMissing.ts": computed,
  "sources/readActions.ts": computed,
  "sources/redirectKind.ts": computed,
  "webhooks/deliveryWorker.ts": delivery,
  "webhooks/publishEvent.ts": "its callers record the act, or complete a scan that has its entry",
  "webhooks/recordAttempts.ts": delivery,
  "webhooks/reencryptSecrets.ts": "the secrets stay as they are; their encryption belongs to the installation",
  "workers/registerWorker.ts": noOrganization,
  "workers/upkeepKind.ts": "removes rows that are older than the installation keeps them"
}

/** The actions that a use case names. */
const listActions = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, name]) => name!).filter((name) => name in auditActions)

const writers = [...useCaseSources].flatMap(([file, source]) => {
  const writes = findWrites(source)
  return writes.length === 0 ? [] : [{ file, source, writes }]
})

it("the test finds every writing method of the stores", () => {
  expect(writingMethods.size).toBeGreaterThan(25)
  expect([...writingMethods.get("ApiKeyStore")!]).toEqual(["insert", "revoke", "roll", "recordUse"])
  expect([...writingMethods.get("KeywordStore")!]).toEqual([
    "add",
    "setStatus",
    "setStatuses",
    "addTags",
    "removeTags",
    "addView",
    "removeView",
    "setWording"
  ])
})

describe("a use case that writes", () => {
  it.each(writers)("the file $file records its act or has a reason not to", ({ file, source, writes }) => {
    const records = /\b(?:makeEntries|recordActs|recordOwnActs|runActs)\(/.test(source) &&
      listActions(source).length > 0
    expect(records || file in withoutEntry, `${file} writes (${writes.join(", ")}) and records nothing`).toBe(true)
    expect(records && file in withoutEntry, `${file} records, and is listed as one that does not`).toBe(false)
  })

  it("no use case that does not write is listed with a reason", () => {
    const files = new Set(writers.map(({ file }) => file))
    expect(Object.keys(withoutEntry).filter((file) => !files.has(file))).toEqual([])
  })
})

it("every action is recorded by a use case", () => {
  const recorded = new Set([...useCaseSources.values()].flatMap(listActions))
  expect(Object.keys(auditActions).filter((action) => !recorded.has(action))).toEqual([])
})

it("no detail contains a secret", () => {
  const members = Object.values(auditActions).flatMap(({ detail }) => Object.keys(detail.fields))
  expect(members.filter((name) => /secret|token|password|hash|url|payload|body/i.test(name))).toEqual([])
})
