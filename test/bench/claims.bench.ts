/**
 * Duty: the cost of reading statements about the business card in an answer, beside measuring the same answer. The
 * answers are the labelled sentences, six in each. Asserts nothing.
 */
import { measureWithTerms, readClaims } from "@sov/core"
import { test } from "vitest"
import { compiled, facts, labelled } from "../domain/card/claims/labelled.ts"
import { interleaved } from "./interleaved.ts"

const perAnswer = 6
const answers = Array.from(
  { length: Math.floor(labelled.length / perAnswer) },
  (_, n) => labelled.slice(n * perAnswer, (n + 1) * perAnswer).map(({ sentence }) => sentence).join("\n\n")
)

test("reading the facts of the card is compared with measuring", () => {
  const times = interleaved(5, {
    claims: () => answers.forEach((text) => readClaims(text, compiled, facts)),
    measure: () => answers.forEach((text) => measureWithTerms(compiled, text))
  })
  console.log(
    `claims: ${(times.claims / answers.length).toFixed(3)} ms per answer of ${
      Math.round(answers.join("").length / answers.length)
    } characters, ${(times.claims / times.measure).toFixed(1)} times measuring it`
  )
})
