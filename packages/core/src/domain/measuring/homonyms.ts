/**
 * Names that are ordinary words, and the neighbours by which a reader knows that the word is meant (M17): "Apple pie", "Target
 * audience", "ein Ring". A kept list: what it does not know stays a mention, so that no company loses one by a guess. So it holds
 * no word that may stand beside a company as well: none that goes on with a sentence ("Boots and", "Gap in"), no verb ("Fossil
 * records"), nothing that companies have ("Visa fees", "Target customers").
 */
import { CLASS_NONE, classOf } from "./characters.ts"
import { type FoldedText, toComparisonForm, WRITTEN_LOWER } from "./comparisonForm.ts"
import { sliceUnits, SPACE } from "./offsetText.ts"

/** Words after a name, `+` = also with further letters ("pie+": pies). After `<`, words before it. In any capitals. */
const list = `
alpine: skiing climate meadow+ lake+ flora village+
amazon: rainforest+ river+ basin jungle forest forests tribe+ parrot+
apple: pie pies juice cider+ tree+ sauce+ crumble orchard+ blossom peel vinegar tart tarts butter slice cake cakes strudel fritter+ cobbler
ally: < closest
blink: reflex
bloom: time period season
bolt: cutter+ hole+ pattern circle < lightning
boots: < hiking ankle leather cowboy rubber
canon: law
chase: scene+ sequence+
claro: oscuro
coach: potato bus buses trip trips passenger+ < head life tennis football
corona: virus pandemic+ pandemie+ crisis krise regeln test
delta: variant+ variante+ wave function method airfoil river+ < mekong nile ganges
dove: chick chicks feather+ hunting tail < mourning turtle peace
eagle: scout+ eye nest nests chick chicks < bald golden
express: train lane lanes written consent
fossil: fuel fuels evidence hunting
free: trial trials delivery shipping
frisk: luft salat
gap: year years filler+ < wage
galaxy: cluster+ formation brain < spiral dwarf
jaguar: cub cubs habitat population+ < wild
kayak: paddle+ fishing
klar: himmel vaeder vader
lotus: flower+ root roots pose blossom+ seed seeds birth
mango: tree+ juice lassi smoothie+ chutney salsa maduro+ slice slices sticky
mars: rover+ missions orbit orbits atmosphere probe probes landing
mela: verde cotta rossa
meta: description+ tag fisica
mint: tea leaf condition sauce chutney
nest: box boxes egg eggs building < bird
orange: juice peel zest tree+ blossom marmalade slice juicer+ grove+ pressee+ amere+ sanguine+ soda
oracle: bone bones < delphic
pampers: < he she
patagonia: region trip trips chilena
play: dough ground
plus: size grand tard
polar: bear bears vortex night nights bond bonds coordinate coordinates
puma: cub cubs concolor
purple: rain flower+ cabbage
ram: memory
ring: finger+ binder+ size sizes road roads bearer+ shaped < wedding engagement gold diamond key boxing napkin nose ein einen einem eines
rose: garden+ bush+ petal+ water wine wines hip hips quartz < eine einer rote gelbe weisse
sabah: kahvalti+ namazi
sage: leaf tea green
seat: belt belts cushion+ < toilet child window
sharp: knife knives pain pains
shell: script scripts command prompt shock game fish < egg snail turtle
slack: tide jaws
smart: watch city cities goal goals
sole: cocente source mare < rubber
square: meter meters metre metres foot feet root roots mile miles inch dance dances peg kilometer+ kilometre+ bracket+ < town
star: wars fish fruit
steam: engine engines train iron irons cleaner+ room rooms wand wands bath baths
stern: warning look < ein einem einen eines
bild: < ein einem eines schoenes dieses
spiegel: < ein einem einen
brand: < ein einem einen eines
subway: station stations train tunnel tunnels map ride rides car cars fare
sun: light screen flower+ glass+ burn
swift: river
target: audience+ date dates language+ heart practice weight keyword+ temperature+
tide: pool pools table gauge gauges < high low red
total: number amount
vans: < delivery mini cargo camper
vision: loss test board boards problems
visa: application+ waiver+ interview+ < tourist student entry schengen
virgin: olive oil forest+ mary birth < extra
wise: man men words person guy guys woman women choice
yahoo: serious
zoom: lens+ < optical
лента: новостей шириной времени транспортера клейкая < клейкая магнитная
магнит: неодимовый < неодимовый
мир: < весь этот
яблоко: раздора зеленое красное
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

/** The word behind; a colon is one: a name before it is a heading, whatever stands before. */
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
