/** Stores of which a worker of platforms needs nothing, or finds nothing in. */
import {
  AlertStore,
  BacklogStore,
  DeliveryStore,
  DigestStore,
  EndpointStore,
  EventOutbox,
  IdempotencyStore,
  InstanceStore,
  KeywordStore,
  MailStore,
  MeasurementStore,
  OrganizationData,
  OrganizationStore,
  QuotaLedger,
  ResolvedUrlStore,
  ScheduleStore,
  ScoreStore,
  SealStore,
  ServerRegistry,
  UpkeepStore
} from "@sov/core"
import { Effect, Layer } from "effect"

export const idleStores = Layer.mergeAll(
  Layer.mock(BacklogStore, {}),
  Layer.mock(AlertStore, {}),
  Layer.mock(MailStore, {}),
  Layer.mock(OrganizationStore, { list: Effect.succeed([]), limited: Effect.succeed([]) }),
  Layer.mock(OrganizationData, { deletionRequests: Effect.succeed([]) }),
  Layer.mock(ServerRegistry, {}),
  Layer.mock(UpkeepStore, {}),
  Layer.mock(IdempotencyStore, {}),
  Layer.mock(ScheduleStore, { listDue: () => Effect.succeed([]) }),
  Layer.mock(DigestStore, { listDue: () => Effect.succeed([]) }),
  Layer.mock(InstanceStore, {}),
  Layer.mock(DeliveryStore, { queues: () => Effect.succeed([]), expire: () => Effect.void }),
  Layer.mock(EndpointStore, { promoteStaged: () => Effect.void }),
  Layer.mock(EventOutbox, {}),
  Layer.mock(KeywordStore, {}),
  Layer.mock(MeasurementStore, {}),
  Layer.mock(QuotaLedger, {}),
  Layer.mock(ResolvedUrlStore, {}),
  Layer.mock(ScoreStore, {}),
  Layer.mock(SealStore, {})
)
