/** A role of `sov serve` or of `sov worker`. */
export interface Grantee {
  readonly name: string
  /** Whether the role decides who may act for an organization; a worker's does not. */
  readonly access: boolean
}
