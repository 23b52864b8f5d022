/**
 * The details of an entry as short sentences: `Name: ci. Scopes: read, scan.` Replaced values come last: `Before: name
 * old; scopes read.` A detail without a value is left out.
 */
export const formatAuditDetail = ({ before = null, ...detail }: { readonly [member: string]: unknown }): string =>
  Object.entries({ ...detail, before }).filter(([, value]) => value !== null).map(([member, value]) => {
    const text = `${formatName(member)}: ${formatFact(value)}`
    const sentence = text.charAt(0).toUpperCase() + text.slice(1)
    return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  }).join(" ")

const formatName = (member: string): string => member.replaceAll("_", " ")

const formatFact = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ")
  return typeof value === "object" && value !== null
    ? Object.entries(value).filter(([, one]) => one !== null)
      .map(([member, one]) => `${formatName(member)} ${formatFact(one)}`).join("; ")
    : String(value)
}
