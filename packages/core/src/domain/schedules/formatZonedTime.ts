/** Formats an instant in a time zone: `Mon 2026-11-23 07:00 +01:00`. */
export const formatZonedTime = (instant: Date, timeZone: string): string => {
  const parts = new Map(
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset"
    }).formatToParts(instant).map(({ type, value }) => [type, value])
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ""
  const offset = part("timeZoneName").replace("GMT", "")
  return `${part("weekday")} ${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")} ${
    offset === "" ? "UTC" : offset
  }`
}
