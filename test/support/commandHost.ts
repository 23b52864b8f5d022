/**
 * Runs commands of the bundle one after the other, each with its own directory, environment and output:
 * `node commandHost.ts LAUNCHER`. `sov` of sov.ts sends them.
 */
import { dirname, join } from "node:path"
import { Writable } from "node:stream"
import { pathToFileURL } from "node:url"
import { format } from "node:util"
import type { Ran } from "./sov.ts"

interface Message {
  readonly cwd: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

const [launcher = ""] = process.argv.slice(2)
const dist = join(dirname(launcher), "../dist")
const { runCommandLine } = await import(pathToFileURL(join(dist, "commandLine.js")).href) as {
  readonly runCommandLine: () => Promise<void>
}

/** Puts a stream that collects text in the place of stdout or stderr. */
const collect = (name: "stdout" | "stderr") => {
  const chunks: Array<Buffer> = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk)
      done()
    }
  })
  Object.defineProperty(process, name, { value: stream, configurable: true })
  return () => Buffer.concat(chunks).toString("utf8")
}

// Node's own keeps the streams that it found first
const log = (...args: ReadonlyArray<unknown>) => void process.stdout.write(`${format(...args)}\n`)
const error = (...args: ReadonlyArray<unknown>) => void process.stderr.write(`${format(...args)}\n`)
Object.assign(console, { log, info: log, warn: error, error })

const run = async ({ args, cwd, env }: Message): Promise<Ran> => {
  process.chdir(cwd)
  for (const variable of Object.keys(process.env)) delete process.env[variable]
  Object.assign(process.env, env)
  process.argv = [process.execPath, join(dist, "main.js"), ...args]
  process.exitCode = undefined
  const [stdout, stderr] = [collect("stdout"), collect("stderr")]
  await runCommandLine()
  return { code: Number(process.exitCode ?? 0), signal: null, stdout: stdout(), stderr: stderr() }
}

process.on("disconnect", () => process.exit())
process.on("message", (message: Message) => void run(message).then((ran) => process.send!(ran)))
