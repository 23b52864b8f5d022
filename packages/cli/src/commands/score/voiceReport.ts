/** Compares the share of voice under each definition, for the same answers, for programs and people. */
import { pluralized } from "@sov/core/common"
import {
  definitionWords,
  describeJudged,
  describeQuestions,
  otherQuestions,
  roundHalfUp,
  type ScoreReport,
  sentimentJson,
  type SentimentShares,
  simulatedJson,
  type Voice,
  type VoiceColumn,
  voiceJson,
  type VoiceShare
} from "@sov/core/scoring"
import { type Column, type Output, printable } from "../../output/Output.ts"
import { rangeText } from "../../render/scoreView.ts"

/** Maximum number of names that get a column; `--json` and `-o csv` contain all names. */
const maxNames = 4

const shareText = ({ interval, value }: Pick<VoiceShare, "interval" | "value">): string =>
  value === null ? "-" : `${roundHalfUp(value, 1)} %${interval === null ? "" : ` (${rangeText(interval)})`}`

/** The shares of each sentiment: "positive 75 % (40 to 93), … (8 of 9 answers that name the brand are judged)". */
const sentimentText = (found: SentimentShares): string =>
  found.judged === 0
    ? `${describeJudged(found)}.`
    : `${found.shares.map((share) => `${share.sentiment} ${shareText(share)}`).join(", ")}; ${describeJudged(found)}`

/** Chooses the brand, and the competitors with the highest share under any definition. */
const chooseNames = ({ columns, names }: Voice): ReadonlyArray<number> => {
  const highest = (i: number) => Math.max(...columns.map(({ shares }) => shares[i]!.value ?? 0))
  const rivals = names.map((_, i) => i).slice(1)
  return [0, ...rivals.toSorted((a, b) => highest(b) - highest(a)).slice(0, maxNames - 1)]
}

const listColumns = (voice: Voice, simulated: boolean): ReadonlyArray<Column<VoiceColumn>> => [
  {
    header: "DEFINITION",
    cell: ({ definition }) => `${definitionWords[definition].title}${simulated ? " SIMULATED" : ""}`
  },
  ...chooseNames(voice).map((i): Column<VoiceColumn> => ({
    header: printable(voice.names[i]!.name),
    cell: ({ shares }) => shareText(shares[i]!),
    align: "right"
  })),
  { header: "ANSWERS", cell: ({ answers }) => answers, align: "right" }
]

/** Prints the shares under each definition; a line of CSV is one name under one definition. */
export const printVoice = (out: Output, { scan, score }: ScoreReport, voice: Voice): void => {
  const empty = "No answer of the scan is measured."
  const definitions = voiceJson(voice)
  const sentiment = sentimentJson(voice.sentiment)
  const { judged } = sentiment
  const simulated = simulatedJson(scan.simulated)
  if (out.format === "csv") {
    const lines = definitions.flatMap(({ definition, n, names }) =>
      names.map(({ interval_95, ...one }) => ({
        definition,
        n,
        ...one,
        low: interval_95?.low ?? null,
        high: interval_95?.high ?? null,
        ...simulated
      }))
    )
    const [brand] = voice.names
    const tones = sentiment.shares.map(({ interval_95, sentiment, value }) => ({
      definition: `sentiment_${sentiment}`,
      n: judged,
      competitor_id: null,
      name: brand!.name,
      value,
      low: interval_95?.low ?? null,
      high: interval_95?.high ?? null,
      ...simulated
    }))
    return out.list([...lines, ...tones], [], { empty })
  }
  if (out.machine) return out.result({ scan_id: scan.id, ...simulated, definitions, sentiment }, () => "")
  out.list(voice.columns, listColumns(voice, scan.simulated), { empty })
  const asked = score.uncertainty === null ? "" : ` (${describeQuestions(score.uncertainty)})`
  out.note(`In brackets: 95 %, for ${otherQuestions}${asked}.`)
  for (const { definition } of voice.columns) {
    const { says, title } = definitionWords[definition]
    out.note(`${title}: ${says}`)
  }
  out.note(`Sentiment: ${sentimentText(voice.sentiment)}`)
  const left = voice.names.length - maxNames
  if (left > 0) out.note(`${pluralized(left, "more competitor")}: sov score --by definition --json`)
}
