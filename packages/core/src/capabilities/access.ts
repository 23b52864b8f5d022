/** API keys, rate limits, and the encryption of stored secrets. */

export * from "../domain/access/ApiKey.ts"
export * from "../domain/access/mcpClients.ts"
export * from "../domain/access/OperatorKey.ts"
export * from "../domain/access/secretBox.ts"

export * from "../json/access.ts"

export * from "../ports/ApiKeyStore.ts"
export * from "../ports/EncryptionKeys.ts"
export * from "../ports/OperatorStore.ts"
export * from "../ports/RateLimiter.ts"
export * from "../ports/ServerRegistry.ts"

export * from "../usecases/access/authenticate.ts"
export * from "../usecases/access/countRequests.ts"
export * from "../usecases/access/createApiKey.ts"
export { type KeyCache, makeKeyCache } from "../usecases/access/keyCache.ts"
export * from "../usecases/access/listKeysWithMakers.ts"
export * from "../usecases/access/operatorKeys.ts"
export * from "../usecases/access/reads.ts"
export * from "../usecases/access/revokeApiKey.ts"
export * from "../usecases/access/rollApiKey.ts"
export * from "../usecases/access/rotateCursorKey.ts"
