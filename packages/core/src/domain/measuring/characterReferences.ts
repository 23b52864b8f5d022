/** HTML character references (M1): numeric ones, and the named ones that occur in prose. */

const latin1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro " +
  "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil " +
  "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave " +
  "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml " +
  "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute " +
  "thorn yuml"

const others: ReadonlyArray<readonly [string, number]> = [
  ["amp", 0x26],
  ["AMP", 0x26],
  ["lt", 0x3c],
  ["LT", 0x3c],
  ["gt", 0x3e],
  ["GT", 0x3e],
  ["quot", 0x22],
  ["QUOT", 0x22],
  ["apos", 0x27],
  ["num", 0x23],
  ["excl", 0x21],
  ["dollar", 0x24],
  ["percnt", 0x25],
  ["lpar", 0x28],
  ["rpar", 0x29],
  ["ast", 0x2a],
  ["plus", 0x2b],
  ["comma", 0x2c],
  ["period", 0x2e],
  ["sol", 0x2f],
  ["colon", 0x3a],
  ["semi", 0x3b],
  ["equals", 0x3d],
  ["quest", 0x3f],
  ["commat", 0x40],
  ["lsqb", 0x5b],
  ["bsol", 0x5c],
  ["rsqb", 0x5d],
  ["lowbar", 0x5f],
  ["grave", 0x60],
  ["lcub", 0x7b],
  ["vert", 0x7c],
  ["rcub", 0x7d],
  ["Tab", 0x09],
  ["NewLine", 0x0a],
  ["ndash", 0x2013],
  ["mdash", 0x2014],
  ["hyphen", 0x2010],
  ["dash", 0x2010],
  ["lsquo", 0x2018],
  ["rsquo", 0x2019],
  ["sbquo", 0x201a],
  ["ldquo", 0x201c],
  ["rdquo", 0x201d],
  ["bdquo", 0x201e],
  ["bull", 0x2022],
  ["hellip", 0x2026],
  ["prime", 0x2032],
  ["Prime", 0x2033],
  ["lsaquo", 0x2039],
  ["rsaquo", 0x203a],
  ["euro", 0x20ac],
  ["trade", 0x2122],
  ["ensp", 0x2002],
  ["emsp", 0x2003],
  ["thinsp", 0x2009],
  ["zwnj", 0x200c],
  ["zwj", 0x200d],
  ["lrm", 0x200e],
  ["rlm", 0x200f],
  ["ZeroWidthSpace", 0x200b],
  ["NoBreak", 0x2060],
  ["larr", 0x2190],
  ["uarr", 0x2191],
  ["rarr", 0x2192],
  ["darr", 0x2193],
  ["harr", 0x2194],
  ["minus", 0x2212],
  ["le", 0x2264],
  ["ge", 0x2265],
  ["ne", 0x2260],
  ["asymp", 0x2248],
  ["infin", 0x221e],
  ["check", 0x2713],
  ["cross", 0x2717],
  ["star", 0x2606],
  ["starf", 0x2605],
  ["OElig", 0x152],
  ["oelig", 0x153],
  ["Scaron", 0x160],
  ["scaron", 0x161],
  ["Zcaron", 0x17d],
  ["zcaron", 0x17e],
  ["Ccaron", 0x10c],
  ["ccaron", 0x10d],
  ["Lstrok", 0x141],
  ["lstrok", 0x142],
  ["inodot", 0x131],
  ["Idot", 0x130],
  ["Scedil", 0x15e],
  ["scedil", 0x15f],
  ["Gbreve", 0x11e],
  ["gbreve", 0x11f],
  ["Dstrok", 0x110],
  ["dstrok", 0x111],
  ["Yuml", 0x178],
  ["ccedil", 0xe7]
]

const named = new Map<string, number>([
  ...latin1.split(" ").map((name, index): [string, number] => [name, 0xa0 + index]),
  ...others
])

/** A decoded reference: its code point, and the index just past the semicolon. */
export interface CharacterReference {
  readonly point: number
  readonly end: number
}

const longestReference = 24

/** Reads the reference whose `&` is at `start`; undefined when the text there is none. */
export const readCharacterReference = (
  units: Uint16Array,
  start: number,
  ceiling: number
): CharacterReference | undefined => {
  let end = start + 1
  const limit = Math.min(ceiling, start + longestReference)
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
