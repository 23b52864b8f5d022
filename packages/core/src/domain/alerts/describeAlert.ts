/** The text of an alert, with the same words in e-mails and chats. */
import { defaultPlace, formatsOf } from "../formats.ts"
import type { KeywordId } from "../ids.ts"
import { labelled, namePlatform, type PlatformId } from "../platforms/Platform.ts"
import { describeBreak } from "../scoring/breaks.ts"
import { roundHalfUp } from "../scoring/Score.ts"
import { type EventLabels, formatAskedPart } from "../webhooks/Event.ts"
import { pluralized } from "../wording.ts"
import type { DetectedAlert } from "./AlertRule.ts"
import { describeDrop } from "./describeDrop.ts"
import { describeEvidence } from "./describeEvidence.ts"

/** The scan that the alert's scan is compared with. */
export interface ComparedWith {
  readonly startedAt: Date
  /** Number of cells in the larger of the two scans. */
  readonly ofCells: number
}

/** The names and facts that are shown with the alert. */
export interface AlertNames {
  readonly brand: string
  readonly keywords: ReadonlyMap<KeywordId, string>
  /** The operator's names of platforms; a platform without a name is shown by its identifier. */
  readonly platformLabels?: ReadonlyMap<PlatformId, string>
  /** IANA time zone of the organization; default UTC. */
  readonly timeZone?: string
  /** Null if there is no compared scan, or if it is unknown. */
  readonly comparedWith: ComparedWith | null
}

/** The words of an alert, unescaped. */
export interface AlertWords {
  /** One line, with labels of tests and simulated answers. */
  readonly subject: string
  readonly opening: string
  /** Pairs of a label and its value. */
  readonly facts: ReadonlyArray<readonly [name: string, value: string]>
  readonly paragraphs: ReadonlyArray<string>
}

/** Maximum number of listed questions. */
const maxListed = 10

const formatPercent = (value: number, digits = 1): string => `${roundHalfUp(value, digits)} %`

const describeEarlierScan = ({ comparedWith, timeZone = defaultPlace.timeZone }: AlertNames): string =>
  comparedWith === null
    ? "an earlier scan"
    : `the scan of ${formatsOf({ ...defaultPlace, timeZone }).minute(comparedWith.startedAt)}`

const describeComparison = (
  data: Extract<DetectedAlert, { readonly rule: "sov_drop" | "competitor_overtake" }>["data"],
  rule: "sov_drop" | "competitor_overtake",
  comparedWith: ComparedWith | null
): ReadonlyArray<string> => [
  ...comparedWith === null || comparedWith.ofCells === data.n_cells
    ? []
    : [
      `These shares cover the ${data.n_cells} pairs of question and platform that both scans answered; ` +
      `the larger scan answered ${comparedWith.ofCells}.`
    ],
  describeEvidence(rule, data)
]

/** "Initech and 2 more" */
export const listNewNames = (names: ReadonlyArray<{ readonly name: string }>): string =>
  `${names[0]?.name ?? "nobody"}${names.length > 1 ? ` and ${names.length - 1} more` : ""}`

/** "founding_date and 2 more" */
export const listFacts = (facts: ReadonlyArray<{ readonly fact: string }>): string =>
  listNewNames(facts.map(({ fact }) => ({ name: fact })))

