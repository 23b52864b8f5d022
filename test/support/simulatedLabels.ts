/** Checks whether terminal output about simulated answers is labelled as such. */

/**
 * Lines with numbers that are not labelled: neither in the line itself nor at the beginning of the sentence that it
 * continues.
 */
export const unlabelledLines = (stdout: string): ReadonlyArray<string> => {
  let marked = false
  return stdout.split("\n").filter((line) => {
    marked = line.startsWith("SIMULATED: ") || (marked && /^[^ ]/.test(line))
    return /\d/.test(line) && !marked && !line.includes("SIMULATED")
  })
}
