CREATE TABLE companies (id text PRIMARY KEY NOT NULL, name text NOT NULL);
CREATE TABLE campaigns (
  id text PRIMARY KEY NOT NULL,
  company_id text NOT NULL REFERENCES companies(id),
  name text NOT NULL
);
CREATE TABLE api_keys (
  id text PRIMARY KEY NOT NULL,
  company_id text NOT NULL REFERENCES companies(id),
  campaign_id text REFERENCES campaigns(id),
  scope text NOT NULL,
  hash text NOT NULL,
  expires_at integer,
  revoked_at integer
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE TABLE leads (
  id text PRIMARY KEY NOT NULL,
  campaign_id text NOT NULL REFERENCES campaigns(id),
  phone_number text NOT NULL,
  external_id text,
  metadata text,
  status text DEFAULT 'raw' NOT NULL,
  scheduled_for text,
  priority integer DEFAULT 0 NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  created_at integer NOT NULL,
  due_at integer,
  leased_until integer
);
CREATE UNIQUE INDEX leads_campaign_phone ON leads (campaign_id, phone_number);
CREATE INDEX leads_campaign_created ON leads (campaign_id, created_at);
CREATE INDEX leads_queue ON leads (campaign_id, priority DESC, due_at) WHERE due_at IS NOT NULL;
CREATE TABLE calls (
  id text PRIMARY KEY NOT NULL,
  lead_id text NOT NULL REFERENCES leads(id),
  attempt integer NOT NULL,
  outcome text,
  duration_seconds integer,
  started_at integer NOT NULL,
  ended_at integer
);
CREATE INDEX calls_lead ON calls (lead_id);
