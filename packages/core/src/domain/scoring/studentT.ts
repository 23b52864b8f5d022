/**
 * Two-sided 95 % points of Student's t distribution (t such that P(|T| ≤ t) = 0.95), from the tables of the
 * NIST/SEMATECH e-Handbook §1.3.6.7.2. Index 0 is one degree of freedom.
 */
// dprint-ignore
const t95ByDf = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
  2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
  2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423
]

const lanczos = [
  76.18009172947146,
  -86.50532032941678,
  24.01409824083091,
  -1.231739572450155,
  0.001208650973866179,
  -0.000005395239384953
]

const logGamma = (x: number): number => {
  const series = lanczos.reduce((total, weight, i) => total + weight / (x + i + 1), 1.000000000190015)
  return (x + 0.5) * Math.log(x + 5.5) - x - 5.5 + Math.log(2.5066282746310007 * series / x)
}

/** Computes the regularized incomplete beta function by its continued fraction (DLMF 8.17.22). */
const betaCdf = (x: number, a: number, b: number): number => {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a)
  let [c, d] = [1, 1 / (1 - (a + b) * x / (a + 1))]
  let fraction = d
  for (let m = 1; m < 300; m++) {
    const terms = [
      m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
      -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    ]
    for (const term of terms) {
      d = 1 / (1 + term * d)
      c = 1 + term / c
      fraction *= d * c
    }
    if (Math.abs(d * c - 1) < 1e-12) break
  }
  return Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) * fraction / a
}

/** P(|T| ≥ |t|) for Student's t with `df` degrees of freedom, which may be fractional. */
export const studentTail = (t: number, df: number): number =>
  Number.isFinite(t) ? betaCdf(df / (df + t * t), df / 2, 0.5) : 0

/**
 * The one-sided 95 % point of the normal distribution: a larger |z| counts as more than noise, at 5 % on either side.
 */
export const z95OneSided = 1.645

/** The one-sided 99 % point of the normal distribution. */
export const z99OneSided = 2.326

/** The two-sided 95 % point of the normal distribution. */
export const z95 = 1.959963984540054

/**
 * The two-sided 95 % point of Student's t for `df` ≥ 1 degrees of freedom, which may be fractional (Satterthwaite).
 * Between table entries, the logarithm is interpolated in 1/df, with an error below 3 % on the wide side. Above 30, the
 * Cornish–Fisher expansion is used (Abramowitz & Stegun 26.7.5), with an error below 0.00001.
 */
export const t95 = (df: number): number => {
  if (df > t95ByDf.length) {
    return z95 + (z95 ** 3 + z95) / (4 * df) + (5 * z95 ** 5 + 16 * z95 ** 3 + 3 * z95) / (96 * df ** 2) +
      (3 * z95 ** 7 + 19 * z95 ** 5 + 17 * z95 ** 3 - 15 * z95) / (384 * df ** 3)
  }
  const below = Math.max(1, Math.floor(df))
  const low = t95ByDf[below - 1]!
  const high = t95ByDf[below] ?? low
  const share = (1 / below - 1 / Math.max(1, df)) / (1 / below - 1 / (below + 1))
  return low * (high / low) ** share
}
