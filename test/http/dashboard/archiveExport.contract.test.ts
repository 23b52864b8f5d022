/**
 * The archive as a file over HTTP: the content of the ZIP, its verification by the command, access to it, and downloads
 * that are broken off.
 */
import {
  type ArchiveRow,
  type ArchiveRowJson,
  ArchiveStore,
  type OrganizationId,
  readAuditLog,
  readChainHead,
  readKeywords,
  setPlan,
  StoreError,
  tagKeywords,
  wholeHistory
} from "@sov/core"
import { at, hostileTexts } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answeredScan, scanWith, seed, texts } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { sov, workspace } from "../../support/sov.ts"
import { layerHome } from "../../support/storage.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let member: TestBrowser

const day = 86_400

/**
 * What reading the archive does after the first answers: it continues, waits, or fails because the database is away.
 */
const reading: { rest: "goes on" | "waits" | "fails"; ended: boolean } = { rest: "goes on", ended: false }
const layerReading = Layer.effect(
  ArchiveStore,
  Effect.map(ArchiveStore, (store) => ({
    ...store,
    page: (...[id, filters, page]: Parameters<typeof store.page>) =>
      Effect.suspend(() => {
        if (reading.rest === "goes on") return store.page(id, filters, page)
        // A full page is not the last one
        if (page.after === undefined) return Effect.map(store.page(id, filters, page), (rows) => fill(rows, page.limit))
        return reading.rest === "fails"
          ? Effect.fail(new StoreError({ reason: "unavailable", message: "the connection was lost" }))
          : Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (reading.ended = true)))
      })
  }))
)
const fill = (rows: ReadonlyArray<ArchiveRow>, limit: number): ReadonlyArray<ArchiveRow> =>
  Array.from(
    { length: limit },
    (_, n) => ({ ...rows[n % rows.length]!, rawResponse: randomBytes(2_000).toString("hex") })
  )

beforeAll(async () => {
  server = await openDashboard(Layer.provideMerge(layerReading, layerHome("embedded")))
  organizationId = await server.run(seed)
  await server.run(scanWith(organizationId, 0, () => "Acme Forge, then Globex."))
  await server.run(
    scanWith(
      organizationId,
      10 * day,
      (n, platform) => n === 1 && platform === "assistant_b" ? null : "Initech – “best”."
    )
  )
  await server.run(answeredScan(organizationId, 11 * day, (n) => n === 0 ? "Globex." : null))
  home = await server.run(pathOf(organizationId))
  member = await server.signIn(organizationId, "member")
})
afterAll(() => server.close())

const exportsOf = () =>
  server.run(Effect.map(
    readAuditLog(organizationId, wholeHistory, { action: "archive.exported" }, { limit: 100 }),
    ({ entries }) => entries
  ))

/** Sends the form, and receives the response as a stream. */
const ask = (fields: Readonly<Record<string, string>>, { cookies }: TestBrowser, signal?: AbortSignal) =>
  fetch(`${server.base}${home}/settings/export`, {
    ...signal === undefined ? {} : { signal },
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    },
    body: new URLSearchParams(fields).toString()
  })

