import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { expect, it } from "vitest"

it("sixteen times as many endpoints add no more to a post than the steps of a search", async () => {
  const counting = new Worker(new URL("./stepsOfPosts.ts", import.meta.url), { workerData: [50, 800] })
  const [[few, many]] = await once(counting, "message") as [[number, number]]
  await once(counting, "exit")
  expect(few).toBeGreaterThan(100)
  expect(many / few).toBeLessThan(2)
})
