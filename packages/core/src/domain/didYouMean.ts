/** Edit distance with swaps of neighbouring characters (optimal string alignment), over UTF-16 units. */
export const editDistance = (a: string, b: string): number => {
  let before: Array<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2]! + 1)
      row.push(best)
    }
    before = last
    last = row
  }
  return last[b.length]!
}

/** The allowed name that `given` was probably meant to be, or null if no name is similar. Ignores case, `-` and `_`. */
export const didYouMean = (given: string, allowed: ReadonlyArray<string>): string | null => {
  if (given.length > 64) return null
  const plain = (name: string) => name.toLowerCase().replaceAll(/[-_\s]/g, "")
  let found: string | null = null
  let least = Infinity
  for (const name of allowed) {
    const steps = editDistance(plain(given), plain(name))
    if (steps < least && steps <= Math.max(1, Math.floor(name.length / 3))) {
      found = name
      least = steps
    }
  }
  return found
}
