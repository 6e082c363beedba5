// Written by generate-types.ts out of the API description (`npm run types`): change that in its place.
export interface components {
  schemas: {
    /** A lead in a bulk request. */
    NewLead: {
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never corrected.
       * @example +14155550123
       */
      phoneNumber: string;
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * Your own data about the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Returned exactly as sent.
       * @example {
       *       "name": "Ada",
       *       "company": "Acme"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. If absent or in the past: as soon as possible within calling hours. Returned exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string | null;
      /**
       * Leads with higher priority are called first. Default: 0.
       * @example 10
       */
      priority?: number | null;
      /**
       * The time zone of the person, for calling hours: the exact name of an IANA time zone. Default: the time zone of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
    };
    /** A lead and its campaign. Null or an empty string means "not set". */
    CreateLead: {
      /**
       * The campaign of the leads. Ids are unique within a company.
       * @example demo
       */
      campaignId: string;
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never corrected.
       * @example +14155550123
       */
      phoneNumber: string;
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * Your own data about the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Returned exactly as sent.
       * @example {
       *       "name": "Ada",
       *       "company": "Acme"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. If absent or in the past: as soon as possible within calling hours. Returned exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string | null;
      /**
       * Leads with higher priority are called first. Default: 0.
       * @example 10
       */
      priority?: number | null;
      /**
       * The time zone of the person, for calling hours: the exact name of an IANA time zone. Default: the time zone of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
    };
    /** Leads of one campaign. */
    CreateLeads: {
      /**
       * The campaign of the leads. Ids are unique within a company.
       * @example demo
       */
      campaignId: string;
      /** The leads. Either all are stored, or none. */
      leads: components["schemas"]["NewLead"][];
    };
    /** A lead. Optional fields are absent if not set. */
    Lead: {
      /**
       * The id of the lead. Opaque, ordered by creation.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      _id: string;
      /**
       * The campaign of the leads. Ids are unique within a company.
       * @example demo
       */
      campaignId: string;
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never corrected.
       * @example +14155550123
       */
      phoneNumber: string;
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string;
      /**
       * Your own data about the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Returned exactly as sent.
       * @example {
       *       "name": "Ada",
       *       "company": "Acme"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * `raw`: never called. `attempting`: in the calling queue. `exhausted`: every attempt made, none succeeded. `concluded`: a call completed.
       * @enum {string}
       */
      status: "raw" | "attempting" | "exhausted" | "concluded";
      /**
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. If absent or in the past: as soon as possible within calling hours. Returned exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string;
      /**
       * The time zone of the person, for calling hours: the exact name of an IANA time zone. Default: the time zone of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string;
      /**
       * Leads with higher priority are called first. Default: 0.
       * @example 10
       */
      priority: number;
      /** Attempted calls. */
      attempts: number;
      /**
       * When the lead was created, in Unix milliseconds.
       * @example 1795217110612
       */
      _creationTime: number;
    };
    CreatedLead: {
      /**
       * The id of the lead. Opaque, ordered by creation.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string;
    };
    LeadList: {
      leads: components["schemas"]["Lead"][];
      /** The number of `leads`. */
      count: number;
      /** Only with `limit` or `cursor`: the `cursor` of the next page. Null on the last page. */
      nextCursor?: string | null;
    };
    CreatedLeads: {
      /** Created leads. */
      created: number;
      /** Skipped leads: their phone number is already in the campaign, or earlier in the request. */
      skipped: number;
      /** Only with `onInvalid=skip`: invalid leads, which are not stored. */
      invalid?: number;
      /** In the order of the request. Empty in a dry run. */
      createdIds: string[];
      /** In the order of the request. */
      skippedPhones: string[];
      /** Only with `results=true` or `onInvalid=skip`: one result per lead, in the order of the request. */
      results?: components["schemas"]["LeadResult"][];
    };
    /** The result of one lead in a bulk request. */
    LeadResult: {
      /** Index in `leads` of the request, from 0. */
      index: number;
      /** @constant */
      status: "created";
      /**
       * Null in a dry run.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string | null;
      /**
       * Only present if the phone number is suppressed: the lead exists, but is not called.
       * @constant
       */
      suppressed?: true;
    } | {
      /** Index in `leads` of the request, from 0. */
      index: number;
      /** @constant */
      status: "skipped";
      /**
       * The existing lead. Null if a dry run would create it.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string | null;
      /**
       * Only present if the phone number is suppressed: the lead exists, but is not called.
       * @constant
       */
      suppressed?: true;
    } | {
      /** Index in `leads` of the request, from 0. */
      index: number;
      /** @constant */
      status: "invalid";
      /** What is invalid. */
      error: string;
    };
    /** The fields to change. Null or an empty string clears a field and resets `priority` to 0. Metadata is replaced as a whole. */
    LeadChange: {
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * Your own data about the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Returned exactly as sent.
       * @example {
       *       "name": "Ada",
       *       "company": "Acme"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. If absent or in the past: as soon as possible within calling hours. Returned exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string | null;
      /**
       * Leads with higher priority are called first. Default: 0.
       * @example 10
       */
      priority?: number | null;
      /**
       * The time zone of the person, for calling hours: the exact name of an IANA time zone. Default: the time zone of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
    };
    /** Whom to erase: `phoneNumber` or `leadId`, not both. */
    Erasure: {
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never corrected.
       * @example +14155550123
       */
      phoneNumber?: string | null;
      /**
       * The id of a lead of the person, instead of the number.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId?: string | null;
      /**
       * Also suppress the number. With `false` a new lead with this number can be called, unless the number was already suppressed or a call is ongoing.
       * @default true
       */
      suppress?: boolean | null;
    } & ({
      phoneNumber: string;
    } | {
      leadId: string;
    });
    Erased: {
      /** Leads erased by this request. 0 if there were none, or they were already erased. */
      leadsErased: number;
      /** True if the number is now suppressed. For a lead that was already erased: the result of that erasure. */
      suppressed: boolean;
    };
    /** How many leads of which campaign to claim, and for which agent. */
    ClaimCalls: {
      /**
       * The campaign whose leads are called.
       * @example demo
       */
      campaignId: string;
      /** The maximum number of calls. Default: 1. */
      limit?: number | null;
      /** How long each call may take, including dialling. Default: the campaign’s setting. */
      leaseSeconds?: number | null;
      /**
       * A display name, such as that of a seat or a process. No NUL, no unpaired surrogates.
       * @example seat-7
       */
      agent?: string | null;
    };
    ClaimedCall: {
      /**
       * The id of the call: lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** The number of this attempt. */
      attempt: number;
      /** True if no attempt is left after this one, not even for a callback. */
      isLastAttempt: boolean;
      /**
       * Format: date-time
       * When the lease ends. Extend it before then.
       */
      leaseExpiresAt: string;
      /**
       * Format: date-time
       * Do not dial after this time: the lease or the calling hours end.
       */
      dialBefore: string;
      /** The time zone of the lead, or else of the campaign. */
      timeZone: string;
      lead: components["schemas"]["Lead"];
    };
    ClaimedCalls: {
      /** In the order to call them. */
      calls: components["schemas"]["ClaimedCall"][];
      /**
       * Why there are no calls. Null if there are some. `empty`: no leads in the queue. `waiting`: no lead is due, or all due leads are blocked. `outside_hours`: leads are due, but not within calling hours. `paused`: the campaign is paused. `not_configured`: the campaign has no time zone. `agent_failing`: the leases of this `agent` (or of this key, without a name) end without reports. It gets no leads for ten minutes, then one to try again with. `suppression_unavailable`: the service cannot check suppressed numbers until the operator restores a secret. Only the claim within a report returns this; a claim on its own fails with 503.
       * @enum {string|null}
       */
      reason: "empty" | "waiting" | "outside_hours" | "paused" | "not_configured" | "agent_failing" | "suppression_unavailable" | null;
      /** When to claim again. Null if there are calls. */
      retryAfterSeconds: number | null;
    };
    /** The outcome of a call. */
    ReportedCall: {
      /**
       * The id of the call: lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /**
       * By default `answered` and `not_interested` conclude the lead; `wrong_number`, `invalid_number` and `do_not_call` exhaust it; `no_answer`, `busy`, `voicemail`, `failed` and `abandoned` schedule a retry; `callback_requested` schedules an appointment. `do_not_call` also suppresses the number in the whole company. A campaign can change these rules.
       * @enum {string}
       */
      outcome: "answered" | "not_interested" | "wrong_number" | "invalid_number" | "do_not_call" | "no_answer" | "busy" | "voicemail" | "failed" | "abandoned" | "callback_requested";
      /**
       * When to call back: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Required with `callback_requested`.
       * @example 2027-01-15T09:30:00+01:00
       */
      callbackAt?: string | null;
      /** Suppresses the number in the whole company. Allowed with every outcome. */
      doNotCall?: boolean | null;
      /** The duration of the call. */
      durationSeconds?: number | null;
      /** The id of the call at the telephone provider. No NUL, no unpaired surrogates. */
      providerCallId?: string | null;
      /**
       * Your own data about the call, such as a summary. At most 16,384 bytes of JSON. The lead’s call history returns it exactly as sent.
       * @example {
       *       "summary": "Asked for an offer."
       *     }
       */
      details?: {
        [key: string]: unknown;
      } | null;
    };
    /** The outcomes of calls, and optionally a claim. */
    ReportCalls: {
      calls: components["schemas"]["ReportedCall"][];
      claim?: components["schemas"]["ClaimCalls"] | null;
    };
    CallResult: {
      /** As sent. */
      callId: string;
      /**
       * `recorded`: the report is stored, or replaces an `unknown`. `recorded_late`: the lead was claimed again in the meantime. The report is in its history; the newer call continues. `do_not_call_recorded`: the call was already reported. Its number is now suppressed; outcome, duration and details do not change. `replayed`: the same report was already stored. `conflict`: a report with another outcome was already stored. `unknown_call`: the call does not exist, or the key has no access to it.
       * @enum {string}
       */
      result: "recorded" | "recorded_late" | "do_not_call_recorded" | "replayed" | "conflict" | "unknown_call";
      /**
       * Null if the call is unknown; then `status`, `attempts` and `nextCallAt` are null too.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string | null;
      /**
       * The current status of the lead.
       * @enum {string|null}
       */
      status: "raw" | "attempting" | "exhausted" | "concluded" | null;
      /** The attempts of the lead so far. */
      attempts: number | null;
      /**
       * Format: date-time
       * When the lead is due again. Null if it is not in the queue.
       */
      nextCallAt: string | null;
    };
    CallsReported: {
      /** One result per call, in the order of the request. */
      results: components["schemas"]["CallResult"][];
      claim?: components["schemas"]["ClaimedCalls"];
    };
    /** The calls to extend. */
    ExtendCalls: {
      /** The ids of the calls to extend. */
      callIds: string[];
      /** How long each call may take, including dialling. Default: the campaign’s setting. */
      leaseSeconds?: number | null;
    };
    ExtendedCall: {
      /** As sent. */
      callId: string;
      /**
       * Format: date-time
       * Null if the lease is lost.
       */
      leaseExpiresAt: string | null;
      /**
       * Format: date-time
       * Do not dial after this time: the lease or the current calling hours end. Null if the lease is lost.
       */
      dialBefore: string | null;
      /**
       * Why the call should end soon. Null: continue. With `paused` and `outside_hours` a conversation may continue, but do not dial any more. If several reasons apply, the first in this list. The lease is extended anyway, unless it is lost.
       * @enum {string|null}
       */
      stop: "erased" | "suppressed" | "concluded" | "paused" | "outside_hours" | "lease_lost" | null;
    };
    /** A call that was not dialled. */
    ReleasedCall: {
      /**
       * The id of the call: lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** How long the lead waits before it can be claimed again. Default: 60. */
      delaySeconds?: number | null;
    };
    /** The calls to release. */
    ReleaseCalls: {
      calls: components["schemas"]["ReleasedCall"][];
    };
    OpenCall: {
      /**
       * The id of the call: lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** The number of this attempt. */
      attempt: number;
      /** True if no attempt is left after this one, not even for a callback. */
      isLastAttempt: boolean;
      /**
       * Format: date-time
       * When the lease ends. Extend it before then.
       */
      leaseExpiresAt: string;
      /**
       * Format: date-time
       * Do not dial after this time: the lease or the calling hours end.
       */
      dialBefore: string;
      /** The time zone of the lead, or else of the campaign. */
      timeZone: string;
      lead: components["schemas"]["Lead"];
      agent: string | null;
    };
    /** The leads to requeue. */
    RequeueLeads: {
      /**
       * The status of the leads: `exhausted` or `concluded`.
       * @enum {string}
       */
      status: "exhausted" | "concluded";
      /**
       * Only leads that got this status at or after this time: ISO 8601 with a UTC offset.
       * @example 2026-11-20T08:00:00+01:00
       */
      since: string;
    };
    PastCall: {
      /**
       * The id of the call: lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** The number of the attempt. The attempt after a released one has the same number. */
      attempt: number;
      /** The agent’s name in the claim. */
      agent: string | null;
      /**
       * Format: date-time
       * When the call was claimed.
       */
      claimedAt: string;
      /**
       * Null: the call is ongoing. `unknown`: its lease ended without a report. `released`: nobody dialled.
       * @enum {string|null}
       */
      outcome: "answered" | "not_interested" | "wrong_number" | "invalid_number" | "do_not_call" | "no_answer" | "busy" | "voicemail" | "failed" | "abandoned" | "callback_requested" | "unknown" | "released" | null;
      /**
       * Format: date-time
       * When the outcome was reported, or the lease ended.
       */
      endedAt: string | null;
      /**
       * Format: date-time
       * The agreed time of the callback.
       */
      callbackAt: string | null;
      /** The person asked not to be called again. */
      doNotCall: boolean;
      /** The report arrived after the lead was claimed again. */
      isLate: boolean;
      durationSeconds: number | null;
      providerCallId: string | null;
      /** Exactly as sent. */
      details: {
        [key: string]: unknown;
      } | null;
    };
    Blocker: {
      /**
       * `not_configured`: the campaign has no time zone. `paused`: the campaign is paused. `final`: the lead is exhausted or concluded: requeue it. `suppressed`: the number is suppressed. `leased`: the lead is being called. `number_live`: another lead with this number is being called. `number_gap`: the number was called too recently. `number_day`: the number reached its limit of calls in 24 hours. `number_week`: the number reached its limit of calls in 7 days. `scheduled`: the lead is scheduled for later. `spaced`: waiting before the next attempt. `outside_hours`: outside of calling hours.
       * @enum {string}
       */
      code: "not_configured" | "paused" | "final" | "suppressed" | "leased" | "number_live" | "number_gap" | "number_day" | "number_week" | "scheduled" | "spaced" | "outside_hours";
      /**
       * Format: date-time
       * Null: until somebody changes something.
       */
      until: string | null;
    };
    CampaignSettings: {
      /**
       * Unique within the company.
       * @example demo
       */
      id: string;
      /** The display name. */
      name: string;
      /** True: claims return no calls. Reports are still accepted. */
      paused: boolean;
      /** The exact name of an IANA time zone, for leads without their own. Null: claims return no calls. */
      timeZone: string | null;
      /** The windows of each day, in the lead’s time zone. They must not overlap, and end at `24:00` at the latest. An empty array means closed. */
      callingHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** The same for appointments: leads that are due by `scheduledFor`, and agreed callbacks. */
      appointmentHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** Days without any calls, including appointments. */
      closedDates: string[];
      /** Attempts per lead, counted since it was last requeued. */
      maxAttempts: number;
      /** How long a claim leases a lead by default. */
      leaseSeconds: number;
      /** After how many days an exhausted or concluded lead is erased, with its calls. Null (the default): never. */
      retentionDays: number | null;
      /** True (the default): when retention erases a lead that ended `not_interested` or with an outcome of class `dead`, its number stays suppressed in the campaign, as a hash. A new lead with this number is stored but not queued, until you remove the suppression with this `campaignId`. False: retention suppresses no further numbers; existing suppressions stay. Numbers with `do_not_call` are suppressed in the company in any case. */
      retentionSuppresses: boolean;
      /** Limits per phone number, across all calls of the company. Null: no limit. */
      numberLimits: {
        /** Minimum time between two calls. Appointments are exempt. */
        minGapMinutes: number | null;
        /** Maximum calls in any 24 hours. */
        per24Hours: number | null;
        /** Maximum calls in any 7 days. */
        per7Days: number | null;
      };
      /** What each outcome does. `done`: concludes the lead. `dead`: exhausts it. `retry`: calls again after `minutes`. `appointment`: calls back at the agreed time. `do_not_call` always suppresses the number, whatever its class. */
      outcomes: {
        answered: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        not_interested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        wrong_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        invalid_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        do_not_call: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        no_answer: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        busy: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        voicemail: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        failed: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        abandoned: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        callback_requested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        unknown: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
      };
    };
    Campaign: {
      /**
       * Unique within the company.
       * @example demo
       */
      id: string;
      /** The display name. */
      name: string;
      /** True: claims return no calls. Reports are still accepted. */
      paused: boolean;
      /** The exact name of an IANA time zone, for leads without their own. Null: claims return no calls. */
      timeZone: string | null;
      /** The windows of each day, in the lead’s time zone. They must not overlap, and end at `24:00` at the latest. An empty array means closed. */
      callingHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** The same for appointments: leads that are due by `scheduledFor`, and agreed callbacks. */
      appointmentHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** Days without any calls, including appointments. */
      closedDates: string[];
      /** Attempts per lead, counted since it was last requeued. */
      maxAttempts: number;
      /** How long a claim leases a lead by default. */
      leaseSeconds: number;
      /** After how many days an exhausted or concluded lead is erased, with its calls. Null (the default): never. */
      retentionDays: number | null;
      /** True (the default): when retention erases a lead that ended `not_interested` or with an outcome of class `dead`, its number stays suppressed in the campaign, as a hash. A new lead with this number is stored but not queued, until you remove the suppression with this `campaignId`. False: retention suppresses no further numbers; existing suppressions stay. Numbers with `do_not_call` are suppressed in the company in any case. */
      retentionSuppresses: boolean;
      /** Limits per phone number, across all calls of the company. Null: no limit. */
      numberLimits: {
        /** Minimum time between two calls. Appointments are exempt. */
        minGapMinutes: number | null;
        /** Maximum calls in any 24 hours. */
        per24Hours: number | null;
        /** Maximum calls in any 7 days. */
        per7Days: number | null;
      };
      /** What each outcome does. `done`: concludes the lead. `dead`: exhausts it. `retry`: calls again after `minutes`. `appointment`: calls back at the agreed time. `do_not_call` always suppresses the number, whatever its class. */
      outcomes: {
        answered: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        not_interested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        wrong_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        invalid_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        do_not_call: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        no_answer: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        busy: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        voicemail: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        failed: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        abandoned: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        callback_requested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
        unknown: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes: number;
        };
      };
      queue: components["schemas"]["Queue"];
    };
    Queue: {
      /** Leads in the queue, due or not, counted up to 10,000. */
      queued: number;
      /** Leads that are being called, counted up to 10,000. */
      leased: number;
      /** True: a count stopped at its maximum. */
      isCapped: boolean;
      /**
       * Why a claim would return no calls now. Null: it would return some.
       * @enum {string|null}
       */
      reason: "empty" | "waiting" | "outside_hours" | "paused" | "not_configured" | null;
      /**
       * Format: date-time
       * When calling hours begin next. Null while they last, and if there are none.
       */
      nextOpening: string | null;
      /** Agents that claim leads and do not report them. */
      failingAgents: {
        /** The agent’s name, or `key:` and the id of its key. */
        agent: string;
        /**
         * Format: date-time
         * The agent gets no leads before this time.
         */
        until: string;
      }[];
    };
    /** The settings to change. Absent settings, and absent parts of a setting, do not change. Null restores the default. */
    ChangeCampaign: {
      /**
       * Unique within the company.
       * @example demo
       */
      id?: string;
      /** The display name. */
      name?: string;
      /** True: claims return no calls. Reports are still accepted. */
      paused?: boolean | null;
      /** The exact name of an IANA time zone, for leads without their own. Null: claims return no calls. */
      timeZone?: string | null;
      /** The windows of each day, in the lead’s time zone. They must not overlap, and end at `24:00` at the latest. An empty array means closed. */
      callingHours?: {
        sun?: string[][];
        mon?: string[][];
        tue?: string[][];
        wed?: string[][];
        thu?: string[][];
        fri?: string[][];
        sat?: string[][];
      } | null;
      /** The same for appointments: leads that are due by `scheduledFor`, and agreed callbacks. */
      appointmentHours?: {
        sun?: string[][];
        mon?: string[][];
        tue?: string[][];
        wed?: string[][];
        thu?: string[][];
        fri?: string[][];
        sat?: string[][];
      } | null;
      /** Days without any calls, including appointments. */
      closedDates?: string[] | null;
      /** Attempts per lead, counted since it was last requeued. */
      maxAttempts?: number | null;
      /** How long a claim leases a lead by default. */
      leaseSeconds?: number | null;
      /** After how many days an exhausted or concluded lead is erased, with its calls. Null (the default): never. */
      retentionDays?: number | null;
      /** True (the default): when retention erases a lead that ended `not_interested` or with an outcome of class `dead`, its number stays suppressed in the campaign, as a hash. A new lead with this number is stored but not queued, until you remove the suppression with this `campaignId`. False: retention suppresses no further numbers; existing suppressions stay. Numbers with `do_not_call` are suppressed in the company in any case. */
      retentionSuppresses?: boolean | null;
      /** Limits per phone number, across all calls of the company. Null: no limit. */
      numberLimits?: {
        /** Minimum time between two calls. Appointments are exempt. */
        minGapMinutes?: number | null;
        /** Maximum calls in any 24 hours. */
        per24Hours?: number | null;
        /** Maximum calls in any 7 days. */
        per7Days?: number | null;
      } | null;
      /** What each outcome does. `done`: concludes the lead. `dead`: exhausts it. `retry`: calls again after `minutes`. `appointment`: calls back at the agreed time. `do_not_call` always suppresses the number, whatever its class. */
      outcomes?: {
        answered?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        not_interested?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        wrong_number?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        invalid_number?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        do_not_call?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        no_answer?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        busy?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        voicemail?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        failed?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        abandoned?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        callback_requested?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
        unknown?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** How long to wait before the retry. */
          minutes?: number;
        } | null;
      } | null;
      /** Accepted and ignored, so that you can send back what you read. */
      queue?: {
        [key: string]: unknown;
      };
    };
    Statistics: {
      /** The current number of leads by status. */
      status: {
        /** Leads with status `raw`. */
        raw: number;
        /** Leads with status `attempting`. */
        attempting: number;
        /** Leads with status `exhausted`. */
        exhausted: number;
        /** Leads with status `concluded`. */
        concluded: number;
      };
      /** The buckets, oldest first, without gaps. */
      series: {
        /**
         * Format: date-time
         * The start of the bucket.
         */
        start: string;
        /** Leads stored. */
        created: number;
        /** Leads of bulk requests that already existed or were repeated. */
        skipped: number;
        /** Invalid leads that bulk requests with `onInvalid=skip` skipped. */
        invalid: number;
        /** Stored leads whose number is suppressed. */
        suppressed: number;
        /** Calls claimed. */
        claimed: number;
        /** Calls reported as `answered`. */
        answered: number;
        /** Calls reported as `not_interested`. */
        not_interested: number;
        /** Calls reported as `wrong_number`. */
        wrong_number: number;
        /** Calls reported as `invalid_number`. */
        invalid_number: number;
        /** Calls reported as `do_not_call`. */
        do_not_call: number;
        /** Calls reported as `no_answer`. */
        no_answer: number;
        /** Calls reported as `busy`. */
        busy: number;
        /** Calls reported as `voicemail`. */
        voicemail: number;
        /** Calls reported as `failed`. */
        failed: number;
        /** Calls reported as `abandoned`. */
        abandoned: number;
        /** Calls reported as `callback_requested`. */
        callback_requested: number;
        /** Calls whose lease ended without a report. A late report removes the call from this count. */
        unknown: number;
        /** Calls released without dialling. */
        released: number;
      }[];
      /** Outcomes of calls: sums of the series. */
      outcomes: {
        /** Calls reported as `answered`. */
        answered: number;
        /** Calls reported as `not_interested`. */
        not_interested: number;
        /** Calls reported as `wrong_number`. */
        wrong_number: number;
        /** Calls reported as `invalid_number`. */
        invalid_number: number;
        /** Calls reported as `do_not_call`. */
        do_not_call: number;
        /** Calls reported as `no_answer`. */
        no_answer: number;
        /** Calls reported as `busy`. */
        busy: number;
        /** Calls reported as `voicemail`. */
        voicemail: number;
        /** Calls reported as `failed`. */
        failed: number;
        /** Calls reported as `abandoned`. */
        abandoned: number;
        /** Calls reported as `callback_requested`. */
        callback_requested: number;
        /** Calls whose lease ended without a report. A late report removes the call from this count. */
        unknown: number;
        /** Calls released without dialling. */
        released: number;
      };
      queue: components["schemas"]["Queue"];
    };
    /** The numbers to suppress. */
    SuppressNumbers: {
      /**
       * E.164. Repeated numbers count once.
       * @example [
       *       "+14155550199"
       *     ]
       */
      phoneNumbers: string[];
      /**
       * The campaign. Default: all campaigns of the company, present and future.
       * @example demo
       */
      campaignId?: string | null;
      /**
       * A note for people. No NUL, no unpaired surrogates.
       * @example asked by mail
       */
      reason?: string | null;
    };
    /** The numbers to allow again. */
    LiftSuppressions: {
      /**
       * E.164. Repeated numbers count once.
       * @example [
       *       "+14155550199"
       *     ]
       */
      phoneNumbers: string[];
      /**
       * The campaign. Default: all campaigns of the company, present and future.
       * @example demo
       */
      campaignId?: string | null;
    };
    Suppression: {
      /**
       * E.164.
       * @example +14155550123
       */
      phoneNumber: string;
      /** Null: all campaigns of the company. */
      campaignId: string | null;
      reason: string | null;
      /**
       * Format: date-time
       * When the number was suppressed.
       */
      createdAt: string;
    };
    Event: {
      /**
       * The same each time the event is returned or sent. Opaque.
       * @example evt_x81Kp200000000c10
       */
      id: string;
      /** @enum {string} */
      type: "leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported";
      /**
       * Format: date-time
       * When the event happened. Never decreases within the log.
       */
      timestamp: string;
      /**
       * Who caused the event: the id of an API key, `operator` (us), or `system` (automatic).
       * @example key_sYtL0wJvB4qzN1dE
       */
      actor: string;
      /** Depends on the type, see the table above. */
      data: {
        [key: string]: unknown;
      };
    };
    LeadsCreatedEventData: {
      /**
       * The id of the campaign.
       * @example demo
       */
      campaignId: string;
      /** Leads that the request stored. */
      count: number;
      /** In the order of creation, without leads that were erased since. */
      leadIds: string[];
    };
    CallEventData: {
      /** The lead’s `_id`. */
      leadId: string;
      /**
       * The id of the campaign.
       * @example demo
       */
      campaignId: string;
      /** Null if not set, and after the lead was erased. */
      externalId: string | null;
      /** @enum {string} */
      status: "raw" | "attempting" | "exhausted" | "concluded";
      /** Attempts so far. */
      attempts: number;
      /**
       * The id of the call: lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** @enum {string} */
      outcome: "answered" | "not_interested" | "wrong_number" | "invalid_number" | "do_not_call" | "no_answer" | "busy" | "voicemail" | "failed" | "abandoned" | "callback_requested" | "unknown" | "released";
      isLastAttempt: boolean;
      /** E.164. Only if the webhook includes it. */
      phoneNumber?: string;
      /** Only if the webhook includes it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** Only if the webhook includes it. */
      details?: {
        [key: string]: unknown;
      };
    };
    LeadEventData: {
      /** The lead’s `_id`. */
      leadId: string;
      /**
       * The id of the campaign.
       * @example demo
       */
      campaignId: string;
      /** Null if not set, and after the lead was erased. */
      externalId?: string | null;
      /** @enum {string} */
      status?: "raw" | "attempting" | "exhausted" | "concluded";
      /** Attempts so far. */
      attempts?: number;
      /** E.164. Only if the webhook includes it. */
      phoneNumber?: string;
      /** Only if the webhook includes it. */
      metadata?: {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    AdminEventData: {
      /** The id of the campaign. Null: the whole company. */
      campaignId: string | null;
    } & {
      [key: string]: unknown;
    };
    /** Where to send which events. */
    CreateWebhook: {
      /**
       * The receiver: `https` on port 443, a public host other than this service, without credentials.
       * @example https://example.com/hooks/leads
       */
      url: string;
      /**
       * The event types to send. Each type is described below.
       * @example [
       *       "call.reported",
       *       "lead.concluded"
       *     ]
       */
      types: ("leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported")[];
      /**
       * Only events of this campaign. Default: events of the whole company.
       * @example demo
       */
      campaignId?: string | null;
      /** Additional data of leads and calls to send. Default: none. */
      include?: ("phoneNumber" | "metadata" | "details")[] | null;
    };
    /** The members to change. All others stay. */
    ChangeWebhook: {
      /**
       * The receiver: `https` on port 443, a public host other than this service, without credentials.
       * @example https://example.com/hooks/leads
       */
      url?: string;
      /**
       * The event types to send. Each type is described below.
       * @example [
       *       "call.reported",
       *       "lead.concluded"
       *     ]
       */
      types?: ("leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported")[];
      /**
       * Only events of this campaign. Default: events of the whole company.
       * @example demo
       */
      campaignId?: string | null;
      /** Additional data of leads and calls to send. Default: none. */
      include?: ("phoneNumber" | "metadata" | "details")[] | null;
      /** True: nothing is sent until you set it to false. */
      disabled?: boolean;
    };
    /** The grace period of the previous secret. */
    RotateWebhook: {
      /**
       * Format: date-time
       * The end of the grace period, in which the previous secret signs too: now, up to 7 days from now. Default: one day from now. A retry with the same time is the same rotation.
       */
      previousExpiresAt?: string | null;
    };
    /** Which events to send again. */
    ReplayWebhook: {
      /**
       * Format: date-time
       * Replay events from this time on, at most 90 days back.
       */
      since: string;
    };
    Webhook: {
      /** @example wh_4fX9sQ2mLk7TzB1nVw0c */
      webhookId: string;
      url: string;
      types: ("leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported")[];
      /** Null: events of the whole company. */
      campaignId: string | null;
      include: ("phoneNumber" | "metadata" | "details")[];
      /**
       * Format: date-time
       * When the webhook was created.
       */
      createdAt: string;
      /** Who created it: the id of an API key, or `operator`. Null: created before version 1.5.0. */
      createdBy: string | null;
      /**
       * Format: date-time
       * Null: the webhook is enabled.
       */
      disabledAt: string | null;
      /**
       * `gone`: the receiver responded with 410. `dead`: only failures for five days. `operator`: disabled on request. `key_revoked`: the API key that created it was revoked.
       * @enum {string|null}
       */
      disabledReason: "gone" | "dead" | "operator" | "key_revoked" | null;
      /**
       * Format: date-time
       * The end of the grace period of the previous secret.
       */
      previousExpiresAt: string | null;
      /** How many entries of the company’s log the webhook has not processed yet. */
      lag: number;
      /**
       * Format: date-time
       * Since when the receiver fails: only the oldest event is sent. Null: it does not fail, or the webhook is disabled.
       */
      failingSince: string | null;
      /** How many events the service gave up on since the webhook was created. */
      givenUp: number;
    };
    Delivery: {
      /** The `webhook-id`. */
      eventId: string;
      /** @enum {string} */
      type: "leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported";
      attempt: number;
      /** The status of the response. Null: no response. */
      status: number | null;
      /**
       * Format: date-time
       * When the attempt began.
       */
      time: string;
      milliseconds: number;
      /** What went wrong. Null: delivered. */
      error: string | null;
    };
    Key: {
      /**
       * The `actor` of events.
       * @example key_sYtL0wJvB4qzN1dE
       */
      keyId: string;
      /** The display name: who uses the key. */
      name: string;
      /** @enum {string} */
      scope: "read" | "write" | "agent" | "manage";
      /** The only campaign that the key has access to. Null: all. */
      campaignId: string | null;
      /** The first characters of the key. */
      hint: string;
      /**
       * Format: date-time
       * When the key was created.
       */
      createdAt: string;
      /**
       * Format: date-time
       * When the key expires.
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * When the key was revoked.
       */
      revokedAt: string | null;
      /**
       * Format: date-time
       * When the key was last used. Null: not since `since`.
       */
      lastUsedAt: string | null;
      /** Requests with this key since `since`, including failed ones. */
      requests: number;
      /**
       * How many of them failed, by `X-Error-Code`.
       * @example {
       *       "campaign_denied": 3,
       *       "rate_limited": 41
       *     }
       */
      refused: {
        [key: string]: number;
      };
    };
    OwnKey: {
      /**
       * The `actor` of events.
       * @example key_sYtL0wJvB4qzN1dE
       */
      keyId: string;
      /** The display name: who uses the key. */
      name: string;
      /** @enum {string} */
      scope: "read" | "write" | "agent" | "manage";
      /** The only campaign that the key has access to. Null: all. */
      campaignId: string | null;
      /** What the scope allows. `look`: read a lead and its calls, and settings of campaigns. `read`: list leads, events and suppressions. `write`: create, change, requeue and suppress. `agent`: claim and report calls. `manage`: everything else. */
      rights: ("look" | "read" | "write" | "agent" | "manage")[];
      /**
       * Format: date-time
       * When the key was created.
       */
      createdAt: string;
      /**
       * Format: date-time
       * When the key expires.
       */
      expiresAt: string | null;
    };
    Health: {
      /** @enum {string} */
      status: "ok" | "error";
      /** Format: date-time */
      timestamp: string;
      version: string;
      checks: {
        database: {
          /** @enum {string} */
          status: "ok" | "error";
          /** Milliseconds. */
          latencyMs: number;
        };
      };
    };
    /**
     * What went wrong, for machines.
     * @enum {string}
     */
    ErrorCode: "body_too_large" | "campaign_denied" | "idempotency_key_reused" | "insufficient_permissions" | "internal_error" | "invalid_api_key" | "invalid_field" | "invalid_json" | "lead_exists" | "lead_leased" | "lead_not_found" | "not_found" | "number_suppressed" | "precondition_failed" | "rate_limited" | "service_unavailable" | "too_many_secrets" | "too_many_webhooks" | "unknown_parameter" | "unsupported_media_type" | "webhook_not_found";
  };
  responses: never;
  parameters: {
    /**
     * Your own id for the request. The response repeats it, and support can find the request by it.
     * @example sync-2026-11-20-0001
     */
    RequestId: string;
    /**
     * One or more `ETag`s of the lead, or `*`. The request succeeds only if the lead still has one of them. Weak tags and other text never match. An empty header means no condition.
     * @example "1"
     */
    IfMatch: string;
    /**
     * Makes the request safe to retry: the same key with the same request gets the same result. Path, query and body are compared byte for byte. Each API key has its own idempotency keys.
     * @example deal-1234
     */
    IdempotencyKey: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  listLeads: {
    parameters: {
      query: {
        /**
         * The campaign of the leads. Ids are unique within a company.
         * @example demo
         */
        campaignId: string;
        /**
         * Only leads with this status.
         * @example raw
         */
        status?: "raw" | "attempting" | "exhausted" | "concluded";
        /**
         * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never corrected.
         * @example +14155550123
         */
        phoneNumber?: string;
        /**
         * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
         * @example crm-42
         */
        externalId?: string;
        /**
         * Only leads created later than this: ISO 8601 with a UTC offset, or Unix milliseconds.
         * @example 2026-11-20T00:00:00Z
         */
        createdAfter?: string;
        /**
         * Only leads created earlier than this: ISO 8601 with a UTC offset, or Unix milliseconds.
         * @example 2026-11-20T00:00:00Z
         */
        createdBefore?: string;
        /**
         * The order by creation. Default: `oldest` first.
         * @example oldest
         */
        order?: "oldest" | "newest";
        /**
         * Return one page with at most this many leads, `data.nextCursor` and a `Link` header. A page ends earlier at about 2 MiB of metadata: continue until `nextCursor` is null. Without `limit` and `cursor` the response is the whole campaign, streamed.
         * @example 100
         */
        limit?: number;
        /**
         * The `nextCursor` of the previous page. Opaque.
         * @example 00000100000064
         */
        cursor?: string;
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The leads. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["LeadList"];
            error: null;
          };
          /**
           * @example _id,campaignId,phoneNumber,externalId,metadata,status,scheduledFor,priority,attempts,_creationTime,timeZone
           *     1a1fb4736a800000100000002pQ7wXk2Lm9a,demo,+14155550124,,,raw,,0,0,1795217110696,
           */
          "text/csv": string;
        };
      };
    };
  };
  createLead: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Makes the request safe to retry: the same key with the same request gets the same result. Path, query and body are compared byte for byte. Each API key has its own idempotency keys.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateLead"];
      };
    };
    responses: {
      /** Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["CreatedLead"];
            error: null;
          };
        };
      };
    };
  };
  createLeads: {
    parameters: {
      query?: {
        /**
         * Also return `data.results`: the result of each lead, in the order of the request. `onInvalid=skip` implies it.
         * @example true
         */
        results?: boolean;
        /**
         * `fail` (the default): one invalid lead fails the whole request. `skip`: valid leads are stored, and invalid ones are reported in `data.invalid` and `data.results`.
         * @example fail
         */
        onInvalid?: "fail" | "skip";
        /**
         * Validate and return the result, but store nothing.
         * @example true
         */
        dryRun?: boolean;
      };
      header?: {
        /**
         * Makes the request safe to retry: the same key with the same request gets the same result. Path, query and body are compared byte for byte. Each API key has its own idempotency keys.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateLeads"];
      };
    };
    responses: {
      /** The created and skipped leads. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["CreatedLeads"];
            error: null;
          };
        };
      };
    };
  };
  getLead: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The `_id` of the lead.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The lead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              lead: components["schemas"]["Lead"];
            };
            error: null;
          };
        };
      };
    };
  };
  eraseLead: {
    parameters: {
      query?: never;
      header?: {
        /**
         * One or more `ETag`s of the lead, or `*`. The request succeeds only if the lead still has one of them. Weak tags and other text never match. An empty header means no condition.
         * @example "1"
         */
        "If-Match"?: components["parameters"]["IfMatch"];
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The `_id` of the lead.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Erased. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Erased"];
            error: null;
          };
        };
      };
    };
  };
  changeLead: {
    parameters: {
      query?: never;
      header?: {
        /**
         * One or more `ETag`s of the lead, or `*`. The request succeeds only if the lead still has one of them. Weak tags and other text never match. An empty header means no condition.
         * @example "1"
         */
        "If-Match"?: components["parameters"]["IfMatch"];
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The `_id` of the lead.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LeadChange"];
      };
    };
    responses: {
      /** The lead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              lead: components["schemas"]["Lead"];
            };
            error: null;
          };
        };
      };
    };
  };
  erasePerson: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Erasure"];
      };
    };
    responses: {
      /** Erased. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Erased"];
            error: null;
          };
        };
      };
    };
  };
  claimCalls: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Makes the request safe to retry: the same key with the same request gets the same result. Path, query and body are compared byte for byte. Each API key has its own idempotency keys.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ClaimCalls"];
      };
    };
    responses: {
      /** The calls, or the reason why there are none. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["ClaimedCalls"];
            error: null;
          };
        };
      };
    };
  };
  reportCalls: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Makes the request safe to retry: the same key with the same request gets the same result. Path, query and body are compared byte for byte. Each API key has its own idempotency keys.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReportCalls"];
      };
    };
    responses: {
      /** The results of the reports, and the claimed calls. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["CallsReported"];
            error: null;
          };
        };
      };
    };
  };
  extendCalls: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExtendCalls"];
      };
    };
    responses: {
      /** One result per id, in the order of the request. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              calls: components["schemas"]["ExtendedCall"][];
            };
            error: null;
          };
        };
      };
    };
  };
  releaseCalls: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReleaseCalls"];
      };
    };
    responses: {
      /** One result per call, in the order of the request. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              results: components["schemas"]["CallResult"][];
            };
            error: null;
          };
        };
      };
    };
  };
  listOpenCalls: {
    parameters: {
      query: {
        /**
         * The campaign whose leads are called.
         * @example demo
         */
        campaignId: string;
        /**
         * Only calls claimed under this name.
         * @example seat-7
         */
        agent?: string;
        /**
         * The maximum number of calls. Default: 100.
         * @example 100
         */
        limit?: number;
        /**
         * The `nextCursor` of the previous page. Opaque.
         * @example 1a1fb4f1c2a00000100000001
         */
        cursor?: string;
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The calls. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              calls: components["schemas"]["OpenCall"][];
              /** The `cursor` of the next page. Null on the last page. */
              nextCursor: string | null;
            };
            error: null;
          };
        };
      };
    };
  };
  listCallsOfLead: {
    parameters: {
      query?: {
        /**
         * The maximum number of calls. Default: 100.
         * @example 100
         */
        limit?: number;
        /**
         * The `nextCursor` of the previous page. Opaque.
         * @example 19aa0e8a480
         */
        cursor?: string;
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The `_id` of the lead.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The calls. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              calls: components["schemas"]["PastCall"][];
              /** The `cursor` of the next page. Null on the last page. */
              nextCursor: string | null;
            };
            error: null;
          };
        };
      };
    };
  };
  explainLead: {
    parameters: {
      query?: {
        /**
         * The time: ISO 8601 with a UTC offset, or Unix milliseconds. Default: now.
         * @example 2026-11-23T09:00:00+01:00
         */
        at?: string;
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The `_id` of the lead.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The blockers. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** True if nothing blocks the lead: it only waits for its turn. */
              callable: boolean;
              blockers: components["schemas"]["Blocker"][];
              /**
               * Format: date-time
               * The earliest time of the next call. Null: not until somebody changes something, or an ongoing call ends.
               */
              nextCallAt: string | null;
            };
            error: null;
          };
        };
      };
    };
  };
  requeueLead: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The `_id` of the lead.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The requeued lead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              lead: components["schemas"]["Lead"];
            };
            error: null;
          };
        };
      };
    };
  };
  requeueLeads: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the campaign, percent-encoded.
         * @example demo
         */
        campaignId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequeueLeads"];
      };
    };
    responses: {
      /** The number of requeued leads. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** Leads put back into the queue. */
              requeued: number;
              /** Leads not requeued because their numbers are suppressed. */
              skipped: number;
              /** True: there may be more. Send the same request again. */
              more: boolean;
            };
            error: null;
          };
        };
      };
    };
  };
  listCampaigns: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The campaigns. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              campaigns: components["schemas"]["CampaignSettings"][];
            };
            error: null;
          };
        };
      };
    };
  };
  getCampaign: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the campaign, percent-encoded.
         * @example demo
         */
        campaignId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The campaign. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Campaign"];
            error: null;
          };
        };
      };
    };
  };
  changeCampaign: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the campaign, percent-encoded.
         * @example demo
         */
        campaignId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeCampaign"];
      };
    };
    responses: {
      /** The changed campaign. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Campaign"];
            error: null;
          };
        };
      };
    };
  };
  getStatistics: {
    parameters: {
      query?: {
        /**
         * ISO 8601 with a UTC offset, or Unix milliseconds. Default: the last 24 hours, or 7 days.
         * @example 2026-11-20T00:00:00+01:00
         */
        from?: string;
        /**
         * The end, exclusive, at most 366 days in the future. Default: now.
         * @example 2026-11-21T00:00:00+01:00
         */
        to?: string;
        /**
         * The length of each bucket. Default: `hour`.
         * @example hour
         */
        bucket?: "hour" | "day";
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the campaign, percent-encoded.
         * @example demo
         */
        campaignId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The statistics. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Statistics"];
            error: null;
          };
        };
      };
    };
  };
  listSuppressions: {
    parameters: {
      query?: {
        /**
         * Only suppressions of this campaign. Default: those of the company and of all its campaigns.
         * @example demo
         */
        campaignId?: string;
        /**
         * The maximum number of suppressions. Default: 1,000.
         * @example 100
         */
        limit?: number;
        /**
         * The `nextCursor` of the previous page. Opaque.
         * @example 14155550199-0
         */
        cursor?: string;
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The suppressions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              suppressions: components["schemas"]["Suppression"][];
              /** The `cursor` of the next page. Null on the last page. */
              nextCursor: string | null;
            };
            error: null;
          };
        };
      };
    };
  };
  suppressNumbers: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SuppressNumbers"];
      };
    };
    responses: {
      /** Suppressed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** Numbers that were not suppressed yet. */
              added: number;
              /** Numbers that were already suppressed. */
              existing: number;
              /** Leads removed from the queue. */
              removedFromQueue: number;
              /** Ongoing calls to these numbers. */
              liveCalls: string[];
            };
            error: null;
          };
        };
      };
    };
  };
  liftSuppressions: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LiftSuppressions"];
      };
    };
    responses: {
      /** Removed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** Numbers that were suppressed. */
              lifted: number;
            };
            error: null;
          };
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /**
         * Return events after this one: the `next` of a response, or the `id` of an event. Default: from the oldest event that is kept. Refused with 400 if it is older than 90 days, or if a restore of our database removed it.
         * @example evt_x81Kp200000000c10
         */
        after?: string;
        /**
         * Only events of these types, separated by commas. Default: all types that the key has access to.
         * @example call.reported,lead.concluded
         */
        types?: string;
        /**
         * Only events about this lead: its calls, changes, requeues and erasure. Without `leads.created`, which is about many leads. A lead that the key has no access to has no events.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId?: string;
        /**
         * The maximum number of events. Default: 100. A response may have fewer although more follow.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              events: components["schemas"]["Event"][];
              /**
               * The `after` of your next request.
               * @example evt_x81Kp200000000c10
               */
              next: string;
            };
            error: null;
          };
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              webhooks: components["schemas"]["Webhook"][];
            };
            error: null;
          };
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhook"];
      };
    };
    responses: {
      /** Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** @example wh_4fX9sQ2mLk7TzB1nVw0c */
              webhookId: string;
              /** The secret that verifies signatures. Only returned here. */
              secret: string;
            };
            error: null;
          };
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the webhook.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Webhook"];
            error: null;
          };
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the webhook.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** @constant */
              deleted: true;
            };
            error: null;
          };
        };
      };
    };
  };
  changeWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the webhook.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeWebhook"];
      };
    };
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Webhook"];
            error: null;
          };
        };
      };
    };
  };
  rotateWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the webhook.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RotateWebhook"];
      };
    };
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** @example wh_4fX9sQ2mLk7TzB1nVw0c */
              webhookId: string;
              /** The secret that verifies signatures. Only returned here. */
              secret: string;
              /**
               * Format: date-time
               * The end of the grace period.
               */
              previousExpiresAt: string;
            };
            error: null;
          };
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the webhook.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** The `webhook-id`. */
              eventId: string;
              /** The status of the response. Null: no response. */
              status: number | null;
              milliseconds: number;
              /** What went wrong. Null: delivered. */
              error: string | null;
            };
            error: null;
          };
        };
      };
    };
  };
  replayWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the webhook.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReplayWebhook"];
      };
    };
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** @example wh_4fX9sQ2mLk7TzB1nVw0c */
              webhookId: string;
              /**
               * Format: date-time
               * The `since` of the request, in UTC.
               */
              since: string;
            };
            error: null;
          };
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /**
         * The maximum number of attempts. Default: all.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The id of the webhook.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              deliveries: components["schemas"]["Delivery"][];
            };
            error: null;
          };
        };
      };
    };
  };
  listKeys: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The keys. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              keys: components["schemas"]["Key"][];
              /**
               * Format: date-time
               * The start of the counted period.
               */
              since: string;
            };
            error: null;
          };
        };
      };
    };
  };
  getOwnKey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The key. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              key: components["schemas"]["OwnKey"];
              company: {
                id: string;
                name: string;
              };
            };
            error: null;
          };
        };
      };
    };
  };
  checkHealth: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Available. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: components["schemas"]["Health"];
            error: null;
          };
        };
      };
    };
  };
  checkHealthBriefly: {
    parameters: {
      query?: never;
      header?: {
        /**
         * Your own id for the request. The response repeats it, and support can find the request by it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Available. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  toldLeadsCreated: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "leads.created";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["LeadsCreatedEventData"];
        };
      };
    };
    responses: never;
  };
  toldCallReported: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "call.reported";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["CallEventData"];
        };
      };
    };
    responses: never;
  };
  toldCallExpired: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "call.expired";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["CallEventData"];
        };
      };
    };
    responses: never;
  };
  toldCallReleased: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "call.released";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["CallEventData"];
        };
      };
    };
    responses: never;
  };
  toldLeadConcluded: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "lead.concluded";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["CallEventData"];
        };
      };
    };
    responses: never;
  };
  toldLeadExhausted: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "lead.exhausted";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["CallEventData"];
        };
      };
    };
    responses: never;
  };
  toldLeadChanged: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "lead.changed";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["LeadEventData"];
        };
      };
    };
    responses: never;
  };
  toldLeadErased: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "lead.erased";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["LeadEventData"];
        };
      };
    };
    responses: never;
  };
  toldLeadRequeued: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "lead.requeued";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["LeadEventData"];
        };
      };
    };
    responses: never;
  };
  toldCampaignChanged: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "campaign.changed";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldAgentFailing: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "agent.failing";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldSuppressionAdded: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "suppression.added";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldSuppressionLifted: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "suppression.lifted";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldKeyCreated: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "key.created";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldKeyRotated: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "key.rotated";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldKeyRevoked: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "key.revoked";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldWebhookChanged: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "webhook.changed";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldWebhookDisabled: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "webhook.disabled";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldWebhookGave_up: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "webhook.gave_up";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldErasureDone: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "erasure.done";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
  toldLeadsExported: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "leads.exported";
          /**
           * Format: date-time
           * When the event happened.
           */
          timestamp: string;
          data: components["schemas"]["AdminEventData"];
        };
      };
    };
    responses: never;
  };
}
