/** Links that show a report without a sign-in. */

export * from "../domain/sharing/ShareLink.ts"

export * from "../json/sharing.ts"

export * from "../ports/ShareLinkStore.ts"

export * from "../usecases/sharing/createShareLink.ts"
export * from "../usecases/sharing/openShareLink.ts"
export * from "../usecases/sharing/reads.ts"
export * from "../usecases/sharing/revokeShareLink.ts"