const wordsOf: {
  readonly [R in DetectedAlert["rule"]]: (
    data: Extract<DetectedAlert, { readonly rule: R }>["data"],
    names: AlertNames
  ) => AlertWords
} = {
  sov_drop: (data, names) => {
    const { brand, comparedWith } = names
    const { before, fell, now } = describeDrop(data)
    return {
      subject: `${brand}: share of voice ${fell ? "fell to" : "stays at"} ${now} % (threshold ${data.threshold} %)`,
      opening: `The share of voice of ${brand} is below your threshold.`,
      facts: [
        ["Now", `${now} %`],
        ["Before", `${before} % in ${describeEarlierScan(names)}`],
        ["Threshold", `${data.threshold} %`]
      ],
      paragraphs: describeComparison(data, "sov_drop", comparedWith)
    }
  },
  new_mention: (data, { brand, keywords, platformLabels }) => ({
    subject: `${brand}: newly named in ${pluralized(data.mentions_total, "answer")}`,
    opening: `${brand} is named where the latest answers did not name it.`,
    facts: data.mentions.slice(0, maxListed).map(({ keyword_id, platform }) =>
      [namePlatform(labelled(platform, platformLabels)), keywords.get(keyword_id) ?? keyword_id] as const
    ),
    paragraphs: [
      ...data.mentions_total > maxListed ? [`And ${data.mentions_total - maxListed} more.`] : [],
      data.confirmed
        ? "For at least one of these questions, no earlier answer named it."
        : "Earlier answers to each of these questions named it, but not the last 5."
    ]
  }),
  competitor_overtake: (data, names) => ({
    subject: `${data.competitor_name} is ahead of ${names.brand}`,
    opening: `${data.competitor_name} now has a larger share of voice than ${names.brand}.`,
    facts: [
      ["Competitor now", formatPercent(data.competitor_sov, 2)],
      ["Brand now", formatPercent(data.brand_sov, 2)],
      [
        "Competitor before",
        `${formatPercent(data.previous_competitor_sov, 2)} in ${describeEarlierScan(names)}`
      ],
      ["Brand before", `${formatPercent(data.previous_brand_sov, 2)} in ${describeEarlierScan(names)}`]
    ],
    paragraphs: describeComparison(data, "competitor_overtake", names.comparedWith)
  }),
  new_competitor: (data, names) => ({
    subject: `New competitor of ${names.brand}: ${listNewNames(data.names)}`,
    opening: `Answers name ${
      data.names.length === 1 ? "a brand" : "brands"
    } that you do not track and that earlier scans did not name.`,
    facts: data.names.slice(0, maxListed).map(({ cells, name, platforms, share }) =>
      [
        name,
        `for ${pluralized(cells, "question × platform pair")} on ${pluralized(platforms.length, "platform")}, ${
          formatPercent(share)
        } of the share of voice if it were tracked`
      ] as const
    ),
    paragraphs: [
      ...data.names.length > maxListed ? [`And ${data.names.length - maxListed} more.`] : [],
      `Compared with ${describeEarlierScan(names)}: ${describeEvidence("new_competitor", data)}`
    ]
  }),
  platform_changed: (data, { platformLabels }) => ({
    subject: `${namePlatform(labelled(data.platform, platformLabels))}: ${describeBreak(data)}`,
    opening: "Something else answers on a platform than before.",
    facts: [["Before", data.before], ["Now", data.after]],
    paragraphs: ["Its answers are not compared with those before: the trend begins again."]
  }),
  fact_contradicted: (data, { brand }) => ({
    subject: `${brand}: answers contradict the business card on ${listFacts(data.facts)}`,
    opening: "Answers of two scans in a row state the same, and it is not what the business card says.",
    facts: data.facts.slice(0, maxListed).map(({ answers, card_says, fact, stated }) =>
      [fact, `${stated} in ${pluralized(answers, "answer")}; the card says ${card_says.join(", ")}`] as const
    ),
    paragraphs: [
      ...data.facts.length > maxListed ? [`And ${data.facts.length - maxListed} more.`] : [],
      "Correct the pages that these answers cite, or the card if it is out of date."
    ]
  })
}

/** Labels the subject of a test, of simulated answers, of a view or of a narrowed scan. */
export const labelSubject = (subject: string, { asked, simulated, test, view }: EventLabels): string => {
  const part = formatAskedPart(asked)
  return [
    ...test === true ? ["[TEST]"] : [],
    ...simulated === true ? ["[SIMULATED]"] : [],
    subject,
    ...view === undefined ? [] : [`(view ${view})`],
    ...part === null ? [] : [`(asked only ${part})`]
  ].join(" ")
}

/** The labels as sentences. */
export const describeLabels = ({ asked, simulated, surface_line, test }: EventLabels): ReadonlyArray<string> => {
  const part = formatAskedPart(asked)
  return [
    ...surface_line === undefined ? [] : [`${surface_line}.`],
    ...part === null ? [] : [`The scan asked only ${part}.`],
    ...test === true ? ["This is a test: none of this has happened."] : [],
    ...simulated === true ? ["SIMULATED: these numbers come from simulated answers."] : []
  ]
}

/** Describes an alert. From raw answers, the text contains only names and single values. */
export const describeAlert = (alert: DetectedAlert, names: AlertNames): AlertWords => {
  // The table is typed by the kind of alert, which this cast cannot express
  const words = (wordsOf[alert.rule] as (data: DetectedAlert["data"], names: AlertNames) => AlertWords)(
    alert.data,
    names
  )
  return { ...words, subject: labelSubject(words.subject, alert.data) }
}
