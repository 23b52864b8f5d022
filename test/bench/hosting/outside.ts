/**
 * Everything outside of sov on the hosting day, in a separate process: `outside.ts LATENCY_MS`. The five platforms
 * answer in the chat-completions format, and `/webhook` receives deliveries. Sends its port to its parent process,
 * then, on request, the counts of what it received.
 *
 * Answers have the lengths of recorded ones: 792 answers of two engines to buying questions have 1.4, 2.2, 2.7, 3.3 and
 * 6.2 kB of text at 5, 25, 50, 75 and 95 %, and name five pages.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const latencyMs = Number(process.argv[2])
/** These lengths are equally frequent. */
const lengths = [1_400, 1_900, 2_200, 2_500, 2_700, 2_900, 3_100, 3_300, 3_900, 6_200]
const brands = ["Globex", "Initech", "Umbrella", "Hooli", "Vandelay"]
const answerCount = 60

const makeParagraph = (n: number): string => {
  const brand = n % 3 === 0 ? "Acme" : brands[n % brands.length]!
  const text = [
    `${n % 7 + 1}. **${brand} Model ${
      n % 90 + 10
    }** – reviewers praise the sturdy frame, the quiet motor and the long warranty [${n % 5 + 1}].`,
    `Buyers of ${brand} say that spare parts are easy to get; some would like a lower price.`,
    `- Good for: daily use, small rooms, people who do not want to read a manual\n- Weight: ${
      n % 9 + 2
    }.4 kg, two years of warranty`,
    `### What testers measured\n\nAfter ${n % 30 + 5} hours it still held ${
      n % 40 + 50
    } % of its charge, a little more than last year's.`
  ]
  return text[n % text.length]!
}

/** An answer of about `length` characters; every third one does not name the brand. */
const makeAnswer = (n: number, length: number): string => {
  const parts: Array<string> = []
  for (let size = 0, at = n * 11; size < length; at++) {
    const part = n % 3 === 2 ? makeParagraph(at).replaceAll("Acme", "Globex") : makeParagraph(at)
    parts.push(part)
    size += part.length + 2
  }
  return parts.join("\n\n")
}

const bodies = Array.from({ length: answerCount }, (_, n) => {
  const citations = Array.from({ length: 5 }, (_, i) => `https://reviews-${(n + i) % 40}.example/tests/${n % 8}-${i}`)
  return JSON.stringify({
    id: `answer-${n}`,
    model: "replay",
    choices: [{
      index: 0,
      message: { role: "assistant", content: makeAnswer(n, lengths[n % lengths.length]!) },
      finish_reason: "stop"
    }],
    usage: { prompt_tokens: 20, completion_tokens: 700 },
    citations
  })
})

let asked = 0
let delivered = 0
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.url === "/webhook") {
      delivered++
      return void response.writeHead(204).end()
    }
    const body = bodies[asked++ * 7 % answerCount]!
    setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end(body), latencyMs)
  })
}).listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on("message", () => process.send!({ asked, delivered }))
process.on("disconnect", () => process.exit())
