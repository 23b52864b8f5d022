/** Limits of invitations in the dashboard; the command line has no such limits. */
import { Duration } from "effect"

/** Maximum number of members of one organization who were invited and have not signed in yet. */
export const maxOpenInvitations = 100

/** Maximum number of invitations that one person may send within `invitationsWindow`, over all organizations. */
export const maxInvitations = 50
export const invitationsWindow = Duration.hours(1)
