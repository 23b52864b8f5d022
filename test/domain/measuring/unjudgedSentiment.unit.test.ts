/** Duty: an answer in a language without a lexicon has no sentiment, and one that only lists names is neutral. */
import { measureAnswer } from "@sov/core"
import { expect, it } from "vitest"

const measure = (text: string) =>
  measureAnswer({ text, brand: { name: "Northwind", aliases: [], domains: [] }, competitors: [] })

it.each([
  ["Russian", "Northwind очень дорогой и ненадёжный."],
  ["Korean", "Northwind는 매우 훌륭합니다."],
  ["Polish", "Northwind jest bardzo dobrym wyborem dla małych firm, ale nie jest tani."],
  ["Turkish", "Northwind küçük işletmeler için çok iyi bir seçim ve daha ucuz."],
  ["Swedish", "Northwind är ett mycket bra val för små företag och det är billigt."],
  ["Danish", "Northwind er et meget godt valg for små virksomheder, og det er ikke dyrt."],
  ["Finnish", "Northwind on hyvä valinta, mutta se ei ole halpa ja tuki on hidas."],
  ["Czech", "Northwind je velmi dobrá volba pro malé firmy, ale není levná a podpora je na úrovni."],
  ["Hungarian", "A Northwind nem olcsó, de az egyik legjobb választás, hogy ha kis cég vagy."],
  ["Romanian", "Northwind este o alegere foarte bună pentru firme mici și nu este scump."],
  ["Indonesian", "Northwind adalah pilihan yang sangat baik untuk usaha kecil dan tidak mahal."],
  ["Vietnamese", "Northwind là một lựa chọn rất tốt cho các công ty nhỏ và không đắt."]
])("an answer in %s is not judged, because there is no lexicon", (_, text) => {
  expect(measure(text)).toMatchObject({ mentioned: true, sentiment: null })
})

it.each([
  "Northwind, Contoso, Fabrikam",
  "Northwind",
  "1. Northwind – Oslo\n2. Contoso – Bergen"
])("a list of names alone is neutral: %j", (text) => {
  expect(measure(text).sentiment).toBe("neutral")
})
