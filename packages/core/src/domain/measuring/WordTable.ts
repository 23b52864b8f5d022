/** Words looked up where they stand in a text, without a string of each. */

/** The letters a–z; a word with any other letter is not in the table. */
const letters = 26
const firstLetter = 0x61

/** What is known of each of a number of words (a trie over a–z). Immutable. */
export class WordTable<Value> {
  private readonly next: Int32Array
  private readonly values: Array<Value | undefined> = [undefined]

  constructor(words: ReadonlyMap<string, Value>) {
    const plain = [...words].filter(([word]) => /^[a-z]+$/.test(word))
    this.next = new Int32Array((1 + plain.reduce((sum, [word]) => sum + word.length, 0)) * letters)
    for (const [word, value] of plain) this.values[this.add(word)] = value
  }

  /** What is known of the word `[start, end)` of `units`. */
  get(units: Uint16Array, start: number, end: number): Value | undefined {
    const { next } = this
    let state = 0
    for (let i = start; i < end; i++) {
      const letter = units[i]! - firstLetter
      if (letter < 0 || letter >= letters) return undefined
      state = next[state * letters + letter]!
      if (state === 0) return undefined
    }
    return this.values[state]
  }

  private add(word: string): number {
    let state = 0
    for (let i = 0; i < word.length; i++) {
      const slot = state * letters + word.charCodeAt(i) - firstLetter
      if (this.next[slot] === 0) this.next[slot] = this.values.push(undefined) - 1
      state = this.next[slot]!
    }
    return state
  }
}
