/**
 * Runs the subjects alternately, round by round, so that other load on the machine affects all of them; returns the
 * median time of each.
 */
export const interleaved = <Subjects extends Readonly<Record<string, () => void>>>(
  rounds: number,
  subjects: Subjects
): { readonly [K in keyof Subjects]: number } => {
  const times = Object.entries(subjects).map(([name, run]) => ({ name, run, taken: [] as Array<number> }))
  for (let round = 0; round < rounds; round++) {
    for (const { run, taken } of times) {
      const begun = performance.now()
      run()
      taken.push(performance.now() - begun)
    }
  }
  const medians = times.map(({ name, taken }) => [name, taken.toSorted((a, b) => a - b)[rounds >> 1]])
  return Object.fromEntries(medians) as { readonly [K in keyof Subjects]: number }
}
