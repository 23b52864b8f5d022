import { Effect } from "effect"
import { historyWindowAt } from "../../domain/organizations/HistoryWindow.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import { now } from "../now.ts"

/** What the organization's plan shows now. Form it once a request and give it to every reader of that request. */
export const readHistoryWindow = (organization: Pick<Organization, "plan" | "historyDays">) =>
  Effect.map(now, (at) => historyWindowAt(organization, at))
