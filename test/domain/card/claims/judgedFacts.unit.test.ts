/** Which quotes of a judge count. */
import { type AnswerId, decideFacts, type JudgedFact } from "@sov/core"
import { expect, it } from "vitest"

const fact: JudgedFact = { name: "slogan", says: "Harder.", hash: "0".repeat(64) }
const rawResponse =
  "**Acme Forge Ltd.** of Acme Forge Ltd says: Softer steel. アクメは千年創業です。 ไม่แข็ง ............ end"

it.each([
  ["Softer steel", true],
  ["Softer stee", false],
  ["e", false],
  ["  Softer     ", false],
  ["softer steel.", false],
  ["............", false],
  ["Acme Forge Ltd.", false],
  ["**Acme Forge Ltd.**", false],
  ["千年創業", true],
  ["創業です", true],
  ["創業", false],
  ["ไม่แข็ง", true]
])("the quote %j counts: %j", (quote, counts) => {
  const [made] = decideFacts(
    "Acme Forge Ltd",
    [fact],
    { answerId: "01900000-0000-7000-8000-000000000001" as AnswerId, rawResponse },
    [{ fact: 0, verdict: "contradicts", quote }],
    { judgedBy: "j", judgedAt: new Date(0) }
  )
  expect(made).toMatchObject({ quote: quote.trim(), start: counts ? rawResponse.indexOf(quote) : null })
})
