/** Tests whether anything changed between scans. Pages, e-mails and events all use this one gate. */
import { sum } from "./cells.ts"
import { clusterByTopic, type Clustered, meanOf, type Panel, type Values, type Variance } from "./panel.ts"
import { studentTail } from "./studentT.ts"

/** A difference, 0–1, and the probability of a difference this large if nothing changed; NaN if no test is possible. */
interface Test {
  readonly delta: number
  readonly probability: number
}

/** A tested difference. `marked`: it is more than noise. */
export interface TestedChange {
  readonly delta: number
  /** The difference in standard errors; 0 without a test. */
  readonly t: number
  readonly marked: boolean
}

/**
 * The gate opens at or below these probabilities. The level of the headline and those of three other families add up to
 * 5 %.
 */
const gateLevels = { headline: 0.035, others: 0.005 }
/** The significance level for marks in a family once the gate is open. */
const markLevel = 0.05
/** The prior for the shock of a platform, in logits, and the number of degrees of freedom that the prior counts as. */
export const [expectedShock, shockDf] = [0.2, 3]
/** Maximum degrees of freedom of the noise of the other questions. */
const maxQuestionDf = 8

const spreadOf = (mean: number): number => Math.max(1e-6, mean * (1 - mean))

/** Adds independent variances, with Satterthwaite's degrees of freedom (1946). */
const addVariances = (...parts: ReadonlyArray<Variance>): Variance => {
  const variance = sum(parts.map((part) => part.variance))
  const squares = sum(parts.map((part) => part.variance ** 2 / Math.max(part.df, 1e-9)))
  return { variance, df: squares > 0 ? Math.max(1, variance ** 2 / squares) : 1 }
}

const testDelta = (delta: number, { df, variance }: Variance): Test & { readonly t: number } => {
  const t = !(variance > 1e-15) || Math.abs(delta) < 1e-12 ? 0 : delta / Math.sqrt(variance)
  return { delta, t, probability: Number.isNaN(delta) ? Number.NaN : t === 0 ? 1 : studentTail(t, df) }
}

/**
 * Forms the newest values minus the mean of the earlier ones, and the Helmert contrasts of the earlier values, each
 * with the variance of one scan. `factor` is the variance of the newest contrast as a multiple of the variance of one
 * scan.
 */
const formContrasts = (scans: ReadonlyArray<Values>) => {
  const earlier = scans.length - 1
  const against = (s: number) =>
    scans[s]!.map((value, c) => {
      let [total, known] = [0, 0]
      for (let before = 0; before < s; before++) {
        const one = scans[before]![c]!
        if (Number.isNaN(one)) continue
        total += one
        known++
      }
      return value - total / known
    })
  return {
    newest: against(earlier),
    past: Array.from({ length: earlier - 1 }, (_, i) => {
      const scale = Math.sqrt((i + 1) / (i + 2))
      return against(i + 1).map((value) => value * scale)
    }),
    factor: 1 + 1 / earlier
  }
}

/**
 * Tests a name's change over all platforms and on each platform. Its variance is the variance of topics plus that of
 * shocks: in one scan, all answers of a platform may move together. Shocks are the differences between platforms that
 * their topics do not explain, estimated without the change of the tested platform.
 */
const testName = (panel: Panel, scans: ReadonlyArray<Values>) => {
  const { factor, newest, past } = formContrasts(scans)
  const root = Math.sqrt(factor)
  const change = clusterByTopic(panel, newest)
  const contrasts = [
    clusterByTopic(panel, newest.map((value) => value / root)),
    ...past.map((one) => clusterByTopic(panel, one))
  ]
  const level = spreadOf(meanOf(scans.map((scan) => clusterByTopic(panel, scan).mean)))
  const pool = (varianceOf: (one: Clustered) => Variance): Variance => {
    const known = contrasts.map(varianceOf).filter(({ variance }) => !Number.isNaN(variance))
    return { variance: factor * meanOf(known.map(({ variance }) => variance)), df: sum(known.map(({ df }) => df)) }
  }
  const shockWithout = (tested: number): Variance => {
    let [excess, df] = [shockDf * (expectedShock * level) ** 2, shockDf]
    contrasts.forEach(({ interactions, platformMeans }, i) => {
      const platforms = [...platformMeans.keys()].filter((p) =>
        !Number.isNaN(platformMeans[p]) && !(i === 0 && p === tested)
      )
      if (platforms.length < 2) return
      const middle = meanOf(platforms.map((p) => platformMeans[p]!))
      const between = sum(platforms.map((p) => (platformMeans[p]! - middle) ** 2))
      excess += between - (platforms.length - 1) * meanOf(platforms.map((p) => interactions[p]!))
      df += platforms.length - 1
    })
    return { variance: factor * Math.max(0, excess / df), df }
  }
  const shock = shockWithout(-1)
  return {
    ...testDelta(
      change.mean,
      addVariances(pool((one) => one), { ...shock, variance: shock.variance / change.answering })
    ),
    platforms: Array.from(
      change.platformMeans,
      (delta, p) => testDelta(delta, addVariances(pool((one) => one.platformVariances[p]!), shockWithout(p)))
    )
  }
}

