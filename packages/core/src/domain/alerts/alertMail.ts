/** The e-mail of an alert. */
import type { KeywordId } from "../ids.ts"
import type { MailContent } from "../mail/Mail.ts"
import { type MailTemplate, renderMail } from "../mail/renderMail.ts"
import { labelled, namePlatform, type PlatformId } from "../platforms/Platform.ts"
import { roundHalfUp } from "../scoring/Score.ts"
import { pluralized } from "../wording.ts"
import { type Alert, getAlertScan } from "./AlertRule.ts"
import { describeDrop } from "./describeDrop.ts"
import { describeEvidence } from "./describeEvidence.ts"

/** The scan that the alert's scan is compared with. */
export interface ComparedWith {
  readonly startedAt: Date
  /** Cells that the larger of the two answered. */
  readonly ofCells: number
}

/** The names and facts that an e-mail shows beside the alert. */
export interface MailNames {
  readonly organization: string
  readonly brand: string
  readonly keywords: ReadonlyMap<KeywordId, string>
  /** The operator's names of platforms; one without stands by its identifier. */
  readonly platformLabels?: ReadonlyMap<PlatformId, string>
  /** Null where there is none, or nothing is known of it. */
  readonly comparedWith: ComparedWith | null
  /** Address of the page of all alerts, without a slash at its end; left out where the dashboard has no public one. */
  readonly alertsUrl?: string | undefined
}

/** The limit of questions that an e-mail lists. */
const maxListed = 10

const formatPercent = (value: number, digits = 1): string => `${roundHalfUp(value, digits)} %`

const describeEarlierScan = (comparedWith: ComparedWith | null): string =>
  comparedWith === null
    ? "an earlier scan"
    : `the scan of ${comparedWith.startedAt.toISOString().slice(0, 16).replace("T", " ")} UTC`

const describeComparison = (
  data: Extract<Alert, { readonly rule: "sov_drop" | "competitor_overtake" }>["data"],
  rule: Alert["rule"],
  comparedWith: ComparedWith | null
): ReadonlyArray<string> => [
  ...comparedWith === null || comparedWith.ofCells === data.n_cells
    ? []
    : [
      `These shares are over the ${data.n_cells} questions that both scans answered, each on its platform; ` +
      `the larger one answered ${comparedWith.ofCells}.`
    ],
  describeEvidence(rule, data),
  `Look closer: sov score, and sov scan compare ${data.previous_scan_id} ${data.scan_id}`
]

const mailTemplates: {
  readonly [R in Alert["rule"]]: (
    data: Extract<Alert, { readonly rule: R }>["data"],
    names: MailNames
  ) => Omit<MailTemplate, "footer">
} = {
  sov_drop: (data, { brand, comparedWith }) => {
    const { before, fell, now } = describeDrop(data)
    return {
      subject: `${brand}: share of voice ${fell ? "fell to" : "stays at"} ${now} % (threshold ${data.threshold} %)`,
      opening: `The share of voice of ${brand} is below your threshold.`,
      facts: [
        ["Now", `${now} %`],
        ["Before", `${before} % in ${describeEarlierScan(comparedWith)}`],
        ["Threshold", `${data.threshold} %`]
      ],
      paragraphs: describeComparison(data, "sov_drop", comparedWith)
    }
  },
  new_mention: (data, { brand, keywords, platformLabels }) => ({
    subject: `${brand}: newly named in ${pluralized(data.mentions_total, "answer")}`,
    opening: `${brand} is named where the last answers did not name it.`,
    facts: data.mentions.slice(0, maxListed).map(({ keyword_id, platform }) =>
      [namePlatform(labelled(platform, platformLabels)), keywords.get(keyword_id) ?? keyword_id] as const
    ),
    paragraphs: [
      ...data.mentions_total > maxListed ? [`And ${data.mentions_total - maxListed} more.`] : [],
      data.confirmed
        ? "At least one of these questions never named it before."
        : "Each of these questions has named it before, if not in its last 5 answers.",
      `Read one: sov archive show ${data.mentions[0]?.archive_id ?? "ID"}`
    ]
  }),
  competitor_overtake: (data, { brand, comparedWith }) => ({
    subject: `${data.competitor_name} is ahead of ${brand}`,
    opening: `${data.competitor_name} has a larger share of voice than ${brand} now.`,
    facts: [
      ["Competitor now", formatPercent(data.competitor_sov, 2)],
      ["Brand now", formatPercent(data.brand_sov, 2)],
      [
        "Competitor before",
        `${formatPercent(data.previous_competitor_sov, 2)} in ${describeEarlierScan(comparedWith)}`
      ],
      ["Brand before", `${formatPercent(data.previous_brand_sov, 2)} in ${describeEarlierScan(comparedWith)}`]
    ],
    paragraphs: describeComparison(data, "competitor_overtake", comparedWith)
  })
}

/** Writes the e-mail of an alert. Nothing of a raw answer is in it. */
export const renderAlertMail = (alert: Alert, names: MailNames): MailContent => {
  // The table has the letter of just this kind of alert
  const letter = (mailTemplates[alert.rule] as (data: Alert["data"], names: MailNames) => Omit<MailTemplate, "footer">)(
    alert.data,
    names
  )
  const labels = [...alert.data.test === true ? ["TEST"] : [], ...alert.data.simulated === true ? ["SIMULATED"] : []]
  return renderMail({
    ...letter,
    subject: [...labels.map((label) => `[${label}]`), letter.subject].join(" "),
    paragraphs: [
      ...letter.paragraphs,
      ...alert.data.test === true ? ["This is a test: nothing of it has happened."] : [],
      ...alert.data.simulated === true ? ["SIMULATED: these numbers come from simulated answers."] : []
    ],
    ...names.alertsUrl === undefined
      ? {}
      : { link: { words: "The alert in the dashboard", url: `${names.alertsUrl}/${alert.id}` } },
    footer: [
      `Scan ${getAlertScan(alert)} · alert ${alert.id}`,
      `You get this as a recipient of alerts of ${names.organization}. Who gets them: sov alert set --email`
    ]
  })
}
