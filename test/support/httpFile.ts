/** Reads and sends files of HTTP requests (`.http`), as editors do. */

interface HttpRequest {
  readonly title: string
  /** Name by which later requests refer to the response. */
  readonly name: string | undefined
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface HttpFile {
  readonly variables: Readonly<Record<string, string>>
  readonly requests: ReadonlyArray<HttpRequest>
}

const readRequest = (block: string): HttpRequest => {
  const [title = "", ...lines] = block.split("\n")
  const name = lines.map((line) => /^# @name (\S+)/.exec(line)?.[1]).find((one) => one !== undefined)
  const [start = "", ...rest] = lines.filter((line) => !line.startsWith("#"))
  const end = rest.indexOf("")
  const [method = "", url = ""] = start.split(" ")
  const headers = Object.fromEntries(
    rest.slice(0, end).map((line) => line.split(/: (.*)/, 2))
  ) as HttpRequest["headers"]
  return { title, name, method, url, headers, body: rest.slice(end).join("\n").trim() }
}

export const readHttpFile = (text: string): HttpFile => {
  const [head = "", ...blocks] = text.split(/^### /m)
  const variables = [...head.matchAll(/^@(\w+) = (.*)$/gm)].map((match) => [match[1], match[2]])
  return {
    variables: Object.fromEntries(variables) as Record<string, string>,
    requests: blocks.map(readRequest)
  }
}

/**
 * Sends the requests one after the other with these values for the file's variables. Throws if a variable has no value.
 */
export const runHttpFile = async ({ requests }: HttpFile, values: Readonly<Record<string, string>>) => {
  const known: Record<string, string> = { ...values }
  const fill = (text: string): string =>
    text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => {
      const value = known[name]
      if (value === undefined) throw new Error(`${name} has no value in ${text}`)
      return value
    })
  const answers = []
  for (const { body, headers, method, name, title, url } of requests) {
    const filled = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, fill(value)]))
    const response = await fetch(fill(url), { method, headers: filled, ...body === "" ? {} : { body: fill(body) } })
    const answer = await response.json() as { readonly meta?: { readonly next_cursor: string | null } }
    const cursor = answer.meta?.next_cursor
    if (name !== undefined && cursor != null) known[`${name}.response.body.$.meta.next_cursor`] = cursor
    answers.push({ title, method, url: fill(url), status: response.status, answer })
  }
  return answers
}
