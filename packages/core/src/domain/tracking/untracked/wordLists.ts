/** Words that help to recognize names: words with which longer names begin, and technologies and standards. */

const toSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/**
 * Articles, given names, places and plain words with which names of several words begin: "Wells Fargo", "Le Creuset".
 */
const openers = toSet(`
a al all alpha amazing american ancient arctic arm art atlantic aurora auto bank banana beach bed best big black blue body bold book boston brave bright british broad brooklyn burt's business california canadian capital
cape carolina central chicago chocolate city classic clean clear click client close cloud club coast cold college color columbia common constant control cool copper cotton country creative credit crystal daily dairy data day de deep der di digital
direct dog double dr dr. dream duck dutch eagle early earth east easy eddie eight el electronic elf emerald empire enterprise european every face fair family fast fire first five fjord flex flying food foot forest four fox free fresh front full
future game garden gas general georgia german giant glass global go gold golden good google's grand great green grey guitar half hamilton hand happy hard harbor harvest health heart heritage high hill holy home honest honey horizn hot hotel house human
ice independent indian industrial inner instant international iron island italian jet jolly kansas key kids king kitchen la lake land las last laura lazy le lemon les leading liberty life light lincoln lion little living local london lone long los love lucky lunar mad magic
magnolia main made map master max mean men's metal metro mexican micro mid midnight milk mint mobile modern monday mono morning mother mountain movie mr mr. mrs music my national native natural navy net new next night nine no nordic north northern nova ocean oak
office old olive on once one open orange organic original our outdoor outer over pacific palm paper paris park peach pearl people people's perfect philadelphia phoenix pine pink planet play point port power premier prime prince pro proper public pure purple queen quick quiet rachael
rain rapid raw real recording red reliable rent republic rich ricardo right ring river road rock rocky roman root rose rough royal rural russian sacred safe saint sales salt san santa sand scandinavian school sea second secret self seven shadow sharp shop silent silk silver simple single six sky
slack sleep slow small smart smooth snow social soft solid sonic sound south southern space spanish speed spring square st st. star state steel stone storm straight strong studio sub sugar summer sun super sur sweet swiss tall tea team tech ten texas the third three tiger timber time tiny
tom tough tower town trade trader trail treasure tree tri true tuft twin two ultra uncle under union united universal up upper urban us valley van velvet vera victoria victory village vital von walt warm warner washington water wave web wells west western white whole wild williams wind wine winter wise wolf wonder wood
wooden work world yellow yes york young your zero
adam alan albert alex alexander alfred alice amy andrew andy ann anna anne anthony antonio barbara ben benjamin bernard betty bill billy bob bobbi brian bruno calvin carl carla carlos carol caroline catherine charles charlie charlotte chris christian christopher claire clara coco colin daniel dave david dennis diana
diane dolce don donna doris dorothy edward elena elizabeth ella ellen emily emma enzo eric erik ernest estée ethan eva evan evelyn felix fiona florence frances francesco frank franz fred frida gary george georg gerard giorgio giovanni grace hans harry heinrich helen helena henri henry hugo ian ida irene isabel ivan jack jacob
jacques james jane janet jean jeff jennifer jenny jeremy jerry jessica jim jimmy jo joan joe johan johann john johnny jon jonathan jordan josé joseph juan judith julia julian julie karen karl kate katie ken kenneth kevin kurt kylie larry laurent leo leon leonardo lily linda lisa louis louise luca lucas lucy luis luke
marc marco marcus margaret maria marie mario marion mark martha martin mary matthew matt maria michael michel miguel mike molly monica nancy natalie nathan nicholas nick nicolas nicole nina noah oliver olivia oscar otto pablo pat patricia patrick paul paula pedro peter phil philip pierre rachel ralph raymond rebecca richard rita
robert roberto robin roger roland ron rosa ruth ryan sally sam samuel sandra sarah sean sebastian sergio simon sofia sonia sophia sophie stella stephen steve steven stuart susan tara teresa terry theo theodore thomas tim timothy tina todd tommy tony tory vera vincent virginia walter wendy wilhelm william yves zoe
berlin geneva hamburg hong istanbul lisbon madrid milan moscow munich oslo oxford prague rome seoul shanghai stockholm sydney tokyo vienna zurich deutsche bayerische österreichische schweizer banca banco banque caisse crédit société galeries air
casa el grupo telefónica cervezas rede grupa bank polski pekao
`)

/** Whether longer names begin with this word. */
export const isOpener = (word: string): boolean => openers.has(word.toLowerCase().replace(/’/g, "'").replace(/'s$/, ""))

/**
 * Technologies, standards, certificates, operating systems, units, countries and institutions. They are written like
 * names, but are not competing brands.
 */
const technologies = toSet(`
2fa 3d 4g 4k 5g 5k 8k aac aaa ac ada aes ai airplay airprint alexa aluminium aluminum amoled anc android ansi api apis apr ar atm atx avif aws b2b b2c bbc bi bluetooth bpa btu carplay ccpa cd ce certipur-us chrome chromeos cli cms co2 cpa cpu cpus crm crms css csv
ddr4 ddr5 dhcp diy displayport dlna dns dolby dpi dsl dtc dts dvd ebike ecg ecommerce edi ein eq erp esg esim ethernet etf etfs eu europe excel exif faq faqs fda fhd fiba fips firewire fps ftp gaas gdpr ghz germany git gmail gps gpu gpus gpt graphql gui haptic hd hdd hdmi hdr hdr10 hdr10+ hepa hevc hifi hiit hipaa
html http https iban ifttt imap imessage imu ios iot ip ip67 ip68 ips ipv6 ipx4 ipx5 ipx7 ira iso isp it italy japan java javascript jpeg json kanban kpa kpi kpis kubernetes lan lcd ldac led leds linux llm llms lte mac macos mfa mfp midi mime mini-led mixed ml mp3 mp4 mqtt msrp mu-mimo nba ncaa nfc nfl nps
nvme oauth obd ocr oem ofdma oled open-source opensource osx otg paas pbx pc pcie pcs pdf pdfs pebax pet pfas pfoa pfos php pid png poe pos ppe ppm psu psd ptfe pvc python qhd qi qled qr ram rest rfid rgb roi rohs rom rpm rss rtx saas scrum sd sdk seo seo sepa sim sip siri sku sla sms smb smbs smtp soc soc2 soho
spain spf spo2 sql ssd ssds ssid ssl sso stem svg swot tcp teflon thunderbolt tls tn tsa tv tvs typescript uhd uk ul united-states uk us usa usb usb-a usb-c usps usps uv uva uvb ux va vat vba vo2 voip vpn vpns vr vram vrr wan watts webhooks wep wi-fi wifi windows wlan wpa wpa2 wpa3 xl xml xxl yaml york
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december christmas easter memorial labor english german french spanish italian japanese chinese european british canada canadian america american london paris berlin
men women kids adults adult privacy policy google's thank
`)

/** Whether a word names a technology, a standard or something similar. */
export const isTechnology = (word: string): boolean => technologies.has(word.toLowerCase())
