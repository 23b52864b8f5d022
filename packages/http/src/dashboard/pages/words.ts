/** Texts and names that several pages show. */
import { type Alert, describeDrop, type DetectedAlert, listFacts, listNewNames } from "@sov/core/alerts"
import { pluralized } from "@sov/core/common"
import { labelled, namePlatform, type PlatformId } from "@sov/core/platforms"
import type { Scan } from "@sov/core/scanning"
import { describeBreak } from "@sov/core/scoring"
import { formatNumber } from "../charts/numbers.ts"
import type { Frame } from "./Frame.ts"

/** The name of a platform, such as `ChatGPT (assistant_a)`, or only its identifier if the operator set no label. */
export const platformName = ({ platformLabels }: Pick<Frame, "platformLabels">, id: PlatformId): string =>
  namePlatform(labelled(id, platformLabels))

/** Why a scan has no score, in words. */
export const noScoreWords: { readonly [status in Scan["status"]]: string } = {
  running: "running",
  completed: "not measured yet",
  failed: "no answer came",
  cancelled: "cancelled"
}

/** Titles of the alert rules, the same as in the documentation. */
export const alertTitles: { readonly [rule in Alert["rule"]]: string } = {
  sov_drop: "SOV Drop",
  new_mention: "New Mention",
  competitor_overtake: "Competitor Overtake",
  new_competitor: "New Competitor",
  platform_changed: "Platform Changed",
  fact_contradicted: "Fact Contradicted"
}

/** An alert in one sentence. */
export const describeAlert = (alert: DetectedAlert): string => {
  switch (alert.rule) {
    case "sov_drop": {
      const { fell, now } = describeDrop(alert.data)
      return `Share of voice ${fell ? "fell to" : "stays at"} ${now} %, below ${alert.data.threshold} %`
    }
    case "new_mention":
      return `Newly named in ${pluralized(alert.data.mentions_total, "answer")}`
    case "competitor_overtake":
      return `${alert.data.competitor_name} is ahead: ${formatNumber(alert.data.competitor_sov, 1)} % to ${
        formatNumber(alert.data.brand_sov, 1)
      } %`
    case "new_competitor":
      return `Newly named and not tracked: ${listNewNames(alert.data.names)}`
    case "platform_changed":
      return `${alert.data.platform}: ${describeBreak(alert.data)}`
    case "fact_contradicted":
      return `Answers contradict your business card: ${listFacts(alert.data.facts)}`
  }
}
