CREATE VIEW `campaign_rights` AS select "api_keys"."id" as key_id, "api_keys"."scope", iif("api_keys".revoked_at_ms is null, ifnull("api_keys".expires_at_ms, 9e15), 0) as ends_at_ms,
  "campaigns"."number", "campaigns"."id", "campaigns"."company_id", "campaigns"."archived_at_ms"
  from "api_keys" join "campaigns" on "campaigns"."company_id" = "api_keys"."company_id"
  and ("api_keys"."campaign_number" is null or "api_keys"."campaign_number" = "campaigns"."number");--> statement-breakpoint
CREATE VIEW `key_rights` AS select "api_keys"."id", "api_keys"."company_id", "api_keys"."campaign_number", "api_keys"."scope",
  "api_keys"."expires_at_ms", iif("api_keys".revoked_at_ms is null, ifnull("api_keys".expires_at_ms, 9e15), 0) as ends_at_ms from "api_keys";