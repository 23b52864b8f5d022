/** Runs the programs in examples/ as their readers do: with the packages from the tarballs, type-checked strictly. */
import { signStandardWebhook } from "@sov/core/webhook"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { runIn } from "../support/packed.ts"

export const examples = fileURLToPath(new URL("../../examples", import.meta.url))

/** The dependencies of the examples other than sov, which comes from its tarball. */
export const exampleDependencies = (): ReadonlyArray<string> => {
  const manifests = globSync("*/package.json", { cwd: examples }).map((file) =>
    JSON.parse(readFileSync(join(examples, file), "utf8")) as Readonly<Record<string, Readonly<Record<string, string>>>>
  )
  return manifests
    .flatMap(({ dependencies, devDependencies = {} }) => Object.entries({ ...dependencies, ...devDependencies }))
    .filter(([name]) => name !== "@sov/core")
    .map(([name, version]) => `${name}@${version}`)
}

/** Starts an example; it is stopped when the test ends. */
const start = (node: string, folder: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(node, [...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  onTestFinished(() => end(child))
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill()
  await exit
}

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return String(port)
}

/** Node 22 warns about stripping types and about SQLite. */
const quiet = { NODE_OPTIONS: "--disable-warning=ExperimentalWarning" }

/**
 * Declares the tests. `folder()` contains the packages, the dependencies of the examples, and the examples; their data
 * is stored in `data`.
 */
export const describeExamples = (folder: () => string, node: string, data: string): void => {
  it("custom-platform asks the company's assistant, and prints its share of voice", async () => {
    const assistant = createServer((request, response) => {
      request.resume().on("end", () => void response.end(JSON.stringify({ reply: "Acme, then Globex." })))
    })
    assistant.listen(0, "127.0.0.1")
    await once(assistant, "listening")
    onTestFinished(() => assistant.close().closeAllConnections())
    const { code, stderr, stdout } = await runIn(
      folder(),
      node,
      ["examples/custom-platform/main.ts", `${data} custom`],
      { ...quiet, ASSISTANT_URL: `http://127.0.0.1:${(assistant.address() as AddressInfo).port}/ask` }
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toBe("share of voice: 50 %\n" + "assistant_a: Acme, then Globex.\n".repeat(2))
  })

  describe("webhook-receiver", () => {
    it("the receiver accepts only what sov signed, with Express and with Hono", async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/sov`
      const sov = (...args: ReadonlyArray<string>) =>
        runIn(folder(), "npx", ["sov", "webhook", ...args, "--json", "--data-dir", `${data} custom`], {
          SOV_WEBHOOK_ALLOW_HTTP: "1",
          SOV_WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32"
        })
      const added = await sov("add", url)
      expect(added).toMatchObject({ code: 0 })
      const { secret } = JSON.parse(added.stdout) as { readonly secret: string }

      for (const framework of ["express", "hono"]) {
        const { child, lines } = start(node, folder(), [`examples/webhook-receiver/${framework}.ts`], {
          PORT: port,
          SOV_SIGNING_SECRET: secret
        })
        expect((await lines.next()).value).toBe(`listening on ${url}`)
        const sent = await sov("test", url)
        expect(sent, framework).toMatchObject({ code: 0 })
        expect((await lines.next()).value).toBe("received scan.completed")

        const body = JSON.stringify({ event: "mention.detected" })
        const timestamp = Math.floor(Date.now() / 1000)
        const headers = {
          "content-type": "application/json",
          "webhook-id": "msg_1",
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signStandardWebhook({ id: "msg_1", timestamp, body }, secret)
        }
        const post = async (text: string) => (await fetch(url, { method: "POST", headers, body: text })).status
        expect(await post(`${body} `)).toBe(401)
        expect(await post(body)).toBe(204)
        expect((await lines.next()).value).toBe("received mention.detected")
        await end(child)
      }
    })
  })

  describe("nightly-scan", () => {
    it("the example runs a scan in a worker thread and exits", async () => {
      const { code, stderr, stdout } = await runIn(
        folder(),
        node,
        ["examples/nightly-scan/main.ts", `${data} nightly`, "--now"],
        quiet
      )
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toMatch(/^share of voice: [\d.]+ %$/m)
    })

    it("the example waits for the night, and stops on SIGTERM", async () => {
      const { child, lines } = start(node, folder(), ["examples/nightly-scan/main.ts", `${data} nightly`])
      const exit = once(child, "exit")
      expect((await lines.next()).value).toBe("waiting for 03:00")
      child.kill("SIGTERM")
      expect(await exit).toEqual([0, null])
    })
  })
}
