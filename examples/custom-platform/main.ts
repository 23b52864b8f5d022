/**
 * Tracks a brand on the company's own assistant, without Effect: sets up, scans, prints the share of voice and the
 * answers. The assistant answers `POST $ASSISTANT_URL` with `{ "question": … }` by `{ "reply": … }`.
 */
import { AskFailed, type CustomPlatform, isSovError, openSov } from "@sov/core/promise"

const url = process.env["ASSISTANT_URL"] ?? "http://127.0.0.1:8080/ask"

const assistant: CustomPlatform = {
  id: "assistant_a",
  adapter: "company-assistant",
  model: "company-1",
  label: "Company assistant",
  ask: async (question, { signal }) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question }),
      signal
    })
    const payload = await response.text()
    if (!response.ok) throw new AskFailed("unavailable", `it answered ${response.status}`, { status: response.status })
    const { reply } = JSON.parse(payload) as { readonly reply: string }
    return { text: reply, payload }
  }
}

const sov = await openSov({
  dataDir: process.argv[2] ?? ".sov",
  platforms: [assistant],
  // An e-mail of an alert rule goes wherever e-mails of this company go
  mailer: async (mail) => console.log(`e-mail to ${mail.to}: ${mail.subject}`)
})
// From Node 24 on, `await using sov = …` does this
try {
  await sov.initialize({
    brand: { name: "Acme" },
    competitors: [{ name: "Globex" }],
    keywords: [{ text: "Which anvil should a farrier buy?" }, { text: "Who makes the best anvils?" }]
  })

  await sov.scan({ signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => {
    if (!isSovError(error, "QuotaExhausted")) throw error
    console.log(`no scan until ${error.resetsAt.toISOString()}`)
  })
  const { score } = await sov.score()
  console.log(`share of voice: ${score.avgSov} %`)
  for await (const row of sov.archive()) console.log(`${row.platform}: ${row.rawResponse}`)
} finally {
  await sov.close()
}
