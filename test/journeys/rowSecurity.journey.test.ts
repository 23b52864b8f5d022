/**
 * A server for several organizations as docs/operations.md has it: the roles made by `sov db roles`, `sov serve` under
 * row-level security as the API's role, `sov worker` as its own. One organization uses it; the other one finds nothing
 * of it.
 */
// Only in `npm run test:all`: a server, a worker and a dozen runs of the command
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { ask } from "../support/apiServer.ts"
import { emptyDatabaseUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { onServer } from "../support/serverTemplate.ts"
import { sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

/** Addresses of a new database for its three roles, which `sov db roles` makes; gone with the test. */
const makeRoles = async (cwd: string) => {
  const prefix = `rls_${crypto.randomUUID().replaceAll("-", "")}`
  const names = { owner: `${prefix}_owner`, api: `${prefix}_api`, worker: `${prefix}_worker` }
  const all = Object.values(names)
  // After the database, which they own
  onTestFinished(() =>
    Effect.runPromise(
      Effect.ignore(onServer(postgresUrl!, ...all.map((name) => `drop role if exists ${name}`)))
    )
  )
  const administrator = { SOV_DATABASE_URL: await emptyDatabaseUrl() }
  const url = (name: string) =>
    Object.assign(new URL(administrator.SOV_DATABASE_URL), { username: name, password: name }).href
  const apply = (env: Readonly<Record<string, string>>) =>
    sovJson(
      cwd,
      ["db", "roles", "--apply", "--owner", names.owner, "--api", names.api, "--worker", names.worker],
      { ...env, SOV_RLS: "1" }
    )
  expect(await apply(administrator)).toMatchObject({ created: all, granted: false })
  await Effect.runPromise(
    onServer(postgresUrl!, ...all.map((name) => `alter role ${name} password '${name}'`))
  )
  const owner = { SOV_DATABASE_URL: url(names.owner) }
  await sovJson(cwd, ["db", "migrate"], owner)
  expect(await apply(owner)).toMatchObject({ created: [], granted: true, row_security: true })
  const keys = { SOV_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}` }
  return {
    owner: { ...owner, ...keys },
    api: { SOV_DATABASE_URL: url(names.api), SOV_RLS: "1", ...keys },
    worker: { SOV_DATABASE_URL: url(names.worker), ...keys }
  }
}

/** Starts a command that stays up, and gives what it says about itself. */
const start = async (cwd: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) => {
  const running = startSov(cwd, [...args, "--json"], { env })
  onTestFinished(() => void running.child.kill("SIGKILL"))
  let said = ""
  running.child.stdout!.on("data", (chunk: string) => said += chunk)
  await until(() => said.includes("\n") || running.child.exitCode !== null, 60_000, `${args[0]} says who it is`)
  expect(running.child.exitCode, running.errors()).toBeNull()
  return { running, said: JSON.parse(said) as Readonly<Record<string, string>> }
}

/** The browser of an owner of one organization, who was invited and is signed in. */
const signIn = async (cwd: string, base: string, env: Readonly<Record<string, string>>) => {
  const invite = ["member", "invite", `${env["SOV_ORG"]}@people.example`, "--role", "owner", "--public-url", base]
  const { url } = await sovJson<{ readonly url: string }>(cwd, invite, env)
  const accept = "text/html"
  const signedIn = await fetch(url, { method: "POST", redirect: "manual", headers: { origin: base, accept } })
  expect(signedIn.status).toBe(303)
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ")
  return async (path: string) => {
    const page = await fetch(`${base}${path}`, { redirect: "manual", headers: { cookie, accept } })
    return { status: page.status, text: await page.text() }
  }
}

it.skipIf(postgresUrl === null)("two organizations share a server, a worker and a database, but no rows", async () => {
  const cwd = workspace()
  const { api, owner, worker } = await makeRoles(cwd)
  const platform = { adapter: "simulated", brand: "Acme", latency: "0 millis" }
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { assistant_a: platform } }))

  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?", "--name", "Acme"], api)
  const other = { ...api, SOV_ORG: (await sovJson<{ slug: string }>(cwd, ["org", "create", "Other"], api)).slug }
  const acme = { ...api, SOV_ORG: "acme" }
  const { key } = await sovJson<{ key: string }>(cwd, ["key", "create", "--name", "acme"], acme)
  const { key: otherKey } = await sovJson<{ key: string }>(cwd, ["key", "create", "--name", "other"], other)
  await sovJson(cwd, ["webhook", "add", "https://hooks.example/acme", "--event", "archive.anchored"], acme)

  // Who owns the tables sees every organization, and is refused before it listens
  const asOwner = await sov(cwd, ["serve", "--port", "0"], { env: { ...owner, SOV_RLS: "1" } })
  expect([asOwner.code, asOwner.stdout]).toEqual([8, ""])
  expect(asOwner.stderr).toContain("row-level security")

  const { running: server, said } = await start(cwd, ["serve", "--port", "0", "--no-worker"], {
    ...api,
    SOV_PUBLIC_URL: ""
  })
  const { running: working } = await start(cwd, ["worker"], worker)
  const base = said["url"]!
  const get = async (path: string, who: string) => {
    const { json, status } = await ask(base, path, { key: who })
    return { status, json: json as Record<string, unknown> }
  }

  const begun = await ask(base, "/api/v1/scans", { method: "POST", key })
  expect(begun.status, begun.text).toBe(202)
  const { scan_id: scan } = begun.json as { readonly scan_id: string }
  await until(async () => (await get("/api/v1/sov", key)).status === 200, 60_000, "the worker completes the scan")
  expect((await get("/api/v1/sov", key)).json).toMatchObject({ scan_id: scan })
  const archive = await get("/api/v1/archive", key)
  expect([archive.status, archive.json["data"]]).toEqual([200, [expect.objectContaining({ platform: "assistant_a" })]])
  const [answer] = archive.json["data"] as ReadonlyArray<{ readonly id: string }>

  const login = await fetch(`${base}/login`, { headers: { accept: "text/html" } })
  expect([login.status, await login.text()]).toEqual([200, expect.stringContaining("sov dashboard")])
  const open = await signIn(cwd, base, acme)
  expect(await open(`/o/acme/scans/${scan}`)).toMatchObject({ status: 200 })
  const webhooks = await open("/o/acme/settings/webhooks")
  expect([webhooks.status, webhooks.text]).toEqual([200, expect.stringContaining("hooks.example/acme")])

  // The other organization, by the same server, its own browser and the command
  expect((await get("/api/v1/archive", otherKey)).json["data"]).toEqual([])
  expect((await get("/api/v1/sov", otherKey)).status).not.toBe(200)
  const openOther = await signIn(cwd, base, other)
  expect(await openOther("/o/other")).toMatchObject({ status: 200 })
  expect((await openOther("/o/other/settings/webhooks")).text).not.toContain("hooks.example")
  for (const path of ["", `/scans/${scan}`, `/archive/${answer!.id}`, "/settings/webhooks"]) {
    expect((await openOther(`/o/acme${path}`)).status, path).toBe(404)
    expect((await openOther(`/o/other${path}`)).status, path).toBe(
      ["", "/settings/webhooks"].includes(path) ? 200 : 404
    )
  }
  expect(await sovJson(cwd, ["scan", "list"], other)).toEqual({ scans: [] })
  expect((await sov(cwd, ["scan", "show", scan], { env: other })).code).toBe(3)

  for (const { child, errors } of [server, working]) {
    expect(errors()).not.toMatch(/error|row-level|permission denied/i)
    child.kill("SIGTERM")
  }
  expect([(await server).code, (await working).code]).toEqual([0, 0])
}, 300_000)
