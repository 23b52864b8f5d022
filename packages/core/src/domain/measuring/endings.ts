/** Fixed lists of the letters that can follow or precede a name within the same word (M8, M9). */

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** Korean particles and forms of the copula that follow a name. */
export const josa = words(
  "은 는 이 가 을 를 의 에 도 만 와 과 로 으로 나 이나 랑 이랑 라 이라 란 이란 야 이야 아 여 이여 며 이며 고 이고 든 이든 요 인 " +
    "께 께서 에게 에게서 에게는 에게도 한테 한테서 한테는 에서 에는 에도 에만 에선 에서는 에서도 에서만 에서의 에서부터 " +
    "로는 로도 로만 로의 로서 로써 로부터 으로는 으로도 으로만 으로의 으로서 으로써 으로부터 와는 와도 와의 과는 과도 과의 " +
    "까지 까지는 까지도 까지의 부터 부터는 부터의 보다 보다는 보다도 처럼 처럼은 같이 하고 하고는 하고도 대로 마다 마저 조차 조차도 " +
    "밖에 밖에는 뿐 뿐만 뿐이다 커녕 은커녕 는커녕 만은 만이 만을 만의 만으로 만으로도 만큼 만큼은 만큼이나 이라는 라는 이라고 라고 " +
    "이라도 라도 이라면 라면 이라서 라서 이든지 든지 이나마 나마 이다 입니다 이며 이자 이지만 지만 이었다 였다 이에요 예요 이죠 죠 " +
    "인데 이니 이니까 이란 께서는 더러 보고 따라 치고 들 들은 들이 들을 들의 들도"
)

/** Russian, Ukrainian, Belarusian, Serbian, Bulgarian and Macedonian endings after a final consonant. */
export const cyrillicEndings = words(
  "а у ю я е є ы и і ом ем ой ою ей ам ям ах ях ами ями ов ев ів їв ови ові еві ах ат ът от та та то ам ома еми има"
)

/** Arabic one- and two-letter proclitics. */
export const arabicProclitics = words("و ف ب ل ك س ال لل وب ول وك فب فل فك وس فس")

/** Hebrew one- and two-letter proclitics. */
export const hebrewProclitics = words(
  "ו ה ב ל מ ש כ וה וב ול ומ וש וכ שה שב של שמ שכ שו כש מה מש לכ לה בה כה הב"
)
