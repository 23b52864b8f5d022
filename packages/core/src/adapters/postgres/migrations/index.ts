/** All migrations by number. The list only grows, and a released migration is never edited. */
import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import foundation from "./0001_foundation.ts"
import rowsAreTheLanes from "./0002_rows_are_the_lanes.ts"
import worker from "./0003_worker.ts"
import scoreUncertainty from "./0004_score_uncertainty.ts"
import sentimentBy from "./0005_sentiment_by.ts"
import answersOfAScan from "./0006_answers_of_a_scan.ts"
import platformUpkeep from "./0007_platform_upkeep.ts"
import api from "./0008_api.ts"
import webhooks from "./0009_webhooks.ts"
import alerts from "./0010_alerts.ts"
import businessCard from "./0011_business_card.ts"
import traffic from "./0012_traffic.ts"
import charges from "./0013_charges.ts"
import answersToAKeyword from "./0016_answers_to_a_keyword.ts"
import requestLog from "./0017_request_log.ts"
import deliveriesAndMail from "./0019_deliveries_and_mail.ts"
import schedules from "./0021_schedules.ts"
import alertMemories from "./0025_alert_memories.ts"
import sources from "./0027_sources.ts"
import people from "./0028_people.ts"
import keyScopes from "./0029_key_scopes.ts"
import resolvedUrl from "./0030_resolved_url.ts"
import auditActors from "./0031_audit_actors.ts"
import sessionMadeBy from "./0032_session_made_by.ts"
import linksAndMembers from "./0034_links_and_members.ts"
import auditSubjects from "./0035_audit_subjects.ts"
import scoreDetail from "./0037_score_detail.ts"
import measurementFailures from "./0038_measurement_failures.ts"
import anchoredEvent from "./0039_anchored_event.ts"
import views from "./0040_views.ts"
import keywordTags from "./0041_keyword_tags.ts"
import webhookFormat from "./0042_webhook_format.ts"
import shareLinks from "./0043_share_links.ts"
import ignoredNames from "./0044_ignored_names.ts"
import digest from "./0045_digest.ts"
import askable from "./0046_askable.ts"
import newCompetitors from "./0047_new_competitors.ts"
import validatedChecks from "./0060_validated_checks.ts"
import retention from "./0065_retention.ts"
import indexesOfAge from "./0066_indexes_of_age.ts"
import sealFacts from "./0075_seal_facts.ts"
import deletion from "./0078_deletion.ts"
import indexesOfPages from "./0079_indexes_of_pages.ts"
import platformChanged from "./0085_platform_changed.ts"
import platformEnd from "./0086_platform_end.ts"
import validatedEvent from "./0087_validated_event.ts"
import platformChangedRule from "./0088_platform_changed_rule.ts"
import noOverviewCount from "./0090_no_overview_count.ts"
import tenants from "./0115_tenants.ts"
import validatedTenants from "./0116_validated_tenants.ts"
import scanFailed from "./0125_scan_failed.ts"
import validatedFailed from "./0126_validated_failed.ts"
import annotations from "./0130_annotations.ts"
import buyerViews from "./0131_buyer_views.ts"
import validatedLeafVersion from "./0132_validated_leaf_version.ts"
import surfaceAndView from "./0133_surface_and_view.ts"
import actions from "./0165_actions.ts"
import factContradicted from "./0166_fact_contradicted.ts"
import validatedFacts from "./0167_validated_facts.ts"
import experimentEnd from "./0170_experiment_end.ts"
import validatedEnded from "./0171_validated_ended.ts"
import topics from "./0185_topics.ts"
import branding from "./0200_branding.ts"
import cardDecision from "./0210_card_decision.ts"
import brandingLocale from "./0218_branding_locale.ts"
import type { Concurrent } from "./Concurrent.ts"

/** Either a change in its own short transaction, or a change that runs while the tables are in use. */
type Migration = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> | Concurrent

export const migrations: { readonly [key: string]: Migration } = {
  "0001_foundation": foundation,
  "0002_rows_are_the_lanes": rowsAreTheLanes,
  "0003_worker": worker,
  "0004_score_uncertainty": scoreUncertainty,
  "0005_sentiment_by": sentimentBy,
  "0006_answers_of_a_scan": answersOfAScan,
  "0007_platform_upkeep": platformUpkeep,
  "0008_api": api,
  "0009_webhooks": webhooks,
  "0010_alerts": alerts,
  "0011_business_card": businessCard,
  "0012_traffic": traffic,
  "0013_charges": charges,
  "0016_answers_to_a_keyword": answersToAKeyword,
  "0017_request_log": requestLog,
  "0019_deliveries_and_mail": deliveriesAndMail,
  "0021_schedules": schedules,
  "0025_alert_memories": alertMemories,
  "0027_sources": sources,
  "0028_people": people,
  "0029_key_scopes": keyScopes,
  "0030_resolved_url": resolvedUrl,
  "0031_audit_actors": auditActors,
  "0032_session_made_by": sessionMadeBy,
  "0034_links_and_members": linksAndMembers,
  "0035_audit_subjects": auditSubjects,
  "0037_score_detail": scoreDetail,
  "0038_measurement_failures": measurementFailures,
  "0039_anchored_event": anchoredEvent,
  "0040_views": views,
  "0041_keyword_tags": keywordTags,
  "0042_webhook_format": webhookFormat,
  "0043_share_links": shareLinks,
  "0044_ignored_names": ignoredNames,
  "0045_digest": digest,
  "0046_askable": askable,
  "0047_new_competitors": newCompetitors,
  "0060_validated_checks": validatedChecks,
  "0065_retention": retention,
  "0066_indexes_of_age": indexesOfAge,
  "0075_seal_facts": sealFacts,
  "0078_deletion": deletion,
  "0079_indexes_of_pages": indexesOfPages,
  "0085_platform_changed": platformChanged,
  "0086_platform_end": platformEnd,
  "0087_validated_event": validatedEvent,
  "0088_platform_changed_rule": platformChangedRule,
  "0090_no_overview_count": noOverviewCount,
  "0115_tenants": tenants,
  "0116_validated_tenants": validatedTenants,
  "0125_scan_failed": scanFailed,
  "0126_validated_failed": validatedFailed,
  "0130_annotations": annotations,
  "0131_buyer_views": buyerViews,
  "0132_validated_leaf_version": validatedLeafVersion,
  "0133_surface_and_view": surfaceAndView,
  "0165_actions": actions,
  "0166_fact_contradicted": factContradicted,
  "0167_validated_facts": validatedFacts,
  "0170_experiment_end": experimentEnd,
  "0171_validated_ended": validatedEnded,
  "0185_topics": topics,
  "0200_branding": branding,
  "0210_card_decision": cardDecision,
  "0218_branding_locale": brandingLocale
}
