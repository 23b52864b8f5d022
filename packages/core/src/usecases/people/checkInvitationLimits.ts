import { Duration, Effect } from "effect"
import type { Actor } from "../../domain/audit/Actor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { invitationsWindow, maxInvitations, maxOpenInvitations } from "../../domain/people/invitationLimits.ts"
import { AuditLog } from "../../ports/AuditLog.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"

const refuse = (message: string) => new Rejected({ field: "email", message })

/**
 * Fails with Rejected when the inviting person has sent too many invitations within the hour, or when the organization
 * has too many members without a sign-in and the invited person is a new one (not `isMember`). The caller holds the
 * lock on the person, so that concurrent invitations are counted. The command line has no limits.
 */
export const checkInvitationLimits = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { personId }: Actor, isMember: boolean) {
    if (personId === null) return
    const [log, people] = yield* Effect.all([AuditLog, PersonStore])
    const since = new Date((yield* now).getTime() - Duration.toMillis(invitationsWindow))
    const sent = yield* Effect.forEach(
      yield* people.listMemberships(personId),
      ({ organization }) => log.countActs(organization.id, { personId, action: "member.invited", since })
    )
    if (sent.reduce((sum, one) => sum + one, 0) >= maxInvitations) {
      return yield* refuse(
        `You have sent ${maxInvitations} invitations within an hour, as many as one person may. Try again in an hour.`
      )
    }
    if (isMember) return
    const open = (yield* people.listMembers(organizationId)).filter(({ person }) => person.signedInAt === null)
    if (open.length >= maxOpenInvitations) {
      return yield* refuse(
        `${open.length} members are invited and have not signed in yet, and there may be ${maxOpenInvitations}. ` +
          "Wait until some have signed in, or remove those who will not."
      )
    }
  }
)
