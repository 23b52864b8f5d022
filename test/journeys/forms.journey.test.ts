/**
 * Pull the plug between a form and its answer: the server is killed -9 at a random moment after a form was sent, started
 * again, and the form is sent once more, as people do who got no answer. `SOV_KILLS=50` kills as often (default 5, one for
 * each form); a run prints its seed, and `SOV_KILL_SEED` begins with that one.
 */
// Only in `npm run test:all`: kills
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { seededRandom } from "../support/seededRandom.ts"
import { sov, sovInit, sovJson, until, workspace } from "../support/sov.ts"

const kills = Number(process.env["SOV_KILLS"] ?? 5)
const seed = Number(process.env["SOV_KILL_SEED"] ?? Math.floor(Math.random() * 1e9))

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

interface Sent {
  readonly status: number
  readonly text: string
}

/** A server of the directory at one port, which dies and comes back, and a browser that stays signed in. */
const open = async (cwd: string) => {
  const base = `http://127.0.0.1:${await findFreePort()}`
  const start = async () => {
    const running = sov(cwd, ["serve", "--port", new URL(base).port])
    const answers = () => fetch(`${base}/healthz`).then(() => true, () => false)
    await until(() => running.child.exitCode !== null || answers(), 120_000, "the server answers")
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
    return { status: answer.status, text: await answer.text() }
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

interface Act {
  /** The page that has the form, and where it is sent, after `/o/{slug}`. */
  readonly page: `/${string}`
  readonly path: `/${string}`
  readonly fields: Readonly<Record<string, string>>
}

it("every act of a form is done once and recorded once, whatever moment the server is killed at", async () => {
  const random = seededRandom(seed)
  const cwd = workspace()
  const platform = { adapter: "simulated", brand: "Acme", latency: "0 millis" }
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { assistant_a: platform } }))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?", "--plan", "enterprise"])
  const server = await open(cwd)
  const { url } = await sovJson<{ url: string }>(cwd, ["dashboard", "--url", server.base])
  expect((await server.ask(new URL(url).pathname, new URLSearchParams())).status).toBe(303)
  const slug = /\/o\/([\w-]+)\/settings/.exec((await server.ask("/portfolio")).text)?.[1] ??
    /href="\/o\/([\w-]+)"/.exec((await server.ask("/portfolio")).text)![1]!
  const at = (path: string) => `/o/${slug}/settings${path}`
  const firstLink = async (page: string, form: RegExp) => form.exec((await server.ask(at(page))).text)![1]!

  /** What is sent in a round; each needs something that the round before has left. */
  const acts: ReadonlyArray<(round: number) => Promise<Act>> = [
    (round) =>
      Promise.resolve({
        page: "/api",
        path: "/api",
        fields: { name: `key ${round}`, scope: "read" }
      }),
    (round) =>
      Promise.resolve({
        page: "/webhooks",
        path: "/webhooks",
        fields: { url: `https://hooks.example/${round}`, event: "sov.dropped" }
      }),
    async () => {
      const path = `/api/${await firstLink("/api", /api\/([0-9a-f-]{36})\/roll/)}/roll` as const
      return { page: path, path, fields: { grace: "3600" } }
    },
    async () => {
      const path = `/webhooks/${await firstLink("/webhooks", /webhooks\/([0-9a-f-]{36})"/)}/rotate` as const
      return { page: path, path, fields: { rotation: "staged" } }
    },
    async () => {
      const path = `/api/${await firstLink("/api", /api\/([0-9a-f-]{36})\/revoke/)}/revoke` as const
      return { page: path, path, fields: {} }
    }
  ]

  const formIds: Array<string> = []
  let confirmed = 0
  for (let round = 0; round < kills; round++) {
    const { fields, page, path } = await acts[round % acts.length]!(round)
    const { text } = await server.ask(at(page))
    const form = text.slice(text.indexOf(`action="${at(path)}"`))
    const formId = /name="form_id" value="([0-9a-f-]{36})"/.exec(form)![1]!
    const seen = /name="seen" value="(\w+)"/.exec(form)?.[1]
    const body = new URLSearchParams({ ...fields, form_id: formId, ...seen === undefined ? {} : { seen } })
    const answer = server.ask(at(path), body).then(({ status }) => status, () => null)
    await new Promise((resolve) => setTimeout(resolve, random() * 80))
    await server.kill()
    const status = await answer
    if (status !== null) {
      confirmed++
      expect([200, 303], `round ${round}, seed ${seed}`).toContain(status)
    }
    await server.restart()
    const again = await server.ask(at(path), body)
    // What was confirmed was done then: its form makes no other secret
    expect(status === null ? [200, 303] : [303], `round ${round}, seed ${seed}`).toContain(again.status)
    formIds.push(formId)
  }
  await server.stop()
  const { data } = await sovJson<{ readonly data: ReadonlyArray<{ readonly id: string; readonly action: string }> }>(
    cwd,
    ["audit", "list", "--limit", "1000"]
  )
  const recorded = data.map(({ id }) => id)
  console.log(`seed ${seed}: ${kills} kills, ${confirmed} after the answer`)
  for (const id of formIds) expect(recorded.filter((one) => one === id), `seed ${seed}`).toHaveLength(1)
  const keys = await sovJson<ReadonlyArray<{ readonly name: string }>>(cwd, ["key", "list"])
  const names = keys.map(({ name }) => name)
  const rolls = data.filter(({ action }) => action === "key.rolled").length
  const created = Math.ceil(kills / acts.length)
  expect([new Set(names).size, names.length], `seed ${seed}`).toEqual([created, created + rolls])
}, 600_000)
