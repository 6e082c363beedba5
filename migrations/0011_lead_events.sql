-- What happened to one lead. Without the entries of requests that store leads, which name their leads by a range: so a
-- request that stores leads writes no row more.
CREATE INDEX `events_lead` ON `events` (`company_id`,`lead_seq`,`number`) WHERE "events"."lead_seq" is not null and "events"."type" <> 'leads.created';
