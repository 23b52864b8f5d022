import type { ReportHeader } from "@sov/core/reports"
import { formatMinute } from "../charts/numbers.ts"
import { visible } from "../visible.ts"

/** The last line of a report. Without a text of the organization's own it names the program; the date always remains. */
export const footLine = ({ branding, made_at }: ReportHeader): string =>
  branding === undefined ? `Made by sov, ${formatMinute(made_at)}` : [
    ...branding.sender === null ? [] : [`Prepared by ${visible(branding.sender)}`],
    branding.footer === null ? "Made by sov" : visible(branding.footer),
    formatMinute(made_at)
  ].join(" · ")
