/** An npm registry on loopback that accepts and records published packages, but serves none. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * The metadata that `npm publish` sends with the tarball of a version. Other programs use the metadata to install,
 * before they have the tarball.
 */
export interface Published {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly tarball: Buffer
}

interface Document {
  readonly versions: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>
}

/** Starts the registry. `published` contains the packages by name, in the order in which they were published. */
export const startRegistrySink = async (): Promise<{
  readonly url: string
  readonly published: ReadonlyMap<string, Published>
  readonly stop: () => void
}> => {
  const published = new Map<string, Published>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const isPut = request.method === "PUT"
      if (isPut) {
        const { _attachments, versions } = JSON.parse(Buffer.concat(chunks).toString()) as Document
        const [metadata] = Object.values(versions)
        const [attachment] = Object.values(_attachments)
        published.set(decodeURIComponent(request.url!.slice(1)), {
          metadata: metadata!,
          tarball: Buffer.from(attachment!.data, "base64")
        })
      }
      response.writeHead(isPut ? 201 : 404, { "content-type": "application/json" }).end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    published,
    stop: () => server.close().closeAllConnections()
  }
}
