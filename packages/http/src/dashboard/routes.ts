/** Every page, with the least role that may see it. The tests read this table, and the server mounts it. */
import type { BadCursor, NotFound, OutsideWindow, Rejected, StoragePorts, StoreError } from "@sov/core/common"
import type { Role } from "@sov/core/people"
import type { startScan } from "@sov/core/scanning"
import type { testEndpoint } from "@sov/core/webhooks"
import type { Effect } from "effect"
import type { PageRefused } from "./guard/PageRefused.ts"
import type { OrganizationRequest, PageRequest, PersonRequest } from "./guard/PageRequest.ts"
import type { Reply } from "./guard/Reply.ts"
import {
  endOtherSessions,
  endOwnSession,
  removeOwnIdentity,
  setTheme,
  showAccount,
  showRemoveIdentity
} from "./handlers/account.ts"
import { downloadAlerts, showAlert, showAlerts } from "./handlers/alerts.ts"
import {
  saveAlertRule,
  saveDigest,
  saveRecipients,
  sendTest,
  showAlertRule,
  showAlertSettings
} from "./handlers/alertSettings.ts"
import {
  downloadAnswers,
  downloadPayload,
  downloadProof,
  downloadText,
  showAnswer,
  showAnswers
} from "./handlers/answers.ts"
import {
  downloadKeys,
  makeKey,
  revokeKey,
  rollKey,
  showApiAccess,
  showRevokeKey,
  showRollKey
} from "./handlers/apiAccess.ts"
import { downloadExport, showArchiveExport } from "./handlers/archiveExport.ts"
import { downloadAudit, showAudit } from "./handlers/audit.ts"
import {
  attest,
  downloadCard,
  downloadCardHistory,
  downloadElement,
  downloadJsonLd,
  showAttest,
  showCard,
  showCardHistory
} from "./handlers/card.ts"
import { editCard, showCardEdit } from "./handlers/cardEdit.ts"
import { downloadComparison, measureForComparison, showComparison } from "./handlers/compare.ts"
import { downloadCompetitors, showCompetitors } from "./handlers/competitors.ts"
import { goHome } from "./handlers/home.ts"
import { checkLink, showInstance } from "./handlers/instance.ts"
import {
  changeKeywordStatus,
  changeKeywordTags,
  downloadKeyword,
  showKeyword,
  showKeywordRemoval
} from "./handlers/keyword.ts"
import { addKeywords, downloadKeywords, showKeywords } from "./handlers/keywords.ts"
import { measureAgain, showMeasureAgain } from "./handlers/measureAgain.ts"
import { downloadMembers, invite, remove, setMemberRole, showMembers, showRemoveMember } from "./handlers/members.ts"
import {
  addCompetitor,
  changeBrand,
  changeCompetitor,
  removeCompetitor,
  showAcceptance,
  showBrand,
  showCompetitor,
  showRemoval
} from "./handlers/names.ts"
import { showNewScan, startNewScan } from "./handlers/newScan.ts"
import { downloadOverview, showOverview } from "./handlers/overview.ts"
import { showPlan } from "./handlers/plan.ts"
import { showPlatforms, testNow } from "./handlers/platforms.ts"
import { downloadPortfolio, showPortfolio } from "./handlers/portfolio.ts"
import { downloadReport } from "./handlers/report.ts"
import {
  askToCancel,
  cancelRunning,
  downloadResults,
  downloadScans,
  followProgress,
  showScan,
  showScans
} from "./handlers/scans.ts"
import {
  removeSchedule,
  saveSchedule,
  setScheduleState,
  showSchedule,
  showScheduleRemoval
} from "./handlers/schedule.ts"
import { showSettings } from "./handlers/settings.ts"
import { setUp, showSetup } from "./handlers/setup.ts"
import {
  downloadShareLinks,
  endShareLink,
  makeShareLink,
  showRevokeShareLink,
  showShared,
  showShareLinks
} from "./handlers/shareLinks.ts"
import { requestLink, showLink, showSignIn, signIn, signOutHere } from "./handlers/signIn.ts"
import {
  downloadSearches,
  downloadSourceGaps,
  downloadSourcePages,
  downloadSources,
  showSearches,
  showSourceGaps,
  showSourcePages,
  showSources
} from "./handlers/sources.ts"
import { beginSignIn, finishSignIn } from "./handlers/sso.ts"
import { downloadSuggestions, ignoreName, restoreName } from "./handlers/suggestions.ts"
import { showSystem } from "./handlers/system.ts"
import { showTracking } from "./handlers/tracking.ts"
import { downloadLandingPages, downloadTraffic, importLog, showTraffic } from "./handlers/traffic.ts"
import { endDigests, showUnsubscribe } from "./handlers/unsubscribe.ts"
import {
  downloadDeliveries,
  replayFailed,
  replayOne,
  showDelivery,
  showReplay,
  showWebhook,
  testWebhook
} from "./handlers/webhook.ts"
import {
  addWebhook,
  changeWebhookEvents,
  disableWebhook,
  downloadWebhooks,
  enableWebhook,
  promoteWebhookSecret,
  removeWebhook,
  revealWebhookSecret,
  rotateWebhookSecret,
  showDisableWebhook,
  showRemoveWebhook,
  showRotateSecret,
  showWebhooks
} from "./handlers/webhooks.ts"

