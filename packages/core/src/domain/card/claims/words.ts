/**
 * The words by which statements about a company are read, in all eight languages together: English, German, French,
 * Spanish, Italian, Portuguese, Dutch and Japanese. A `*` stands for any ending.
 */

const escape = (word: string): string => word.replace(/[.+?^${}()|[\]\\]/g, "\\$&")
const spaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Builds a pattern that finds these comma-separated words: Japanese words anywhere, others between word boundaries. */
export const wordPattern = (list: string, flags = "giu"): RegExp => {
  const words = list.split(",").map((word) => word.trim()).filter((word) => word !== "")
  const forms = words.map((word) => {
    const form = escape(word).replaceAll("*", "[\\p{L}]*").replaceAll(" ", "[\\s-]+")
    return spaced.test(word) ? form : `(?<![\\p{Script=Latin}\\p{N}])${form}(?![\\p{Script=Latin}\\p{N}])`
  })
  return new RegExp(forms.length === 0 ? "(?!)" : forms.join("|"), flags)
}

/** Words that introduce a fact. */
export const cues = {
  founded:
    "founded, established, founding, inception, dates back to, dates from, incorporated, gegründet*, Gründung*, " +
    "besteht seit, gibt es seit, fondé, fondée, créé, créée, fondation, création, fundada, fundado, fundó, creada, " +
    "creado, fundación, fondata, fondato, nata, nato, fondazione, criada, criado, fundação, opgericht*, oprichting*, " +
    "設立, 創業, 創立",
  founder: "founded by, founder, founders, co-founder, cofounder, co-founded by, gegründet, Gründer, Gründerin, " +
    "fondé par, fondée par, fondateur, fondatrice, fundada por, fundado por, fundador, fundadora, fondata da, " +
    "fondato da, fondatore, fondatrice, opgericht door, oprichter, oprichtster, 創業者, 創設者",
  employees: "employees, employee, staff, workforce, headcount, people, workers, Mitarbeiter*, Mitarbeitende*, " +
    "Beschäftigte*, Angestellte*, Menschen, beschäftigt, salariés, employés, collaborateurs, personnes, empleados, " +
    "trabajadores, plantilla, personas, dipendenti, persone, addetti, funcionários, trabalhadores, colaboradores, " +
    "pessoas, medewerkers, werknemers, personeelsleden, mensen, 従業員, 社員",
  seat:
    "headquartered, headquarters, HQ, head office, based, Sitz, Hauptsitz, Firmensitz, Zentrale, sitzt, ansässig, " +
    "siège, siège social, basé, basée, installée, sede, sede central, sede social, con sede, ubicada, gevestigd, " +
    "hoofdkantoor, hoofdkwartier, 本社, 本拠",
  leader: "CEO, chief executive, chief executive officer, managing director, Geschäftsführer, Geschäftsführerin, " +
    "Vorstandsvorsitzender, Vorstandsvorsitzende, PDG, directeur général, directrice générale, dirigée par, " +
    "dirigé par, director general, directora general, consejero delegado, consejera delegada, " +
    "amministratore delegato, amministratrice delegata, diretor executivo, diretora executiva, directeur, " +
    "directrice, led by, geleid door, 最高経営責任者, 社長, 代表取締役",
  telephone: "phone, telephone, tel, call, Telefon, Telefonnummer, téléphone, teléfono, telefono, telefone, " +
    "telefoon, telefoonnummer, 電話",
  price: "price, priced, costs, cost, sells, retails, available, Preis, kostet, prix, coûte, vendue, precio, cuesta, " +
    "vale, prezzo, costa, preço, custa, prijs, kost, 価格, 値段, 購入"
}

/** Matches the job titles that a `leader` statement can contain. */
export const leaderTitlePattern = wordPattern(`${cues.leader}, président-directeur général, Geschäftsführung`, "iu")

/**
 * Words that may occur between a name, a cue and a value without changing the statement. Any other word there can refer
 * to another subject, so no contradiction is reported across it.
 */
