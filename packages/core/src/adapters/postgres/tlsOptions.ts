/** Maps the `ssl…` parameters of a URL to the TLS options of Node. */
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { type ConnectionOptions, getCACertificates } from "node:tls"
import type { TlsSettings } from "./connectionUrl.ts"

const readPem = (parameter: string, file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    throw new Error(
      `${parameter} of the database URL cannot be read: ${file} (${(error as NodeJS.ErrnoException).code})`
    )
  }
}

/**
 * The TLS options of a connection; false = no TLS. Reads the files, and fails with one line about an unreadable one.
 * `require` encrypts without checking the server, `verify-ca` checks that the certificate comes from `sslrootcert`,
 * `verify-full` also checks its name; without `sslrootcert` the authorities of Node and of NODE_EXTRA_CA_CERTS are
 * trusted.
 */
export const makeTlsOptions = (
  { cert, key, mode, rootCert }: TlsSettings
): Result.Result<false | ConnectionOptions, string> => {
  if (mode === "disable") return Result.succeed(false)
  try {
    return Result.succeed({
      rejectUnauthorized: mode !== "require",
      ...mode === "verify-full" ? {} : { checkServerIdentity: () => undefined },
      ...rootCert === null
        ? {}
        : { ca: rootCert === "system" ? getCACertificates("system") : readPem("sslrootcert", rootCert) },
      ...cert === null ? {} : { cert: readPem("sslcert", cert) },
      ...key === null ? {} : { key: readPem("sslkey", key) }
    })
  } catch (error) {
    return Result.fail((error as Error).message)
  }
}

/** Error codes of OpenSSL and Node for rejected certificates. */
const certificateCode = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/

/** Why TLS with the server failed, in one line that begins with the server's address; null for any other failure. */
export const explainTlsFault = (address: string, cause: unknown): string | null => {
  const { code = "", message = "" } = (cause ?? {}) as { readonly code?: string; readonly message?: string }
  if (message === "The server does not support TLS") {
    return `${address} offers no TLS, and gets no password without: turn it on there, or write sslmode=disable where ` +
      "nobody else is in the network"
  }
  if (certificateCode.test(code)) {
    return `${address} has a certificate that does not prove who it is, and gets no password (${code}): name its authority ` +
      "with sslrootcert=FILE"
  }
  return null
}
