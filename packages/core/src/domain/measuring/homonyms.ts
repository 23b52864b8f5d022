/**
 * Names that are ordinary words, and the neighbours by which a reader knows that the word is meant (M17): "Apple pie", "Target
 * audience", "ein Ring". A kept list: what it does not know stays a mention, so that no company loses one by a guess.
 */
import { CLASS_NONE, classOf } from "./characters.ts"
import { type FoldedText, toComparisonForm, WRITTEN_LOWER } from "./comparisonForm.ts"
import { sliceUnits, SPACE } from "./offsetText.ts"

/** Words after a name, `+` = also with further letters ("pie+": pies). After `<`, words before it. In any capitals. */
const list = `
alpine: skiing climate meadow+ lake+ plant+ flora village+
amazon: rainforest+ river+ basin jungle forest+ delta tribe+ parrot+
apple: pie+ juice+ cider+ tree+ sauce+ crumble+ orchard+ blossom+ seed+ core+ peel+ vinegar tart+ butter slice+ cake+ strudel fritter+ cobbler turnover+
ally: < our an my closest
blink: of rate+ reflex < eyes
bloom: time+ period season
bolt: cutter+ hole+ pattern circle < lightning door a
boots: and made < hiking ankle leather cowboy rubber snow work winter
canon: law of
chase: scene+ sequence+
claro: que esta oscuro
coach: potato bus+ trip+ passenger+ < a the your head life tennis football
corona: virus pandemic+ pandemie+ crisis krise cases regeln test+ solar
crest: of
delta: variant+ variante+ wave+ function+ method airfoil river+ < mekong nile ganges
discover: how why more what
dove: chick+ feather+ hunting tail < mourning turtle white peace
eagle: scout+ eye+ nest+ chick+ < bald golden
express: train+ lane+ delivery written consent
fossil: fuel+ record+ remains evidence hunting
free: of trial+ delivery shipping from time will
frisk: luft salat
gap: year+ analysis junior filler+ between in < wage pay the
guess: what who how again work
galaxy: cluster+ formation brain < spiral our dwarf
hemma: hos i
jaguar: cub+ habitat population+ < wild
kayak: tour+ trip+ rental+ paddle+ fishing
klar: himmel vaeder vader dass
lotus: flower+ position root+ pose blossom+ seed+ birth
mango: tree+ juice lassi smoothie+ chutney salsa season maduro+ con verde+ slice+ sticky
mars: rover+ mission+ orbit+ atmosphere probe+ landing
mela: verde cotta rossa al e
meta: analysis analyses description+ tag+ data final de del fisica
mint: tea leaf leaves condition sauce chutney
nest: box+ egg+ building < bird
notion: that of
orange: juice+ peel+ zest tree+ blossom+ marmalade slice+ juicer+ grove+ pressee+ amere+ sanguine+ soda
oracle: bone+ of < delphic
pampers: < he she
patagonia: region trip+ argentina chilena trek+
play: a the with dough store+ ground time
plus: jest tego size tax que grand tard
polar: bear+ vortex night+ bond+ coordinate+
puma: cub+ concolor
purple: rain color flower+ cabbage
ram: memory air
ring: finger+ binder+ size+ road+ tone+ bearer+ light+ shaped < wedding engagement gold diamond key boxing napkin nose ein einen einem eines mein meinen dein deinen kein keinen 
rose: garden+ bush+ petal+ water wine+ hip+ quartz im < eine einer meine deine keine rote gelbe weisse
sabah: erken kahvalti+ namazi aksam saat
sage: advice leaf leaves tea green
seat: belt+ cushion+ post+ of < car toilet child window
sharp: knife knives edge+ pain+ turn+ object+
shell: script+ command+ company companies prompt shock game+ fish < egg sea snail turtle
slack: line tide time jaws
smart: phone+ home+ watch+ goal+ city cities
sole: e cocente source mare < rubber
square: meter+ metre+ foot feet root+ mile+ inch+ dance+ peg kilometer+ kilometre+ bracket+ < town market
star: wars sign+ system+ fish fruit
steam: engine+ train+ iron+ cleaner+ room+ wand+ bath+
stern: warning+ look+ < ein einem einen eines 
bild: < ein einem eines mein schoenes kein dieses
spiegel: < ein einem einen mein im
brand: < ein einem einen eines
subway: station+ train+ line+ tunnel+ map+ system+ ride+ car+ fare+
sun: light screen set flower+ glass+ burn
swift: action response current+ river
target: audience+ group+ market+ date+ language+ heart price+ practice score+ weight keyword+ temperature+ customer+ zone+ demographic+ user+ range
tide: pool+ table+ turns gauge+ < high low red
total: des de of cost+ number amount price+ dos del :
twist: of
vans: and < moving delivery mini cargo camper
vision: loss test+ board+ care problem+
visa: application+ requirement+ waiver+ policy policies fee+ interview+ office+ type+ status holder+ sponsor+ on < tourist student work entry transit travel schengen
virgin: olive oil forest+ mary birth < extra
vivo: em aqui ha na no con solo en
wise: man men words person old guy+ woman women decision+ choice+
yahoo: serious
zoom: lens+ in out level+ range into < optical digital
лента: новостей шириной времени транспортера клейкая для < клейкая магнитная
магнит: на притягивает для неодимовый < неодимовый
мир: во и без вокруг < весь этот
яблоко: от раздора зеленое красное
`

