/**
 * Calls of the stores of actions, annotations, business cards, experiments, API keys and share links, made by one
 * organization for data of another.
 */
import { ActionStore, AnnotationStore, BrandingStore, BusinessCardStore, ExperimentEnds, noBranding } from "@sov/core"
import { at, cardDecision, cardEdit } from "@sov/core/testing"
import { someMark, someReport } from "../contracts/actionStoreContract.ts"
import type { CallTable } from "./tenancyTable.ts"

/** Looks rows up by the hash of a secret, in all organizations. */
const across = null

/** The ports that this part of the table covers. */
export const accessPorts = { ActionStore, AnnotationStore, BrandingStore, BusinessCardStore, ExperimentEnds }

/** One part of the table in `tenancyCalls.ts`. */
export const accessCalls = {
  ActionStore: {
    listMarks: ({ b }) => [[b], []],
    mark: ({ b }) => [[b, someMark], "own"],
    unmark: ({ b }) => [[b, someMark.id], null],
    kept: ({ b }) => [[b], null],
    keep: ({ b }) => [[b, someReport], "own"]
  },
  AnnotationStore: {
    insert: ({ a, b }) => [[b, { id: a.annotationId, day: "2026-01-02", text: "b", createdAt: at(1) }], "own"],
    list: ({ b }) => [[b], []],
    remove: ({ a, b }) => [[b, a.annotationId], null]
  },
  BusinessCardStore: {
    current: ({ b }) => [[b], new Map()],
    lock: ({ b }) => [[b], new Map()],
    append: ({ b }) => [[b, [cardEdit()], at(50)], "own"],
    history: ({ b }) => [[b, { limit: 9 }], []],
    attest: ({ b }) => [[b, { by: "b", at: at(50), cardHash: "b".repeat(64) }], "own"],
    attestation: ({ b }) => [[b], null],
    addDecisions: ({ a, b }) => [[b, [cardDecision(a.answers[0]!.id)]], "refused"],
    decisions: ({ a, b }) => [[b, [a.unmeasuredId], [cardDecision(a.unmeasuredId).factHash]], []]
  },
  ApiKeyStore: {
    findByHash: across,
    insert: ({ a, b }) => [
      [b, {
        id: a.keyId,
        name: "b",
        prefix: "p",
        lastFour: "4444",
        scopes: ["read", "scan"],
        createdAt: at(1),
        expiresAt: null,
        rolled: false,
        revokedAt: null,
        lastUsedAt: null
      }, new Uint8Array(32).fill(2)],
      "own"
    ],
    list: ({ b }) => [[b], []],
    recordUse: ({ a, b }) => [[b, a.keyId, at(50)], undefined],
    revoke: ({ a, b }) => [[b, a.keyId, at(50)], null],
    roll: ({ a, b }) => [[b, a.keyId, at(50)], null]
  },
  BrandingStore: {
    find: ({ b }) => [[b], noBranding],
    save: ({ b }) => [[b, noBranding], "own"]
  },
  ExperimentEnds: {
    insert: ({ a, b }) => [[b, a.experimentId, at(1)], "own"],
    listDue: across,
    take: ({ a, b }) => [[b, a.experimentId], false]
  },
  RateLimiter: {
    take: ({ a, b }) => [[b, a.keyId, { count: 1, limit: 1, windowMs: 60_000 }], "refused"],
    takeOfAll: ({ b }) => [[b, { count: 1, limit: 1, windowMs: 60_000 }], "own"]
  },
  OperatorStore: {
    insertKey: across,
    listKeys: across,
    findKeyByHash: across,
    revokeKey: across,
    recordUse: across,
    record: across,
    entries: across
  },
  ShareLinkStore: {
    findByHash: across,
    insert: ({ a, b }) => [
      [b, {
        id: a.shareId,
        name: "b",
        from: null,
        to: null,
        withAnswers: false,
        createdAt: at(1),
        expiresAt: at(1000),
        revokedAt: null,
        lastUsedAt: null
      }, new Uint8Array(32).fill(2)],
      "own"
    ],
    list: ({ b }) => [[b], []],
    recordUse: ({ a, b }) => [[b, a.shareId, at(500)], undefined],
    revoke: ({ a, b }) => [[b, a.shareId, at(50)], null]
  }
} satisfies CallTable
