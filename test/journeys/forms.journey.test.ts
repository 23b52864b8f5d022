/**
 * Pull the plug between a form and its answer: the server is killed -9 at a random moment after a form was sent,
 * started again, and the form is sent once more, as people do who got no answer. `SOV_KILLS=50` kills as often (default
 * 5, one for each of five forms of different parts); a run prints its seed, and `SOV_KILL_SEED` begins with that one.
 */
// Only in `npm run test:all`: kills
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { readForm } from "../support/pageForms.ts"
import { seededRandom } from "../support/seededRandom.ts"
import { sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

const kills = Number(process.env["SOV_KILLS"] ?? 5)
const seed = Number(process.env["SOV_KILL_SEED"] ?? Math.floor(Math.random() * 1e9))

/** Deadlines only: a machine that is busy with other tests starts a server in a minute. */
const maxStartMs = 300_000
const maxRoundMs = 120_000

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

interface Sent {
  readonly status: number
  readonly location: string | null
  readonly text: string
}

/** A server of the directory at one port, which dies and comes back, and a browser that stays signed in. */
const open = async (cwd: string) => {
  const base = `http://127.0.0.1:${await findFreePort()}`
  const start = async () => {
    const running = startSov(cwd, ["serve", "--port", new URL(base).port])
    const answers = () => fetch(`${base}/healthz`).then(() => true, () => false)
    await until(() => running.child.exitCode !== null || answers(), maxStartMs, "the server answers")
    expect(running.child.exitCode, running.errors()).toBe(null)
    // Not by itself: a promise of it would wait for its end
    return { running }
  }
  let { running } = await start()
  onTestFinished(() => void running.child.kill("SIGKILL"))
  const cookies: Array<string> = []
  const ask = async (path: string, form?: URLSearchParams): Promise<Sent> => {
    const answer = await fetch(`${base}${path}`, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { accept: "text/html", cookie: cookies.join("; "), "sec-fetch-site": "same-origin" },
      ...form === undefined ? {} : { body: form }
    })
    cookies.push(...answer.headers.getSetCookie().map((one) => one.split(";")[0]!))
    return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() }
  }
  return {
    base,
    ask,
    /** Ends it at once. */
    kill: async () => {
      running.child.kill("SIGKILL")
      await running
    },
    restart: async () => {
      ;({ running } = await start())
    },
    stop: async () => {
      running.child.kill("SIGTERM")
      await running
    }
  }
}

/** A form: its page, where it is sent, and what it is filled in with. */
interface Act {
  readonly page: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** The form of each kind that a round sends, below the organization's address. */
const acts: ReadonlyArray<(round: number) => Act> = [
  (round) => ({
    page: "/settings/api",
    path: "/settings/api",
    fields: { name: `key ${round}`, scope: "read" }
  }),
  (round) => ({
    page: "/settings/webhooks",
    path: "/settings/webhooks",
    fields: { url: `https://hooks.example/${round}`, event: "sov.dropped" }
  }),
  (round) => ({
    page: "/settings/alerts/sov_drop",
    path: "/settings/alerts/sov_drop",
    fields: { enabled: "on", threshold: String(round + 1), sensitivity: "immediate" }
  }),
  (round) => ({
    page: "/settings/members",
    path: "/settings/members",
    fields: { email: `person-${round}@acme.example`, name: "", role: "viewer" }
  }),
  (round) => ({ page: "/keywords", path: "/keywords", fields: { texts: `which anvil is number ${round}?` } })
]

/** The first entry that each of them leaves in the audit log. */
const actions = ["key.created", "endpoint.added", "alert_rule.changed", "member.invited", "keyword.added"]

it("each submitted form acts once and is recorded once, whenever the server is killed", async () => {
  const random = seededRandom(seed)
  const cwd = workspace()
  const platform = { adapter: "simulated", brand: "Acme", latency: "0 millis" }
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { assistant_a: platform } }))
  await sovInit(cwd, ["--brand", "Acme", "--plan", "enterprise"])
  const server = await open(cwd)
  const { url } = await sovJson<{ url: string }>(cwd, ["dashboard", "--url", server.base])
  expect((await server.ask(new URL(url).pathname, new URLSearchParams())).status).toBe(303)
  const home = /href="(\/o\/[\w-]+)"/.exec((await server.ask("/portfolio")).text)![1]!

  /** The rounds of each form. */
  const rounds = acts.map((): Array<number> => [])
  const formIds: Array<string> = []
  let confirmed = 0
  for (let round = 0; round < kills; round++) {
    const kind = round % acts.length
    const { fields, page, path } = acts[kind]!(round)
    const begun = performance.now()
    const form = readForm((await server.ask(home + page)).text, home + path)
    const tookMs = performance.now() - begun
    const body = new URLSearchParams({ ...form, ...fields })
    const answer = server.ask(home + path, body).then((sent) => sent, () => null)
    // Before, within and after the transaction: a form takes about as long as its page
    await new Promise((resolve) => setTimeout(resolve, random() * Math.max(80, 2 * tookMs)))
    await server.kill()
    const first = await answer
    const place = `round ${round}, seed ${seed}`
    if (first !== null) {
      confirmed++
      expect([200, 303], place).toContain(first.status)
    }
    await server.restart()
    const again = await server.ask(home + path, body)
    expect([200, 303], place).toContain(again.status)
    // What was confirmed was done then, and is not done again
    if (first !== null) expect(again.location, place).toMatch(/[?&]done=[\w-]*before$/)
    rounds[kind]!.push(round)
    formIds.push(form["form_id"]!)
  }
  await server.stop()
  console.log(`seed ${seed}: ${kills} kills, ${confirmed} after the answer`)

  interface Entry {
    readonly id: string
    readonly action: string
    readonly detail: Readonly<Record<string, unknown>>
  }
  const { data } = await sovJson<{ readonly data: ReadonlyArray<Entry> }>(cwd, ["audit", "list", "--limit", "1000"])
  for (const id of formIds) expect(data.filter((one) => one.id === id), `seed ${seed}`).toHaveLength(1)
  for (const [kind, action] of actions.entries()) {
    // The operator became a member by the link that signs in, before the first form
    const ids = data.filter((one) => one.action === action && one.detail["role"] !== "owner").map(({ id }) => id)
    expect(new Set(ids), action).toEqual(new Set(rounds[kind]!.map((round) => formIds[round])))
  }
  const listed = async (command: string, field: string) =>
    (await sovJson<ReadonlyArray<Readonly<Record<string, string>>>>(cwd, [command, "list"]))
      .map((one) => one[field]!).toSorted()
  const sent = (kind: number, field: string) =>
    rounds[kind]!.map((round) => acts[kind]!(round).fields[field]!).toSorted()
  expect(await listed("key", "name")).toEqual(sent(0, "name"))
  expect(await listed("webhook", "url")).toEqual(sent(1, "url"))
  expect((await listed("member", "email")).filter((email) => email !== null)).toEqual(sent(3, "email"))
  expect(await listed("keyword", "text")).toEqual(sent(4, "texts"))
  interface Rules {
    readonly rules: ReadonlyArray<{ readonly rule: string; readonly threshold: number | null }>
  }
  const { rules } = await sovJson<Rules>(cwd, ["alert", "list"])
  const last = acts[2]!(rounds[2]!.at(-1)!).fields["threshold"]
  expect(rules.find(({ rule }) => rule === "sov_drop")?.threshold).toBe(Number(last))
}, maxStartMs + kills * maxRoundMs)
