/** Indexes that find old rows by age, and the deliveries of an event. */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({
  indexes: {
    event_age: "event (organization_id, created_at)",
    mail_age: "mail (organization_id, ended_at) where ended_at is not null",
    webhook_delivery_age: "webhook_delivery (organization_id, ended_at) where ended_at is not null",
    webhook_delivery_event: "webhook_delivery (organization_id, event_id)"
  }
})
