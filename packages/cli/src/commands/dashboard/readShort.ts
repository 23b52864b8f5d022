/** What is read of an answer at the most: who answers is not known yet. */
const maxBytes = 1_024

/** The body of an answer as text without space around it; null when it is longer than a short answer is. */
export const readShort = async (body: AsyncIterable<Uint8Array>): Promise<string | null> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    // Leaving the loop closes the connection
    if (length > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8").trim()
}
