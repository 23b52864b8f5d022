/** The contract suites of the storage ports: each adapter runs all of them. */
import { actionStoreContract } from "./actionStoreContract.ts"
import { alertStoreContract } from "./alertStoreContract.ts"
import { annotationStoreContract } from "./annotationStoreContract.ts"
import { answerDetailContract } from "./answerDetailContract.ts"
import { apiKeyStoreContract } from "./apiKeyStoreContract.ts"
import { archivedSourcesContract } from "./archivedSourcesContract.ts"
import { archiveExportContract } from "./archiveExportContract.ts"
import { archiveGroupsContract } from "./archiveGroupsContract.ts"
import { archiveStoreContract } from "./archiveStoreContract.ts"
import { auditLogContract } from "./auditLogContract.ts"
import { backlogStoreContract } from "./backlogStoreContract.ts"
import { brandingStoreContract } from "./brandingStoreContract.ts"
import { businessCardStoreContract } from "./businessCardStoreContract.ts"
import { cellStoreContract } from "./cellStoreContract.ts"
import { deliveryStoreContract } from "./deliveryStoreContract.ts"
import { digestStoreContract } from "./digestStoreContract.ts"
import { endpointStoreContract } from "./endpointStoreContract.ts"
import { eventOutboxContract } from "./eventOutboxContract.ts"
import { experimentEndsContract } from "./experimentEndsContract.ts"
import { healthStoreContract } from "./healthStoreContract.ts"
import { idempotencyStoreContract } from "./idempotencyStoreContract.ts"
import { instanceStoreContract } from "./instanceStoreContract.ts"
import { keywordStoreContract } from "./keywordStoreContract.ts"
import { mailStoreContract } from "./mailStoreContract.ts"
import { measurementStoreContract } from "./measurementStoreContract.ts"
import { newMentionsContract } from "./newMentionsContract.ts"
import { notificationsContract } from "./notificationsContract.ts"
import { operatorStoreContract } from "./operatorStoreContract.ts"
import { organizationStoreContract } from "./organizationStoreContract.ts"
import { personStoreContract } from "./personStoreContract.ts"
import { quotaLedgerContract } from "./quotaLedgerContract.ts"
import { rateLimiterContract } from "./rateLimiterContract.ts"
import { resolvedUrlStoreContract } from "./resolvedUrlStoreContract.ts"
import { scanStoreContract } from "./scanStoreContract.ts"
import { scheduleStoreContract } from "./scheduleStoreContract.ts"
import { scoreStoreContract } from "./scoreStoreContract.ts"
import { sealStoreContract } from "./sealStoreContract.ts"
import { searchedAnswersContract } from "./searchedAnswersContract.ts"
import { serverRegistryContract } from "./serverRegistryContract.ts"
import { sessionStoreContract } from "./sessionStoreContract.ts"
import { shareLinkStoreContract } from "./shareLinkStoreContract.ts"
import { sourceStoreContract } from "./sourceStoreContract.ts"
import type { StoreContract } from "./storeContract.ts"
import { trackedSetStoreContract } from "./trackedSetStoreContract.ts"
import { trafficStoreContract } from "./trafficStoreContract.ts"
import { transactionContract } from "./transactionContract.ts"
import { usageStoreContract } from "./usageStoreContract.ts"
import { workerRegistryContract } from "./workerRegistryContract.ts"

/** The suites of all storage ports. */
export const storeContracts: ReadonlyArray<StoreContract> = [
  transactionContract,
  organizationStoreContract,
  trackedSetStoreContract,
  keywordStoreContract,
  actionStoreContract,
  annotationStoreContract,
  brandingStoreContract,
  apiKeyStoreContract,
  auditLogContract,
  operatorStoreContract,
  personStoreContract,
  sessionStoreContract,
  shareLinkStoreContract,
  quotaLedgerContract,
  scanStoreContract,
  cellStoreContract,
  archiveStoreContract,
  archiveExportContract,
  archiveGroupsContract,
  archivedSourcesContract,
  searchedAnswersContract,
  answerDetailContract,
  measurementStoreContract,
  newMentionsContract,
  digestStoreContract,
  scheduleStoreContract,
  scoreStoreContract,
  sealStoreContract,
  instanceStoreContract,
  notificationsContract,
  workerRegistryContract,
  backlogStoreContract,
  healthStoreContract,
  usageStoreContract,
  businessCardStoreContract,
  trafficStoreContract,
  experimentEndsContract,
  eventOutboxContract,
  endpointStoreContract,
  deliveryStoreContract,
  idempotencyStoreContract,
  serverRegistryContract,
  sourceStoreContract,
  resolvedUrlStoreContract,
  alertStoreContract,
  mailStoreContract,
  rateLimiterContract
]