/** What stands beside a name where it is the ordinary word. */
export interface Homonym {
  readonly after: ReadonlyArray<string>
  readonly before: ReadonlySet<string>
}

const parseLine = (line: string): readonly [string, Homonym] => {
  const [word = "", neighbours = ""] = line.split(/: (.*)/s)
  const [after = "", before = ""] = neighbours.split("<")
  const words = (text: string): ReadonlyArray<string> =>
    text.split(" ").filter((one) => one !== "").map((one) => one.endsWith("+") ? one : toComparisonForm(one))
  return [toComparisonForm(word), { after: words(after), before: new Set(words(before)) }]
}

// Built on first use and kept: a pure function of the data.
let homonyms: ReadonlyMap<string, Homonym> | undefined

/** What is known of a name in comparison form that is an ordinary word; undefined for all others. */
export const findHomonym = (form: string): Homonym | undefined => {
  homonyms ??= new Map(list.trim().split("\n").map(parseLine))
  return homonyms.get(form)
}

const maxWordLength = 20
const COLON = 0x3a

const wordAfter = (text: FoldedText, end: number): string => {
  const { length, units } = text
  if (units[end] === COLON || (units[end] === SPACE && units[end + 1] === COLON)) return ":"
  if (end >= length || (units[end] !== SPACE && units[end] !== 0x2d)) return ""
  let stop = end + 1
  while (stop < length && stop - end <= maxWordLength && classOf(units[stop]!) !== CLASS_NONE) stop++
  return sliceUnits(text, end + 1, stop)
}

const wordBefore = (text: FoldedText, start: number): string => {
  const { units } = text
  if (start < 2 || units[start - 1] !== SPACE) return ""
  let from = start - 1
  while (from > 0 && start - from <= maxWordLength && classOf(units[from - 1]!) !== CLASS_NONE) from--
  return sliceUnits(text, from, start - 1)
}

/** Words that go on with the sentence: before them the name stands alone. */
const functionWords = new Set(
  ("ist war hat am an in im auf aus und der die das mit nicht fur von zu weg sagt kostet " +
    "is was are were has had that of on at and or with to for from in which by").split(" ")
)
const isFunctionWord = (word: string): boolean => functionWords.has(word)

/** Whether the neighbours of the name at `[start, end)`, written with one capital, show that the ordinary word is meant. */
export const isOrdinaryWord = (text: FoldedText, { after, before }: Homonym, start: number, end: number): boolean => {
  if (text.written[start + 1] !== WRITTEN_LOWER) return false
  const next = wordAfter(text, end)
  if (next !== "" && after.some((one) => one.endsWith("+") ? next.startsWith(one.slice(0, -1)) : next === one)) {
    return true
  }
  // "mein Ring" is none of Ring's, "eine Ring Kamera" and "a Coach bag" are
  return before.size > 0 && (next === "" || isFunctionWord(next)) && before.has(wordBefore(text, start))
}
