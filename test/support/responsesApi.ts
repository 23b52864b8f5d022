/** A fake of OpenAI's Responses API, for documentation pages whose commands use it. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** Answers every request with this text and one source until the test ends; `asked` contains the requested paths. */
export const startResponsesApi = async (text: string) => {
  const asked: Array<string> = []
  const url = "https://guide.example/anvils"
  const body = JSON.stringify({
    model: "test-model",
    status: "completed",
    usage: { input_tokens: 9, output_tokens: 12 },
    output: [
      {
        type: "web_search_call",
        status: "completed",
        action: { type: "search", queries: ["best anvil"], sources: [{ type: "url", url }] }
      },
      {
        type: "message",
        role: "assistant",
        content: [{
          type: "output_text",
          text,
          annotations: [{ type: "url_citation", url, title: "Anvils", start_index: 0, end_index: 4 }]
        }]
      }
    ]
  })
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}
