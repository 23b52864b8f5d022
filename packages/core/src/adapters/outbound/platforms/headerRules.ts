/** Rules for a platform's extra headers: a header may not carry a credential or be one that the call itself sets. */
import { Result } from "effect"
import { holdsCredential } from "../../../domain/credentials.ts"
import { type ConfigError, decodeMembers, describeFound, failConfig, quoteConfigName } from "./configFault.ts"

const credentialHeader = /authori[sz]ation|api-?key|(?:^|[-_])(?:auth|key)(?:$|[-_])|token|secret|cookie|password/i
const ownHeaders = new Set([
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

/** Fails for the first header that is not allowed. Values are not shown. */
export const checkHeaders = (source: string, path: string, value: unknown): Result.Result<void, ConfigError> =>
  Result.gen(function*() {
    for (const [name, text] of Object.entries(yield* decodeMembers(source, path, value))) {
      const at = `${path} has the header ${quoteConfigName(name)}, which`
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) {
        return yield* failConfig(source, `${at} is no header name`, `Remove ${quoteConfigName(name)}.`)
      }
      if (credentialHeader.test(name) || (typeof text === "string" && holdsCredential(text))) {
        return yield* failConfig(
          source,
          `${at} carries a credential; keys come from the environment only`,
          "Name the key's environment variable in apiKeyEnv and remove the header."
        )
      }
      if (ownHeaders.has(name.toLowerCase())) {
        return yield* failConfig(source, `${at} sov sets by itself`, `Remove ${quoteConfigName(name)}.`)
      }
      if (typeof text !== "string" || !/^[\x20-\x7e]{0,1000}$/.test(text)) {
        return yield* failConfig(
          source,
          `${at} must be a text of at most 1000 printable ASCII characters (${describeFound(text)})`,
          `Set ${path}.${name} to such a text.`
        )
      }
    }
  })
