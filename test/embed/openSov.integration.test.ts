/** Tests `@sov/core/promise`: use cases as promises, on an embedded home. */
import {
  EmailAddress,
  EventId,
  findKeyword,
  findOrganization,
  listFailedCells,
  listOrganizations,
  MailStore,
  readQuota,
  setRecipients
} from "@sov/core"
import {
  AskFailed,
  type CustomPlatform,
  isSovError,
  type LogEntry,
  MailError,
  NotFound,
  type OpenOptions,
  openSov,
  QuotaExhausted,
  readPlatforms,
  Rejected,
  type Sov
} from "@sov/core/promise"
import { layerPostgres } from "@sov/core/sov"
import { newId } from "@sov/core/testing"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest"
import { emptyDatabaseUrl } from "../support/databases.ts"
import { copyDataDirectory } from "../support/embeddedTemplate.ts"
import { postgresUrl } from "../support/homes.ts"

const tracking = {
  brand: { name: "Acme" },
  competitors: [{ name: "Globex" }],
  keywords: [{ text: "Which anvil should a farrier buy?" }, { text: "Who makes the best anvils?" }]
}

/** Responds immediately with an answer that names both brands. */
const assistant: CustomPlatform = {
  id: "assistant_a",
  model: "company-model",
  ask: async (prompt) => ({ text: `${prompt} Acme, then Globex.`, citations: [{ url: "https://anvils.example/" }] })
}

let dataDir: string
let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "sov-embed-"))
  dataDir = join(root, "data")
  copyDataDirectory(inject("embeddedTemplate"), dataDir)
})
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

const open = async (options: Partial<OpenOptions> = {}): Promise<Sov> => {
  const sov = await openSov({ dataDir, platforms: [assistant], ...options } as OpenOptions)
  onTestFinished(() => sov.close())
  return sov
}

const collect = async <A>(rows: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const row of rows) all.push(row)
  return all
}

