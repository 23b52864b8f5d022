import { encrypt, type EndpointId, type OrganizationId } from "@sov/core"
import { testKey } from "../../support/webhooks.ts"

/** An endpoint's secrets as the store has them, encrypted with the key of tests. */
export const storedSecrets = (organizationId: OrganizationId, endpointId: EndpointId) => ({
  current: encrypt(
    testKey,
    new Uint8Array(12),
    `webhook_endpoint|secret|${endpointId}|${organizationId}`,
    "whsec_c2VjcmV0"
  ),
  next: null
})
