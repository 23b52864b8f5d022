/** Which extra headers a platform may be given: none that carries a credential, none that the call itself sets. */
import { Result } from "effect"
import { holdsCredential } from "../../../domain/credentials.ts"
import { type ConfigError, fault, found, members, quoted } from "./configFault.ts"

const credential = /authori[sz]ation|api-?key|(?:^|[-_])(?:auth|key)(?:$|[-_])|token|secret|cookie|password/i
const own = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** Fails for the first header that cannot be sent. Values are not shown. */
export const checkHeaders = (source: string, path: string, value: unknown): Result.Result<void, ConfigError> =>
  Result.gen(function*() {
    for (const [name, text] of Object.entries(yield* members(source, path, value))) {
      const at = `${path} has the header ${quoted(name)}, which`
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) {
        return yield* fault(source, `${at} is no header name`, `Remove ${quoted(name)}.`)
      }
      if (credential.test(name) || (typeof text === "string" && holdsCredential(text))) {
        return yield* fault(
          source,
          `${at} carries a credential; keys come from the environment only`,
          "Name the key's environment variable in apiKeyEnv and remove the header."
        )
      }
      if (own.has(name.toLowerCase())) {
        return yield* fault(source, `${at} sov sets by itself`, `Remove ${quoted(name)}.`)
      }
      if (typeof text !== "string" || !/^[\x20-\x7e]{0,1000}$/.test(text)) {
        return yield* fault(
          source,
          `${at} must be a text of at most 1000 printable ASCII characters (${found(text)})`,
          `Set ${path}.${name} to such a text.`
        )
      }
    }
  })
