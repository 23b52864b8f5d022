/**
 * JSON for clients, which is the same in the command line's `--json`, exports, the REST API and the tool server: one
 * file per capability, with the names of docs/openapi.json and with numbers rounded for display. No domain code depends
 * on it.
 */

/** The member that marks data from simulated answers; absent for data from real answers. */
export const simulatedJson = (simulated: boolean): { readonly simulated?: true } => simulated ? { simulated: true } : {}
