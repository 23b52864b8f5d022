/**
 * Indexes for the pages of a scan's answers and alerts and of an endpoint's deliveries, for the cost of a scan, and for
 * claiming work in order.
 */
import { Concurrent } from "./Concurrent.ts"

export default new Concurrent({
  indexes: {
    alert_scan: "alert (organization_id, scan_id, created_at desc, id desc)",
    answer_scan_newest: "answer (organization_id, scan_id, created_at desc, id desc)",
    cell_turn: "cell (organization_id, scan_id, platform, due_at, id) where state = 'open'",
    charge_scan: "charge (organization_id, scan_id)",
    resolved_url_age: "resolved_url (organization_id, resolved_at)",
    webhook_delivery_endpoint: "webhook_delivery (organization_id, endpoint_id, created_at desc, id desc)"
  },
  dropped: ["cell_due"]
})
