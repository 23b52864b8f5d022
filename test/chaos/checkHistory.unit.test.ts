/** Tests that the history checker finds each kind of violation. */
import { describe, expect, it } from "vitest"
import { type Call, checkHistory, type History } from "./checkHistory.ts"

const call = (fields: Partial<Call> = {}): Call => ({
  platform: "assistant_a",
  prompt: "best anvil?",
  worker: "w0",
  from: 0,
  to: 100,
  answered: true,
  ...fields
})
const scan = { id: "s", status: "completed", cells: 1, answers: 1, doubles: 0, seals: 1, events: 1 }
const sound: History = {
  limit: 1,
  accepted: ["s"],
  quotaUsed: 1,
  scans: [scan],
  archiveProblems: [],
  calls: [call()],
  kills: [],
  stops: [],
  outages: []
}
const again = call({ from: 9_000, to: 9_100, worker: "w1" })

describe("a correct history", () => {
  it.each<[string, Partial<History>]>([
    ["what went well", {}],
    ["a place that is taken the moment it is free", { calls: [call(), call({ prompt: "x", from: 100, to: 200 })] }],
    ["a repeat after a kill in flight", {
      calls: [call({ answered: false }), again],
      kills: [{ worker: "w0", at: 100 }]
    }],
    ["a repeat of what was on its way", { calls: [call(), again], kills: [{ worker: "w0", at: 1_900 }] }],
    ["a repeat after a freeze", { calls: [call(), again], outages: [{ worker: "w0", from: 50, to: 8_900 }] }],
    ["a repeat after trouble upon trouble", {
      calls: [call(), again],
      outages: [{ worker: "w0", from: 50, to: 3_000 }, { worker: null, from: 4_000, to: 5_000 }, {
        worker: "w0",
        from: 7_000,
        to: 8_100
      }]
    }],
    ["a repeat of what was left in a cut", {
      calls: [call({ answered: false }), again],
      outages: [{ worker: "w0", from: 50, to: 900 }]
    }],
    ["a repeat of what was answered to one that was killed in a cut", {
      calls: [call(), again],
      kills: [{ worker: "w0", at: 4_900 }],
      outages: [{ worker: "w0", from: 50, to: 3_000 }]
    }],
    ["a repeat of what an outage of all cut", {
      calls: [call({ answered: false }), again],
      outages: [{ worker: null, from: 50, to: 900 }]
    }],
    ["a repeat of what was answered to one that ended in an outage of all", {
      calls: [call(), again],
      stops: [{ worker: "w0", at: 800 }],
      outages: [{ worker: null, from: 50, to: 900 }]
    }]
  ])("the check accepts a history with %s", (_, changed) => expect(checkHistory({ ...sound, ...changed })).toEqual([]))
})

describe("a faulty history", () => {
  it.each<[string, Partial<History>]>([
    ["scan s is running", { scans: [{ ...scan, status: "running" }] }],
    ["scan s has 0 answers to 1 questions", { scans: [{ ...scan, answers: 0 }] }],
    ["scan s has 1 questions with more than one answer", { scans: [{ ...scan, doubles: 1 }] }],
    ["scan s has 2 seals", { scans: [{ ...scan, seals: 2 }] }],
    ["scan s was announced 0 times", { scans: [{ ...scan, events: 0 }] }],
    ["the accepted start of s made 0 scans", { scans: [] }],
    ["2 scans for 1 accepted starts", { scans: [scan, { ...scan, id: "t" }] }],
    ["two accepted starts made one scan", { accepted: ["s", "s"] }],
    ["2 quota units for 1 accepted starts", { quotaUsed: 2 }],
    ["assistant_a had 2 calls in flight, 1 are allowed", { calls: [call(), call({ prompt: "x", from: 99, to: 200 })] }],
    ["answer a is added", { archiveProblems: ["answer a is added: its scan is sealed without it"] }],
    ["assistant_a best anvil? was asked again after w0 had its answer", { calls: [call(), again] }],
    // A disconnection, and a stall too short to be mistaken for a death
    ...[3_000, 8_000].map((to): [string, Partial<History>] => [
      "assistant_a best anvil? was asked again after w0 had its answer",
      { calls: [call(), again], outages: [{ worker: "w0", from: 0, to }] }
    ]),
    // Two disconnections with a sign of life between them
    ["assistant_a best anvil? was asked again after w0 had its answer", {
      calls: [call(), again],
      outages: [{ worker: "w0", from: 0, to: 3_000 }, { worker: "w0", from: 5_001, to: 8_100 }]
    }],
    // All workers were affected, so none could take over
    ["assistant_a best anvil? was asked again after w0 had its answer", {
      calls: [call(), again],
      outages: [{ worker: null, from: 0, to: 8_900 }]
    }],
    ["assistant_a best anvil? was asked again after w0 had left it", { calls: [call({ answered: false }), again] }],
    ["assistant_a best anvil? was asked again after w0 had its answer", {
      calls: [call(), again],
      stops: [{ worker: "w1", at: 800 }, { worker: "w0", at: 3_000 }],
      outages: [{ worker: null, from: 50, to: 900 }]
    }],
    ["what a kill had cut was asked again after 30001 ms", {
      calls: [call({ answered: false }), call({ from: 30_051, to: 30_060, worker: "w1" })],
      kills: [{ worker: "w0", at: 50 }]
    }],
    ["assistant_a best anvil? was asked again after w0 had its answer", {
      calls: [call(), again],
      kills: [{ worker: "w0", at: 2_101 }, { worker: "w1", at: 50 }],
      outages: [{ worker: "w1", from: 0, to: 9_000 }]
    }]
  ])(
    "the check reports that %s",
    (fault, changed) =>
      expect(checkHistory({ ...sound, ...changed })).toContainEqual(expect.stringMatching(fault.replaceAll("?", "\\?")))
  )
})
