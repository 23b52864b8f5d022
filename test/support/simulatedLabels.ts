/** Whether what a terminal shows of made-up answers says so. */

/**
 * Lines with numbers that have no mark: neither in the line nor at the beginning of the sentence that it goes on with.
 */
export const unlabelledLines = (stdout: string): ReadonlyArray<string> => {
  let marked = false
  return stdout.split("\n").filter((line) => {
    marked = line.startsWith("SIMULATED: ") || (marked && /^[^ ]/.test(line))
    return /\d/.test(line) && !marked && !line.includes("SIMULATED")
  })
}
