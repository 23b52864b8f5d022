import { Effect, Result } from "effect"
import { readKeyId } from "../../domain/access/secretBox.ts"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { EncryptionKeys } from "../../ports/EncryptionKeys.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { decryptSecrets, encryptSecret } from "./webhookSecrets.ts"

/** An endpoint whose secrets cannot be decrypted with any key. */
export interface UnreadableSecret {
  readonly organizationId: OrganizationId
  readonly endpointId: EndpointId
  readonly message: string
}

export interface Reencrypted {
  /** The id of the key that now encrypts. */
  readonly key: string
  /** The number of endpoints whose secrets were re-encrypted with this key. */
  readonly changed: number
  readonly unchanged: number
  readonly unreadable: ReadonlyArray<UnreadableSecret>
}

/** Maximum number of times that an endpoint is read again because its secrets have changed. */
const maxTries = 10

/**
 * Re-encrypts the secrets of all webhook endpoints with the first encryption key, if another key encrypted them. Each
 * endpoint is changed in one statement, and only if its secrets have not changed since they were read: if the run
 * stops, every secret can still be decrypted, and the next run does the rest. An endpoint whose secrets cannot be
 * decrypted is reported and not changed. `dryRun` changes nothing. Fails with KeysUnusable if there is no key.
 */
export const reencryptSecrets = Effect.fn("reencryptSecrets")(
  function*({ dryRun = false, onEndpoint = Effect.void }: {
    readonly dryRun?: boolean
    readonly onEndpoint?: Effect.Effect<void>
  } = {}) {
    const [key] = yield* (yield* EncryptionKeys).load
    const store = yield* EndpointStore
    const unreadable: Array<UnreadableSecret> = []
    let [changed, unchanged] = [0, 0]

    const reencryptOne = Effect.fnUntraced(function*(organizationId: OrganizationId, id: EndpointId) {
      for (let tries = 0; tries < maxTries; tries++) {
        const stored = yield* store.secrets(organizationId, id)
        if (stored === null) return
        const found = yield* Effect.result(decryptSecrets(organizationId, id, stored))
        if (Result.isFailure(found)) {
          unreadable.push({ organizationId, endpointId: id, message: found.failure.message })
          return
        }
        const ids = [stored.current, stored.next ?? stored.current].map(readKeyId)
        if (ids.every((one) => one === key.id)) {
          unchanged++
          return
        }
        const encryptOne = (secret: string) => encryptSecret(organizationId, id, secret)
        const { current, next } = found.success
        const encrypted = {
          current: yield* encryptOne(current),
          next: next === null ? null : yield* encryptOne(next)
        }
        if (dryRun || (yield* store.replaceEncrypted(organizationId, id, stored, encrypted))) {
          changed++
          return
        }
      }
      unreadable.push({
        organizationId,
        endpointId: id,
        message: `the secrets of webhook endpoint ${id} keep changing`
      })
    })

    for (const { id: organizationId } of yield* (yield* OrganizationStore).list) {
      for (const { id } of yield* store.list(organizationId)) {
        yield* reencryptOne(organizationId, id)
        yield* onEndpoint
      }
    }
    return { key: key.id, changed, unchanged, unreadable } satisfies Reencrypted
  }
)
