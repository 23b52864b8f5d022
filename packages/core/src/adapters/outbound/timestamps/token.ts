/**
 * Requests and responses of RFC 3161. The library reads ASN.1 and verifies the signature and the certificate chain.
 * This file checks what the RFC requires beyond CMS: the imprint, the purpose of the signer's certificate, and that the
 * signature names that certificate (RFC 5816).
 */
import { createHash } from "node:crypto"
import type { Certificate, SignedData, TSTInfo } from "pkijs"
import { TimeStampError, type TimeStampFailure } from "../../../ports/TimeStamps.ts"

const oid = {
  sha256: "2.16.840.1.101.3.4.2.1",
  signedData: "1.2.840.113549.1.7.2",
  timeStampInfo: "1.2.840.113549.1.9.16.1.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  extendedKeyUsage: "2.5.29.37",
  timeStamping: "1.3.6.1.5.5.7.3.8"
}

/** Hash algorithms that a signature may use to name its certificate. */
const hashNames: { readonly [oid: string]: string } = {
  [oid.sha256]: "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512"
}

const loadLibrary = async () => {
  const [asn1js, pkijs] = await Promise.all([import("asn1js"), import("pkijs")])
  return { asn1js, pkijs }
}
type Library = Awaited<ReturnType<typeof loadLibrary>>

const fault = (message: string, reason: TimeStampFailure = "invalid") => new TimeStampError({ reason, message })

const isEqual = (a: ArrayBuffer | Uint8Array, b: Uint8Array): boolean => Buffer.compare(new Uint8Array(a), b) === 0

const sha256 = (data: Uint8Array): Uint8Array => createHash("sha256").update(data).digest()

const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer

/** A 64-bit number in its shortest DER form. */
const toNonce = (random: Uint8Array): Uint8Array =>
  Uint8Array.from(random, (byte, n) => n === 0 ? (byte & 0x7f) | 0x40 : byte)

/** A request for a time stamp over `data` that asks for the signer's certificate; `random` is 8 bytes. */
export const encodeRequest = async (data: Uint8Array, random: Uint8Array) => {
  const { asn1js, pkijs } = await loadLibrary()
  const nonce = toNonce(random)
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: oid.sha256, algorithmParams: new asn1js.Null() }),
      hashedMessage: new asn1js.OctetString({ valueHex: toArrayBuffer(sha256(data)) })
    }),
    nonce: new asn1js.Integer({ valueHex: toArrayBuffer(nonce) }),
    certReq: true
  })
  return { body: new Uint8Array(request.toSchema().toBER()), nonce }
}

interface Token {
  readonly signed: SignedData
  readonly info: TSTInfo
}

const readToken = ({ asn1js, pkijs }: Library, response: Uint8Array): Token => {
  const { offset, result } = asn1js.fromBER(toArrayBuffer(response))
  if (offset !== response.length) throw fault("it is no answer of a time-stamping authority")
  const { status, timeStampToken } = new pkijs.TimeStampResp({ schema: result })
  if (Number(status.status) > 1) throw fault(`the authority refused it with status ${Number(status.status)}`, "refused")
  if (timeStampToken?.contentType !== oid.signedData) throw fault("the answer has no time stamp")
  const signed = new pkijs.SignedData({ schema: timeStampToken.content })
  const { eContent, eContentType } = signed.encapContentInfo
  if (eContentType !== oid.timeStampInfo || eContent === undefined || signed.signerInfos.length !== 1) {
    throw fault("the answer has no time stamp")
  }
  return { signed, info: pkijs.TSTInfo.fromBER(eContent.getValue()) }
}

/** RFC 3161 §2.3: the certificate's only purpose is time stamping, in an extension marked critical. */
const isForTimeStamps = ({ pkijs }: Library, certificate: Certificate): boolean => {
  const usage = certificate.extensions?.find(({ extnID }) => extnID === oid.extendedKeyUsage)
  const purposes = usage?.parsedValue instanceof pkijs.ExtKeyUsage ? usage.parsedValue.keyPurposes : []
  return usage?.critical === true && purposes.length === 1 && purposes[0] === oid.timeStamping
}