describe("a home that was opened", () => {
  it("in a home without an organization, reading the score fails with NotFound", async () => {
    const sov = await open()
    await expect(sov.score()).rejects.toBeInstanceOf(NotFound)
  })

  it("a home is set up once, and a second set-up finds the existing one", async () => {
    const sov = await open()
    const made = await sov.initialize(tracking)
    expect(made).toMatchObject({ name: "Acme", slug: "acme", plan: "pro" })
    expect(await sov.initialize({ ...tracking, competitors: [] })).toEqual(made)
  })

  it("invalid names are refused before anything is stored", async () => {
    const sov = await open()
    const error = await sov.initialize({ ...tracking, keywords: [{ text: "" }] }, { name: "Other" }).catch(String)
    expect(error).toContain("keywords")
    await expect(sov.initialize({} as typeof tracking)).rejects.toMatchObject({ _tag: "Rejected", field: "tracking" })
    await expect(sov.initialize(tracking, { name: "" })).rejects.toMatchObject({ _tag: "Rejected", field: "name" })
  })

  it("the score of a home without a scan is a typed error", async () => {
    const error = await (await open()).score().catch((error: unknown) => error)
    expect(isSovError(error, "NoCompletedScan")).toBe(true)
    expect(isSovError(error, "NotFound")).toBe(false)
    expect(isSovError(new TypeError("x"))).toBe(false)
  })

  it("a scan runs to its end and reports progress", async () => {
    const sov = await open()
    const statuses: Array<string> = []
    const { archived, scan, score } = await sov.scan({ onProgress: ({ scan }) => void statuses.push(scan.status) })
    expect(scan).toMatchObject({ status: "completed", cellCount: 2, simulated: false })
    expect(archived).toMatchObject({ answers: 2, mentioned: 2 })
    expect(score?.avgSov).toBe(50)
    expect(statuses.at(-1)).toBe("completed")
  })

  it("the score and the pages of the archive can be read", async () => {
    const sov = await open()
    expect((await sov.score()).score.avgSov).toBe(50)
    const rows = await collect(sov.archive({ platform: "assistant_a" }))
    expect(rows.map(({ rawResponse }) => rawResponse).toSorted()).toEqual(
      tracking.keywords.map(({ text }) => `${text} Acme, then Globex.`).toSorted()
    )
    expect(await collect(sov.archive({ platform: "assistant_b" }))).toEqual([])
  })

  it("an aborted signal stops the work on a scan, which continues later", async () => {
    const asked = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    const silent = await open({
      platforms: [{
        ...assistant,
        ask: (_, { signal }) => {
          asked.resolve()
          return new Promise((_, reject) =>
            signal.addEventListener("abort", () => {
              aborted.resolve()
              reject(signal.reason)
            })
          )
        }
      }]
    })
    const controller = new AbortController()
    const scanning = silent.scan({ signal: controller.signal }).catch((error: unknown) => error)
    await asked.promise
    const reason = new Error("enough")
    controller.abort(reason)
    expect(await scanning).toBe(reason)
    await aborted.promise
    await silent.close()

    const { archived, scan } = await (await open()).resume()
    expect({ status: scan.status, answers: archived.answers }).toEqual({ status: "completed", answers: 2 })
    const ended = await (await open()).resume().catch((error: unknown) => error)
    expect(isSovError(ended, "ScanEnded")).toBe(true)
  })

  it("all rows are dated by the given clock", async () => {
    const clock = () => new Date("2031-05-06T07:08:09Z")
    const { scan } = await (await open({ clock })).scan({ usesQuota: false })
    expect(scan.startedAt).toEqual(clock())
    expect((await collect((await open()).archive({ scanId: scan.id })))[0]?.createdAt).toEqual(clock())
  })

  it("all use cases can be run, and their failures are typed", async () => {
    const sov = await open()
    const { id } = await sov.initialize(tracking)
    expect(await sov.run(readQuota(id))).toMatchObject({ used: 2 })
    await expect(sov.run(findKeyword(id, "of nobody"))).rejects.toMatchObject({ _tag: "NotFound", what: "keyword" })
  })

  it("a scan beyond the quota is refused", async () => {
    const sov = await open()
    await sov.initialize(tracking, { name: "Small", plan: "free" })
    const error = await (async () => {
      for (let i = 0; i < 100; i++) await sov.scan()
    })().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(QuotaExhausted)
  })

  it("a call must name the organization if the home has several", async () => {
    await expect((await open()).score()).rejects.toMatchObject({ _tag: "Rejected", field: "organization" })
    expect((await (await open({ organization: "acme" })).score()).score.avgSov).toBe(50)
  })

  it("organizations can be created, edited, suspended, metered and exported, and errors are typed", async () => {
    const sov = await open()
    const { organizations } = sov
    const wanted = {
      tracking: { ...tracking, brand: { name: "Tenant" } },
      limits: { requestRate: 60 },
      idempotencyKey: "1"
    }
    const made = await organizations.create(wanted)
    expect(made).toMatchObject({ name: "Tenant", plan: "pro", requestRate: 60, monthlyBudgetUsd: null })
    expect((await organizations.create(wanted)).id).toBe(made.id)
    const other = await organizations.create({ ...wanted, plan: "free" }).catch((error: unknown) => error)
    expect(isSovError(other, "IdempotencyMismatch")).toBe(true)
    const edited = await organizations.edit(made.slug, { name: "Renamed", plan: "business", limits: { scanQuota: 3 } })
    expect(edited).toMatchObject({ name: "Renamed", slug: made.slug, plan: "business", scanQuota: 3, requestRate: 60 })
    expect(await organizations.get(made.id)).toEqual(edited)
    expect((await organizations.suspend(made.slug, { reason: "unpaid" })).suspendedFor).toBe("unpaid")
    const its = await open({ organization: made.slug })
    const refused = await its.scan().catch((error: unknown) => error)
    expect(isSovError(refused, "OrganizationSuspended") && refused.reason).toBe("unpaid")
    expect((await organizations.resume(made.slug)).suspendedAt).toBeNull()
    const { counts } = await its.scan()
    expect(counts[0]!.answered).toBe(2)
    const usage = await organizations.usage({ organization: made.slug })
    expect(usage.organizations).toMatchObject([{ scans: 1, platforms: [{ answers: 2, calls: 2, unpriced: 2 }] }])
    expect((await collect(organizations.exportRecords(made.slug))).filter((line) => line.startsWith("{\"keyword\"")))
      .toHaveLength(2)
    expect((await organizations.delete(made.slug)).due).toBe(false)
    expect(await organizations.cancelDeletion(made.slug)).toBe(true)
    await expect(organizations.edit(made.slug, { limits: { requestRate: 0 } })).rejects.toBeInstanceOf(Rejected)
    await expect(organizations.create({ plan: "gold" } as never)).rejects.toBeInstanceOf(Rejected)
    await expect(organizations.get("nobody")).rejects.toBeInstanceOf(NotFound)
  })

  it("the given mailer sends e-mails, and work continues until its signal is aborted", async () => {
    const sent = Promise.withResolvers<string>()
    const sov = await open({
      organization: "acme",
      mailer: async (mail) => {
        sent.resolve(mail.to)
        throw new MailError({ reason: "refused", message: "no room" })
      }
    })
    await sov.run(Effect.gen(function*() {
      const { id } = yield* findOrganization("acme")
      yield* setRecipients(id, [EmailAddress.make("jane@acme.example")])
      yield* (yield* MailStore).enqueue(id, {
        id: yield* newId(EventId),
        subject: "Acme",
        text: "Acme",
        html: "<p>Acme",
        createdAt: new Date()
      })
    }))
    const controller = new AbortController()
    const working = sov.work({ signal: controller.signal })
    expect(await sent.promise).toBe("jane@acme.example")
    controller.abort()
    await working
  })

  it("nothing is logged unless a log is given", async () => {
    const printed = vi.spyOn(console, "log")
    const logged: Array<string> = []
    for (const log of [undefined, (entry: LogEntry) => void logged.push(`${entry.level} ${entry.message}`)]) {
      const sov = await open({ organization: "acme", ...log === undefined ? {} : { log } })
      await sov.run(Effect.logInfo("looked at", "Acme"))
    }
    expect(logged).toEqual(["info looked at Acme"])
    expect(printed).not.toHaveBeenCalled()
  })

  it.each<[string, string, (sov: Record<keyof Sov, (...given: ReadonlyArray<unknown>) => never>) => unknown]>([
    ["initialize, a plan", "options", (sov) => sov.initialize(tracking, { plan: "gold" })],
    ["initialize, null", "options", (sov) => sov.initialize(tracking, null)],
    ["scan, no samples", "options", (sov) => sov.scan({ samples: 0 })],
    ["scan, samples in words", "options", (sov) => sov.scan({ samples: "x" })],
    ["scan, a platform", "options", (sov) => sov.scan({ platforms: ["zzz"] })],
    ["scan, a keyword", "options", (sov) => sov.scan({ keywords: ["Who?"] })],
    ["scan, a name", "options", (sov) => sov.scan({ sample: 2 })],
    ["scan, a signal", "options", (sov) => sov.scan({ signal: 1 })],
    ["scan, onProgress", "options", (sov) => sov.scan({ onProgress: 1 })],
    ["resume, an id", "options", (sov) => sov.resume({ scanId: 1 })],
    ["score, a negative number", "options", (sov) => sov.score({ scans: -1 })],
    ["score, none", "options", (sov) => sov.score({ scans: 0 })],
    ["archive, a name", "filters", (sov) => collect(sov.archive({ namd: true }))],
    ["archive, another name", "filters", (sov) => collect(sov.archive({ since: "x" }))],
    ["archive, a platform", "filters", (sov) => collect(sov.archive({ platform: "zz" }))],
    ["archive, no date", "filters", (sov) => collect(sov.archive({ from: new Date("x") }))],
    ["archive, options", "options", (sov) => collect(sov.archive({}, { limit: 1 }))],
    ["work, nothing", "options", (sov) => sov.work()],
    ["run, a number", "effect", (sov) => sov.run(42)]
  ])("arguments that TypeScript would refuse are refused: %s", async (_, field, call) => {
    const sov = await open({ organization: "acme" })
    const error = await Promise.resolve().then(() => call(sov as never)).catch((error: unknown) => error)
    expect(isSovError(error, "Rejected") && error.field).toBe(field)
  })

  it("options with the value undefined count as missing", async () => {
    const sov = await open({ organization: "acme" })
    const options = { scans: undefined, signal: undefined } as never
    expect((await sov.score(options)).score.avgSov).toBe(50)
    const filters = { platform: undefined, from: undefined } as never
    expect(await collect(sov.archive(filters))).toEqual(await collect(sov.archive()))
  })

  it("an error thrown by onProgress is logged, and the scan continues", async () => {
    const logged: Array<string> = []
    const log = ({ level, message }: LogEntry) => void logged.push(`${level} ${message}`)
    const sov = await open({ organization: "acme", log })
    const onProgress = () => {
      throw new Error("no terminal")
    }
    expect((await sov.scan({ onProgress, usesQuota: false })).scan.status).toBe("completed")
    expect(logged).toContain("warn onProgress threw Error: no terminal")
  })

  it("work that close() interrupts fails with an error that says the home was closed", async () => {
    const asked = Promise.withResolvers<void>()
    const ask = () => (asked.resolve(), new Promise<never>(() => {}))
    const sov = await open({ organization: "acme", platforms: [{ ...assistant, ask }] })
    const scanning = sov.scan({ usesQuota: false }).catch(String)
    await asked.promise
    await sov.close()
    expect(await scanning).toBe("Error: this sov is closed")
  })

  it("a closed home reports that it is closed", async () => {
    let kept: Sov
    {
      await using sov = await openSov({ dataDir })
      kept = sov
    }
    await expect(kept.score()).rejects.toThrow("this sov is closed")
    await expect(openSov({ dataDir, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" })
  })

  it("opening a home that cannot be opened fails with a typed error", async () => {
    const file = join(root, "a file")
    writeFileSync(file, "")
    const error = await openSov({ dataDir: file }).catch((error: unknown) => error)
    expect(isSovError(error, "EmbeddedError")).toBe(true)
  })
})

it.each([
  [undefined, "options"],
  [{}, "options"],
  [{ dataDir: 1 }, "options"],
  [{ dataDir: "x", databaseUrl: "postgres://x" }, "options"],
  [{ dataDir: "x", platforms: [{ ...assistant, id: "mine" }] }, "platforms"],
  [{ dataDir: "x", platforms: [assistant, { ...assistant, model: "another" }] }, "platforms"],
  [{ dataDir: "x", platforms: [{ ...assistant, ask: "?" }] }, "platforms"],
  [{ dataDir: "x", platforms: [null] }, "platforms"],
  [{ dataDir: "x", platforms: ["assistant_a"] }, "platforms"],
  [{ dataDir: "x", platforms: "assistant_a" }, "platforms"],
  [{ dataDir: "x", platforms: null }, "platforms"],
  [{ dataDir: "x", platforms: { all: [] } }, "platforms"]
])("options that TypeScript would refuse are refused before anything is opened: %j", async (options, field) => {
  await expect(openSov(options as unknown as OpenOptions)).rejects.toMatchObject({ _tag: "Rejected", field })
})

it.skipIf(postgresUrl === null)("a home on a Postgres server works, and promises and Effect can share it", async () => {
  const databaseUrl = await emptyDatabaseUrl()
  const sov = await openSov({ databaseUrl, platforms: [assistant] })
  onTestFinished(() => sov.close())
  const { id } = await sov.initialize(tracking)
  const { score } = await sov.scan()
  expect(score?.avgSov).toBe(50)

  const read = Effect.gen(function*() {
    const organizations = yield* listOrganizations()
    return { organizations: organizations.map(({ id }) => id), quota: yield* readQuota(id) }
  })
  expect(await Effect.runPromise(Effect.provide(read, layerPostgres(databaseUrl)))).toMatchObject({
    organizations: [id],
    quota: { used: 1 }
  })
})

it.skipIf(postgresUrl === null)(
  "a server that refuses the connection is reported with the reason and without its password",
  async () => {
    const url = new URL(postgresUrl!)
    url.username = "nobody_here"
    url.password = "a secret word"
    const error = await openSov({ databaseUrl: url.href }).catch((error: unknown) => error)
    expect(isSovError(error)).toBe(true)
    expect(inspect(error, { depth: 10 })).not.toContain("secret")
  }
)

it("if a custom platform gives no answer, its reason is archived", async () => {
  const failing = join(root, "failing")
  copyDataDirectory(inject("embeddedTemplate"), failing)
  const sov = await open({
    dataDir: failing,
    platforms: [
      { ...assistant, ask: () => Promise.reject(new AskFailed("rejected", "no such model", { status: 404 })) },
      { ...assistant, id: "assistant_b" }
    ]
  } as Partial<OpenOptions>)
  await sov.initialize(tracking)
  const { counts, scan } = await sov.scan()
  expect(counts.map(({ answered, failed, platform }) => ({ platform, answered, failed }))).toEqual([
    { platform: "assistant_a", answered: 0, failed: 2 },
    { platform: "assistant_b", answered: 2, failed: 0 }
  ])
  const { id } = await sov.initialize(tracking)
  expect(await sov.run(listFailedCells(id, scan.id))).toMatchObject(
    Array.from({ length: 2 }, () => ({ reason: "rejected", status: 404, message: "assistant_a: no such model" }))
  )
})

it("a custom platform's answers are archived completely, and each is paid for once", async () => {
  const careless = join(root, "careless")
  copyDataDirectory(inject("embeddedTemplate"), careless)
  let asked = 0
  const citations = [{ title: "no address" }, null, { url: "https://anvils.example/", title: 7 }]
  const usage = { costUsd: 0.5, inputTokens: Number.NaN, searches: "many" }
  const ask = async () => (asked++, { text: "Acme.", citations, usage, finish: "done", model: 7, payload: 7 })
  const sov = await open({ dataDir: careless, platforms: [{ ...assistant, ask } as never] } as Partial<OpenOptions>)
  await sov.initialize(tracking)
  const { archived, counts, spending } = await sov.scan()
  expect({ asked, answers: archived.answers, failed: counts[0]?.failed }).toEqual({ asked: 2, answers: 2, failed: 0 })
  expect(spending).toMatchObject([{ costUsd: 1 }])
  expect(await collect(sov.archive())).toMatchObject(Array.from({ length: 2 }, () => ({ rawResponse: "Acme." })))
})

it("the platforms in a sov.config.json are used, and an invalid file is refused", () => {
  const config = { platforms: { assistant_b: { adapter: "openai-responses", model: "gpt", apiKeyEnv: "KEY" } } }
  expect([...readPlatforms(config, { KEY: "sk-test" }).all.keys()]).toEqual(["assistant_b"])
  expect(() => readPlatforms(config, {})).toThrow("KEY")
  expect(() => readPlatforms({ platforms: { nobody: {} } }, {})).toThrow()
})
