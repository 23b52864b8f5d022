/** Legal forms in company names, which texts leave out: "Microsoft" for "Microsoft Corporation". */

/**
 * Legal forms after a name. Short forms count only in their official spelling: "Sunrise Spa" is a spa, but "Sunrise
 * S.p.A." is a company. Source: the abbreviations in local languages in the ISO 20275 list of entity legal forms.
 */
const forms = [
  // United States, United Kingdom and other English-speaking countries
  "[Ii]nc(?:orporated)?|INC(?:ORPORATED)?|[Cc]orp(?:oration)?|CORP(?:ORATION)?",
  "(?:Co\\.?|Company|Pty\\.?|Pte\\.?|Pvt\\.?|Private|Public)?,? ?(?:Ltd|LTD|ltd|Limited|LIMITED)(?: Company)?",
  "Co|CO|Company|COMPANY|Ll[cp]|LL[CP]|L\\.L\\.[CP]|llc|P\\.?L\\.?L\\.?C|PLC|plc|Plc|P\\.L\\.C|L\\.?P",
  "Sdn\\.? Bhd|Bhd|Tbk",
  // German
  "(?:GmbH|AG|SE|UG|Stiftung) ?& ?Co\\.?,? ?(?:KGaA|KG|OHG)|[Gg]GmbH|G[Mm][Bb]H|gmbh|mbH|AG|SE|KG|KGaA|OHG",
  "e\\. ?V|eV|e\\. ?K|e\\. ?G|eG|UG(?: \\(haftungsbeschr[aä]nkt\\))?|Ges\\.?m\\.?b\\.?H",
  // French, Italian, Spanish, Portuguese, Romanian
  "S\\.?A\\.?S\\.?U?|S\\.?A\\.?R\\.?L|S\\.?A|SpA|S\\.[pP]\\.A|S\\.?[rR]\\.?[lL]|S\\.?L\\.?U?|Ltda|LTDA|S/A|EURL|S\\.?C\\.?A",
  "S\\.?A\\.? de C\\.?V|S\\. ?de R\\.?L\\.?(?: de C\\.?V)?|S\\.?A\\.?B\\.? de C\\.?V",
  // Dutch, Nordic, Baltic
  "B\\.?V|N\\.?V|AB(?: \\(publ\\))?|A/S|ApS|ASA|AS|Oyj?|OYJ?|O[ÜU]|UAB|SIA|Hf|ehf",
  // Polish, Czech, Slovak, Hungarian, South Slavic, Turkish
  "[Ss]p\\. ?z ?o\\. ?o|[Ss]p\\. ?[jk]|s\\. ?r\\. ?o|a\\. ?s|spol\\. s ?r\\. ?o|Kft|Zrt|Nyrt|Bt|d\\. ?o\\. ?o|d\\. ?d|E?OOD|E?AD",
  "A\\.? ?Ş|Ltd\\.? Şti|Anonim Şirketi",
  // Japanese in Latin letters
  "K\\.?K|G\\.?K"
].join("|")

const behind = new RegExp(`^(.*?[^\\s,])(?:,? +|, ?)(?:${forms})\\.?$`, "u")
const behindJoined = /^(.+?) ?(?:株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|주식회사|㈜)$/u
const before =
  /^(?:(?:ООО|ОАО|ЗАО|ПАО|АО|ТОВ|ПрАТ|PT\.?|P\.T\.) |(?:株式会社|有限会社|合同会社|주식회사|\(주\)|（株）|㈱|㈜) ?)(.+)$/u
const quoted = /^[«"„“'](.+)[»"”“']$/u

/** Maximum length of a name; longer names are not changed. */
const maxLength = 200

const strip = (name: string): string => {
  const found = behind.exec(name) ?? behindJoined.exec(name) ?? before.exec(name)
  const rest = found?.[1]
  return rest === undefined ? name : quoted.exec(rest)?.[1] ?? rest
}

/** The name without its legal form and without the article of "The … Company"; null if it has no legal form. */
export const withoutLegalForm = (name: string): string | null => {
  const whole = name.trim()
  if (whole.length > maxLength) return null
  const once = strip(whole)
  // Twice, because "Acme Holding GmbH, Inc." and "Hitachi Co., Ltd." have two legal forms
  const rest = strip(once)
  if (rest === whole) return null
  return rest.replace(/^The (?=\S)/u, "")
}
