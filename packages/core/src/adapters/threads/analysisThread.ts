/**
 * The program of a pool thread, which measures one answer after another. It does not load Effect, so that it starts
 * quickly.
 */
import { parentPort } from "node:worker_threads"
import { explainWithTerms } from "../../domain/measuring/explain.ts"
import { type CompiledTerms, compileTerms, measureWithTerms } from "../../domain/measuring/measureAnswer.ts"
import { deriveSources } from "../../domain/sources/deriveSources.ts"
import type { AnalysedText } from "../../ports/AnswerAnalysis.ts"
import { type Job, maxKnownEntities, packMeasured, type ThreadReply } from "./messages.ts"

const port = parentPort!
const compiled = new Map<number, CompiledTerms>()

const reply = (message: ThreadReply, transfer: ReadonlyArray<ArrayBuffer> = []): void =>
  port.postMessage(message, transfer)

type NamedJob = Extract<Job, { readonly entities: number }>
type MeasureJob = Extract<Job, { readonly entities: number; readonly answer: AnalysedText }>

const getTerms = (job: NamedJob): CompiledTerms => {
  if (job.names !== undefined) {
    const { brand, competitors, excludes } = job.names
    if (compiled.size >= maxKnownEntities) compiled.clear()
    compiled.set(job.entities, compileTerms(brand, competitors, excludes))
  }
  return compiled.get(job.entities)!
}

const measure = (job: MeasureJob): void => {
  const measured = packMeasured(measureWithTerms(getTerms(job), job.answer.text, job.answer.prompt))
  reply({ kind: "measured", measured }, [measured.mentions.buffer as ArrayBuffer])
}

const measureAll = (job: Extract<Job, { readonly kind: "measureAll" }>): void => {
  const terms = getTerms(job)
  const measured = job.answers.map(({ prompt, text }) => {
    try {
      return measureWithTerms(terms, text, prompt)
    } catch {
      return null
    }
  })
  reply({ kind: "measuredAll", measured })
}

const explain = (job: MeasureJob): void =>
  reply({ kind: "explained", explained: explainWithTerms(getTerms(job), job.answer.text, job.answer.prompt) })

port.on("message", (job: Job) => {
  try {
    if (job.kind === "measure") measure(job)
    else if (job.kind === "measureAll") measureAll(job)
    else if (job.kind === "explain") explain(job)
    else if (job.kind === "sources") reply({ kind: "sources", sources: deriveSources(job.answer) })
  } catch (error) {
    // Sends only the error's name, because its message may quote the answer
    reply({ kind: "failed", name: error instanceof Error ? error.name : "Error" })
  }
})
reply({ kind: "ready" })
