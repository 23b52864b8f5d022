/**
 * JSON for clients, the same in the command line's `--json`, exports, the REST API and the tool server: one file per
 * capability, with the names of docs/openapi.json and numbers rounded for display. Nothing in the domain depends on it.
 */

/** The member that marks data from simulated answers; absent for real ones. */
export const label = (simulated: boolean): { readonly simulated?: true } => (simulated ? { simulated: true } : {})
