/** Decodes HTML character references (M1): all numeric ones, and the named ones that occur in prose. */

const latin1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 " +
  "acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde " +
  "Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc " +
  "Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml " +
  "aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc " +
  "otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"

/** Each entry is a name and its code point in hexadecimal. */
const others =
  "amp:26 AMP:26 lt:3c LT:3c gt:3e GT:3e quot:22 QUOT:22 apos:27 num:23 excl:21 dollar:24 percnt:25 lpar:28 " +
  "rpar:29 ast:2a plus:2b comma:2c period:2e sol:2f colon:3a semi:3b equals:3d quest:3f commat:40 lsqb:5b " +
  "bsol:5c rsqb:5d lowbar:5f grave:60 lcub:7b vert:7c rcub:7d Tab:09 NewLine:0a ndash:2013 mdash:2014 " +
  "hyphen:2010 dash:2010 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e bull:2022 " +
  "hellip:2026 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a euro:20ac trade:2122 ensp:2002 emsp:2003 " +
  "thinsp:2009 zwnj:200c zwj:200d lrm:200e rlm:200f ZeroWidthSpace:200b NoBreak:2060 larr:2190 uarr:2191 " +
  "rarr:2192 darr:2193 harr:2194 minus:2212 le:2264 ge:2265 ne:2260 asymp:2248 infin:221e check:2713 " +
  "cross:2717 star:2606 starf:2605 OElig:152 oelig:153 Scaron:160 scaron:161 Zcaron:17d zcaron:17e " +
  "Ccaron:10c ccaron:10d Lstrok:141 lstrok:142 inodot:131 Idot:130 Scedil:15e scedil:15f Gbreve:11e " +
  "gbreve:11f Dstrok:110 dstrok:111 Yuml:178"

const named = new Map<string, number>([
  ...latin1.split(" ").map((name, index): [string, number] => [name, 0xa0 + index]),
  ...others.split(" ").map((entry): [string, number] => {
    const [name = "", point = ""] = entry.split(":")
    return [name, Number.parseInt(point, 16)]
  })
])

/** A decoded reference: its code point and the index after the semicolon. */
export interface CharacterReference {
  readonly point: number
  readonly end: number
}

const maxReferenceLength = 24

/** Reads the reference whose `&` is at `start`; undefined for other text. */
export const readCharacterReference = (
  units: Uint16Array,
  start: number,
  ceiling: number
): CharacterReference | undefined => {
  let end = start + 1
  const limit = Math.min(ceiling, start + maxReferenceLength)
  while (end < limit && units[end] !== 0x3b) end++
  if (end >= limit || end === start + 1) return undefined
  const body = String.fromCharCode(...units.subarray(start + 1, end))
  const numeric = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(body)
  if (numeric === null) {
    const point = named.get(body)
    return point === undefined ? undefined : { point, end: end + 1 }
  }
  const point = numeric[1] === undefined ? Number(numeric[2]) : Number.parseInt(numeric[1], 16)
  const invalid = point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)
  return { point: invalid ? 0xfffd : point, end: end + 1 }
}
