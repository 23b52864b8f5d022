/** A role of `sov serve` or of `sov worker`. */
export interface Grantee {
  readonly name: string
  /**
   * Whether the role may read and write the tables that decide who may act for an organization; a worker's role may
   * not.
   */
  readonly access: boolean
}
