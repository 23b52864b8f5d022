/** All pages, with the lowest role that may see each. The server mounts this table, and tests read it. */
import type { BadCursor, NotFound, OutsideWindow, Rejected, StoragePorts, StoreError } from "@sov/core/common"
import type { Role } from "@sov/core/people"
import type { startScans } from "@sov/core/scanning"
import type { testEndpoint } from "@sov/core/webhooks"
import type { Effect } from "effect"
import type { PageRefused } from "./guard/PageRefused.ts"
import type { OrganizationRequest, PageRequest, PersonRequest } from "./guard/PageRequest.ts"
import type { PageReply } from "./guard/Reply.ts"
import * as account from "./handlers/account.ts"
import * as actions from "./handlers/actions.ts"
import * as alerts from "./handlers/alerts.ts"
import * as alertSettings from "./handlers/alertSettings.ts"
import * as annotations from "./handlers/annotations.ts"
import * as answers from "./handlers/answers.ts"
import * as apiAccess from "./handlers/apiAccess.ts"
import * as archiveExport from "./handlers/archiveExport.ts"
import * as audit from "./handlers/audit.ts"
import * as branding from "./handlers/branding.ts"
import * as card from "./handlers/card.ts"
import * as cardEdit from "./handlers/cardEdit.ts"
import * as compare from "./handlers/compare.ts"
import * as competitors from "./handlers/competitors.ts"
import * as experiments from "./handlers/experiments.ts"
import * as home from "./handlers/home.ts"
import * as instance from "./handlers/instance.ts"
import * as inviteToAll from "./handlers/inviteToAll.ts"
import * as keyword from "./handlers/keyword.ts"
import * as keywords from "./handlers/keywords.ts"
import * as measureAgain from "./handlers/measureAgain.ts"
import * as members from "./handlers/members.ts"
import * as names from "./handlers/names.ts"
import * as newScan from "./handlers/newScan.ts"
import * as oneStanding from "./handlers/oneStanding.ts"
import * as organization from "./handlers/organization.ts"
import * as organizations from "./handlers/organizations.ts"
import * as overview from "./handlers/overview.ts"
import * as plan from "./handlers/plan.ts"
import * as platforms from "./handlers/platforms.ts"
import * as portfolio from "./handlers/portfolio.ts"
import * as report from "./handlers/report.ts"
import * as scans from "./handlers/scans.ts"
import * as schedule from "./handlers/schedule.ts"
import * as settings from "./handlers/settings.ts"
import * as setup from "./handlers/setup.ts"
import * as shareLinks from "./handlers/shareLinks.ts"
import * as signIn from "./handlers/signIn.ts"
import * as sources from "./handlers/sources.ts"
import * as spot from "./handlers/spot.ts"
import * as sso from "./handlers/sso.ts"
import * as suggestions from "./handlers/suggestions.ts"
import * as surfaces from "./handlers/surfaces.ts"
import * as system from "./handlers/system.ts"
import * as tracking from "./handlers/tracking.ts"
import * as traffic from "./handlers/traffic.ts"
import * as unsubscribe from "./handlers/unsubscribe.ts"
import * as views from "./handlers/views.ts"
import * as webhook from "./handlers/webhook.ts"
import * as webhooks from "./handlers/webhooks.ts"
import * as wordings from "./handlers/wordings.ts"

/** Services that the use cases of pages need. */
export type PageServices = StoragePorts | Effect.Services<ReturnType<typeof startScans | typeof testEndpoint>>

/** Errors that the server shows as a page. Handlers deal with all other errors themselves. */
export type PageError = PageRefused | NotFound | OutsideWindow | BadCursor | Rejected | StoreError

/** Calls a use case and builds a page from its result. */
export type Handler<Request> = (request: Request) => Effect.Effect<PageReply<PageServices>, PageError, PageServices>

