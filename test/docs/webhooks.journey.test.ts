/**
 * Tests docs/webhooks.md: its programs accept signed posts if their runtime is installed, and its schemas match real
 * bodies.
 */
import { encodeEventBody, EventId, eventNames, formatWebhookSecret, makeSampleEvent, OrganizationId } from "@sov/core"
import { signBody, signStandardWebhook } from "@sov/core/webhook"
import { Ajv2020 } from "ajv/dist/2020.js"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { until, workspace } from "../support/sov.ts"

const docs = new URL("../../docs/", import.meta.url)
const page = readFileSync(new URL("webhooks.md", docs), "utf8")
const secret = formatWebhookSecret(randomBytes(32))
const organizationId = OrganizationId.make("01900000-0000-7000-8000-00000000000f")
const id = EventId.make("01900000-0000-7000-8000-0000000000e1")
const bodyOf = (event: typeof eventNames[number]) =>
  Buffer.from(encodeEventBody(organizationId, makeSampleEvent(event, id, new Date())))

const recipe = (language: string): string => {
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(page)?.[1]
  if (found === undefined) throw new Error(`no recipe for ${language}`)
  return found
}

/** The headers that sov would have sent with a body `age` seconds ago. */
const headersOf = (body: Buffer, age = 0): Record<string, string> => {
  const timestamp = Math.floor(Date.now() / 1000) - age
  return {
    "content-type": "application/json",
    "x-service-signature": signBody(body, secret),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signStandardWebhook({ id, timestamp, body }, secret)
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const has = (tool: string, flag = "--version"): boolean => spawnSync(tool, [flag]).status === 0

/** A folder inside the workspace, so that `@sov/core` can be imported. */
const besideTests = (): string => {
  const dir = mkdtempSync(join(fileURLToPath(new URL(".", import.meta.url)), "recipe-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const recipes = [
  { language: "js node", file: "receiver.mjs", run: [process.execPath], runs: true },
  { language: "python", file: "receiver.py", run: ["python3"], runs: has("python3") },
  { language: "go", file: "receiver.go", run: ["go", "run"], runs: has("go", "version") },
  { language: "php", file: "index.php", run: ["php", "-S"], runs: has("php") },
  { language: "ruby", file: "receiver.rb", run: ["ruby"], runs: has("ruby") && has("ruby", "-rwebrick") }
]

describe.each(recipes)("the recipe for $language", ({ file, language, run: [command, ...args], runs }) => {
  it.runIf(runs)("the recipe accepts only requests with a valid signature and a recent timestamp", async () => {
    const [dir, port] = [besideTests(), await freePort()]
    writeFileSync(join(dir, file), recipe(language))
    const where = language === "php" ? [`127.0.0.1:${port}`, file] : [file]
    const child = spawn(command!, [...args, ...where], {
      cwd: dir,
      env: { ...process.env, PORT: String(port), SOV_SIGNING_SECRET: secret },
      stdio: "ignore"
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const body = bodyOf("sov.dropped")
    const post = async (sent: Buffer, headers: Record<string, string>): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: new Uint8Array(sent), headers })).status
    await until(() => post(body, headersOf(body)).then((status) => status === 204, () => false), 60_000, "it listens")
    const changed = Buffer.from(body.toString().replace("36.25", "96.25"))
    expect(await post(changed, headersOf(body))).toBe(401)
    const { "x-service-signature": replayable, ...signed } = headersOf(body)
    expect(await post(body, { "x-service-signature": replayable! }), "it has no timestamp").toBe(401)
    for (const age of [600, -600]) expect(await post(body, headersOf(body, age)), `${age} s old`).toBe(401)
    expect(await post(body, { ...signed, "webhook-timestamp": "now" })).toBe(401)
    const { "webhook-signature": right } = signed
    expect(await post(body, { ...signed, "webhook-signature": `v1,${"A".repeat(43)}= ${right}` })).toBe(204)
    expect(await post(body, {})).toBe(401)
    expect(await post(body, headersOf(body))).toBe(204)
  })
})

it("the program for Fetch handlers accepts only requests with a valid signature and a recent timestamp", async () => {
  const dir = besideTests()
  writeFileSync(join(dir, "handler.mjs"), recipe("js fetch"))
  process.env["SOV_SIGNING_SECRET"] = secret
  onTestFinished(() => void delete process.env["SOV_SIGNING_SECRET"])
  const { POST } = await import(join(dir, "handler.mjs")) as { POST: (request: Request) => Promise<Response> }
  const body = bodyOf("scan.completed")
  const post = async (headers: Record<string, string>) =>
    (await POST(new Request("http://receiver.example/", { method: "POST", body: new Uint8Array(body), headers })))
      .status
  expect(await post(headersOf(body))).toBe(204)
  expect(await post({ ...headersOf(body), "webhook-timestamp": "1" })).toBe(401)
  expect(await post(headersOf(body, 600))).toBe(401)
  expect(await post({})).toBe(401)
})

it.each(recipes.map(({ language }) => language).filter((language) => language !== "js node"))(
  "the program for %s reads the headers with timestamp and signature",
  (language) => {
    expect(recipe(language)).toMatch(/webhook.timestamp/i)
    expect(recipe(language)).toMatch(/webhook.signature/i)
    expect(recipe(language)).not.toMatch(/x.service.signature/i)
    expect(recipe(language)).toMatch(/\b300\b|5\*time\.Minute/)
  }
)

it("the command with openssl prints the signature", () => {
  const cwd = workspace()
  const body = bodyOf("mention.detected")
  writeFileSync(join(cwd, "body.json"), body)
  const line = recipe("bash").trim()
  const printed = execFileSync("bash", ["-c", line], { cwd, env: { ...process.env, SOV_SIGNING_SECRET: secret } })
  expect(printed.toString().trim().split(" ").at(-1)).toBe(signBody(body, secret))
})

it.each(eventNames)("the schema of %s matches only bodies of that event", (event) => {
  const schema = JSON.parse(readFileSync(new URL(`webhooks/${event}.json`, docs), "utf8")) as object
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  const body = JSON.parse(bodyOf(event).toString()) as { readonly data: object }
  expect(fits(body)).toBe(true)
  expect(fits({ ...body, id: "x" })).toBe(false)
  expect(fits({ ...body, event: "other" })).toBe(false)
  for (const name of Object.keys(body.data).filter((one) => one !== "test")) {
    expect(fits({ ...body, data: { ...body.data, [name]: undefined } }), name).toBe(false)
  }
})

it("the page shows a body that matches the schema, and names every event", () => {
  const schema = JSON.parse(readFileSync(new URL("webhooks/scan.completed.json", docs), "utf8")) as object
  expect(new Ajv2020({ strict: false, validateFormats: false }).validate(schema, JSON.parse(recipe("json")))).toBe(true)
  for (const event of eventNames) expect(page).toContain(`[webhooks/${event}.json](webhooks/${event}.json)`)
})
