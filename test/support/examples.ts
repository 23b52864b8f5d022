/** What the examples of the help are made of: command lines as a person types them. */

/** The `sov` commands in a line, each as its words: quotes are taken off, pipes and redirections left out. */
export const commandLines = (line: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...line.matchAll(/\bsov (?:"[^"]*"|[^"|<>()&])*/g)].map(([command]) =>
    [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
  )
