/**
 * Runs the subjects in turn, round by round, so that a busy machine is busy for all; returns each one's median time.
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
