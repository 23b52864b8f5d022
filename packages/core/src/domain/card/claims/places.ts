/** Countries and cities by their names in the eight languages. */

const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "ja"]
const codes =
  "AD AE AR AT AU BE BG BR CA CH CL CN CO CY CZ DE DK EE EG ES FI FR GB GR HK HR HU ID IE IL IN IS IT JP KR LI LT LU LV MA MC MT MX MY NG NL NO NZ PE PH PL PT RO RS RU SA SE SG SI SK TH TR TW UA US VN ZA"
const colloquial: { readonly [name: string]: string } = {
  holland: "NL",
  hollande: "NL",
  holanda: "NL",
  olanda: "NL",
  usa: "US",
  "u.s.": "US",
  us: "US",
  america: "US",
  uk: "GB",
  england: "GB",
  "great britain": "GB",
  "großbritannien": "GB",
  czechia: "CZ",
  tschechien: "CZ"
}

let countries: ReadonlyMap<string, string> | undefined
const byName = (): ReadonlyMap<string, string> => {
  if (countries !== undefined) return countries
  const names = new Map(Object.entries(colloquial))
  for (const language of languages) {
    const display = new Intl.DisplayNames([language], { type: "region" })
    for (const code of codes.split(" ")) names.set(display.of(code)!.toLowerCase(), code)
  }
  return countries = names
}

/** The ISO 3166-1 code for a country's name in one of the languages; null for an unknown name. */
export const countryOf = (name: string): string | null => byName().get(name.toLowerCase().replace(/^the /, "")) ?? null

/** Each line lists the names of one city: its local name first, then its names elsewhere. */
const cities = [
  "berlin, berlino, berlim, berlín, berlijn, ベルリン",
  "bremen, brême, brema, ブレーメン",
  "hamburg, hambourg, hamburgo, amburgo, ハンブルク",
  "münchen, munich, múnich, monaco di baviera, munique, ミュンヘン",
  "köln, cologne, colonia, colônia, colónia, keulen, ケルン",
  "frankfurt, frankfurt am main, francfort, fráncfort, francoforte, フランクフルト",
  "stuttgart, stoccarda, シュトゥットガルト",
  "düsseldorf, dusseldorf, デュッセルドルフ",
  "leipzig, lipsia, ライプツィヒ",
  "dresden, dresde, dresda, ドレスデン",
  "nürnberg, nuremberg, norimberga, núremberg, nuremberga, neurenberg",
  "hannover, hanover, hanovre",
  "wien, vienna, vienne, viena, wenen, ウィーン",
  "zürich, zurich, zurigo, zúrich, zurique, チューリッヒ",
  "genève, geneva, genf, ginebra, ginevra, genebra, ジュネーブ",
  "basel, bâle, basilea, basileia, bazel",
  "bern, berne, berna",
  "paris, parís, parigi, parijs, パリ",
  "lyon, lione, リヨン",
  "marseille, marsella, marsiglia, marselha",
  "london, londres, londra, londen, ロンドン",
  "edinburgh, edinburg, édimbourg, edimburgo",
  "dublin, dublín, dublino, dublim, ダブリン",
  "bruxelles, brussels, brüssel, bruselas, bruxelas, brussel, ブリュッセル",
  "antwerpen, antwerp, anvers, amberes, anversa, antuérpia",
  "amsterdam, ámsterdam, amsterdã, amesterdão, アムステルダム",
  "den haag, the hague, la haye, la haya, l'aia, haia",
  "roma, rome, rom, ローマ",
  "milano, milan, mailand, milán, milão, milaan, ミラノ",
  "torino, turin, turín, turim, turijn, トリノ",
  "firenze, florence, florenz, florencia, florença",
  "napoli, naples, neapel, nápoles, napels",
  "venezia, venice, venedig, venise, venecia, veneza, venetië",
  "madrid, マドリード, マドリッド",
  "barcelona, barcelone, barcellona, バルセロナ",
  "sevilla, seville, séville, siviglia, sevilha",
  "lisboa, lisbon, lissabon, lisbonne, lisbona, リスボン",
  "porto, oporto, ポルト",
  "praha, prague, prag, praga, praag, プラハ",
  "warszawa, warsaw, warschau, varsovie, varsovia, varsavia, varsóvia, ワルシャワ",
  "københavn, copenhagen, kopenhagen, copenhague, copenaghen, コペンハーゲン",
  "stockholm, estocolmo, stoccolma, ストックホルム",
  "göteborg, gothenburg, gotemburgo",
  "oslo, オスロ",
  "helsinki, helsínquia, ヘルシンキ",
  "moskva, moscow, moskau, moscou, moscú, mosca, moscovo, moskou, モスクワ",
  "athina, athens, athen, athènes, atenas, atene, athene, アテネ",
  "istanbul, estambul, istambul, イスタンブール",
  "new york, new york city, nueva york, nova york, nova iorque, ニューヨーク",
  "san francisco, サンフランシスコ",
  "los angeles, los ángeles, ロサンゼルス",
  "boston, ボストン",
  "chicago, シカゴ",
  "seattle, シアトル",
  "toronto, トロント",
  "tokyo, tokio, tóquio, 東京",
  "osaka, 大阪",
  "kyoto, kioto, 京都",
  "beijing, peking, pékin, pekín, pechino, pequim, 北京",
  "shanghai, shanghái, xangai, sjanghai, 上海",
  "seoul, séoul, seúl, ソウル",
  "singapore, singapur, singapour, singapura, シンガポール",
  "sydney, sídney, シドニー",
  "são paulo, sao paulo, san paolo, サンパウロ",
  "oldenburg, oldenbourg, オルデンブルク"
]
let known: ReadonlyMap<string, number> | undefined
const cityNumber = (name: string): number | undefined =>
  (known ??= new Map(cities.flatMap((line, n) => line.split(", ").map((one) => [one, n] as const)))).get(name)

/** Regions are larger than a city, so they contradict no city. */
const regions = new Set(
  ("europe, europa, asia, africa, scandinavia, skandinavien, bavaria, bayern, bavière, baviera, saxony, sachsen, " +
    "hesse, hessen, california, kalifornien, texas, silicon valley, bay area, catalonia, cataluña, catalunya, " +
    "lombardy, lombardia, tuscany, toscana, andalucía, normandie, bretagne, provence, flanders, vlaanderen, brabant, " +
    "wales, scotland, northern germany, norddeutschland, ruhrgebiet, new england, florida, ontario, quebec, " +
    "british columbia, galicia, piemonte, veneto, algarve, alentejo").split(", ")
)

/** Whether two words differ so little that they may be the same name in two languages. */
const isSimilar = (a: string, b: string): boolean => {
  const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "")
  const [x, y] = [plain(a), plain(b)]
  return x === y || x.includes(y) || y.includes(x) || x.slice(0, 4) === y.slice(0, 4)
}

const latin = /^[\p{Script=Latin}\p{M}\s.'’-]+$/u

/** Whether `stated` means the city `own`; null if that is uncertain, or if `stated` is not a city. */
export const sameCity = (own: string, stated: string): boolean | null => {
  const [a, b] = [own.toLowerCase(), stated.toLowerCase()]
  if (a === b) return true
  if (countryOf(b) !== null || regions.has(b)) return null
  const [x, y] = [cityNumber(a), cityNumber(b)]
  if (x !== undefined && x === y) return true
  if (x !== undefined && y !== undefined) return false
  return latin.test(a) && latin.test(b) && !isSimilar(a, b) ? false : null
}
