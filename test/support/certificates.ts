/** Creates certificates with openssl for a test. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface Certificate {
  readonly certFile: string
  readonly keyFile: string
  readonly cert: string
  readonly key: string
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

/**
 * Creates a certificate in `folder`; `issuer` null = self-signed. `names` are in openssl's format: `IP:10.0.0.1`,
 * `DNS:db.example`.
 */
export const makeCertificate = (
  folder: string,
  commonName: string,
  issuer: Certificate | null,
  names?: string
): Certificate => {
  const [certFile, keyFile] = [join(folder, `${commonName}.crt`), join(folder, `${commonName}.key`)]
  execFileSync("openssl", [
    "req",
    "-x509",
    "-days",
    "30",
    "-subj",
    `/CN=${commonName}`,
    ...newKey,
    "-keyout",
    keyFile,
    "-out",
    certFile,
    ...issuer === null
      ? []
      : ["-CA", issuer.certFile, "-CAkey", issuer.keyFile, "-addext", "basicConstraints=critical,CA:FALSE"],
    ...names === undefined ? [] : ["-addext", `subjectAltName=${names}`]
  ], { stdio: "pipe" })
  return { certFile, keyFile, cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") }
}