interface Address<Path extends `/${string}`> {
  readonly method: "GET" | "POST"
  readonly path: Path
  /**
   * Which requests are limited per network: those for links that do not work (410), sign-ins refused elsewhere, or
   * requests for mails.
   */
  readonly limit?: "links" | "identities" | "mails"
  /** Whether the route waits for a platform's answer or a file. It then has more time than other pages. */
  readonly waits?: true
  /**
   * Whether mail programs may post to this route. Its effect depends only on the path, so another site could not misuse
   * it.
   */
  readonly fromAnywhere?: true
  /** Whether the route's form uploads a file. */
  readonly upload?: true
}

/**
 * A route. `least` is the minimum access that a visitor needs: `anybody`, a signed-in `person`, or a role in the
 * organization in the path. A route without `least` does not compile, and a route of an organization accepts only a
 * role.
 */
export type Route =
  | Address<`/${string}`> & { readonly least: "anybody"; readonly handle: Handler<PageRequest> }
  | Address<`/${string}`> & { readonly least: "person"; readonly handle: Handler<PersonRequest> }
  | Address<`/o/:slug${string}`> & { readonly least: Role; readonly handle: Handler<OrganizationRequest> }

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "/", least: "anybody", handle: home.redirectHome },

  { method: "GET", path: "/login", least: "anybody", limit: "identities", handle: signIn.showSignIn },
  { method: "POST", path: "/login", least: "anybody", limit: "mails", handle: signIn.requestLink },
  { method: "GET", path: "/login/instance", least: "anybody", handle: instance.showInstance },
  { method: "GET", path: "/login/check/:hash", least: "anybody", limit: "links", handle: instance.checkLink },
  { method: "GET", path: "/login/link/:token", least: "anybody", limit: "links", handle: signIn.showLink },
  { method: "POST", path: "/login/link/:token", least: "anybody", limit: "links", handle: signIn.signIn },
  { method: "GET", path: "/login/sso", least: "anybody", handle: sso.beginSignIn },
  { method: "GET", path: "/login/sso/callback", least: "anybody", limit: "identities", handle: sso.finishSignIn },
  { method: "POST", path: "/logout", least: "anybody", handle: signIn.signOutHere },

  { method: "GET", path: "/unsubscribe/:token", least: "anybody", limit: "links", handle: unsubscribe.showUnsubscribe },
  {
    method: "POST",
    path: "/unsubscribe/:token",
    least: "anybody",
    limit: "links",
    fromAnywhere: true,
    handle: unsubscribe.endDigests
  },
  { method: "GET", path: "/share/:token", least: "anybody", limit: "links", handle: shareLinks.showShared },

  { method: "GET", path: "/account", least: "person", handle: account.showAccount },
  { method: "POST", path: "/account/theme", least: "person", handle: account.setTheme },
  { method: "POST", path: "/account/formats", least: "person", handle: account.setFormats },
  { method: "GET", path: "/account/identities/remove", least: "person", handle: account.showRemoveIdentity },
  { method: "POST", path: "/account/identities/remove", least: "person", handle: account.removeOwnIdentity },
  { method: "POST", path: "/account/sessions/end", least: "person", handle: account.endOtherSessions },
  { method: "POST", path: "/account/sessions/:id/end", least: "person", handle: account.endOwnSession },

  { method: "GET", path: "/setup", least: "person", handle: setup.showSetup },
  { method: "POST", path: "/setup", least: "person", handle: setup.setUp },

  { method: "GET", path: "/glossary", least: "person", handle: account.showGlossary },

  { method: "GET", path: "/organizations", least: "person", handle: organizations.showOrganizations },
  { method: "GET", path: "/organizations/usage.csv", least: "person", handle: organizations.downloadUsage },
  { method: "POST", path: "/organizations/:slug/suspend", least: "person", handle: organizations.suspend },
  { method: "POST", path: "/organizations/:slug/resume", least: "person", handle: organizations.resume },
  { method: "GET", path: "/portfolio", least: "person", handle: portfolio.showPortfolio },
  { method: "GET", path: "/portfolio.csv", least: "person", handle: portfolio.downloadPortfolio },
  { method: "GET", path: "/portfolio/invite", least: "person", handle: inviteToAll.showInvite },
  { method: "POST", path: "/portfolio/invite", least: "person", handle: inviteToAll.invite },

  { method: "GET", path: "/o/:slug", least: "viewer", handle: overview.showOverview },
  { method: "GET", path: "/o/:slug/platforms/:id", least: "viewer", handle: oneStanding.showPlatform },
  { method: "GET", path: "/o/:slug/definitions", least: "viewer", handle: overview.showDefinitions },
  { method: "GET", path: "/o/:slug/overview.csv", least: "viewer", handle: overview.downloadOverview },
  { method: "GET", path: "/o/:slug/spot", least: "viewer", handle: spot.showSpotOdds },
  { method: "GET", path: "/o/:slug/actions", least: "viewer", handle: actions.showActions },
  { method: "GET", path: "/o/:slug/actions.csv", least: "viewer", handle: actions.downloadActions },
  { method: "POST", path: "/o/:slug/actions/:id/mark", least: "member", handle: actions.saveActionMark },
  { method: "POST", path: "/o/:slug/actions/:id/undo", least: "member", handle: actions.undoActionMark },
  { method: "GET", path: "/o/:slug/evidence", least: "viewer", handle: spot.showEvidence },
  { method: "GET", path: "/o/:slug/annotations", least: "viewer", handle: annotations.showAnnotations },
  { method: "POST", path: "/o/:slug/annotations", least: "member", handle: annotations.addAnnotation },
  { method: "POST", path: "/o/:slug/annotations/:id/remove", least: "member", handle: annotations.endAnnotation },
  { method: "GET", path: "/o/:slug/report.html", least: "viewer", handle: report.downloadReport },

  { method: "GET", path: "/o/:slug/keywords", least: "viewer", handle: keywords.showKeywords },
  { method: "GET", path: "/o/:slug/keywords.csv", least: "viewer", handle: keywords.downloadKeywords },
  { method: "POST", path: "/o/:slug/keywords", least: "member", handle: keywords.addKeywords },
  { method: "POST", path: "/o/:slug/keywords/topics", least: "member", handle: keywords.decideTopic },
  { method: "GET", path: "/o/:slug/keywords/:id", least: "viewer", handle: keyword.showKeyword },
  { method: "GET", path: "/o/:slug/keywords/:id.csv", least: "viewer", handle: keyword.downloadKeyword },
  { method: "GET", path: "/o/:slug/keywords/:id/remove", least: "member", handle: keyword.showKeywordRemoval },
  { method: "POST", path: "/o/:slug/keywords/:id/status", least: "member", handle: keyword.changeKeywordStatus },
  { method: "POST", path: "/o/:slug/keywords/:id/tags", least: "member", handle: keyword.changeKeywordTags },

  { method: "GET", path: "/o/:slug/competitors", least: "viewer", handle: competitors.showCompetitors },
  { method: "GET", path: "/o/:slug/competitors.csv", least: "viewer", handle: competitors.downloadCompetitors },
  { method: "POST", path: "/o/:slug/competitors", least: "member", handle: names.addCompetitor },
  { method: "GET", path: "/o/:slug/competitors/brand", least: "member", handle: names.showBrand },
  { method: "POST", path: "/o/:slug/competitors/brand", least: "member", handle: names.changeBrand },
  { method: "GET", path: "/o/:slug/competitors/measure", least: "member", handle: measureAgain.showMeasureAgain },
  { method: "POST", path: "/o/:slug/competitors/measure", least: "member", handle: measureAgain.measureAgain },
  {
    method: "GET",
    path: "/o/:slug/competitors/suggestions.csv",
    least: "viewer",
    handle: suggestions.downloadSuggestions
  },
  { method: "GET", path: "/o/:slug/competitors/suggestions/accept", least: "member", handle: names.showAcceptance },
  { method: "POST", path: "/o/:slug/competitors/suggestions/ignore", least: "member", handle: suggestions.ignoreName },
  {
    method: "POST",
    path: "/o/:slug/competitors/suggestions/restore",
    least: "member",
    handle: suggestions.restoreName
  },
  { method: "GET", path: "/o/:slug/competitors/:id", least: "member", handle: names.showCompetitor },
  { method: "POST", path: "/o/:slug/competitors/:id", least: "member", handle: names.changeCompetitor },
  { method: "GET", path: "/o/:slug/competitors/:id/share", least: "viewer", handle: oneStanding.showCompetitorShare },
  { method: "GET", path: "/o/:slug/competitors/:id/remove", least: "member", handle: names.showRemoval },
  { method: "POST", path: "/o/:slug/competitors/:id/remove", least: "member", handle: names.removeCompetitor },

  { method: "GET", path: "/o/:slug/answers", least: "viewer", handle: answers.showAnswers },
  { method: "GET", path: "/o/:slug/answers.csv", least: "viewer", handle: answers.downloadAnswers },
  { method: "GET", path: "/o/:slug/answers/:id", least: "viewer", handle: answers.showAnswer },
  { method: "GET", path: "/o/:slug/answers/:id/text", least: "viewer", handle: answers.downloadText },
  { method: "GET", path: "/o/:slug/answers/:id/payload", least: "viewer", handle: answers.downloadPayload },
  { method: "GET", path: "/o/:slug/answers/:id/proof", least: "viewer", handle: answers.downloadProof },

  { method: "GET", path: "/o/:slug/views", least: "viewer", handle: views.showViews },
  { method: "POST", path: "/o/:slug/views", least: "member", handle: views.addView },
  { method: "GET", path: "/o/:slug/surfaces", least: "viewer", handle: surfaces.showSurfaces },
  { method: "POST", path: "/o/:slug/surfaces", least: "member", handle: surfaces.addCaptured },
  {
    method: "POST",
    path: "/o/:slug/surfaces/file",
    least: "member",
    waits: true,
    upload: true,
    handle: surfaces.importCapturedFile
  },
  { method: "GET", path: "/o/:slug/views/wordings", least: "member", handle: wordings.showWordings },
  { method: "POST", path: "/o/:slug/views/wordings", least: "member", handle: wordings.saveWordings },
  { method: "GET", path: "/o/:slug/views/remove", least: "member", handle: views.showViewRemoval },
  { method: "POST", path: "/o/:slug/views/remove", least: "member", handle: views.removeView },

  { method: "GET", path: "/o/:slug/scans", least: "viewer", handle: scans.showScans },
  { method: "GET", path: "/o/:slug/scans.csv", least: "viewer", handle: scans.downloadScans },
  { method: "POST", path: "/o/:slug/scans", least: "member", handle: newScan.startNewScan },
  { method: "GET", path: "/o/:slug/scans/new", least: "member", handle: newScan.showNewScan },
  { method: "GET", path: "/o/:slug/scans/compare", least: "viewer", handle: compare.showComparison },
  { method: "GET", path: "/o/:slug/scans/compare.csv", least: "viewer", handle: compare.downloadComparison },
  { method: "POST", path: "/o/:slug/scans/compare", least: "member", handle: compare.measureForComparison },
  { method: "GET", path: "/o/:slug/scans/:id", least: "viewer", handle: scans.showScan },
  { method: "GET", path: "/o/:slug/scans/:id/events", least: "viewer", handle: scans.followProgress },
  { method: "GET", path: "/o/:slug/scans/:id/cancel", least: "member", handle: scans.showCancelScan },
  { method: "POST", path: "/o/:slug/scans/:id/cancel", least: "member", handle: scans.cancelRunning },
  { method: "GET", path: "/o/:slug/scans/:id/results.csv", least: "viewer", handle: scans.downloadResults },

  { method: "GET", path: "/o/:slug/experiments", least: "viewer", handle: experiments.showExperiments },
  { method: "POST", path: "/o/:slug/experiments", least: "member", handle: experiments.sealPlan },
  { method: "GET", path: "/o/:slug/experiments/new", least: "member", handle: experiments.showNewExperiment },
  { method: "GET", path: "/o/:slug/experiments/:id", least: "viewer", handle: experiments.showExperiment },
  { method: "POST", path: "/o/:slug/experiments/:id/end", least: "member", handle: experiments.endExperiment },

  { method: "GET", path: "/o/:slug/sources", least: "viewer", handle: sources.showSources },
  { method: "GET", path: "/o/:slug/sources.csv", least: "viewer", handle: sources.downloadSources },
  { method: "GET", path: "/o/:slug/sources/pages", least: "viewer", handle: sources.showSourcePages },
  { method: "GET", path: "/o/:slug/sources/pages.csv", least: "viewer", handle: sources.downloadSourcePages },
  { method: "GET", path: "/o/:slug/sources/gaps", least: "viewer", handle: sources.showSourceGaps },
  { method: "GET", path: "/o/:slug/sources/gaps.csv", least: "viewer", handle: sources.downloadSourceGaps },
  { method: "GET", path: "/o/:slug/sources/searches", least: "viewer", handle: sources.showSearches },
  { method: "GET", path: "/o/:slug/sources/searches.csv", least: "viewer", handle: sources.downloadSearches },

  { method: "GET", path: "/o/:slug/traffic", least: "viewer", handle: traffic.showTraffic },
  { method: "POST", path: "/o/:slug/traffic", least: "member", waits: true, upload: true, handle: traffic.importLog },
  { method: "GET", path: "/o/:slug/traffic.csv", least: "viewer", handle: traffic.downloadTraffic },
  { method: "GET", path: "/o/:slug/traffic/pages.csv", least: "viewer", handle: traffic.downloadLandingPages },

  { method: "GET", path: "/o/:slug/card", least: "viewer", handle: card.showCard },
  { method: "GET", path: "/o/:slug/card.csv", least: "viewer", handle: card.downloadCard },
  { method: "GET", path: "/o/:slug/card/answers", least: "viewer", handle: card.showCardAnswers },
  { method: "GET", path: "/o/:slug/card/answers.csv", least: "viewer", handle: card.downloadCardAnswers },
  { method: "GET", path: "/o/:slug/card/json-ld", least: "viewer", handle: card.downloadJsonLd },
  { method: "GET", path: "/o/:slug/card/web-page", least: "viewer", handle: card.downloadElement },
  { method: "GET", path: "/o/:slug/card/history", least: "viewer", handle: card.showCardHistory },
  { method: "GET", path: "/o/:slug/card/history.csv", least: "viewer", handle: card.downloadCardHistory },
  { method: "GET", path: "/o/:slug/card/edit", least: "member", handle: cardEdit.showCardEdit },
  { method: "POST", path: "/o/:slug/card/edit", least: "member", handle: cardEdit.editCard },
  { method: "GET", path: "/o/:slug/card/attest", least: "member", handle: card.showAttest },
  { method: "POST", path: "/o/:slug/card/attest", least: "member", handle: card.attest },

  { method: "GET", path: "/o/:slug/alerts", least: "viewer", handle: alerts.showAlerts },
  { method: "GET", path: "/o/:slug/alerts.csv", least: "viewer", handle: alerts.downloadAlerts },
  { method: "GET", path: "/o/:slug/alerts/:id", least: "viewer", handle: alerts.showAlert },

  { method: "GET", path: "/o/:slug/settings", least: "viewer", handle: settings.showSettings },

  { method: "GET", path: "/o/:slug/settings/organization", least: "owner", handle: organization.showOrganization },
  { method: "POST", path: "/o/:slug/settings/organization", least: "owner", handle: organization.saveOrganization },
  { method: "GET", path: "/o/:slug/settings/plan", least: "viewer", handle: plan.showPlan },
  { method: "GET", path: "/o/:slug/settings/platforms", least: "viewer", handle: platforms.showPlatforms },
  {
    method: "POST",
    path: "/o/:slug/settings/platforms/:id/test",
    least: "owner",
    waits: true,
    handle: platforms.testNow
  },
  { method: "GET", path: "/o/:slug/settings/system", least: "owner", handle: system.showSystem },

  { method: "GET", path: "/o/:slug/settings/export", least: "viewer", handle: archiveExport.showArchiveExport },
  { method: "POST", path: "/o/:slug/settings/export", least: "member", handle: archiveExport.downloadExport },

  { method: "GET", path: "/o/:slug/settings/alerts", least: "viewer", handle: alertSettings.showAlertSettings },
  { method: "POST", path: "/o/:slug/settings/alerts/recipients", least: "owner", handle: alertSettings.saveRecipients },
  { method: "POST", path: "/o/:slug/settings/alerts/digest", least: "owner", handle: alertSettings.saveDigest },
  { method: "POST", path: "/o/:slug/settings/alerts/test", least: "owner", handle: alertSettings.sendTest },
  { method: "GET", path: "/o/:slug/settings/alerts/:rule", least: "member", handle: alertSettings.showAlertRule },
  { method: "POST", path: "/o/:slug/settings/alerts/:rule", least: "member", handle: alertSettings.saveAlertRule },

  { method: "GET", path: "/o/:slug/settings/tracking", least: "viewer", handle: tracking.showTracking },

  { method: "GET", path: "/o/:slug/settings/schedule", least: "viewer", handle: schedule.showSchedule },
  { method: "POST", path: "/o/:slug/settings/schedule", least: "member", handle: schedule.saveSchedule },
  { method: "POST", path: "/o/:slug/settings/schedule/state", least: "member", handle: schedule.setScheduleState },
  { method: "GET", path: "/o/:slug/settings/schedule/remove", least: "member", handle: schedule.showScheduleRemoval },
  { method: "POST", path: "/o/:slug/settings/schedule/remove", least: "member", handle: schedule.removeSchedule },

  { method: "GET", path: "/o/:slug/settings/api", least: "owner", handle: apiAccess.showApiAccess },
  { method: "GET", path: "/o/:slug/settings/api.csv", least: "owner", handle: apiAccess.downloadKeys },
  { method: "POST", path: "/o/:slug/settings/api", least: "owner", handle: apiAccess.makeKey },
  { method: "GET", path: "/o/:slug/settings/api/:id/roll", least: "owner", handle: apiAccess.showRollKey },
  { method: "POST", path: "/o/:slug/settings/api/:id/roll", least: "owner", handle: apiAccess.rollKey },
  { method: "GET", path: "/o/:slug/settings/api/:id/revoke", least: "owner", handle: apiAccess.showRevokeKey },
  { method: "POST", path: "/o/:slug/settings/api/:id/revoke", least: "owner", handle: apiAccess.revokeKey },

  { method: "GET", path: "/o/:slug/settings/webhooks", least: "owner", handle: webhooks.showWebhooks },
  { method: "GET", path: "/o/:slug/settings/webhooks.csv", least: "owner", handle: webhooks.downloadWebhooks },
  { method: "POST", path: "/o/:slug/settings/webhooks", least: "owner", handle: webhooks.addWebhook },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id", least: "owner", handle: webhook.showWebhook },
  {
    method: "POST",
    path: "/o/:slug/settings/webhooks/:id/events",
    least: "owner",
    handle: webhooks.changeWebhookEvents
  },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/test", least: "owner", handle: webhook.testWebhook },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/enable", least: "owner", handle: webhooks.enableWebhook },
  {
    method: "GET",
    path: "/o/:slug/settings/webhooks/:id/disable",
    least: "owner",
    handle: webhooks.showDisableWebhook
  },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/disable", least: "owner", handle: webhooks.disableWebhook },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/rotate", least: "owner", handle: webhooks.showRotateSecret },
  {
    method: "POST",
    path: "/o/:slug/settings/webhooks/:id/rotate",
    least: "owner",
    handle: webhooks.rotateWebhookSecret
  },
  {
    method: "POST",
    path: "/o/:slug/settings/webhooks/:id/reveal",
    least: "owner",
    handle: webhooks.revealWebhookSecret
  },
  {
    method: "POST",
    path: "/o/:slug/settings/webhooks/:id/promote",
    least: "owner",
    handle: webhooks.promoteWebhookSecret
  },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/remove", least: "owner", handle: webhooks.showRemoveWebhook },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/remove", least: "owner", handle: webhooks.removeWebhook },
  { method: "GET", path: "/o/:slug/settings/webhooks/:id/replay", least: "owner", handle: webhook.showReplay },
  { method: "POST", path: "/o/:slug/settings/webhooks/:id/replay", least: "owner", handle: webhook.replayFailed },
  {
    method: "GET",
    path: "/o/:slug/settings/webhooks/:id/deliveries.csv",
    least: "owner",
    handle: webhook.downloadDeliveries
  },
  {
    method: "GET",
    path: "/o/:slug/settings/webhooks/:id/deliveries/:delivery",
    least: "owner",
    handle: webhook.showDelivery
  },
  {
    method: "POST",
    path: "/o/:slug/settings/webhooks/:id/deliveries/:delivery/replay",
    least: "owner",
    handle: webhook.replayOne
  },

  { method: "GET", path: "/o/:slug/settings/branding", least: "owner", handle: branding.showBranding },
  { method: "POST", path: "/o/:slug/settings/branding", least: "owner", handle: branding.saveBranding },
  { method: "GET", path: "/o/:slug/settings/branding/logo", least: "owner", handle: branding.downloadLogo },
  {
    method: "POST",
    path: "/o/:slug/settings/branding/logo",
    least: "owner",
    upload: true,
    handle: branding.saveLogo
  },
  { method: "POST", path: "/o/:slug/settings/branding/logo/remove", least: "owner", handle: branding.removeLogo },

  { method: "GET", path: "/o/:slug/settings/shares", least: "owner", handle: shareLinks.showShareLinks },
  { method: "GET", path: "/o/:slug/settings/shares.csv", least: "owner", handle: shareLinks.downloadShareLinks },
  { method: "POST", path: "/o/:slug/settings/shares", least: "owner", handle: shareLinks.makeShareLink },
  {
    method: "GET",
    path: "/o/:slug/settings/shares/:id/revoke",
    least: "owner",
    handle: shareLinks.showRevokeShareLink
  },
  { method: "POST", path: "/o/:slug/settings/shares/:id/revoke", least: "owner", handle: shareLinks.endShareLink },

  { method: "GET", path: "/o/:slug/settings/members", least: "owner", handle: members.showMembers },
  { method: "GET", path: "/o/:slug/settings/members.csv", least: "owner", handle: members.downloadMembers },
  { method: "POST", path: "/o/:slug/settings/members", least: "owner", handle: members.invite },
  { method: "POST", path: "/o/:slug/settings/members/:id/role", least: "owner", handle: members.setMemberRole },
  { method: "GET", path: "/o/:slug/settings/members/:id/remove", least: "owner", handle: members.showRemoveMember },
  {
    method: "POST",
    path: "/o/:slug/settings/members/:id/remove",
    least: "owner",
    handle: members.removeOrganizationMember
  },

  { method: "GET", path: "/o/:slug/settings/audit", least: "owner", handle: audit.showAudit },
  { method: "GET", path: "/o/:slug/settings/audit.csv", least: "owner", handle: audit.downloadAudit }
]