const filler = new Set(
  ("is are was were has have had been be the a an of in at its and to with on as around about roughly approximately " +
    "some nearly almost only just currently now today also company firm brand maker manufacturer business year " +
    "total worldwide globally team size number count costs cost price priced sells retails for available employs " +
    "counts gives offers grants provides holds comes runs reaches stands located led city town rated rating back " +
    "between works operates measured certified certification certificate covers covered lasts all machines products period level noise warranty guarantee announced named " +
    "der die das den dem des ein eine einen einem einer ist sind hat haben wurde wird im in am aus bei mit von und " +
    "zu zum rund etwa circa ca ungefähr knapp fast nur derzeit aktuell heute jahr jahre firma unternehmen hersteller " +
    "marke seit anno seine seinen seinem ihre ihren ihrem arbeiten beschäftigt zählt kostet preis von liegt beträgt " +
    "bietet wird wurden zwischen läuft arbeitet zertifiziert bietet gewährt gibt auf alle geräte sehr geleitet befindet sich stadt hauptsitz sitz weltweit insgesamt " +
    "le la les l un une des du de d est sont a été fut en à au aux dans avec et par environ près quelque plus ses " +
    "son sa se trouve situé située compte entre fonctionne atteint certifié certifiée donne emploie offre propose coûte prix société entreprise marque fabricant " +
    "dont ville actuellement aujourd hui seulement monde siège social directeur garantie durée niveau sonore " +
    "el los las uno unos unas es son fue está ha sido se y con por cerca alrededor aproximadamente su sus tiene " +
    "cuenta entre funciona alcanza certificado certificada dispone emplea ofrece empresa compañía marca fabricante ciudad año actualmente sólo solo todo mundo precio " +
    "cuesta central encuentra ubicada garantía " +
    "il lo gli uno e è sono stata stato nel nella dal al ad da di del della dello dell con circa quasi si trova " +
    "ha tra fra funziona certificato certificata dà conta impiega offre azienda società marca produttore anno attualmente oggi solo mondo prezzo costa sua suo " +
    "lavorano dura raggiunge garanzia città " +
    "o os as um uma uns é foi está tem no na nos nas do da dos das em com por cerca aproximadamente entre funciona atinge certificada certificado dá emprega oferece " +
    "conta fica empresa marca fabricante ano atualmente hoje apenas mundo preço custa cidade garantia sua seu " +
    "de het een is zijn werd wordt heeft tussen werkt gecertificeerd hebben van in te op bij met en door ongeveer circa bijna telt geeft biedt " +
    "bedrijf merk fabrikant jaar momenteel vandaag slechts wereldwijd prijs kost kosten staat ligt werken stad " +
    "garantie sinds naar").split(" ")
)
/** Verbs that connect a name with a description of it, as in "is a quiet coffee machine maker". */
const copula =
  /^[\s,]*(?:is|are|ist|est|es|è|é|was|remains|bleibt|reste)\s+(?:an?|one|ein|eine|une?|una|uno|um|uma|een)\s/iu
/** Words within such a description that introduce somebody else. */
const bringsOthers = wordPattern(
  "from, against, than, owned, rival, competitor, supplier, subsidiary, division, part, gegen, als, Tochter*, Teil, " +
    "Konkurrent*, Lieferant*, rivale, concurrent*, filiale, fournisseur, parte, rival, proveedor, filial, " +
    "concorrente, fornitore, controllata, fornecedor, dochter*, onderdeel, concurrent, leverancier",
  "iu"
)
const japaneseFiller = /^[\sはのにをがでもと、（）()：:・数約年月日人名台現在価格期間保証機種製品企業会社等級]*$/u

/** Whether `gap` has only filler words, or a short description after a form of "is" that introduces nobody else. */
export const isFiller = (gap: string): boolean => {
  if (gap.length > 120 || /[.;!?。]/u.test(gap.replaceAll("ca.", "")) || /[0-9]/.test(gap)) return false
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(gap)) return japaneseFiller.test(gap)
  const words = gap.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.every((word) => filler.has(word.toLowerCase()) || word === "s")) return true
  return copula.test(gap) && words.length <= 9 && !bringsOthers.test(gap)
}

