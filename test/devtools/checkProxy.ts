/**
 * Sends every request in docs/sov.http to a running server through Prism, which checks requests and responses against
 * docs/openapi.json. SOV_URL and SOV_API_KEY identify the server, SOV_KEYWORD_ID one of its keywords. Uses two scans of
 * the quota.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readHttpFile, runHttpFile } from "../support/httpFile.ts"

const { SOV_API_KEY: apiKey, SOV_KEYWORD_ID: keywordId, SOV_URL: url } = process.env
if (apiKey === undefined || keywordId === undefined || url === undefined) {
  process.stderr.write("set SOV_URL, SOV_API_KEY and SOV_KEYWORD_ID\n")
  process.exit(2)
}
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const port = "4681"
const prism = spawn(at("./node_modules/.bin/prism"), [
  "proxy",
  at("../../docs/openapi.json"),
  url,
  "--errors",
  "--port",
  port
], { stdio: ["ignore", "pipe", "inherit"] })
const ended = once(prism, "exit")
try {
  await new Promise<void>((resolve, reject) => {
    prism.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes("listening")) resolve()
    })
    prism.once("exit", () => reject(new Error("Prism ended before it listened")))
  })
  const file = readHttpFile(readFileSync(at("../../docs/sov.http"), "utf8"))
  const answers = await runHttpFile(file, { apiKey, keywordId, baseUrl: `http://127.0.0.1:${port}` })
  for (const { answer, status, title } of answers) {
    const fine = status === 200 || status === 202
    process.stdout.write(`${fine ? "ok  " : "FAIL"} ${status} ${title}${fine ? "" : ` ${JSON.stringify(answer)}`}\n`)
    if (!fine) process.exitCode = 1
  }
} finally {
  prism.kill()
  await ended
}
