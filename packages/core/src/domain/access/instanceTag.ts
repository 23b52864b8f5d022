import { createHash } from "node:crypto"

/** Eight hex digits that identify an installation without revealing its key. */
export const makeInstanceTag = (cursorKey: Uint8Array): string =>
  createHash("sha256").update("instance tag").update(cursorKey).digest("hex").slice(0, 8)