/** Words that show that a statement is not asserted as true now: conditions, doubt, wishes. */
export const hypothetical = wordPattern(
  "if, would, could, might, perhaps, maybe, whether, suppose, supposedly, rumor*, rumour*, allegedly, wenn, falls, " +
    "würde*, wäre*, hätte*, könnte*, vielleicht, ob, angeblich, soll, serait, aurait, pourrait, peut-être, " +
    "avait été, podría, sería, quizá, quizás, tal vez, hubiera, hubiese, potrebbe, sarebbe, fosse, avrebbe, forse, " +
    "poderia, seria, talvez, tivesse, fosse, zou, zouden, misschien, mogelijk, もし, かもしれ, でしょう, だろう, たら",
  "iu"
)
/** A condition at the beginning of a sentence, in languages where the word is common in other places. */
export const condition = /^\s*(?:si|s'|se|als|were)\s/iu

/** Words for what was true earlier or will be true later: "until", "former", "will be". */
export const otherTimeWords = wordPattern(
  "until, formerly, former, previous, previously, ex, once, ago, last year, back then, originally, used to, will, " +
    "plans to, Black Friday, on sale, sale price, discount*, refurbished, second-hand, reduziert*, gebraucht*, " +
    "Angebot, solde*, occasion, rebaja*, oferta, sconto, offerta, usato, promoção, aanbieding, tweedehands, セール, 中古, " +
    " bis, früher*, ehemalig*, vormals, einst, damals, vorige*, vor, noch, erst, künftig, " +
    "ancien*, autrefois, jadis, dernière, dernier, jusqu, jusque, anterior, antiguo, antigua, hasta, antes, pasado, " +
    "precedente, fino, scorso, scorsa, antigo, antiga, até, passado, anteriormente, voormalig*, vroeger*, tot, " +
    "destijds, vorig, 当時, 元, 以前, かつて, 前",
  "iu"
)
/** Verbs in the past tense, for facts that are stated in the present tense. */
export const past = wordPattern(
  "was, were, had, used, employed, hatte, hatten, war, waren, kostete, beschäftigte, arbeiteten, avait, avaient, " +
    "était, étaient, comptait, coûtait, employait, tenía, tenían, era, costaba, contaba, aveva, avevano, costava, " +
    "contava, tinha, tinham, custava, contava, had, hadden, kostte, telde, でした, だった",
  "iu"
)

export const negationWords = wordPattern(
  "not, no, never, n't, isn't, doesn't, don't, wasn't, cannot, without, nicht, kein*, nie, ohne, ne, n, pas, jamais, " +
    "sans, sin, nunca, non, mai, senza, não, nem, sem, niet, geen, zonder, nooit, ない, ません, なく",
  "iu"
)

/** Words before a name that make it the standard of a comparison, or something that belongs to somebody else. */
export const otherRole =
  /(?:^|[^\p{L}])(?:unlike|like|than|as|than the|like the|wie|als|gegensatz zu|anders als|contrairement à|comme|que|diferencia de|como|differenza di|come|contrário d[ao]|anders dan|zoals)\s+(?:the\s+|die\s+|der\s+|la\s+|a\s+|o\s+|de\s+)?$/iu
/** Words before a name that make it part of a phrase about something else: "a rival of Acme". */
export const genitive =
  /[^\s]\s+(?:of|by|from|with|for|to|von|für|mit|zu|de|du|d'|del|di|da|della|do|van|voor|par|por|pour|per|com|con|avec|met|door)\s*(?:the\s+|der\s+|die\s+|la\s+|a\s+|o\s+)?$/iu
/** Words after a name that make it only the standard of a comparison with the words that follow. */
export const comparedAfter = /^\s*(?:と違い|とは異なり|より|と比べ)/u

/** Hedging words directly before a number. */
export const about =
  /(?:~|≈|around|about|roughly|approximately|approx\.?|some|nearly|almost|circa|ca\.?|rund|etwa|ungefähr|knapp|gut|fast|environ|près de|quelque|unos|unas|cerca de|alrededor de|aproximadamente|quasi|ongeveer|bijna|約|およそ)\s*(?:€|\$|£)?\s*$/iu
export const atLeast =
  /(?:over|more than|at least|upwards of|from|starting at|über|mehr als|mindestens|ab|plus de|au moins|à partir de|dès|más de|al menos|desde|oltre|più di|almeno|a partire da|mais de|pelo menos|a partir de|meer dan|minstens|vanaf)\s*(?:€|\$|£)?\s*$/iu
export const atMost =
  /(?:up to|less than|under|below|at most|bis zu|weniger als|unter|höchstens|jusqu'à|moins de|hasta|menos de|fino a|meno di|até|tot|minder dan|onder)\s*(?:€|\$|£)?\s*$/iu
