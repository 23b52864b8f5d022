import { createHash } from "node:crypto"

/** Eight hex digits that distinguish an installation from others, and reveal nothing about its key. */
export const makeInstanceTag = (cursorKey: Uint8Array): string =>
  createHash("sha256").update("instance tag").update(cursorKey).digest("hex").slice(0, 8)
