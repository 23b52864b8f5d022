import { Duration, Effect } from "effect"
import type { Actor } from "../../domain/audit/Actor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { invitationsWindow, maxInvitations, maxOpenInvitations } from "../../domain/people/invitationLimits.ts"
import { AuditLog } from "../../ports/AuditLog.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { FormId } from "../audit/FormId.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"

const refuse = (message: string) => new Rejected({ field: "email", message })

/**
 * Fails with Rejected if the inviting person has sent too many invitations within the hour. One submission counts as
 * one invitation: its entries have the same id in each organization. A form that was already submitted is refused,
 * because its id would not be counted again. The caller holds the lock on the person, so that concurrent invitations
 * are counted. The command line has no such limits.
 */
export const checkSentInvitations = Effect.fnUntraced(
  function*({ personId }: Actor) {
    if (personId === null) return
    const [log, people, formId] = yield* Effect.all([AuditLog, PersonStore, FormId])
    const since = new Date((yield* now).getTime() - Duration.toMillis(invitationsWindow))
    const acts = yield* Effect.forEach(
      yield* people.listMemberships(personId),
      ({ organization }) => log.listActs(organization.id, { personId, action: "member.invited", since })
    )
    const sent = new Set(acts.flat())
    if (formId !== null && sent.has(formId)) {
      return yield* refuse("This form was already submitted. Reload its page to send another invitation.")
    }
    if (sent.size >= maxInvitations) {
      return yield* refuse(
        `You have sent ${maxInvitations} invitations within an hour, as many as one person may. Try again in an hour.`
      )
    }
  }
)

/**
 * Fails with Rejected if the organization has too many members who have never signed in and the invited person would be
 * a new one (not `isMember`). The command line has no such limits.
 */
export const checkOpenInvitations = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { personId }: Actor, isMember: boolean) {
    if (personId === null || isMember) return
    const open = (yield* (yield* PersonStore).listMembers(organizationId)).filter(({ person }) =>
      person.signedInAt === null
    )
    if (open.length >= maxOpenInvitations) {
      return yield* refuse(
        `${open.length} members are invited and have not signed in yet, and there may be ${maxOpenInvitations}. ` +
          "Wait until some have signed in, or remove those who will not."
      )
    }
  }
)
