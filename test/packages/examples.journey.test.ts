// Only in `npm run test:all`: packs and installs the packages, and runs three programs with them
/** The programs in examples/, each as its reader starts it: installed from the tarballs, checked strictly, and run. */
import { signStandardWebhook } from "@sov/core/webhook"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { checkTypes, installInto, packPackages, runIn } from "../support/packed.ts"

const examples = fileURLToPath(new URL("../../examples", import.meta.url))

/** What the examples ask for beside sov, which comes from its tarball. */
const readDependencies = (): Readonly<Record<string, string>> => {
  const manifests = globSync("*/package.json", { cwd: examples }).map((file) =>
    JSON.parse(readFileSync(join(examples, file), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>
      readonly devDependencies?: Readonly<Record<string, string>>
    }
  )
  const { "@sov/core": _, ...others } = Object.assign(
    {},
    ...manifests.flatMap(({ dependencies, devDependencies = {} }) => [dependencies, devDependencies])
  ) as Record<string, string>
  return others
}

let root: string
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "sov-examples-"))
  const { core } = await packPackages()
  const { code, stderr } = await installInto(root, [core], { dependencies: readDependencies() })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  cpSync(examples, join(root, "examples"), { recursive: true })
}, 300_000)
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

it.each(["nodenext", "bundler"] as const)("are right for strict TypeScript with %s", async (resolution) => {
  const files = globSync("examples/**/*.ts", { cwd: root })
  expect(files.length).toBeGreaterThanOrEqual(6)
  const { code, stdout } = await checkTypes(root, resolution, files, { skipLibCheck: true })
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
})

it("custom-platform asks the company's assistant and prints its share of voice", async () => {
  const assistant = createServer((request, response) => {
    request.resume().on("end", () => void response.end(JSON.stringify({ reply: "Acme, then Globex." })))
  })
  assistant.listen(0, "127.0.0.1")
  await once(assistant, "listening")
  onTestFinished(() => assistant.close().closeAllConnections())
  const { code, stderr, stdout } = await runIn(
    root,
    process.execPath,
    ["examples/custom-platform/main.ts", join(root, "custom data")],
    { ASSISTANT_URL: `http://127.0.0.1:${(assistant.address() as AddressInfo).port}/ask` }
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toBe("share of voice: 50 %\n" + "assistant_a: Acme, then Globex.\n".repeat(2))
})

describe.each(["express", "hono"])("webhook-receiver with %s", (framework) => {
  it("takes what sov signed and nothing else", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    const child = spawn(process.execPath, [`examples/webhook-receiver/${framework}.ts`], {
      cwd: root,
      env: { ...process.env, PORT: "0", SOV_WEBHOOK_SECRET: secret },
      stdio: ["ignore", "pipe", "inherit"]
    })
    onTestFinished(() => void child.kill())
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const url = /http:\S+/.exec((await lines.next()).value as string)![0]
    const body = JSON.stringify({ type: "scan.completed" })
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = {
      "content-type": "application/json",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signStandardWebhook({ id: "msg_1", timestamp, body }, secret)
    }
    const post = async (text: string) => (await fetch(url, { method: "POST", headers, body: text })).status
    expect(await post(body)).toBe(204)
    expect((await lines.next()).value).toBe("received scan.completed")
    expect(await post(`${body} `)).toBe(401)
  })
})

describe("nightly-scan", () => {
  it("scans in a worker thread and ends", async () => {
    const { code, stderr, stdout } = await runIn(
      root,
      process.execPath,
      ["examples/nightly-scan/main.ts", join(root, "nightly data"), "--now"]
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout).toMatch(/^share of voice: \d+ %$/m)
  })

  it("waits for the night, and stops on SIGTERM", async () => {
    const child = spawn(process.execPath, ["examples/nightly-scan/main.ts", join(root, "nightly data")], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const exit = once(child, "exit")
    expect((await once(createInterface(child.stdout), "line"))[0]).toBe("waiting for 03:00")
    child.kill("SIGTERM")
    expect(await exit).toEqual([0, null])
  })
})
