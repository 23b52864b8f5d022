/** Webhooks as an operator and a receiver have them: the real command, real receivers, a worker that is killed. */
import { addEndpoint, EventOutbox } from "@sov/core"
import { layerMigrated } from "@sov/core/postgres"
import { seedOrganization } from "@sov/core/testing"
import { signBody, verifySignature, verifyStandardWebhook } from "@sov/core/webhook"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, inject, it, onTestFinished } from "vitest"
import { chatMessage, scanCompleted } from "../contracts/webhookSeeds.ts"
import { freshDatabaseUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { startReceiver } from "../support/Receiver.ts"
import { layerPlatforms } from "../support/scriptedPlatforms.ts"
import { sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

interface Added {
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly secret: string
}
interface Listed {
  readonly id: string
  readonly event: string
  readonly state: string
  readonly attempts: number
}

const env = { SOV_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", SOV_WEBHOOK_ALLOW_HTTP: "1" }
const simulated = { platforms: { assistant_a: { adapter: "simulated", brand: "Acme" } } }

it("the command posts a scan to a receiver, reports what did not arrive, and sends it again", async () => {
  const cwd = workspace()
  const json = <A>(...args: ReadonlyArray<string>) => sovJson<A>(cwd, args, env)
  let status = 204
  const got = await startReceiver((_, response) => response.writeHead(status).end())
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify(simulated))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"], env)

  const refused = await sov(cwd, ["webhook", "add", got.url])
  expect(refused).toMatchObject({ code: 2, stdout: "" })
  expect(refused.stderr).toMatch(/SOV_WEBHOOK_ALLOW_HTTP=1 allows http/)

  const added = await json<Added>("webhook", "add", got.url, "--event", "scan.completed")
  expect(Object.keys(added)).toEqual(["id", "url", "format", "events", "secret"])
  expect(added).toMatchObject({ url: got.url, events: ["scan.completed"] })
  expect(added.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(statSync(join(cwd, ".sov/encryption.keys")).mode & 0o777).toBe(0o600)

  const scanned = await sov(cwd, ["scan", "--json"], { env })
  expect(scanned.code).toBe(0)
  const [first] = got.received
  expect(JSON.parse(first!.body.toString())).toMatchObject({
    event: "scan.completed",
    data: { scan_id: (JSON.parse(scanned.stdout) as { scan_id: string }).scan_id, simulated: true }
  })
  expect(verifySignature(first!.body, first!.headers["x-service-signature"] as string, added.secret)).toBe(true)
  expect(verifyStandardWebhook(first!.body, first!.headers, added.secret)).toBe(true)

  status = 500
  const second = await sov(cwd, ["scan"], { env })
  expect(second.code).toBe(0)
  expect(second.stderr).toMatch(/webhook http:\S+: answered 500; the next attempt is due at \S+Z/)
  const listed = await json<ReadonlyArray<Listed>>("webhook", "deliveries", added.url)
  expect(listed.map(({ attempts, event, state }) => [event, state, attempts])).toEqual([
    ["scan.completed", "pending", 1],
    ["scan.completed", "delivered", 1]
  ])
  status = 200
  expect(await json("webhook", "replay", listed[0]!.id)).toMatchObject({ delivered: true, status: 200 })
  expect(got.received.at(-1)!.headers["webhook-id"]).toBe(got.received.at(-2)!.headers["webhook-id"])
  expect(got.received.at(-1)!.body.equals(got.received.at(-2)!.body)).toBe(true)

  status = 410
  expect((await sov(cwd, ["webhook", "replay", listed[0]!.id], { env })).code).toBe(7)
  const tested = await sov(cwd, ["webhook", "test", added.id, "--event", "sov.dropped"], { env })
  expect([tested.code, tested.stdout]).toEqual([7, "Not delivered: answered 410.\n"])
  const shown = await sov(cwd, ["webhook", "show", added.id], { env })
  expect(shown.stdout).toContain("disabled (gone)")
  expect(shown.stdout + JSON.stringify(await json("webhook", "list"))).not.toContain("whsec_")
  status = 204
  await json("webhook", "enable", added.id)
  expect(await json("webhook", "recover", added.id, "--since", "2020-01-01")).toMatchObject({ failed: 1, delivered: 1 })
  await json("webhook", "remove", added.id, "--yes")
  expect((await sov(cwd, ["webhook", "show", added.id], { env })).code).toBe(3)
})

it("the command listens, and says whether each webhook that arrives is signed", async () => {
  const cwd = workspace()
  writeFileSync(join(cwd, "secret.txt"), "whsec_c2VjcmV0\n")
  const listening = startSov(cwd, [
    "webhook",
    "listen",
    "--port",
    "0",
    "--count",
    "2",
    "--secret-file",
    "secret.txt",
    "--json"
  ])
  await until(() => /http:\S+/.test(listening.errors()), 60_000, "it listens")
  const url = /http:\S+/.exec(listening.errors())![0]
  const post = async (signature: string) =>
    (await fetch(url, {
      method: "POST",
      body: "{\"event\":\"\\u001b[31m\"}",
      headers: { "x-service-signature": signature }
    }))
      .status
  expect((await fetch(url)).status).toBe(405)
  // Without the headers of Standard Webhooks it is not what sov sends
  expect(await post(signBody("{\"event\":\"\\u001b[31m\"}", "whsec_c2VjcmV0"))).toBe(401)
  expect(await post("0".repeat(64))).toBe(401)
  const { code, stdout } = await listening
  expect(code).toBe(7)
  const lines = stdout.trim().split("\n").map((line) => JSON.parse(line) as object)
  expect(lines).toMatchObject([{ signature: true, standard_signature: false }, { signature: false }])
})

it.runIf(postgresUrl !== null)(
  "an endpoint on a server without a key is refused, with the setting to use",
  async () => {
    const cwd = workspace()
    const server = { ...env, SOV_DATABASE_URL: await freshDatabaseUrl() }
    await sovJson(cwd, ["org", "create", "Acme"], server)
    const { code, stderr } = await sov(cwd, ["webhook", "add", "https://hooks.example.com/", "--json"], { env: server })
    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "no-encryption-key", hint: expect.stringContaining("SOV_ENCRYPTION_KEYS=k1:") as string }
    })
  }
)

