/**
 * Names that are also ordinary words, and the neighbouring words that show that the ordinary word is meant (M17):
 * "Apple pie", "Target audience", "ein Ring". Only a neighbour in this list removes a mention. The list contains no
 * word that can also follow a company's name: no function word ("Boots and", "Gap in"), no verb ("Fossil records") and
 * nothing that companies have ("Visa fees", "Target customers").
 */
import { type FoldedText, toComparisonForm, WRITTEN_LOWER, WRITTEN_UPPER } from "./comparisonForm.ts"
import { opensSentence } from "./imperatives.ts"
import { endOfNext, wordAfter, wordBefore } from "./neighbours.ts"
import { SPACE } from "./offsetText.ts"

/**
 * Each line has a name and the words after it, in any case; after `<`, the words before it. `+` allows further letters
 * ("pie+": pies), `_` joins two words. `^` after a name requires lower case and a name that opens its sentence ("Claro
 * que sí"); before a name it requires a capital ("Der Ring passt"). `!` marks a word before the name that decides, no
 * matter what follows ("Taylor Swift"). A word with a diacritic, such as "über", is the ordinary word wherever the
 * answer has the diacritic.
 */
const list = `
ally: < closest
alpine: skiing climate meadow+ lake+ flora village+
amazon: rainforest+ river+ basin jungle forest forests tribe+ parrot+ dolphin+
apple: pie pies juice cider+ tree+ sauce+ crumble blossom peel vinegar tart tarts butter slice cake cakes strudel fritter+ cobbler varieties crisp dumpling+ orchard+
bild: < ein einem eines schoenes dieses das jedes
blink: reflex
bloom: time period season
bol: < een
bolt: cutter+ hole+ pattern circle < lightning !usain
boots: < hiking ankle leather cowboy rubber
brand: < ein einem einen eines dem den
canon: law
chase: scene+ sequence+
claro: oscuro ^que ^esta
coach: potato bus buses trip trips passenger+ < head life tennis football
corona: virus pandemic+ pandemie+ crisis krise regeln test
dash: of_salt of_pepper cam cams
delta: variant+ variante+ wave function method airfoil river+ smelt < mekong nile ganges
discover: ^how ^why ^what ^where
dove: chick chicks feather+ hunting tail < mourning turtle peace
eagle: scout+ eye nest nests chick chicks < bald golden
express: train lane lanes written consent
fossil: fuel fuels evidence hunting
free: trial trials delivery shipping ^of_charge
frisk: luft salat
galaxy: cluster+ formation brain < spiral dwarf
gap: year years filler+ < wage
guess: ^what ^how ^who
hemma: ^hos
jaguar: cub cubs habitat population+ < wild
kayak: paddle+ fishing
klar: himmel vaeder vader
lotus: flower+ root roots pose blossom+ seed seeds birth eater+ leaf leaves
mango: tree+ juice lassi smoothie+ chutney salsa maduro+ slice slices sticky con_chile
mars: rover+ missions orbit orbits atmosphere probe probes landing
mela: verde cotta rossa
mercury: poisoning retrograde thermometer+ vapor vapour
meta: description+ tag fisica ^de_ahorro final_de
mint: tea leaf condition sauce chutney
monday: morning mornings evening evenings afternoon afternoons night nights < every last next
nest: box boxes egg eggs building < bird
notion: ^that
oracle: bone bones < delphic
orange: juice peel zest tree+ blossom marmalade slice juicer+ grove+ pressee+ amere+ sanguine+ soda bell_pepper bell_peppers
pampers: < he she
patagonia: region trip trips chilena
play: dough ground
plus: size grand tard ^tego
polar: bear bears vortex night nights bond bonds coordinate coordinates
puma: cub cubs concolor
purple: rain flower+ cabbage
ram: memory
ring: finger+ binder+ size sizes road roads bearer+ shaped of_fire < wedding engagement gold diamond key boxing napkin nose ein einen einem eines ^der den jeder jeden
rose: garden+ bush+ petal+ water wine wines hip hips quartz < eine einer rote gelbe weisse die der jede diese
sabah: kahvalti+ namazi ^erken ^erkenden
sage: leaf tea green
seat: belt belts cushion+ < toilet child window
sharp: knife knives pain pains
shell: script scripts command prompt shock game fish commands_are < egg snail turtle
slack: tide jaws ^tides
smart: watch city cities goal goals
sole: cocente source mare e_mare e_vento e_pioggia e_luna < rubber
spiegel: < ein einem einen jeder
square: meter meters metre metres foot feet root roots mile miles inch dance dances peg kilometer+ kilometre+ bracket+ < town !times !trafalgar !sloane
star: wars fish fruit
steam: engine engines train iron irons cleaner+ room rooms wand wands bath baths
stern: warning look < ein einem einen eines jeder jeden dieser
subway: station stations train tunnel tunnels map ride rides car cars fare
sun: light screen flower+ glass+ burn
swift: river < !taylor !jonathan
target: audience+ date dates language+ heart practice weight keyword+ temperature+ ^group
tide: pool pools table gauge gauges < high low red
total: number amount ^des ^of ^do ^dos ^del ^delle cost_of price_of geral
über:
vans: < delivery mini cargo camper
virgin: olive oil forest+ mary birth < extra
visa: application+ waiver+ interview+ free_entry free_travel on_arrival < tourist student entry schengen
vision: loss test board boards problems
vivo: ^aqui ^aca
wise: man men words person guy guys woman women choice
yahoo: serious
zoom: lens+ < optical
лента: новостей шириной времени транспортера клейкая < клейкая магнитная
магнит: неодимовый на_холодильник притягивает < неодимовый
мир: < весь этот
яблоко: раздора зеленое красное
`

