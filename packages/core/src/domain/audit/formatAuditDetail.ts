/**
 * The facts of an entry on one line: `name=ci scopes=read,scan`, and what was before in brackets: `before=(name=old)`.
 */
export const formatAuditDetail = (detail: { readonly [member: string]: unknown }): string =>
  Object.entries(detail).filter(([, value]) => value !== null)
    .map(([member, value]) => `${member}=${formatFact(value)}`).join(" ")

const formatFact = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(",")
  return typeof value === "object" && value !== null
    ? `(${formatAuditDetail(value as { readonly [member: string]: unknown })})`
    : String(value)
}
