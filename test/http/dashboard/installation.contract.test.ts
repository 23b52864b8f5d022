/**
 * Pages about the installation: plan and quota, platforms, system status; and who may see data that belongs to no
 * organization.
 */
import {
  type Act,
  AuditLog,
  consoleIdentity,
  HealthStore,
  listPlatforms,
  makeAuditEntry,
  makeFormId,
  PersonStore,
  PlatformError,
  providerDigest,
  readAuditLog,
  readQuota,
  wholeHistory,
  WorkerId,
  WorkerRegistry
} from "@sov/core"
import { seedOrganization, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { scriptedAnswer } from "../../support/scriptedPlatforms.ts"

let server: TestDashboard
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())

const worker = {
  host: "build-7.internal",
  pid: 4711,
  version: "1.2.3",
  digest: "d",
  platforms: ["assistant_a" as const],
  stays: true,
  doing: ["platform/assistant_a"]
}

it("only the operator sees workers and costs, not even the owner of the only organization", async () => {
  const { cells, organizationId } = await server.run(seedScan())
  const home = await server.run(pathOf(organizationId))
  const operator = await server.signIn(organizationId, "owner")
  await server.run(
    Effect.flatMap(PersonStore, (people) => people.addIdentity(operator.person.id, consoleIdentity, new Date()))
  )
  const owner = await server.signIn(organizationId, "owner")

  expect(wordsOf((await operator.get(`${home}/settings/system`)).text)).toContain("No worker is active")
  await server.run(
    Effect.flatMap(
      WorkerRegistry,
      (registry) => registry.register({ ...worker, id: WorkerId.make(randomUUID()), startedAt: new Date() }, 60_000)
    )
  )
  const status = wordsOf((await operator.get(`${home}/settings/system`)).text)
  expect(status).toContain("build-7.internal process 4711, sov 1.2.3")
  expect(status).toContain(`${cells.length} of ${cells.length}`)
  expect(status).toContain("No worker asks assistant_b")
  const platforms = wordsOf((await operator.get(`${home}/settings/platforms`)).text)
  expect(platforms).toContain("Spent this month")
  expect(platforms).toContain("Test assistant_a")

  // A platform's error message may quote another organization's question
  const [before] = await server.run(listPlatforms())
  await server.run(Effect.flatMap(HealthStore, (healths) =>
    healths.save({
      platform: before!.id,
      simulated: before!.simulated,
      provider: providerDigest(before!),
      attendance: [],
      sent: { bySecond: [], unsent: 0 },
      breaker: { failures: 9, failingSince: 1, retryAt: Date.now() + 60_000, pauseMs: 60_000, closedAt: 0 },
      outcomes: ["unavailable"],
      endsOn: null,
      lastFailure: { reason: "unavailable", message: "503: overloaded while answering: layoffs in May", at: 1 },
      seenAt: new Date()
    })))
  expect((await operator.get(`${home}/settings/platforms`)).text).toContain("layoffs in May")

  // This server's platform fails the test
  const test = `${home}/settings/platforms/assistant_a/test`
  const form_id = await server.run(makeFormId)
  const { id: personId, name } = operator.person
  const tested: Act = {
    action: "platform.tested",
    subjectId: organizationId,
    detail: { platform: "assistant_a" }
  }
  const entry = makeAuditEntry(form_id, new Date(), { kind: "person", name, personId }, tested)
  await server.run(Effect.flatMap(AuditLog, (log) => log.record(organizationId, [entry])))
  const again = await operator.post(test, { form_id })
  expect([again.status, again.headers["location"]]).toEqual([303, `${home}/settings/platforms?done=sent-before`])
  expect((await operator.post(test)).status).toBe(400)

  const other = await server.run(seedScan())
  const theirs = await server.run(pathOf(other.organizationId))
  for (const path of [home, theirs]) {
    const somebody = path === home ? owner : await server.signIn(other.organizationId, "owner")
    const { text } = await somebody.get(`${path}/settings/system`)
    expect(wordsOf(text)).toContain("1 worker is active.")
    expect(text).not.toContain("build-7")
    expect(text.match(/<tr><th scope="row">/g)).toHaveLength(1)
    const page = wordsOf((await somebody.get(`${path}/settings/platforms`)).text)
    expect(page).not.toMatch(/Spent|Test assistant|layoffs/)
    expect(page).toContain("paused the platform did not respond")
    const scan = path === home ? cells[0]!.scanId : other.scan.id
    expect((await somebody.get(`${path}/scans/${scan}`)).text).not.toContain("layoffs")
    const tested = await somebody.submit(`${path}/settings/platforms/assistant_a/test`)
    expect([tested.status, wordsOf(tested.text)]).toEqual([
      403,
      expect.stringContaining("the operator of this installation")
    ])
  }
})

it("a platform test is recorded first, and calls the platform only once however often its form is sent", async () => {
  const own = await openDashboard(oneHome[0]!)
  const { id } = await own.run(seedOrganization())
  const path = `${await own.run(pathOf(id))}/settings/platforms`
  const operator = await own.signIn(id, "owner")
  await own.run(
    Effect.flatMap(PersonStore, (people) => people.addIdentity(operator.person.id, consoleIdentity, new Date()))
  )
  const tests = async () =>
    (await own.run(readAuditLog(id, wholeHistory, { action: "platform.tested" }, { limit: 9 }))).entries.length
  const recorded: Array<number> = []
  // Long enough for the other request to arrive in the meantime
  const called = Effect.delay(Effect.promise(async () => void recorded.push(await tests())), "100 millis")
  const [platform] = await own.run(listPlatforms())
  const ask = vi.spyOn(platform!, "ask").mockReturnValue(Effect.as(called, scriptedAnswer("Acme is one.")))
  const test = async () => {
    const form = { form_id: await own.run(makeFormId) }
    const send = () => operator.post(`${path}/${platform!.id}/test`, form)
    return { send, twice: await Promise.all([send(), send()]) }
  }
  try {
    const { send, twice } = await test()
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 303])
    expect(twice.find(({ status }) => status === 200)!.text).toContain("Acme is one.")
    expect((await send()).headers["location"]).toBe(`${path}?done=sent-before`)
    expect(recorded).toEqual([1])

    const failure = new PlatformError({
      platform: platform!.id,
      reason: "unavailable",
      message: "assistant_a: overloaded",
      status: 503,
      retryAfterMs: null,
      excerpt: null
    })
    ask.mockReturnValue(Effect.andThen(called, Effect.fail(failure)))
    const failed = (await test()).twice
    expect(failed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 303])
    expect(wordsOf(failed.find(({ status }) => status === 200)!.text)).toContain("Failed: overloaded")
    expect(recorded).toEqual([1, 2])
  } finally {
    ask.mockRestore()
    await own.close()
  }
})

it.each([["free", "the last 7 days", "not included; Pro and above"], ["pro", "unlimited", "included"]] as const)(
  "the page of plan %s shows what the plan includes and what is left of the month",
  async (plan, history, api) => {
    const { id } = await server.run(seedOrganization({ plan }))
    const { limit, remaining } = await server.run(readQuota(id))
    const viewer = await server.signIn(id, "viewer")
    const words = wordsOf((await viewer.get(`${await server.run(pathOf(id))}/settings/plan`)).text)
    for (const part of [history, api, `${remaining} of ${limit} left`]) expect(words).toContain(part)
  }
)