/**
 * Whether the signed attributes name this certificate. Otherwise another certificate with the same key could replace
 * it.
 */
const isNamedSigner = ({ asn1js }: Library, signed: SignedData, certificate: Certificate): boolean => {
  const attributes = signed.signerInfos[0]?.signedAttrs?.attributes ?? []
  const second = attributes.find(({ type }) => type === oid.signingCertificateV2)
  const attribute = second ?? attributes.find(({ type }) => type === oid.signingCertificate)
  const [named] = attribute?.values[0]?.valueBlock?.value?.[0]?.valueBlock?.value ?? []
  const members: ReadonlyArray<unknown> = named?.valueBlock?.value ?? []
  const hash = members.find((one) => one instanceof asn1js.OctetString)
  if (hash === undefined) return false
  const algorithm = members[0] instanceof asn1js.Sequence ? members[0].valueBlock.value[0] : undefined
  const name = second === undefined
    ? "sha1"
    : algorithm instanceof asn1js.ObjectIdentifier
    ? hashNames[algorithm.valueBlock.toString()]
    : "sha256"
  if (name === undefined) return false
  const encoded = new Uint8Array(certificate.toSchema().toBER())
  return isEqual(hash.valueBlock.valueHexView, createHash(name).update(encoded).digest())
}

const readCertificates = ({ pkijs }: Library, pem: string): Array<Certificate> =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map(([, text]) =>
    pkijs.Certificate.fromBER(toArrayBuffer(Buffer.from(text!, "base64")))
  )

const checkToken = async (library: Library, { info, signed }: Token, data: Uint8Array, trusted: string | null) => {
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  if (hashAlgorithm.algorithmId !== oid.sha256 || !isEqual(hashedMessage.valueBlock.valueHexView, sha256(data))) {
    throw fault("it is over other bytes")
  }
  // Revocation is not checked. If a revocation list were present, the library would demand lists for every certificate
  delete signed.crls
  delete signed.ocsps
  const verified = await signed.verify({
    signer: 0,
    data: toArrayBuffer(data),
    checkChain: trusted !== null,
    trustedCerts: trusted === null ? [] : readCertificates(library, trusted),
    extendedMode: true
  }).catch((error: { readonly signerCertificateVerified?: boolean | null }) => {
    throw fault(
      error.signerCertificateVerified === false
        ? "its signer leads to none of the trusted certificates, or was not valid at its time"
        : "its signature is not one of the certificate in it"
    )
  })
  const certificate = verified.signerCertificate
  if (verified.signatureVerified !== true || certificate === null || certificate === undefined) {
    throw fault("its signature is not one of the certificate in it")
  }
  if (!isNamedSigner(library, signed, certificate)) throw fault("its signature does not name the certificate in it")
  if (!isForTimeStamps(library, certificate)) throw fault("its signer's certificate is not one for time stamps")
  return info.genTime
}

/** Calls the library and converts its errors: it throws many kinds for malformed bytes. */
const reading = async <A>(read: (library: Library) => Promise<A>): Promise<A> => {
  const library = await loadLibrary()
  try {
    return await read(library)
  } catch (error) {
    throw error instanceof TimeStampError ? error : fault("it is no answer of a time-stamping authority")
  }
}

/** The time that `response` states for `data`. Rejects with TimeStampError, see `TimeStamps.check`. */
export const checkResponse = (response: Uint8Array, data: Uint8Array, trusted: string | null): Promise<Date> =>
  reading((library) => checkToken(library, readToken(library, response), data, trusted))

/** Like `checkResponse`, for the answer to a request with this nonce. */
export const checkAnswer = (response: Uint8Array, data: Uint8Array, nonce: Uint8Array): Promise<Date> =>
  reading((library) => {
    const token = readToken(library, response)
    const repeated = token.info.nonce?.valueBlock.valueHexView
    if (repeated === undefined || !isEqual(repeated, nonce)) {
      throw fault("it answers another request: its nonce is not ours")
    }
    return checkToken(library, token, data, null)
  })
