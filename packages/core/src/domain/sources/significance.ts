/** Exact tests of counts, and control of the false discovery rate. */

/** ln 0!, ln 1!, …, computed on demand. */
const logFactorials: Array<number> = [0]
const logFactorial = (n: number): number => {
  while (logFactorials.length <= n) logFactorials.push(logFactorials.at(-1)! + Math.log(logFactorials.length))
  return logFactorials[n]!
}
const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k)

/**
 * Fisher's exact test, one-sided (Fisher 1935): the probability that chance gives the first group at least `a` of `n`
 * if the second group has `b` of `m`.
 */
export const fisherExactGreater = (a: number, n: number, b: number, m: number): number => {
  const marked = a + b
  const all = logChoose(n + m, marked)
  let probability = 0
  for (let k = Math.max(a, 0, marked - m); k <= Math.min(n, marked); k++) {
    probability += Math.exp(logChoose(n, k) + logChoose(m, marked - k) - all)
  }
  return Math.min(1, probability)
}

/** Two-sided exact sign test: the probability that `up + down` fair coin tosses split at least as unevenly. */
export const signTest = (up: number, down: number): number => {
  const throws = up + down
  let tail = 0
  for (let k = 0; k <= Math.min(up, down); k++) tail += Math.exp(logChoose(throws, k) - throws * Math.LN2)
  return Math.min(1, 2 * tail)
}

/**
 * Selects the tests whose average false discovery rate is at most `rate` (Benjamini & Hochberg 1995), in the given
 * order.
 */
export const selectByFalseDiscoveryRate = (
  probabilities: ReadonlyArray<number>,
  rate: number
): ReadonlyArray<boolean> => {
  const ranked = probabilities.toSorted((a, b) => a - b)
  const last = ranked.findLastIndex((p, i) => p <= rate * (i + 1) / ranked.length)
  return probabilities.map((p) => last !== -1 && p <= ranked[last]!)
}

/** The probability of at least `k` successes in `n` trials that each succeed with probability `p`. */
export const binomialAtLeast = (k: number, n: number, p: number): number => {
  let tail = 0
  for (let i = k; i <= n; i++) tail += Math.exp(logChoose(n, i) + i * Math.log(p) + (n - i) * Math.log1p(-p))
  return Math.min(1, tail)
}

/**
 * A group of `n` comparable answers: `drawn` have the tested property, `marked` have the outcome, and `hits` have both.
 */
export interface Stratum {
  readonly n: number
  readonly drawn: number
  readonly marked: number
  readonly hits: number
}

/**
 * Exact conditional test over strata (Mantel & Haenszel 1959, without the approximation): the probability that chance
 * alone gives at most the observed total of hits, if each stratum draws at random from its own answers. With `odds`
 * below 1 the property may lower the odds of the outcome by that factor (Fisher's noncentral distribution).
 */
export const stratifiedAtMost = (strata: ReadonlyArray<Stratum>, odds = 1): number => {
  let distribution = [1]
  let observed = 0
  for (const { drawn, hits, marked, n } of strata) {
    const low = Math.max(0, drawn + marked - n)
    const high = Math.min(drawn, marked)
    const all = logChoose(n, drawn)
    const weights = Array.from(
      { length: high - low + 1 },
      (_, i) => odds ** i * Math.exp(logChoose(marked, low + i) + logChoose(n - marked, drawn - low - i) - all)
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const own = weights.map((weight) => weight / total)
    const next = Array.from({ length: distribution.length + own.length - 1 }, () => 0)
    distribution.forEach((p, i) => own.forEach((q, j) => next[i + j]! += p * q))
    distribution = next
    observed += hits - low
  }
  let tail = 0
  for (let k = 0; k <= Math.min(observed, distribution.length - 1); k++) tail += distribution[k]!
  return Math.min(1, tail)
}

/** Selects the significant tests so that the probability of any false one among them is at most `level` (Holm 1979). */
export const selectByHolm = (probabilities: ReadonlyArray<number>, level: number): ReadonlyArray<boolean> => {
  const ranked = probabilities.map((p, i) => ({ p, i })).toSorted((a, b) => a.p - b.p)
  const selected = probabilities.map(() => false)
  for (const [rank, { i, p }] of ranked.entries()) {
    if (p > level / (ranked.length - rank)) break
    selected[i] = true
  }
  return selected
}