// Without kills, usecases/webhooks/deliveries shows the same
it.runIf(inject("testAll"))(
  "every event is delivered although the worker is killed, with one id and the same bytes in each attempt",
  async () => {
    const kills = Number(process.env["SOV_TEST_KILLS"] ?? "2")
    const dataDir = join(workspace(), ".sov")
    const seen = new Map<string, Set<string>>()
    let posts = 0
    const got = await startReceiver(({ body, headers }, response) => {
      posts++
      const id = headers["webhook-id"] as string
      seen.set(id, (seen.get(id) ?? new Set()).add(body.toString()))
      setTimeout(() => response.writeHead(204).end(), 10)
    })
    const inDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | EventOutbox>) =>
      Effect.runPromise(Effect.retry(Effect.provide(effect, layerMigrated({ dataDir })), { times: 5 }))
    const events = 40 * (kills + 1)
    const ids = await Effect.runPromise(
      Effect.gen(function*() {
        const { id } = yield* seedOrganization()
        yield* addEndpoint(id, got.url, ["scan.completed"])
        const outbox = yield* EventOutbox
        return yield* Effect.forEach(Array.from({ length: events }), () =>
          Effect.gen(function*() {
            const event = yield* scanCompleted(new Date())
            yield* outbox.put(id, event, chatMessage)
            return event.id as string
          }))
      }).pipe(Effect.provide(Layer.mergeAll(layerMigrated({ dataDir }), layerPlatforms(), SecureRandom.layerWebCrypto)))
    )
    const start = () => {
      const script = fileURLToPath(new URL("../support/deliveryWorker.ts", import.meta.url))
      const child = spawn(process.execPath, [script, dataDir], { stdio: "ignore" })
      onTestFinished(() => void child.kill("SIGKILL"))
      return child
    }
    for (let kill = 0; kill < kills; kill++) {
      const before = posts
      const child = start()
      await until(() => posts >= before + 5 + Math.floor(Math.random() * 20), 60_000, "some posts")
      child.kill("SIGKILL")
    }
    start()
    const states = Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly state: string }>`select distinct state from webhook_delivery`
      return rows.map(({ state }) => state).join()
    })
    await until(async () => (await inDatabase(states)) === "delivered", 60_000, "all delivered")
    expect(new Set(seen.keys())).toEqual(new Set(ids))
    expect([...seen.values()].every((bodies) => bodies.size === 1)).toBe(true)
    // A second time only what was in flight, or not kept yet, when the worker was killed: the more, the slower the
    // database
    expect(posts - events).toBeLessThanOrEqual(kills * 24)
    expect(readFileSync(join(dataDir, "owner.log"), "utf8")).not.toContain("whsec_")
  }
)
