/**
 * The reference of the makespan benchmark: `plainLoop.ts URL KEYWORDS CONCURRENCY` asks five platforms with plain fetch
 * and stores nothing. Prints `ready`; each line on stdin starts a round, whose time is printed as JSON.
 */
import { once } from "node:events"

const [url, keywords, concurrency] = process.argv.slice(2)

const ask = async (platform: string, prompt: string) => {
  const response = await fetch(`${url}/${platform}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "replay", messages: [{ role: "user", content: prompt }] })
  })
  const body = await response.json() as { choices: ReadonlyArray<{ message: { content: string } }> }
  return body.choices[0]!.message.content.length
}

const askAll = async (platform: string) => {
  let next = 0
  const one = async () => {
    while (next < Number(keywords)) await ask(platform, `question ${next++}?`)
  }
  await Promise.all(Array.from({ length: Number(concurrency) }, one))
}

console.log("ready")
while (true) {
  await once(process.stdin, "data")
  const [begun, cpu] = [performance.now(), process.cpuUsage()]
  await Promise.all(["a", "b", "c", "d", "e"].map((letter) => askAll(`assistant_${letter}`)))
  const ms = performance.now() - begun
  const { system, user } = process.cpuUsage(cpu)
  console.log(JSON.stringify({
    ms,
    statements: 0,
    cpuMs: (user + system) / 1000,
    rssMb: process.memoryUsage().rss / 1e6
  }))
}
