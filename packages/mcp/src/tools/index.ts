/** The six tools; all of them are read-only. */
import type { Tool } from "../Tool.ts"
import { getAiTraffic } from "./getAiTraffic.ts"
import { getAnswerArchive } from "./getAnswerArchive.ts"
import { getBusinessCard } from "./getBusinessCard.ts"
import { getScanResults } from "./getScanResults.ts"
import { getVisibilitySummary } from "./getVisibilitySummary.ts"
import { listKeywords } from "./listKeywords.ts"

export const tools: ReadonlyArray<Tool> = [
  getVisibilitySummary,
  listKeywords,
  getScanResults,
  getAnswerArchive,
  getBusinessCard,
  getAiTraffic
]

export const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.definition.name, tool]))
