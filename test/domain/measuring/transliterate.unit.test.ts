/** Duty: names in other letters are offered as people write them in Latin ones, and count so only as aliases. */
import { measureAnswer, offeredSpellings } from "@sov/core"
import { describe, expect, it } from "vitest"

const offered = (name: string, aliases: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  offeredSpellings({ name, aliases, domains: [] }).filter(({ kind }) => kind === "transliteration").map(({ text }) =>
    text
  )

describe("a name in other letters than Latin ones", () => {
  it.each(
    [
      ["Яндекс", ["Yandeks", "Yandex"]],
      ["ООО «Яндекс»", ["Yandeks", "Yandex"]],
      ["Вкусно и точка", ["Vkusno i tochka"]],
      ["ВКОНТАКТЕ", ["VKONTAKTE"]],
      ["Київстар", ["Kyivstar"]],
      ["Укрзалізниця", ["Ukrzaliznytsia"]],
      ["Σκλαβενίτης", ["Sklavenitis"]],
      ["Ευρωπαϊκή", ["Evropaiki"]],
      ["Μπάμπης", ["Bampis"]]
    ] as const
  )("the name %s is offered as %j", (name, texts) => expect(offered(name)).toEqual(texts))

  it("no spelling is offered in scripts without a rule, in mixed scripts, or beside an alias in Latin letters", () => {
    for (const name of ["トヨタ", "华为", "삼성", "Acme", "Acme Лента", "Њива", "—"]) {
      expect([name, offered(name)]).toEqual([name, []])
    }
    expect(offered("Яндекс", ["Yandex"])).toEqual([])
  })

  it("a name counts in Latin letters only as an alias", () => {
    const count = (aliases: ReadonlyArray<string>) =>
      measureAnswer({ text: "Yandex is fast.", brand: { name: "Яндекс", aliases, domains: [] }, competitors: [] }).count
    expect([count([]), count(["Yandex"])]).toEqual([0, 1])
  })
})