/** A neighbouring word that shows that the ordinary word is meant. */
interface Neighbour {
  /** One word, or two words with a space between them, in comparison form. */
  readonly text: string
  /** Whether further letters may follow. */
  readonly begins: boolean
  /** Whether the neighbour counts only in lower case, after a name that opens its sentence. */
  readonly opening: boolean
}

/** The neighbouring words that show that a name is the ordinary word. */
export interface Homonym {
  readonly after: ReadonlyArray<Neighbour>
  /** Words before a name that stands alone. A word with `^` must have a capital. */
  readonly before: ReadonlySet<string>
  /** Words before a name that decide, no matter what follows. */
  readonly first: ReadonlySet<string>
  /** Whether the ordinary word has a diacritic that the name lacks: "Über" and Uber. */
  readonly marked: boolean
}

const hasMark = (word: string): boolean => /\p{M}/u.test(word.normalize("NFD"))

const wordsOf = (text: string): ReadonlyArray<string> => text.split(" ").filter((one) => one !== "")

const parseNeighbour = (text: string): Neighbour => ({
  text: toComparisonForm(text.replace(/[+^]/g, "").replace("_", " ")),
  begins: text.endsWith("+"),
  opening: text.startsWith("^")
})

const parseLine = (line: string): readonly [string, Homonym] => {
  const [word = "", neighbours = ""] = line.split(/:\s*(.*)/s)
  const [after = "", before = ""] = neighbours.split("<")
  const beforeOf = (always: boolean) =>
    wordsOf(before).filter((one) => one.startsWith("!") === always).map((one) =>
      (one.startsWith("^") ? "^" : "") + toComparisonForm(one.replace(/[!^]/, ""))
    )
  return [
    toComparisonForm(word),
    {
      after: wordsOf(after).map(parseNeighbour),
      before: new Set(beforeOf(false)),
      first: new Set(beforeOf(true)),
      marked: hasMark(word)
    }
  ]
}

// The homonyms by name, built on first use.
let homonyms: ReadonlyMap<string, Homonym> | undefined

/** The homonym of `name`, whose comparison form is `form`; undefined if the list has none. */
export const findHomonym = (form: string, name: string): Homonym | undefined => {
  homonyms ??= new Map(list.trim().split("\n").map(parseLine))
  const found = homonyms.get(form)
  return found?.marked === true && hasMark(name) ? undefined : found
}

const COLON = 0x3a

/** Whether a colon follows. A name before a colon is a heading, no matter what precedes it. */
const endsHeading = ({ units }: FoldedText, end: number): boolean =>
  units[end] === COLON || (units[end] === SPACE && units[end + 1] === COLON)

/** Words that continue the sentence, so that a name before them stands alone. */
const functionWords = new Set(
  ("ist war hat am an in im auf aus und der die das mit nicht fur von zu weg sagt kostet " +
    "is was are were has had that of on at and or with to for from in which by van").split(" ")
)

/**
 * German articles. German capitalises nouns, not verbs: "Der Ring passt" is about the ordinary word, "Der Ring Alarm"
 * about the company's product.
 */
const germanArticles = new Set(
  "der die das dem den ein eine einem einen einer eines jeder jede jedes jeden dieser diese dieses".split(" ")
)

/** Whether a name stands alone, because the sentence continues or ends after it. */
const standsAlone = (text: FoldedText, end: number, before: string): boolean => {
  if (endsHeading(text, end)) return false
  const next = wordAfter(text, end)
  return next === "" || functionWords.has(next) ||
    (germanArticles.has(before) && text.units[end] === SPACE && text.written[end + 1] === WRITTEN_LOWER)
}

/**
 * Whether the neighbours of the name at `[start, end)`, written with one capital, show that it is the ordinary word.
 * `raw` is the answer as received.
 */
export const isOrdinaryWord = (
  text: FoldedText,
  homonym: Homonym,
  start: number,
  end: number,
  raw: string
): boolean => {
  if (homonym.marked) return hasMark(raw.slice(text.from[start], text.to[end - 1]))
  if (text.written[start + 1] !== WRITTEN_LOWER) return false
  const next = wordAfter(text, end)
  const two = next === "" ? "" : `${next} ${wordAfter(text, endOfNext(text, end))}`
  const fits = ({ begins, opening, text: wanted }: Neighbour): boolean => {
    const found = wanted.includes(" ") ? two : next
    return (begins ? found.startsWith(wanted) : found === wanted) &&
      (!opening || (text.written[end + 1] === WRITTEN_LOWER && opensSentence(text, start)))
  }
  if (next !== "" && homonym.after.some(fits)) return true
  if (homonym.before.size + homonym.first.size === 0) return false
  const before = wordBefore(text, start)
  // "mein Ring" is the ordinary word, but "eine Ring Kamera" and "a Coach bag" are products
  const capital = text.written[start - 1 - before.length] === WRITTEN_UPPER && homonym.before.has(`^${before}`)
  return homonym.first.has(before) || ((capital || homonym.before.has(before)) && standsAlone(text, end, before))
}
