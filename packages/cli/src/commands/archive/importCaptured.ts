/** sov archive import --surface app: answers that people captured in apps. */
import { type CapturedImport, importCaptured, readCapturedFile } from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import { Effect } from "effect"
import { createReadStream } from "node:fs"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Maximum size of a file, in bytes. */
const maxBytes = 260_000_000

/** Reads a file; `-` is stdin. */
const readBytes = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      const pieces: Array<Buffer> = []
      let bytes = 0
      const source: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file)
      for await (const piece of source) {
        pieces.push(piece)
        if ((bytes += piece.length) > maxBytes) break
      }
      return readCapturedFile(Buffer.concat(pieces))
    },
    catch: (error) => makeUnreadableError(file, error, "- reads from stdin")
  })

const resultText = ({ added, existing, refused }: CapturedImport): string =>
  [
    ...refused.map(({ line, reason }) => `line ${line}: ${reason}`),
    `${pluralized(added, "captured answer")} archived and sealed, ${existing} already there, ${
      pluralized(refused.length, "line")
    } refused`
  ].join("\n")

/** Runs `sov archive import --surface app FILE`. */
export const importCapturedFile = (options: GlobalOptions, file: string) =>
  runCommand(options, {}, function*({ out }) {
    const read = yield* readBytes(file)
    const organization = yield* currentOrganization(options)
    const done = yield* importCaptured(organization.id, read)
    const { added, existing, refused, scanId } = done
    out.result({ added, existing, refused, scan_id: scanId }, () => resultText(done))
    if (added > 0) {
      out.note("They are a view of their own, and never in the headline: sov score --view captured")
      out.note("How far they agree with API answers: sov compare surfaces")
    }
    return added + existing > 0 ? exitCodes.ok : exitCodes.usage
  })
