import type { ActionStore } from "./ActionStore.ts"
import type { AlertStore } from "./AlertStore.ts"
import type { AnnotationStore } from "./AnnotationStore.ts"
import type { ApiKeyStore } from "./ApiKeyStore.ts"
import type { ArchiveStore } from "./ArchiveStore.ts"
import type { AuditLog } from "./AuditLog.ts"
import type { BacklogStore } from "./BacklogStore.ts"
import type { BrandingStore } from "./BrandingStore.ts"
import type { BusinessCardStore } from "./BusinessCardStore.ts"
import type { CellStore } from "./CellStore.ts"
import type { DeliveryStore } from "./DeliveryStore.ts"
import type { DigestStore } from "./DigestStore.ts"
import type { EndpointStore } from "./EndpointStore.ts"
import type { EventOutbox } from "./EventOutbox.ts"
import type { ExperimentEnds } from "./ExperimentEnds.ts"
import type { HealthStore } from "./HealthStore.ts"
import type { IdempotencyStore } from "./IdempotencyStore.ts"
import type { InstanceStore } from "./InstanceStore.ts"
import type { KeywordStore } from "./KeywordStore.ts"
import type { MailStore } from "./MailStore.ts"
import type { MeasurementStore } from "./MeasurementStore.ts"
import type { Notifications } from "./Notifications.ts"
import type { OperatorStore } from "./OperatorStore.ts"
import type { OrganizationData } from "./OrganizationData.ts"
import type { OrganizationStore } from "./OrganizationStore.ts"
import type { PersonStore } from "./PersonStore.ts"
import type { QuotaLedger } from "./QuotaLedger.ts"
import type { RateLimiter } from "./RateLimiter.ts"
import type { ResolvedUrlStore } from "./ResolvedUrlStore.ts"
import type { ScanStore } from "./ScanStore.ts"
import type { ScheduleStore } from "./ScheduleStore.ts"
import type { ScoreStore } from "./ScoreStore.ts"
import type { SealStore } from "./SealStore.ts"
import type { ServerRegistry } from "./ServerRegistry.ts"
import type { SessionStore } from "./SessionStore.ts"
import type { ShareLinkStore } from "./ShareLinkStore.ts"
import type { SourceStore } from "./SourceStore.ts"
import type { TrackedSetStore } from "./TrackedSetStore.ts"
import type { TrafficStore } from "./TrafficStore.ts"
import type { Transaction } from "./Transaction.ts"
import type { UpkeepStore } from "./UpkeepStore.ts"
import type { UsageStore } from "./UsageStore.ts"
import type { WorkerRegistry } from "./WorkerRegistry.ts"

/** All ports that the database implements, for code that wires them and for callers that need all of them. */
export type StoragePorts =
  | ActionStore
  | AlertStore
  | AnnotationStore
  | ApiKeyStore
  | ArchiveStore
  | AuditLog
  | BacklogStore
  | BrandingStore
  | BusinessCardStore
  | CellStore
  | DeliveryStore
  | DigestStore
  | EndpointStore
  | EventOutbox
  | ExperimentEnds
  | HealthStore
  | IdempotencyStore
  | InstanceStore
  | KeywordStore
  | MailStore
  | MeasurementStore
  | Notifications
  | OperatorStore
  | OrganizationData
  | OrganizationStore
  | PersonStore
  | QuotaLedger
  | RateLimiter
  | ResolvedUrlStore
  | ScanStore
  | ScheduleStore
  | ScoreStore
  | SealStore
  | ServerRegistry
  | ShareLinkStore
  | SessionStore
  | SourceStore
  | TrackedSetStore
  | TrafficStore
  | Transaction
  | UpkeepStore
  | UsageStore
  | WorkerRegistry
