/** What a heap holds: it is in one heap at most. */
export interface HeapEntry {
  /** Its place in the heap that it is in; -1 = in none. Only the heap changes it. */
  heapIndex: number
}

/**
 * A binary heap from which any entry can be taken out, in as many steps as the logarithm of its size. What `isBefore`
 * compares must not change while an entry is in it.
 */
export class Heap<A extends HeapEntry> {
  readonly #entries: Array<A> = []
  readonly #isBefore: (a: A, b: A) => boolean

  constructor(isBefore: (a: A, b: A) => boolean) {
    this.#isBefore = isBefore
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** The entry that is before all others. */
  get first(): A | undefined {
    return this.#entries[0]
  }

  add(entry: A): void {
    this.#entries.push(entry)
    this.#rise(entry, this.#entries.length - 1)
  }

  /** Takes out an entry that is in this heap. */
  remove(entry: A): void {
    const index = entry.heapIndex
    const last = this.#entries.pop()!
    entry.heapIndex = -1
    if (last === entry) return
    this.#sink(last, index)
    this.#rise(last, last.heapIndex)
  }

  #put(entry: A, index: number): void {
    this.#entries[index] = entry
    entry.heapIndex = index
  }

  #rise(entry: A, from: number): void {
    let index = from
    while (index > 0) {
      const above = this.#entries[(index - 1) >> 1]!
      if (!this.#isBefore(entry, above)) break
      this.#put(above, index)
      index = (index - 1) >> 1
    }
    this.#put(entry, index)
  }

  #sink(entry: A, from: number): void {
    let index = from
    for (let below = 2 * index + 1; below < this.#entries.length; below = 2 * index + 1) {
      const right = this.#entries[below + 1]
      if (right !== undefined && this.#isBefore(right, this.#entries[below]!)) below++
      if (!this.#isBefore(this.#entries[below]!, entry)) break
      this.#put(this.#entries[below]!, index)
      index = below
    }
    this.#put(entry, index)
  }
}
