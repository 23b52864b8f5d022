/** Maximum number of bytes that are read of an answer, because it is not known yet who answers. */
const maxBytes = 1_024

/** The trimmed body of an answer as text; null if it is too long. */
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