/** What use cases of pages need. */
export type PageServices = StoragePorts | Effect.Services<ReturnType<typeof startScan | typeof testEndpoint>>

/** Errors that the server shows as a page; a handler deals with every other one. */
export type PageError = PageRefused | NotFound | OutsideWindow | BadCursor | Rejected | StoreError

/** Calls a use case and hands what it returns to a page. */
export type Handler<Request> = (request: Request) => Effect.Effect<Reply<PageServices>, PageError, PageServices>

interface Address<Path extends `/${string}`> {
  readonly method: "GET" | "POST"
  readonly path: Path
  /** What a network may not do too often: try links that do not work (410), be refused elsewhere, or ask for mails. */
  readonly limit?: "links" | "identities" | "mails"
  /** It waits for a platform's answer or for a file, which takes longer than a page may. */
  readonly waits?: true
  /**
   * Mail programs post to it: what it does follows from the path alone, and is nothing that another site could misuse.
   */
  readonly fromAnywhere?: true
  /** Its form sends a file. */
  readonly upload?: true
}

/**
 * A page. `least` is who may see it at the least: `anybody`, a `person` who is signed in, or a role in the organization
 * that the path names. Without it a route does not compile, and a route of an organization takes nothing but a role.
 */
export type Route =
  | Address<`/${string}`> & { readonly least: "anybody"; readonly handle: Handler<PageRequest> }
  | Address<`/${string}`> & { readonly least: "person"; readonly handle: Handler<PersonRequest> }
  | Address<`/o/:slug${string}`> & { readonly least: Role; readonly handle: Handler<OrganizationRequest> }

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "/", least: "anybody", handle: goHome },

  { method: "GET", path: "/login", least: "anybody", limit: "identities", handle: showSignIn },
  { method: "POST", path: "/login", least: "anybody", limit: "mails", handle: requestLink },
  { method: "GET", path: "/login/instance", least: "anybody", handle: showInstance },
  { method: "GET", path: "/login/check/:hash", least: "anybody", limit: "links", handle: checkLink },
  { method: "GET", path: "/login/link/:token", least: "anybody", limit: "links", handle: showLink },
  { method: "POST", path: "/login/link/:token", least: "anybody", limit: "links", handle: signIn },
  { method: "GET", path: "/login/sso", least: "anybody", handle: beginSignIn },
  { method: "GET", path: "/login/sso/callback", least: "anybody", limit: "identities", handle: finishSignIn },
  { method: "POST", path: "/logout", least: "anybody", handle: signOutHere },

  { method: "GET", path: "/unsubscribe/:token", least: "anybody", limit: "links", handle: showUnsubscribe },
  {
    method: "POST",
    path: "/unsubscribe/:token",
    least: "anybody",
    limit: "links",
    fromAnywhere: true,
    handle: endDigests
  },
  { method: "GET", path: "/share/:token", least: "anybody", limit: "links", handle: showShared },

  { method: "GET", path: "/account", least: "person", handle: showAccount },
  { method: "POST", path: "/account/theme", least: "person", handle: setTheme },
  { method: "GET", path: "/account/identities/remove", least: "person", handle: showRemoveIdentity },
  { method: "POST", path: "/account/identities/remove", least: "person", handle: removeOwnIdentity },
  { method: "POST", path: "/account/sessions/end", least: "person", handle: endOtherSessions },
  { method: "POST", path: "/account/sessions/:id/end", least: "person", handle: endOwnSession },

  { method: "GET", path: "/setup", least: "person", handle: showSetup },
  { method: "POST", path: "/setup", least: "person", handle: setUp },

  { method: "GET", path: "/portfolio", least: "person", handle: showPortfolio },
  { method: "GET", path: "/portfolio.csv", least: "person", handle: downloadPortfolio },

  { method: "GET", path: "/o/:slug", least: "viewer", handle: showOverview },
  { method: "GET", path: "/o/:slug/overview.csv", least: "viewer", handle: downloadOverview },
  { method: "GET", path: "/o/:slug/report.html", least: "viewer", handle: downloadReport },

  { method: "GET", path: "/o/:slug/keywords", least: "viewer", handle: showKeywords },
  { method: "GET", path: "/o/:slug/keywords.csv", least: "viewer", handle: downloadKeywords },
  { method: "POST", path: "/o/:slug/keywords", least: "member", handle: addKeywords },
  { method: "GET", path: "/o/:slug/keywords/:id", least: "viewer", handle: showKeyword },
  { method: "GET", path: "/o/:slug/keywords/:id.csv", least: "viewer", handle: downloadKeyword },
  { method: "GET", path: "/o/:slug/keywords/:id/remove", least: "member", handle: showKeywordRemoval },
  { method: "POST", path: "/o/:slug/keywords/:id/status", least: "member", handle: changeKeywordStatus },
  { method: "POST", path: "/o/:slug/keywords/:id/tags", least: "member", handle: changeKeywordTags },

  { method: "GET", path: "/o/:slug/competitors", least: "viewer", handle: showCompetitors },
  { method: "GET", path: "/o/:slug/competitors.csv", least: "viewer", handle: downloadCompetitors },
  { method: "POST", path: "/o/:slug/competitors", least: "member", handle: addCompetitor },
  { method: "GET", path: "/o/:slug/competitors/brand", least: "member", handle: showBrand },
  { method: "POST", path: "/o/:slug/competitors/brand", least: "member", handle: changeBrand },
  { method: "GET", path: "/o/:slug/competitors/measure", least: "member", handle: showMeasureAgain },
  { method: "POST", path: "/o/:slug/competitors/measure", least: "member", handle: measureAgain },
  { method: "GET", path: "/o/:slug/competitors/suggestions.csv", least: "viewer", handle: downloadSuggestions },
  { method: "GET", path: "/o/:slug/competitors/suggestions/accept", least: "member", handle: showAcceptance },
  { method: "POST", path: "/o/:slug/competitors/suggestions/ignore", least: "member", handle: ignoreName },
  { method: "POST", path: "/o/:slug/competitors/suggestions/restore", least: "member", handle: restoreName },
  { method: "GET", path: "/o/:slug/competitors/:id", least: "member", handle: showCompetitor },
  { method: "POST", path: "/o/:slug/competitors/:id", least: "member", handle: changeCompetitor },
  { method: "GET", path: "/o/:slug/competitors/:id/remove", least: "member", handle: showRemoval },
  { method: "POST", path: "/o/:slug/competitors/:id/remove", least: "member", handle: removeCompetitor },

  { method: "GET", path: "/o/:slug/answers", least: "viewer", handle: showAnswers },
  { method: "GET", path: "/o/:slug/answers.csv", least: "viewer", handle: downloadAnswers },
  { method: "GET", path: "/o/:slug/answers/:id", least: "viewer", handle: showAnswer },
  { method: "GET", path: "/o/:slug/answers/:id/text", least: "viewer", handle: downloadText },
  { method: "GET", path: "/o/:slug/answers/:id/payload", least: "viewer", handle: downloadPayload },
  { method: "GET", path: "/o/:slug/answers/:id/proof", least: "viewer", handle: downloadProof },

  { method: "GET", path: "/o/:slug/scans", least: "viewer", handle: showScans },
  { method: "GET", path: "/o/:slug/scans.csv", least: "viewer", handle: downloadScans },
  { method: "POST", path: "/o/:slug/scans", least: "member", handle: startNewScan },
  { method: "GET", path: "/o/:slug/scans/new", least: "member", handle: showNewScan },
  { method: "GET", path: "/o/:slug/scans/compare", least: "viewer", handle: showComparison },
  { method: "GET", path: "/o/:slug/scans/compare.csv", least: "viewer", handle: downloadComparison },
  { method: "POST", path: "/o/:slug/scans/compare", least: "member", handle: measureForComparison },
  { method: "GET", path: "/o/:slug/scans/:id", least: "viewer", handle: showScan },
  { method: "GET", path: "/o/:slug/scans/:id/events", least: "viewer", handle: followProgress },
  { method: "GET", path: "/o/:slug/scans/:id/cancel", least: "member", handle: askToCancel },
  { method: "POST", path: "/o/:slug/scans/:id/cancel", least: "member", handle: cancelRunning },
  { method: "GET", path: "/o/:slug/scans/:id/results.csv", least: "viewer", handle: downloadResults },

  { method: "GET", path: "/o/:slug/sources", least: "viewer", handle: showSources },
  { method: "GET", path: "/o/:slug/sources.csv", least: "viewer", handle: downloadSources },
  { method: "GET", path: "/o/:slug/sources/pages", least: "viewer", handle: showSourcePages },
  { method: "GET", path: "/o/:slug/sources/pages.csv", least: "viewer", handle: downloadSourcePages },
  { method: "GET", path: "/o/:slug/sources/gaps", least: "viewer", handle: showSourceGaps },
  { method: "GET", path: "/o/:slug/sources/gaps.csv", least: "viewer", handle: downloadSourceGaps },
  { method: "GET", path: "/o/:slug/sources/searches", least: "viewer", handle: showSearches },
  { method: "GET", path: "/o/:slug/sources/searches.csv", least: "viewer", handle: downloadSearches },

  { method: "GET", path: "/o/:slug/traffic", least: "viewer", handle: showTraffic },
  { method: "POST", path: "/o/:slug/traffic", least: "member", waits: true, upload: true, handle: importLog },
  { method: "GET", path: "/o/:slug/traffic.csv", least: "viewer", handle: downloadTraffic },
  { method: "GET", path: "/o/:slug/traffic/pages.csv", least: "viewer", handle: downloadLandingPages },

  { method: "GET", path: "/o/:slug/card", least: "viewer", handle: showCard },
  { method: "GET", path: "/o/:slug/card.csv", least: "viewer", handle: downloadCard },
  { method: "GET", path: "/o/:slug/card/json-ld", least: "viewer", handle: downloadJsonLd },
  { method: "GET", path: "/o/:slug/card/web-page", least: "viewer", handle: downloadElement },
  { method: "GET", path: "/o/:slug/card/history", least: "viewer", handle: showCardHistory },
  { method: "GET", path: "/o/:slug/card/history.csv", least: "viewer", handle: downloadCardHistory },
  { method: "GET", path: "/o/:slug/card/edit", least: "member", handle: showCardEdit },
  { method: "POST", path: "/o/:slug/card/edit", least: "member", handle: editCard },
  { method: "GET", path: "/o/:slug/card/attest", least: "member", handle: showAttest },
  { method: "POST", path: "/o/:slug/card/attest", least: "member", handle: attest },

  { method: "GET", path: "/o/:slug/alerts", least: "viewer", handle: showAlerts },
  { method: "GET", path: "/o/:slug/alerts.csv", least: "viewer", handle: downloadAlerts },
  { method: "GET", path: "/o/:slug/alerts/:id", least: "viewer", handle: showAlert },

  { method: "GET", path: "/o/:slug/settings", least: "viewer", handle: showSettings },

  { method: "GET", path: "/o/:slug/settings/plan", least: "viewer", handle: showPlan },
  { method: "GET", path: "/o/:slug/settings/platforms", least: "viewer", handle: showPlatforms },
  {
    method: "POST",
    path: "/o/:slug/settings/platforms/:id/test",
    least: "owner",
    waits: true,
    handle: testNow
  },
  { method: "GET", path: "/o/:slug/settings/system", least: "owner", handle: showSystem },

  { method: "GET", path: "/o/:slug/settings/export", least: "viewer", handle: showArchiveExport },
  { method: "POST", path: "/o/:slug/settings/export", least: "member", handle: downloadExport },

  { method: "GET", path: "/o/:slug/settings/alerts", least: "viewer", handle: showAlertSettings },
  { method: "POST", path: "/o/:slug/settings/alerts/recipients", least: "owner", handle: saveRecipients },
  { method: "POST", path: "/o/:slug/settings/alerts/digest", least: "owner", handle: saveDigest },
  { method: "POST", path: "/o/:slug/settings/alerts/test", least: "owner", handle: sendTest },
  { method: "GET", path: "/o/:slug/settings/alerts/:rule", least: "member", handle: showAlertRule },
  { method: "POST", path: "/o/:slug/settings/alerts/:rule", least: "member", handle: saveAlertRule },

  { method: "GET", path: "/o/:slug/settings/tracking", least: "viewer", handle: showTracking },

  { method: "GET", path: "/o/:slug/settings/schedule", least: "viewer", handle: showSchedule },
  { method: "POST", path: "/o/:slug/settings/schedule", least: "member", handle: saveSchedule },
  { method: "POST", path: "/o/:slug/settings/schedule/state", least: "member", handle: setScheduleState },
  { method: "GET", path: "/o/:slug/settings/schedule/remove", least: "member", handle: showScheduleRemoval },
  { method: "POST", path: "/o/:slug/settings/schedule/remove", least: "member", handle: removeSchedule },

  { method: "GET", path: "/o/:slug/settings/api", least: "owner", handle: showApiAccess },
  { method: "GET", path: "/o/:slug/settings/api.csv", least: "owner", handle: downloadKeys },
  { method: "POST", path: "/o/:slug/settings/api", least: "owner", handle: makeKey },
  { method: "GET", path: "/o/:slug/settings/api/:id/roll", least: "owner", handle: showRollKey },
  { method: "POST", path: "/o/:slug/settings/api/:id/roll", least: "owner", handle: rollKey },
  { method: "GET", path: "/o/:slug/settings/api/:id/revoke", least: "owner", handle: showRevokeKey },
  { method: "POST", path: "/o/:slug/settings/api/:id/revoke", least: "owner", handle: revokeKey },

  { method: "GET", path: "/o/:slug/settings/webhooks", least: "owner", handle: showWebhooks },
  { method: "GET", path: "/o/:slug/settings/webhooks.csv", least: "owner", handle: downloadWebhooks },
  { method: "POST", path: "/o/:slug/settings/webhooks", least: "owner", handle: addWebhook },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id", least: "owner", handle: showWebhook },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/events", least: "owner", handle: changeWebhookEvents },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/test", least: "owner", handle: testWebhook },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/enable", least: "owner", handle: enableWebhook },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/disable", least: "owner", handle: showDisableWebhook },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/disable", least: "owner", handle: disableWebhook },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/rotate", least: "owner", handle: showRotateSecret },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/rotate", least: "owner", handle: rotateWebhookSecret },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/reveal", least: "owner", handle: revealWebhookSecret },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/promote", least: "owner", handle: promoteWebhookSecret },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/remove", least: "owner", handle: showRemoveWebhook },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/remove", least: "owner", handle: removeWebhook },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/replay", least: "owner", handle: showReplay },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/replay", least: "owner", handle: replayFailed },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/deliveries.csv", least: "owner", handle: downloadDeliveries },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/deliveries/:delivery", least: "owner", handle: showDelivery },
  {
    method: "POST",
    path: "/o/:slug/settings/webhooks/:id/deliveries/:delivery/replay",
    least: "owner",
    handle: replayOne
  },

  { method: "GET", path: "/o/:slug/settings/shares", least: "owner", handle: showShareLinks },
  { method: "GET", path: "/o/:slug/settings/shares.csv", least: "owner", handle: downloadShareLinks },
  { method: "POST", path: "/o/:slug/settings/shares", least: "owner", handle: makeShareLink },
  { method: "GET", path: "/o/:slug/settings/shares/:id/revoke", least: "owner", handle: showRevokeShareLink },
  { method: "POST", path: "/o/:slug/settings/shares/:id/revoke", least: "owner", handle: endShareLink },

  { method: "GET", path: "/o/:slug/settings/members", least: "owner", handle: showMembers },
  { method: "GET", path: "/o/:slug/settings/members.csv", least: "owner", handle: downloadMembers },
  { method: "POST", path: "/o/:slug/settings/members", least: "owner", handle: invite },
  { method: "POST", path: "/o/:slug/settings/members/:id/role", least: "owner", handle: setMemberRole },
  { method: "GET", path: "/o/:slug/settings/members/:id/remove", least: "owner", handle: showRemoveMember },
  { method: "POST", path: "/o/:slug/settings/members/:id/remove", least: "owner", handle: remove },

  { method: "GET", path: "/o/:slug/settings/audit", least: "owner", handle: showAudit },
  { method: "GET", path: "/o/:slug/settings/audit.csv", least: "owner", handle: downloadAudit }
]
