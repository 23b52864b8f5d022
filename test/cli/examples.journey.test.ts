/**
 * Examples are run as they stand, by a shell, against one home, or the table says why not: the first of each first
 * word, and with SOV_LONG_TESTS every one. cli/tree parses each in any case.
 */
// Only with SOV_LONG_TESTS: each example of the help in a process of its own; cli/tree parses each in any case
import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { describeCommand as describeTree, flattenCommands } from "../../packages/cli/src/tree/describe.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sourceLauncher, sovJson } from "../support/sov.ts"

const commands = flattenCommands(describeTree(await makeProgram()))
const examples = commands.flatMap((command) => command.examples)

const skipped: { readonly [example: string]: string } = {
  "sov experiment start --name \"Guides\" --change \"a guide for each treated topic\" --from 2026-12-01 --until 2026-12-31":
    "an experiment takes 16 topics and two scans",
  "sov experiment show \"Guides\"": "an experiment takes 16 topics and two scans",
  "sov experiment end \"Guides\" --reason \"the page was withdrawn\" --yes":
    "an experiment takes 16 topics and two scans",
  "sov init": "asks at a terminal",
  "sov init --brand Globex --competitor Acme --keyword \"best anvil?\"":
    "asks, as the example before has set one up: journeys/badInput",
  "sov serve": "serves until it is stopped: journeys/serve",
  "sov serve --host 0.0.0.0 --port 8080": "serves until it is stopped",
  "sov serve --no-worker": "serves until it is stopped",
  "sov dashboard": "serves until it is stopped: journeys/dashboard stops it",
  "sov worker": "works until it is stopped: journeys/workers",
  "sov worker --database-url-file /run/secrets/sov-database": "works until it is stopped",
  "sov worker --config /etc/sov/sov.config.json": "works until it is stopped",
  "sov platform add gemini": "the examples that follow would ask it: cli/platform runs it",
  "sov platform add openrouter --id assistant_b --model openai/gpt-6.1-terra":
    "as before: the examples that follow would ask it",
  "sov webhook test ID --event sov.dropped": "its receiver is made up: journeys/webhook has a real one",
  "sov webhook replay ID": "nothing was sent: journeys/webhook sends",
  "sov webhook listen --port 4690 --secret-file secret.txt": "listens until Ctrl-C: journeys/webhook ends it",
  "sov alert test": "needs a mail server: cli/alert has one",
  "sov alert test new_mention": "needs a mail server",
  "sov archive anchor --out anchors.ndjson --tsa https://freetsa.org/tsr":
    "needs a time-stamping authority: cli/archiveFiles has one",
  "sov report --from 2026-03-01 --to 2026-03-31 --title \"March\" --locale de --out march.html":
    "no scan began then: usecases/reports has a period",
  "sov topic join --tag pricing": "one question has the tag: usecases/tracking/topics joins",
  "sov scan resume latest": "needs a scan that was stopped: journeys/scan stops one",
  "sov compare surfaces --json": "needs captured answers: usecases/archive/captured has some",
  "sov scan cancel latest --yes": "needs a running scan: journeys/scan has one",
  ...Object.fromEntries(
    examples.filter((example) => example.startsWith("sov serve"))
      .map((example) => [example, "serves until it is stopped: journeys/serve stops it"])
  ),
  ...Object.fromEntries(
    examples.filter((example) => example.includes("--url https://"))
      .map((example) => [example, "needs that server: http/remote has one"])
  )
}

const runnable = examples.filter((example) => skipped[example] === undefined)
const chosen = process.env["SOV_LONG_TESTS"] === undefined
  // One of two commands rests on examples before it
  ? [...Map.groupBy(runnable.filter((one) => !one.includes("&&")), (example) => example.split(" ")[1]).values()]
    .map(([first]) => first!)
  : runnable

const signed = "{\"type\":\"scan.completed\"}"
let cwd: string
let env: Record<string, string>

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "sov-examples-"))
  mkdirSync(join(cwd, "bin"))
  mkdirSync(join(cwd, ".config/fish/completions"), { recursive: true })
  symlinkSync(sourceLauncher, join(cwd, "bin/sov"))
  writeFileSync(
    join(cwd, "tracking.json"),
    JSON.stringify({ brand: { name: "Acme" }, competitors: [{ name: "Initech" }], keywords: [{ text: "why anvils?" }] })
  )
  writeFileSync(join(cwd, "answer.md"), "**Acme**, then Globex.")
  writeFileSync(
    join(cwd, "acme.jsonld"),
    JSON.stringify({ "@context": "https://schema.org", "@type": "Organization", name: "Acme" })
  )
  writeFileSync(join(cwd, "body.json"), signed)
  writeFileSync(join(cwd, "answer.md"), "**Acme** makes the best anvil, Globex the second best.\n")
  const visit = "203.0.113.1 - - [01/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"https://chatgpt.com/\" \"x\"\n"
  writeFileSync(join(cwd, "access.log"), visit)
  writeFileSync(join(cwd, "access.log.1.gz"), gzipSync(visit))
  writeFileSync(join(cwd, "requests.csv"), "date,url,referrer,browser\n2026-03-01T10:00:00Z,/,https://chatgpt.com/,x\n")
  writeFileSync(join(cwd, "logo.png"), Buffer.from("89504e470d0a1a0a", "hex"))
  writeFileSync(
    join(cwd, "captured.csv"),
    "platform,question,text,captured_at,captured_by,account\n" +
      "assistant_a,why anvils?,Acme.,2026-03-01T10:00:00Z,Ada,logged out\n"
  )
  writeFileSync(join(cwd, "secret.txt"), "whsec_test\n")
})
afterAll(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

/** What a capital word of an example stands for. */
const placeholder = async (example: string): Promise<string> => {
  if (example.includes("HEX")) return createHmac("sha256", "whsec_test").update(signed).digest("hex")
  const group = /^sov (key|webhook) /.exec(example)?.[1]
  if (group !== undefined) return (await sovJson<ReadonlyArray<{ id: string }>>(cwd, [group, "list"], env))[0]!.id
  const { data } = await sovJson<{ data: ReadonlyArray<{ id: string }> }>(cwd, ["archive", "list"], env)
  return data[0]!.id
}

const shell = async (command: string) => {
  const child = spawn("bash", ["-c", `set -o pipefail; ${command}`], { cwd, env, stdio: ["ignore", "ignore", "pipe"] })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => stderr += chunk)
  const [code] = await once(child, "close")
  return { code: code as number | null, stderr }
}

it("the examples in the help work in order", async () => {
  const replay = await startReplay({ answer: () => "Acme makes the best anvil." })
  writeFileSync(join(cwd, "sov.config.json"), replay.config(1))
  // HOME for ~, SOV_ORG because the examples make more than one organization
  env = {
    PATH: `${join(cwd, "bin")}:${process.env["PATH"]}`,
    HOME: cwd,
    SOV_ORG: "acme",
    CI: "true",
    LC_ALL: "C.UTF-8"
  }
  const failed: Array<unknown> = []
  for (const example of chosen) {
    if (example.includes("previous")) await sovJson(cwd, ["scan"], env)
    const found = /\b(ID|HEX)\b/.exec(example)
    const command = found === null ? example : example.replace(found[0], await placeholder(example))
    const { code, stderr } = await shell(command)
    if (code !== 0) failed.push({ command, code, stderr })
  }
  expect(failed).toEqual([])
  expect(chosen.length).toBeGreaterThan(15)
})

it("the table of exceptions names only existing examples", () => {
  expect(Object.keys(skipped).filter((example) => !examples.includes(example))).toEqual([])
})