/** Downloads the ZIP and unpacks it; returns the folder with its files. */
const fetchExport = async (fields: Readonly<Record<string, string>> = {}) => {
  const response = await ask(fields, member)
  expect(response.status).toBe(200)
  const folder = workspace()
  writeFileSync(join(folder, "a.zip"), new Uint8Array(await response.arrayBuffer()))
  execFileSync("unzip", ["-q", "a.zip"], { cwd: folder })
  const file = (end: string) => readFileSync(join(folder, `archive.ndjson${end}`), "utf8")
  return { folder, headers: response.headers, file, manifest: JSON.parse(file(".manifest.json")) as Manifest }
}
interface ContextLine {
  readonly scan?: { readonly startedAt: string }
  readonly seal?: unknown
}
interface Manifest {
  readonly [member: string]: unknown
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const verify = async (folder: string) => {
  const ran = await sov(folder, ["archive", "verify", "--file", "archive.ndjson", "--json"])
  return { code: ran.code, ...JSON.parse(ran.stdout) as { readonly [member: string]: unknown } }
}

describe("the ZIP", () => {
  it("the ZIP contains all answers, their proofs and the manifest, and the command verifies it", async () => {
    const before = (await exportsOf()).length
    const { file, folder, headers, manifest } = await fetchExport()
    expect(headers.get("content-type")).toBe("application/zip")
    expect(headers.get("cache-control")).toBe("private, no-store")
    expect(headers.get("content-disposition")).toMatch(
      new RegExp(`^attachment; filename="archive-${home.slice("/o/".length)}-\\d{4}-\\d\\d-\\d\\d\\.zip"$`)
    )
    expect(readdirSync(folder).toSorted()).toEqual([
      "a.zip",
      "archive.ndjson",
      "archive.ndjson.context.ndjson",
      "archive.ndjson.manifest.json"
    ])
    const head = (await server.run(readChainHead(organizationId)))!
    expect(manifest).toMatchObject({
      sov_export: 2,
      format: "ndjson",
      gzip: false,
      organization_id: organizationId,
      rows: 25,
      unsealed_rows: 2,
      from: null,
      to: null,
      keyword_id: null,
      platform: null,
      sha256: sha256(file("")),
      chain_head: { sequence: head.sequence },
      context_sha256: sha256(file(".context.ndjson"))
    })
    expect(await verify(folder)).toMatchObject({
      code: 0,
      valid: true,
      rows: 25,
      sealed_rows: 23,
      unsealed_rows: 2,
      seals: 2,
      problems: []
    })
    const entries = await exportsOf()
    expect(entries.length).toBe(before + 1)
    expect(entries[0]).toMatchObject({
      actor: { kind: "person" },
      subject: { kind: "organization", id: organizationId },
      detail: {
        from: null,
        to: null,
        keyword_id: null,
        platform: null,
        chain_head: expect.stringMatching(/^2:[0-9a-f]{64}$/)
      }
    })
  })

  it("the ZIP contains what the form asks for, the manifest says so, and each download is recorded", async () => {
    const before = (await exportsOf()).length
    const { file, folder, manifest } = await fetchExport({ platform: "assistant_a", from: "", to: "", keyword_id: "" })
    const rows = file("").trimEnd().split("\n").map((line) => JSON.parse(line) as { readonly platform: string })
    expect([rows.length, new Set(rows.map(({ platform }) => platform))]).toEqual([13, new Set(["assistant_a"])])
    expect(manifest).toMatchObject({ rows: 13, platform: "assistant_a" })
    expect(await verify(folder)).toMatchObject({ code: 0, valid: true, rows: 13 })
    expect((await exportsOf()).length).toBe(before + 1)
  })

  it("the ZIP contains the answers to questions with a tag, and its manifest names the tag", async () => {
    const [asked] = await server.run(readKeywords(organizationId))
    await server.run(tagKeywords(organizationId, [asked!.id], ["Pricing"]))
    const { file, folder, manifest } = await fetchExport({ tag: "pricing" })
    const ids = file("").trimEnd().split("\n").map((line) => (JSON.parse(line) as ArchiveRowJson).keyword_id)
    expect([ids.length, new Set(ids)]).toEqual([6, new Set([asked!.id])])
    expect(manifest).toMatchObject({ rows: 6, tag: "pricing" })
    expect(await verify(folder)).toMatchObject({ code: 0, valid: true, rows: 6 })
    expect((await exportsOf())[0]).toMatchObject({ detail: { tag: "pricing" } })
    expect((await member.get(`${home}/settings/export`)).text).toContain("<option value=\"Pricing\">Pricing</option>")
  })

  it("on the Free plan, the ZIP contains the scans that the plan shows, and all seals", async () => {
    await server.run(setPlan(organizationId, "free"))
    const { ms } = server.clock
    try {
      // The window begins between the first scan and its answers
      server.clock.ms = at(10).getTime() + 7 * day * 1000 - Date.now()
      const { file, folder, manifest } = await fetchExport()
      expect(manifest).toMatchObject({ rows: 25, to: null })
      const from = manifest["from"] as string
      expect(from.slice(0, 10)).toBe(at(10).toISOString().slice(0, 10))
      const lines = file(".context.ndjson").trimEnd().split("\n").map((line) => JSON.parse(line) as ContextLine)
      const begun = lines.flatMap(({ scan }) => scan === undefined ? [] : [scan.startedAt])
      expect(begun).toEqual([at(11 * day), at(10 * day)].map((time) => time.toISOString()))
      expect(lines.filter(({ seal }) => seal !== undefined).length).toBe(2)
      expect(await verify(folder)).toMatchObject({ code: 0, valid: true, rows: 25 })
    } finally {
      server.clock.ms = ms
      await server.run(setPlan(organizationId, "pro"))
    }
  })
})

describe("a download that", () => {
  /** Requests the ZIP and waits for its first bytes. */
  const begin = async (rest: typeof reading.rest) => {
    Object.assign(reading, { rest, ended: false })
    const leaving = new AbortController()
    const response = await ask({}, member, leaving.signal)
    const reader = response.body!.getReader()
    expect((await reader.read()).value!.length).toBeGreaterThan(0)
    return { leaving, reader }
  }

  it("a download that the client aborts leaves no work behind on the server", async () => {
    const { leaving } = await begin("waits")
    expect(reading.ended).toBe(false)
    leaving.abort()
    await expect.poll(() => reading.ended).toBe(true)
    reading.rest = "goes on"
  })

  it("a ZIP whose database connection breaks has no directory, so no program accepts it as complete", async () => {
    const { reader } = await begin("fails")
    const parts: Array<Uint8Array> = []
    const ended = await (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value)
      return "whole"
    })().catch(() => "cut")
    expect([ended, Buffer.concat(parts).includes("PK\u0005\u0006", undefined, "latin1")]).toEqual(["cut", false])
    reading.rest = "goes on"
    expect((await member.get(`${home}/settings/export`)).status).toBe(200)
  })
})

