/** A role that serves or works. */
export interface Grantee {
  readonly name: string
  /** Whether it decides who may act for an organization, which a worker does not. */
  readonly access: boolean
}
