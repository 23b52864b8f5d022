/**
 * Company names that word lists contain because films mention them. The list was written for sov;
 * `scripts/buildCommonWords.ts` removes its names from the common words.
 */
import { toComparisonForm } from "./comparisonForm.ts"

/** Creates a function that returns the names of a list in comparison form, computed on first use. */
const kept = (list: string): () => ReadonlySet<string> => {
  let set: ReadonlySet<string> | undefined
  return () => set ??= new Set(list.split(" ").map(toComparisonForm))
}

/** Names that occur in no dictionary of a supported language: they count in lower case and without their legal form. */
const names = kept(
  "adidas airbnb akai alcatel asus atari auchan audi axa bacardi basf benetton bmw boeing bosch budweiser bugatti " +
    "burberry cadillac campari carlsberg chanel chevrolet citibank citroen cnn commerzbank compaq danone deloitte dhl dior " +
    "disney dyson edeka ericsson facebook fedex ferrari garmin goodyear grundig gucci haribo heineken huawei hyundai " +
    "iberdrola ibm ikea instagram intel isuzu kawasaki kia klarna kodak lamborghini lenovo lexus lidl linkedin loreal " +
    "lufthansa lvmh mastercard mattel mazda mcdonalds michelin microsoft mitsubishi motorola netflix nike nintendo nissan " +
    "nokia nvidia olivetti opel orlen panasonic paribas peugeot pfizer philips pinterest pirelli porsche prada rabobank " +
    "reddit renault revolut rolex rossmann ryanair samsung santander sanyo scania sephora skype snapchat sony spotify " +
    "starbucks subaru suzuki telekom tesco tiktok toblerone toshiba toyota trendyol unilever versace vodafone volkswagen " +
    "volvo whatsapp xiaomi yamaha youtube zalando zara " +
    // Names in other scripts, for which there is no list of common words
    "яндекс сбербанк газпром лукойл роснефть билайн вконтакте вайлдберриз касперский аэрофлот ростелеком авито тинькофф " +
    "приватбанк нафтогаз укрпошта " +
    "トヨタ トヨタ自動車 日産自動車 ホンダ 本田技研工業 ソニー 任天堂 パナソニック 日立製作所 三菱電機 三菱重工業 キヤノン ニコン オリンパス カシオ計算機 " +
    "富士通 楽天 楽天グループ ソフトバンク マツダ ヤマハ ブリヂストン ユニクロ 資生堂 武田薬品工業 キッコーマン 三井住友銀行 三菱ufj銀行 みずほ銀行 " +
    "华为 阿里巴巴 腾讯 百度 京东 字节跳动 比亚迪 格力电器 中国移动 中国银行 工商银行 台積電 鴻海 " +
    "삼성전자 현대자동차 기아자동차 엘지전자 네이버 쿠팡 하이닉스"
)

/** Names that a dictionary contains as a rare word: with a capital they count, even without their legal form. */
const companies = kept(
  "airbus barilla chrysler cisco firestone google hertz honda mercedes nestle siemens skoda tesla twitter yahoo"
)

/**
 * Names that are a word in only one language ("miele" is Italian for honey, "über" is German): in texts of other
 * languages they count in lower case.
 */
const wordsOfOneLanguage: Readonly<Record<string, string>> = {
  aldi: "tr",
  bose: "de",
  braun: "de",
  carrefour: "fr",
  fazer: "pt",
  miele: "it",
  roche: "fr",
  uber: "de"
}

/** Whether a word in comparison form is a company name that no dictionary contains. */
export const isKnownName = (form: string): boolean => names().has(form)

/** Whether a word in comparison form is a company name if it is written with a capital. */
export const isKnownCompany = (form: string): boolean =>
  names().has(form) || companies().has(form) || Object.hasOwn(wordsOfOneLanguage, form)

/** The language (ISO 639-1) in which a name in comparison form is a word; undefined unless there is exactly one. */
export const languageOfWord = (form: string): string | undefined =>
  Object.hasOwn(wordsOfOneLanguage, form) ? wordsOfOneLanguage[form] : undefined
