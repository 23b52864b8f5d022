/**
 * What clients see, the same in the command line's `--json`, exports, the REST API and the tool server: one file a
 * capability, the names of docs/openapi.json, numbers rounded as they are shown. Nothing of the domain depends on it.
 */

/** The member that marks what was made from simulated answers; absent for real ones. */
export const label = (simulated: boolean): { readonly simulated?: true } => (simulated ? { simulated: true } : {})
