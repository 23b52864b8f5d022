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

/** Creates the routes of one method below the address of an organization. */
const inOrganization = (method: Route["method"]) =>
(
  path: `/${string}` | "",
  least: Role,
  handle: Handler<OrganizationRequest>,
  options: Pick<Route, "upload" | "waits"> = {}
): Route => ({ method, path: `/o/:slug${path}`, least, handle, ...options })

/** Pages and files, and the forms that are sent. */
const [get, post] = [inOrganization("GET"), inOrganization("POST")]

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

  get("", "viewer", overview.showOverview),
  get("/platforms/:id", "viewer", oneStanding.showPlatform),
  get("/definitions", "viewer", overview.showDefinitions),
  get("/overview.csv", "viewer", overview.downloadOverview),
  get("/spot", "viewer", spot.showSpotOdds),
  get("/actions", "viewer", actions.showActions),
  get("/actions.csv", "viewer", actions.downloadActions),
  post("/actions/:id/mark", "member", actions.saveActionMark),
  post("/actions/:id/undo", "member", actions.undoActionMark),
  get("/evidence", "viewer", spot.showEvidence),
  get("/annotations", "viewer", annotations.showAnnotations),
  post("/annotations", "member", annotations.addAnnotation),
  post("/annotations/:id/remove", "member", annotations.endAnnotation),
  get("/report.html", "viewer", report.downloadReport),

  get("/keywords", "viewer", keywords.showKeywords),
  get("/keywords.csv", "viewer", keywords.downloadKeywords),
  post("/keywords", "member", keywords.addKeywords),
  post("/keywords/topics", "member", keywords.decideTopic),
  get("/keywords/:id", "viewer", keyword.showKeyword),
  get("/keywords/:id.csv", "viewer", keyword.downloadKeyword),
  get("/keywords/:id/remove", "member", keyword.showKeywordRemoval),
  post("/keywords/:id/status", "member", keyword.changeKeywordStatus),
  post("/keywords/:id/tags", "member", keyword.changeKeywordTags),

  get("/competitors", "viewer", competitors.showCompetitors),
  get("/competitors.csv", "viewer", competitors.downloadCompetitors),
  post("/competitors", "member", names.addCompetitor),
  get("/competitors/brand", "member", names.showBrand),
  post("/competitors/brand", "member", names.changeBrand),
  get("/competitors/measure", "member", measureAgain.showMeasureAgain),
  post("/competitors/measure", "member", measureAgain.measureAgain),
  get("/competitors/suggestions.csv", "viewer", suggestions.downloadSuggestions),
  get("/competitors/suggestions/accept", "member", names.showAcceptance),
  post("/competitors/suggestions/ignore", "member", suggestions.ignoreName),
  post("/competitors/suggestions/restore", "member", suggestions.restoreName),
  get("/competitors/:id", "member", names.showCompetitor),
  post("/competitors/:id", "member", names.changeCompetitor),
  get("/competitors/:id/share", "viewer", oneStanding.showCompetitorShare),
  get("/competitors/:id/remove", "member", names.showRemoval),
  post("/competitors/:id/remove", "member", names.removeCompetitor),

  get("/answers", "viewer", answers.showAnswers),
  get("/answers.csv", "viewer", answers.downloadAnswers),
  get("/answers/:id", "viewer", answers.showAnswer),
  get("/answers/:id/text", "viewer", answers.downloadText),
  get("/answers/:id/payload", "viewer", answers.downloadPayload),
  get("/answers/:id/proof", "viewer", answers.downloadProof),

  get("/views", "viewer", views.showViews),
  post("/views", "member", views.addView),
  get("/surfaces", "viewer", surfaces.showSurfaces),
  post("/surfaces", "member", surfaces.addCaptured),
  post("/surfaces/file", "member", surfaces.importCapturedFile, { waits: true, upload: true }),
  get("/views/wordings", "member", wordings.showWordings),
  post("/views/wordings", "member", wordings.saveWordings),
  get("/views/remove", "member", views.showViewRemoval),
  post("/views/remove", "member", views.removeView),

  get("/scans", "viewer", scans.showScans),
  get("/scans.csv", "viewer", scans.downloadScans),
  post("/scans", "member", newScan.startNewScan),
  get("/scans/new", "member", newScan.showNewScan),
  get("/scans/compare", "viewer", compare.showComparison),
  get("/scans/compare.csv", "viewer", compare.downloadComparison),
  post("/scans/compare", "member", compare.measureForComparison),
  get("/scans/:id", "viewer", scans.showScan),
  get("/scans/:id/events", "viewer", scans.followProgress),
  get("/scans/:id/cancel", "member", scans.showCancelScan),
  post("/scans/:id/cancel", "member", scans.cancelRunning),
  get("/scans/:id/results.csv", "viewer", scans.downloadResults),

  get("/experiments", "viewer", experiments.showExperiments),
  post("/experiments", "member", experiments.sealPlan),
  get("/experiments/new", "member", experiments.showNewExperiment),
  get("/experiments/:id", "viewer", experiments.showExperiment),
  post("/experiments/:id/end", "member", experiments.endExperiment),

  get("/sources", "viewer", sources.showSources),
  get("/sources.csv", "viewer", sources.downloadSources),
  get("/sources/pages", "viewer", sources.showSourcePages),
  get("/sources/pages.csv", "viewer", sources.downloadSourcePages),
  get("/sources/gaps", "viewer", sources.showSourceGaps),
  get("/sources/gaps.csv", "viewer", sources.downloadSourceGaps),
  get("/sources/searches", "viewer", sources.showSearches),
  get("/sources/searches.csv", "viewer", sources.downloadSearches),

  get("/traffic", "viewer", traffic.showTraffic),
  post("/traffic", "member", traffic.importLog, { waits: true, upload: true }),
  get("/traffic.csv", "viewer", traffic.downloadTraffic),
  get("/traffic/pages.csv", "viewer", traffic.downloadLandingPages),

  get("/card", "viewer", card.showCard),
  get("/card.csv", "viewer", card.downloadCard),
  get("/card/answers", "viewer", card.showCardAnswers),
  get("/card/answers.csv", "viewer", card.downloadCardAnswers),
  get("/card/json-ld", "viewer", card.downloadJsonLd),
  get("/card/web-page", "viewer", card.downloadElement),
  get("/card/history", "viewer", card.showCardHistory),
  get("/card/history.csv", "viewer", card.downloadCardHistory),
  get("/card/edit", "member", cardEdit.showCardEdit),
  post("/card/edit", "member", cardEdit.editCard),
  get("/card/attest", "member", card.showAttest),
  post("/card/attest", "member", card.attest),

  get("/alerts", "viewer", alerts.showAlerts),
  get("/alerts.csv", "viewer", alerts.downloadAlerts),
  get("/alerts/:id", "viewer", alerts.showAlert),

  get("/settings", "viewer", settings.showSettings),

  get("/settings/organization", "owner", organization.showOrganization),
  post("/settings/organization", "owner", organization.saveOrganization),
  get("/settings/plan", "viewer", plan.showPlan),
  get("/settings/platforms", "viewer", platforms.showPlatforms),
  post("/settings/platforms/:id/test", "owner", platforms.testNow, { waits: true }),
  get("/settings/system", "owner", system.showSystem),

  get("/settings/export", "viewer", archiveExport.showArchiveExport),
  post("/settings/export", "member", archiveExport.downloadExport),

  get("/settings/alerts", "viewer", alertSettings.showAlertSettings),
  post("/settings/alerts/recipients", "owner", alertSettings.saveRecipients),
  post("/settings/alerts/digest", "owner", alertSettings.saveDigest),
  post("/settings/alerts/test", "owner", alertSettings.sendTest),
  get("/settings/alerts/:rule", "member", alertSettings.showAlertRule),
  post("/settings/alerts/:rule", "member", alertSettings.saveAlertRule),

  get("/settings/tracking", "viewer", tracking.showTracking),

  get("/settings/schedule", "viewer", schedule.showSchedule),
  post("/settings/schedule", "member", schedule.saveSchedule),
  post("/settings/schedule/state", "member", schedule.setScheduleState),
  get("/settings/schedule/remove", "member", schedule.showScheduleRemoval),
  post("/settings/schedule/remove", "member", schedule.removeSchedule),

  get("/settings/api", "owner", apiAccess.showApiAccess),
  get("/settings/api.csv", "owner", apiAccess.downloadKeys),
  post("/settings/api", "owner", apiAccess.makeKey),
  get("/settings/api/:id/roll", "owner", apiAccess.showRollKey),
  post("/settings/api/:id/roll", "owner", apiAccess.rollKey),
  get("/settings/api/:id/revoke", "owner", apiAccess.showRevokeKey),
  post("/settings/api/:id/revoke", "owner", apiAccess.revokeKey),

  get("/settings/webhooks", "owner", webhooks.showWebhooks),
  get("/settings/webhooks.csv", "owner", webhooks.downloadWebhooks),
  post("/settings/webhooks", "owner", webhooks.addWebhook),
  get("/settings/webhooks/:id", "owner", webhook.showWebhook),
  post("/settings/webhooks/:id/events", "owner", webhooks.changeWebhookEvents),
  post("/settings/webhooks/:id/test", "owner", webhook.testWebhook),
  post("/settings/webhooks/:id/enable", "owner", webhooks.enableWebhook),
  get("/settings/webhooks/:id/disable", "owner", webhooks.showDisableWebhook),
  post("/settings/webhooks/:id/disable", "owner", webhooks.disableWebhook),
  get("/settings/webhooks/:id/rotate", "owner", webhooks.showRotateSecret),
  post("/settings/webhooks/:id/rotate", "owner", webhooks.rotateWebhookSecret),
  post("/settings/webhooks/:id/reveal", "owner", webhooks.revealWebhookSecret),
  post("/settings/webhooks/:id/promote", "owner", webhooks.promoteWebhookSecret),
  get("/settings/webhooks/:id/remove", "owner", webhooks.showRemoveWebhook),
  post("/settings/webhooks/:id/remove", "owner", webhooks.removeWebhook),
  get("/settings/webhooks/:id/replay", "owner", webhook.showReplay),
  post("/settings/webhooks/:id/replay", "owner", webhook.replayFailed),
  get("/settings/webhooks/:id/deliveries.csv", "owner", webhook.downloadDeliveries),
  get("/settings/webhooks/:id/deliveries/:delivery", "owner", webhook.showDelivery),
  post("/settings/webhooks/:id/deliveries/:delivery/replay", "owner", webhook.replayOne),

  get("/settings/branding", "owner", branding.showBranding),
  post("/settings/branding", "owner", branding.saveBranding),
  get("/settings/branding/logo", "owner", branding.downloadLogo),
  post("/settings/branding/logo", "owner", branding.saveLogo, { upload: true }),
  post("/settings/branding/logo/remove", "owner", branding.removeLogo),

  get("/settings/shares", "owner", shareLinks.showShareLinks),
  get("/settings/shares.csv", "owner", shareLinks.downloadShareLinks),
  post("/settings/shares", "owner", shareLinks.makeShareLink),
  get("/settings/shares/:id/revoke", "owner", shareLinks.showRevokeShareLink),
  post("/settings/shares/:id/revoke", "owner", shareLinks.endShareLink),

  get("/settings/members", "owner", members.showMembers),
  get("/settings/members.csv", "owner", members.downloadMembers),
  post("/settings/members", "owner", members.invite),
  post("/settings/members/:id/role", "owner", members.setMemberRole),
  get("/settings/members/:id/remove", "owner", members.showRemoveMember),
  post("/settings/members/:id/remove", "owner", members.removeOrganizationMember),

  get("/settings/audit", "owner", audit.showAudit),
  get("/settings/audit.csv", "owner", audit.downloadAudit)
]