describe("the page", () => {
  it("a viewer sees what the archive contains and its newest seal, but no form", async () => {
    const viewer = await server.signIn(organizationId, "viewer")
    const page = await viewer.get(`${home}/settings/export`)
    expect([page.status, page.text.includes(`action="${home}/settings/export"`)]).toEqual([200, false])
    const head = (await server.run(readChainHead(organizationId)))!
    expect(wordsOf(page.text)).toContain(`${head.sequence}:${Buffer.from(head.hash).toString("hex")}`)
    expect((await viewer.post(`${home}/settings/export`)).status).toBe(403)
    expect((await member.get(`${home}/settings`)).text).toContain(`href="${home}/settings/export"`)
    expect((await member.get(`${home}/settings/export`)).text).toContain("Download ZIP")
  })

  it.each(["from", "to", "keyword_id", "platform", "tag"])(
    "the page refuses any other text as %s, with an error beside the field",
    async (field) => {
      const before = (await exportsOf()).length
      for (const text of [...hostileTexts, "x", "2026-13-01", "\u0000", "\"><img src=x>"]) {
        if (text.trim() === "") continue
        const answer = await member.post(`${home}/settings/export`, { [field]: text })
        expect([answer.status, answer.text.includes("<img")], JSON.stringify(text)).toEqual([422, false])
        expect(answer.text).toContain("class=\"fault\"")
      }
      expect((await exportsOf()).length).toBe(before)
    }
  )

  it("the page refuses a period that ends before it begins", async () => {
    const answer = await member.post(`${home}/settings/export`, { from: "2026-11-20", to: "2026-11-19" })
    expect([answer.status, wordsOf(answer.text).includes("This day is before the first one.")]).toEqual([422, true])
    expect(answer.text).toContain("value=\"2026-11-20\"")
  })

  it("the page offers every question, including archived ones", async () => {
    const { text } = await member.get(`${home}/settings/export`)
    for (const question of texts) expect(text).toContain(question)
  })
})