/** The mean of each question over the cells that exist both in the newest scan and in an earlier scan. */
const averageQuestions = (panel: Panel, scans: ReadonlyArray<Values>): ReadonlyArray<Values> => {
  const newest = scans.at(-1)!
  const isUsed = newest.map((value, c) =>
    Number(!Number.isNaN(value) && scans.slice(0, -1).some((scan) => !Number.isNaN(scan[c])))
  )
  return scans.map((scan) => {
    const [sums, counts] = [new Float64Array(panel.questions), new Float64Array(panel.questions)]
    scan.forEach((value, c) => {
      if (isUsed[c] === 0 || Number.isNaN(value)) return
      sums[panel.question[c]!]! += value
      counts[panel.question[c]!]!++
    })
    return sums.map((total, q) => total / counts[q]!)
  })
}

/**
 * Tests the brand's change in each question against the question's past noise, shrunk towards the noise of all names in
 * the other questions at the same level (a moderated variance: Smyth 2004). The other questions' noise has as many
 * degrees of freedom as questions moved, (Σs²)² / Σs⁴, at most 8; below one there is no test. `names` contains the
 * values of all names scan by scan, the brand first.
 */
const testQuestions = (panel: Panel, names: ReadonlyArray<ReadonlyArray<Values>>) => {
  const squares = new Float64Array(panel.questions)
  const possible = new Float64Array(panel.questions)
  const [brand] = names.map((scans) => {
    const means = averageQuestions(panel, scans)
    const { factor, newest, past } = formContrasts(means)
    const shift = meanOf(newest)
    return Array.from(newest, (delta, q) => {
      const level = meanOf(means.map((values) => values[q]!))
      const known = past.map((values) => values[q]!).filter((value) => !Number.isNaN(value))
      const own = sum(known.map((value) => value ** 2))
      if (!Number.isNaN(delta)) {
        squares[q]! += own + (delta - shift) ** 2 / factor
        possible[q]! += (known.length + 1) * level * (1 - level)
      }
      return { delta, factor, level, own, df: known.length, scans: scans.length }
    })
  })
  const panelLevel = meanOf(brand!.map(({ level }) => level))
  const [allSquares, allPossible, fourth] = [sum(squares), sum(possible), sum(squares.map((one) => one ** 2))]
  return brand!.map(({ delta, df, factor, level, own, scans }, q) => {
    const others = allSquares - squares[q]!
    const dispersion = Math.min(1, others / Math.max(1e-9, allPossible - possible[q]!))
    const known = Math.min(maxQuestionDf, others ** 2 / Math.max(1e-12, fourth - squares[q]! ** 2))
    if (!(known >= 1)) return { delta, t: 0, probability: Number.NaN }
    const expected = Math.max(1e-9, dispersion) * spreadOf((level * scans + panelLevel) / (scans + 1))
    return testDelta(delta, { variance: factor * (known * expected + own) / (known + df), df: known + df })
  })
}

const sorted = (tests: ReadonlyArray<Test>): ReadonlyArray<number> =>
  tests.map(({ probability }) => probability).filter((one) => !Number.isNaN(one)).toSorted((a, b) => a - b)

/** The probability of these tests if none of the tested shares changed (Simes 1986). */
const joinTests = (tests: ReadonlyArray<Test>): number =>
  Math.min(1, ...sorted(tests).map((one, i, { length }) => one * length / (i + 1)))

/** The largest probability that is still marked (Benjamini & Hochberg 1995). */
const findMarkBound = (tests: ReadonlyArray<Test>): number =>
  Math.max(-1, ...sorted(tests).filter((one, i, { length }) => one <= markLevel * (i + 1) / length))

/**
 * Tests the newest of 2 to 5 scans, all measured alike, against the mean of the earlier scans. `names` contains the
 * values of each name, the brand first, for each scan, oldest first. Nothing is marked unless the gate opens; if
 * nothing changed, it opens in at most 5 % of comparisons.
 */
export const testChanges = (panel: Panel, names: ReadonlyArray<ReadonlyArray<Values>>) => {
  const [headline, ...others] = names.map((scans) => testName(panel, scans))
  const questions = testQuestions(panel, names)
  const isOpen = headline!.probability <= gateLevels.headline ||
    [others, headline!.platforms, questions].some((tests) => joinTests(tests) <= gateLevels.others)
  const mark = (tests: ReadonlyArray<Test & { readonly t: number }>): ReadonlyArray<TestedChange> => {
    const bound = isOpen ? findMarkBound(tests) : -1
    return tests.map(({ delta, probability, t }) => ({ delta, t, marked: probability <= bound }))
  }
  return {
    headline: mark([headline!])[0]!,
    others: mark(others),
    platforms: mark(headline!.platforms),
    questions: mark(questions)
  }
}

/**
 * The test of the headline alone, as `testChanges` gives it. The values of `others`, the names after the brand, decide
 * only in the rare case that the headline is significant by itself but does not open the gate.
 */
export const testHeadline = (
  panel: Panel,
  brand: ReadonlyArray<Values>,
  others: () => ReadonlyArray<ReadonlyArray<Values>>
): TestedChange => {
  const { delta, probability, t } = testName(panel, brand)
  const opens = probability <= gateLevels.headline
  return !opens && probability <= markLevel
    ? testChanges(panel, [brand, ...others()]).headline
    : { delta, t, marked: opens }
}
