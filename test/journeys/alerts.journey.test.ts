/**
 * Alerts: scans over scripted answers whose share of voice falls below the threshold, a receiver of webhooks and a
 * mail server, all real and on loopback; one worker is killed in the middle.
 */
// Only in `npm run test:all`: kills
import { verifySignature } from "@sov/core/webhook"
import { writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { serverHomeOrAll } from "../support/homes.ts"
import { startMailServer } from "../support/MailServer.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

interface Call {
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver that answers 204 and keeps what came. */
const startReceiver = async () => {
  const calls: Array<Call> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => body += chunk).on("end", () => {
      calls.push({ at: Date.now(), headers: request.headers, body })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

interface Event {
  readonly event: string
  readonly data: { readonly scan_id: string; readonly confirmed?: boolean }
}
interface Logged {
  readonly id: string
  readonly rule: string
  readonly scan_id: string
  readonly emails: ReadonlyArray<{ readonly to: string; readonly state: string }>
}

const brand = "<script>Acme \u05D0\u05D1\u05D2 \u{1F6E0}"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  it("a fall below the threshold raises one event and one e-mail with the same id, whichever process is killed", async () => {
    let named = true
    const replay = await startReplay({ answer: () => named ? "Acme is it." : "Nobody is.", latencyMs: 150 })
    const [mail, receiver] = await Promise.all([startMailServer(), startReceiver()])
    const cwd = workspace()
    const keywords = Array.from({ length: 6 }, (_, n) => ({ text: `question ${n}?` }))
    writeFileSync(join(cwd, "tracking.json"), JSON.stringify({ brand: { name: brand, aliases: ["Acme"] }, keywords }))
    writeFileSync(join(cwd, "sov.config.json"), replay.config(4, 2))
    const env: Record<string, string> = {
      SOV_SMTP_URL: mail.url,
      SOV_MAIL_FROM: "sov <alerts@acme.example>",
      SOV_WEBHOOK_ALLOW_HTTP: "1",
      SOV_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      ...home === "postgres"
        ? {
          SOV_DATABASE_URL: await freshDatabaseUrl(),
          SOV_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`
        }
        : {}
    }
    const json = <A>(...args: ReadonlyArray<string>) => sovJson<A>(cwd, args, env)
    await sovInit(cwd, ["--from", "tracking.json", "--plan", "pro"], env)
    expect(await json("alert", "enable", "sov_drop", "--threshold", "40")).toEqual({
      rule: "sov_drop",
      event: "sov.dropped",
      enabled: true,
      threshold: 40,
      sensitivity: "immediate"
    })
    await json("alert", "set", "--email", "ops@acme.example")
    const { secret } = await json<{ secret: string }>("webhook", "add", receiver.url)
    const first = await json<{ scan_id: string }>("scan")

    named = false
    replay.forget()
    const { scan_id: second } = await json<{ scan_id: string }>("scan", "--detach")
    const before = replay.stats.requests
    const worker = startSov(cwd, ["scan", "resume", second], { env })
    await until(() => replay.stats.requests > before + 8, 60_000, "calls of the second scan")
    worker.child.kill("SIGKILL")
    await worker
    const resumed = await sov(cwd, ["scan", "resume", second], { env })
    expect(resumed).toMatchObject({ code: 0 })
    expect(resumed.stderr).toContain("alert: share of voice fell from 100 to 0 (threshold 40)")
    // The same again is no crossing
    await json("scan")

    const [alert, ...more] = await json<ReadonlyArray<Logged>>("alert", "log")
    expect(more).toEqual([])
    expect(alert).toMatchObject({
      rule: "sov_drop",
      scan_id: second,
      emails: [{ to: "ops@acme.example", state: "sent" }]
    })
    for (const { body, headers } of receiver.calls) {
      expect(verifySignature(body, String(headers["x-service-signature"]), secret)).toBe(true)
    }
    // At least once: a repeated delivery has the id of the first
    const events = [...new Map(receiver.calls.map((call) => [String(call.headers["webhook-id"]), call])).entries()]
      .map(([id, { body }]) => ({ id, ...JSON.parse(body) as Event }))
    expect(
      events.map(({ data, event }) => [event, data.scan_id]).slice(0, 3).toSorted((a, b) => a[0]! < b[0]! ? -1 : 1)
    )
      .toEqual([["scan.completed", first.scan_id], ["scan.completed", second], ["sov.dropped", second]])
    expect(events.filter(({ event }) => event === "sov.dropped")).toMatchObject([{
      id: alert!.id,
      data: { confirmed: true }
    }])
    expect(events.filter(({ event }) => event === "scan.completed")).toHaveLength(3)

    expect(mail.received).toHaveLength(1)
    const [received] = mail.received
    expect(received).toMatchObject({ to: ["ops@acme.example"], mail: { messageId: `<${alert!.id}@acme.example>` } })
    expect(received!.mail.subject).toBe(`${brand}: share of voice fell to 0 % (threshold 40 %)`)
    expect(received!.mail.html).toContain("&lt;script&gt;Acme")
    expect(received!.mail.html).not.toContain("<script")
  })
})
