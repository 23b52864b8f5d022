/** One thread of the pool, as the pool sees it. */
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { AnalysisError } from "../../ports/AnswerAnalysis.ts"
import { type Job, maxKnownEntities, type ThreadReply } from "./messages.ts"

const entry = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./analysisThread.ts" : "./analysisThread.js", import.meta.url)
)

/** A thread that runs one job at a time. An idle thread does not keep the process alive. */
export class PoolThread {
  /** Rejects if the thread cannot start. */
  readonly ready: Promise<void>
  private readonly worker: Worker
  private readonly known = new Set<number>()
  private waiting:
    | { readonly onReply: (reply: ThreadReply) => void; readonly onEnd: (error: AnalysisError) => void }
    | undefined
  private started = false
  private ended = false

  constructor(heapMb: number) {
    this.worker = new Worker(entry, {
      name: "sov analysis",
      // The thread gets an empty environment, because it needs no variable and some contain keys
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb }
    })
    this.ready = new Promise((resolve, reject) => {
      this.worker.on("message", (reply: ThreadReply) => {
        if (reply.kind === "ready") {
          this.started = true
          return resolve()
        }
        const { waiting } = this
        this.waiting = undefined
        this.worker.unref()
        waiting?.onReply(reply)
      })
      const onEnd = (error: unknown): void => {
        this.ended = true
        reject(error)
        this.waiting?.onEnd(this.describeEnd(error))
        this.waiting = undefined
      }
      this.worker.on("error", onEnd)
      this.worker.on("exit", (code) => onEnd(new Error(`exit code ${code}`)))
    })
    // The caller that awaits `ready` receives the error
    this.ready.catch(() => {})
  }

  /** Whether the thread can take another job. */
  get isIdle(): boolean {
    return this.started && !this.ended && this.waiting === undefined
  }

  /** The error for a thread that ended, without any text that its own error quotes. */
  describeEnd(error: unknown): AnalysisError {
    const code = error instanceof Error && "code" in error ? String(error.code) : "ended"
    return code === "ERR_WORKER_OUT_OF_MEMORY"
      ? new AnalysisError({ reason: "memory", message: "it took more memory than a thread may use" })
      : new AnalysisError({ reason: "failed", message: `its thread ended: ${code}` })
  }

  /** Returns whether the set of names with this number must be sent; the thread then keeps it. */
  learn(number: number): boolean {
    if (this.known.has(number)) return false
    if (this.known.size >= maxKnownEntities) this.known.clear()
    this.known.add(number)
    return true
  }

  /** Sends a job to the thread. Exactly one of the callbacks is called. */
  send(job: Job, onReply: (reply: ThreadReply) => void, onEnd: (error: AnalysisError) => void): void {
    this.waiting = { onReply, onEnd }
    this.worker.ref()
    this.worker.postMessage(job)
  }

  /** Ends the thread, even in the middle of a job. */
  async end(): Promise<void> {
    this.ended = true
    this.waiting?.onEnd(new AnalysisError({ reason: "failed", message: "its thread was stopped" }))
    this.waiting = undefined
    await this.worker.terminate()
  }
}
