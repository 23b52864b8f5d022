/** A server's own work, with sov beside it in a worker thread: one scan each night, and one now with `--now`. */
import { Worker } from "node:worker_threads"

const worker = new Worker(new URL("./nightly.ts", import.meta.url), {
  workerData: { dataDir: process.argv[2] ?? ".sov", now: process.argv.includes("--now") }
})
worker.on("message", (line: string) => console.log(line))
worker.on("error", (error) => {
  console.error(error)
  process.exitCode = 1
})
// The thread ends the work of its scan; what is open goes on the next night
process.on("SIGTERM", () => worker.postMessage("stop"))
