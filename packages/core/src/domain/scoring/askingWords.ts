/**
 * Words that only phrase a request ("what", "best", "recommend") and do not say what it is about, folded as in
 * `findTopics`.
 */

const askingWords: ReadonlySet<string> = new Set(
  `a an the of for to in on at by with and or is are am be do does did can could should would will i me my we our
    you your it its this that there what whats which who where when how why so please tell give show best top good
    great better recommend recommended recommendation recommendations suggest looking look find help shop shopping
    buy buying need want choose choosing im get getting use using worth any some place der die das den dem des ein
    eine einen einem einer eines und oder ist sind fur mit von zu auf bei gegen ich mir mich wir du kannst konnen
    soll sollte welche welcher welches welchen was wie wo wer bitte beste besten bester bestes gut gute guten
    empfehlen empfehlung empfehlungen suche eignet eignen geeignet sich kaufen le la les l un une de d et ou est
    sont pour avec sans en au aux dans sur par je moi mon ma mes nous tu vous peux peut quel quelle quels quelles
    lequel laquelle qui que quoi comment meilleur meilleure meilleurs meilleures bon bonne conseiller conseille
    recommander cherche choisir acheter faut il el los las lo una unos unas del al y o es son hay para con por sin
    yo mi nos cual cuales quien donde como mejor mejores buen bueno buena recomienda recomiendas recomiendame
    recomendar busco comprar compro elegir os as um uma da dos e com no na qual quais melhor melhores recomenda gli
    uno della di per migliore migliori quale quali consigli het een voor met van welke и или в во на для с со из за
    по до от у о об к я мне мы вы ты мой моя какой какая какое какие какую каких что где как кто лучший лучшая
    лучшее лучшие лучше посоветуйте посоветуй подскажите выбрать купить нужен нужна нужно`.split(/\s+/)
)

/** Whether a folded word only phrases a request. */
export const isAskingWord = (word: string): boolean => askingWords.has(word)

/** Phrases of requests, in scripts without spaces between words. */
export const askingPhrases =
  /おすすめ|教えて|ください|どれ|どこ|どの|なら|選ぶ|選び方|ですか|がいい|人気|推荐|哪个|哪家|最好|什么|怎么|추천|어디|어떤|가장|좋은/gu
