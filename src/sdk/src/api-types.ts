// Written by generate-types.ts out of the API description (`npm run types`): change that in its place.
export interface components {
  schemas: {
    /** A lead of a bulk. */
    NewLead: {
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never repaired.
       * @example +14155550123
       */
      phoneNumber: string;
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * Anything you want to keep with the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Comes back exactly as sent.
       * @example {
       *       "name": "Ada",
       *       "company": "Acme"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Without it, or in the past: as soon as possible, within business hours. Comes back exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string | null;
      /**
       * Higher is called first. 0 when not set.
       * @example 10
       */
      priority?: number | null;
      /**
       * Where the person is: the name of an IANA time zone, in its exact spelling. Calling hours are taken by its clock. Without it, by that of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
    };
    /** A lead and its campaign. Null or an empty text means: not set. */
    CreateLead: {
      /**
       * The campaign that the leads belong to. Ids are unique within a company.
       * @example demo
       */
      campaignId: string;
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never repaired.
       * @example +14155550123
       */
      phoneNumber: string;
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * Anything you want to keep with the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Comes back exactly as sent.
       * @example {
       *       "name": "Ada",
       *       "company": "Acme"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Without it, or in the past: as soon as possible, within business hours. Comes back exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string | null;
      /**
       * Higher is called first. 0 when not set.
       * @example 10
       */
      priority?: number | null;
      /**
       * Where the person is: the name of an IANA time zone, in its exact spelling. Calling hours are taken by its clock. Without it, by that of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
    };
    /** Leads of one campaign. */
    CreateLeads: {
      /**
       * The campaign that the leads belong to. Ids are unique within a company.
       * @example demo
       */
      campaignId: string;
      /** All of them are stored, or none. */
      leads: components["schemas"]["NewLead"][];
    };
    /** A lead. Optional fields are absent when not set. */
    Lead: {
      /**
       * Opaque, ordered by time of creation.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      _id: string;
      /**
       * The campaign that the leads belong to. Ids are unique within a company.
       * @example demo
       */
      campaignId: string;
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never repaired.
       * @example +14155550123
       */
      phoneNumber: string;
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string;
      /**
       * Anything you want to keep with the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Comes back exactly as sent.
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
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Without it, or in the past: as soon as possible, within business hours. Comes back exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string;
      /**
       * Where the person is: the name of an IANA time zone, in its exact spelling. Calling hours are taken by its clock. Without it, by that of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string;
      /**
       * Higher is called first. 0 when not set.
       * @example 10
       */
      priority: number;
      /** Calls attempted. */
      attempts: number;
      /**
       * Unix milliseconds.
       * @example 1795217110612
       */
      _creationTime: number;
    };
    CreatedLead: {
      /**
       * Opaque, ordered by time of creation.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string;
    };
    LeadList: {
      leads: components["schemas"]["Lead"][];
      /** Number of `leads`. */
      count: number;
      /** With `limit` or `cursor` only: the `cursor` of the next page, null on the last one. */
      nextCursor?: string | null;
    };
    CreatedLeads: {
      /** Leads created. */
      created: number;
      /** Leads skipped: their phone number is in the campaign, or came earlier in the request. */
      skipped: number;
      /** With `onInvalid=skip` only: leads not stored because something is wrong with them. */
      invalid?: number;
      /** In the order of the input. Empty in a dry run. */
      createdIds: string[];
      /** In the order of the input. */
      skippedPhones: string[];
      /** With `results=true` or `onInvalid=skip` only: one for each lead of the request, in its order. */
      results?: components["schemas"]["LeadResult"][];
    };
    /** What became of one lead of a bulk. */
    LeadResult: {
      /** Place in `leads` of the request, from 0. */
      index: number;
      /** @constant */
      status: "created";
      /**
       * Null in a dry run.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string | null;
      /**
       * Only where the phone number is suppressed: the lead is stored, or is there already, and is not called.
       * @constant
       */
      suppressed?: true;
    } | {
      /** Place in `leads` of the request, from 0. */
      index: number;
      /** @constant */
      status: "skipped";
      /**
       * The lead that was there before. Null when a dry run would create it.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string | null;
      /**
       * Only where the phone number is suppressed: the lead is stored, or is there already, and is not called.
       * @constant
       */
      suppressed?: true;
    } | {
      /** Place in `leads` of the request, from 0. */
      index: number;
      /** @constant */
      status: "invalid";
      /** What is wrong. */
      error: string;
    };
    /** The fields that are to change. Null or an empty text clears a field; `priority` is 0 then. Metadata is replaced whole. */
    LeadChange: {
      /**
       * Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.
       * @example crm-42
       */
      externalId?: string | null;
      /**
       * Anything you want to keep with the lead. At most 16,384 bytes of JSON and 32 levels deep; no NUL, no unpaired surrogates. Comes back exactly as sent.
       * @example {
       *       "name": "Ada",
       *       "company": "Acme"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Without it, or in the past: as soon as possible, within business hours. Comes back exactly as sent.
       * @example 2027-01-15T09:30:00+01:00
       */
      scheduledFor?: string | null;
      /**
       * Higher is called first. 0 when not set.
       * @example 10
       */
      priority?: number | null;
      /**
       * Where the person is: the name of an IANA time zone, in its exact spelling. Calling hours are taken by its clock. Without it, by that of the campaign.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
    };
    /** Whom to erase: `phoneNumber` or `leadId`, not both. */
    Erasure: {
      /**
       * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never repaired.
       * @example +14155550123
       */
      phoneNumber?: string | null;
      /**
       * A lead of the person, in place of the number.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId?: string | null;
      /**
       * Also never call the number again. `false` leaves it callable when it comes in again, unless it was suppressed before or a call goes on.
       * @default true
       */
      suppress?: boolean | null;
    } & ({
      phoneNumber: string;
    } | {
      leadId: string;
    });
    Erased: {
      /** Leads erased by this request; 0 when there was none, or none any more. */
      leadsErased: number;
      /** The number must not be called, also when it comes in again. Of a lead that was erased before: as it was answered then. */
      suppressed: boolean;
    };
    /** Which leads to hand out, and to whom. */
    ClaimCalls: {
      /**
       * The campaign whose leads are called.
       * @example demo
       */
      campaignId: string;
      /** At most so many calls. 1 when not set. */
      limit?: number | null;
      /** How long each call may take, dialling included. As the campaign has it when not set. */
      leaseSeconds?: number | null;
      /**
       * A name for people, such as that of a seat or a process. No NUL, no unpaired surrogates.
       * @example seat-7
       */
      agent?: string | null;
    };
    ClaimedCall: {
      /**
       * Names the call. Lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** Which attempt of the lead it is. */
      attempt: number;
      /** True when no attempt is left after it, for a callback neither. */
      isLastAttempt: boolean;
      /**
       * Format: date-time
       * Until then the lead is yours. Extend it in time.
       */
      leaseExpiresAt: string;
      /**
       * Format: date-time
       * Do not dial later: the lease ends, or calling hours do.
       */
      dialBefore: string;
      /** Of the lead, else of the campaign. */
      timeZone: string;
      lead: components["schemas"]["Lead"];
    };
    ClaimedCalls: {
      /** In the order in which to call. */
      calls: components["schemas"]["ClaimedCall"][];
      /**
       * Null exactly when calls are given. `empty`: no lead is in the queue. `waiting`: none is due, or those that were are blocked. `outside_hours`: some are due, and nobody may be called now. `paused`. `not_configured`: the campaign has no time zone. `agent_failing`: the leases of this `agent`, or of this key where it has no name, end without reports, so it gets none for ten minutes, and then one lead to prove itself with. `suppression_unavailable`: the service cannot check suppressed numbers until its operator restores the secret; only in the claim of a report, where a claim on its own fails with 503.
       * @enum {string|null}
       */
      reason: "empty" | "waiting" | "outside_hours" | "paused" | "not_configured" | "agent_failing" | "suppression_unavailable" | null;
      /** When it is worth asking again; null when calls are given. */
      retryAfterSeconds: number | null;
    };
    /** What became of a call. */
    ReportedCall: {
      /**
       * Names the call. Lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /**
       * Done: `answered`, `not_interested`. Given up: `wrong_number`, `invalid_number`, `do_not_call`; `do_not_call` also suppresses the number in the whole company. Called again after some time: `no_answer`, `busy`, `voicemail`, `failed`, `abandoned`. At an agreed time: `callback_requested`. A campaign may have set other rules.
       * @enum {string}
       */
      outcome: "answered" | "not_interested" | "wrong_number" | "invalid_number" | "do_not_call" | "no_answer" | "busy" | "voicemail" | "failed" | "abandoned" | "callback_requested";
      /**
       * When to call again: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Required with `callback_requested`.
       * @example 2027-01-15T09:30:00+01:00
       */
      callbackAt?: string | null;
      /** Goes with any outcome: the number is suppressed in the whole company. */
      doNotCall?: boolean | null;
      /** How long the call took. */
      durationSeconds?: number | null;
      /** The telephone provider’s id. No NUL, no unpaired surrogates. */
      providerCallId?: string | null;
      /**
       * Anything you want to keep with the call, such as a summary. At most 16,384 bytes of JSON. Comes back exactly as sent, with the history of the lead.
       * @example {
       *       "summary": "Asked for an offer."
       *     }
       */
      details?: {
        [key: string]: unknown;
      } | null;
    };
    /** What became of calls, and a claim if you like. */
    ReportCalls: {
      calls: components["schemas"]["ReportedCall"][];
      claim?: components["schemas"]["ClaimCalls"] | null;
    };
    CallResult: {
      /** As you sent it. */
      callId: string;
      /**
       * `recorded`, also in place of an `unknown`. `recorded_late`: the lead was claimed again since; the history has it, the newer call goes on. `do_not_call_recorded`: the call was recorded before; its number is suppressed now, and its outcome, duration and details stay as they were. `replayed`: it was there before. `conflict`: another outcome was. `unknown_call`: no call of this id, or not for this key.
       * @enum {string}
       */
      result: "recorded" | "recorded_late" | "do_not_call_recorded" | "replayed" | "conflict" | "unknown_call";
      /**
       * Null of an unknown call, as all that follows.
       * @example 1a1fb47365400000100000001nTelzbbSjlh
       */
      leadId: string | null;
      /**
       * Of the lead now.
       * @enum {string|null}
       */
      status: "raw" | "attempting" | "exhausted" | "concluded" | null;
      /** Of the lead now. */
      attempts: number | null;
      /**
       * Format: date-time
       * When the lead is due again; null when it is not in the queue.
       */
      nextCallAt: string | null;
    };
    CallsReported: {
      /** One for each call, in order. */
      results: components["schemas"]["CallResult"][];
      claim?: components["schemas"]["ClaimedCalls"];
    };
    /** Calls that go on. */
    ExtendCalls: {
      /** Of the calls that go on. */
      callIds: string[];
      /** How long each call may take, dialling included. As the campaign has it when not set. */
      leaseSeconds?: number | null;
    };
    ExtendedCall: {
      /** As you sent it. */
      callId: string;
      /**
       * Format: date-time
       * Null when the lease is lost.
       */
      leaseExpiresAt: string | null;
      /**
       * Format: date-time
       * Do not dial later: the lease ends, or calling hours do, as they are now. Null when the lease is lost.
       */
      dialBefore: string | null;
      /**
       * Why to end the call, in your own time; null: go on. With `paused` and `outside_hours` a conversation may go on, but nobody may be dialled any more. Of several, the first of this list. It is extended all the same, unless its lease is lost.
       * @enum {string|null}
       */
      stop: "erased" | "suppressed" | "concluded" | "paused" | "outside_hours" | "lease_lost" | null;
    };
    /** A call that nobody dialled. */
    ReleasedCall: {
      /**
       * Names the call. Lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** When the lead may be handed out again. 60 when not set. */
      delaySeconds?: number | null;
    };
    /** Calls that nobody dialled. */
    ReleaseCalls: {
      calls: components["schemas"]["ReleasedCall"][];
    };
    OpenCall: {
      /**
       * Names the call. Lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** Which attempt of the lead it is. */
      attempt: number;
      /** True when no attempt is left after it, for a callback neither. */
      isLastAttempt: boolean;
      /**
       * Format: date-time
       * Until then the lead is yours. Extend it in time.
       */
      leaseExpiresAt: string;
      /**
       * Format: date-time
       * Do not dial later: the lease ends, or calling hours do.
       */
      dialBefore: string;
      /** Of the lead, else of the campaign. */
      timeZone: string;
      lead: components["schemas"]["Lead"];
      agent: string | null;
    };
    /** Which leads to call again. */
    RequeueLeads: {
      /**
       * Of the leads: `exhausted` or `concluded`.
       * @enum {string}
       */
      status: "exhausted" | "concluded";
      /**
       * When they became so, at the earliest: ISO 8601 with a UTC offset.
       * @example 2026-11-20T08:00:00+01:00
       */
      since: string;
    };
    PastCall: {
      /**
       * Names the call. Lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** One that was released gives its number to the next. */
      attempt: number;
      /** The name under which it was claimed. */
      agent: string | null;
      /**
       * Format: date-time
       * When it was handed out.
       */
      claimedAt: string;
      /**
       * Null: it goes on. `unknown`: its lease ended without a report. `released`: nobody dialled.
       * @enum {string|null}
       */
      outcome: "answered" | "not_interested" | "wrong_number" | "invalid_number" | "do_not_call" | "no_answer" | "busy" | "voicemail" | "failed" | "abandoned" | "callback_requested" | "unknown" | "released" | null;
      /**
       * Format: date-time
       * When that was told, or the lease ended.
       */
      endedAt: string | null;
      /**
       * Format: date-time
       * What was agreed.
       */
      callbackAt: string | null;
      /** The person asked not to be called. */
      doNotCall: boolean;
      /** It was reported when the lead had been claimed again. */
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
       * `not_configured`: the campaign has no time zone. `paused`: the campaign is paused. `final`: exhausted or concluded: requeue it. `suppressed`: the number must not be called. `leased`: it is being called. `number_live`: another lead of this number is being called. `number_gap`: the number was called a short time ago. `number_day`: the number was called often enough in 24 hours. `number_week`: and in 7 days. `scheduled`: its time has not come. `spaced`: the next attempt is spaced. `outside_hours`: nobody may be called at this hour.
       * @enum {string}
       */
      code: "not_configured" | "paused" | "final" | "suppressed" | "leased" | "number_live" | "number_gap" | "number_day" | "number_week" | "scheduled" | "spaced" | "outside_hours";
      /**
       * Format: date-time
       * Null: until somebody does something about it.
       */
      until: string | null;
    };
    CampaignSettings: {
      /**
       * Unique within the company.
       * @example demo
       */
      id: string;
      /** For people. */
      name: string;
      /** True: nothing is handed out. Reports go on. */
      paused: boolean;
      /** The name of an IANA time zone, in its exact spelling, for leads that have none of their own. Null: nothing is handed out. */
      timeZone: string | null;
      /** Windows of each day by the clock of the lead’s zone. They do not overlap, and end at `24:00` at the latest. An array of none: closed. */
      callingHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** The same for appointments: leads whose `scheduledFor` has come, and callbacks that were agreed. */
      appointmentHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** Days on which nobody is called, for appointments neither. */
      closedDates: string[];
      /** Of one lead, counted since it was last requeued. */
      maxAttempts: number;
      /** How long a claim holds a lead. */
      leaseSeconds: number;
      /** After so many days a lead that is exhausted or concluded is erased, with its calls. Null, the default: never. */
      retentionDays: number | null;
      /** True, the default: when that erases a lead which ended `not_interested` or by an outcome of the class `dead`, its number stays suppressed in the campaign, as a hash. It comes in again stored and not queued, until `DELETE /api/v1/suppressions` with this `campaignId` names it. False: no more numbers are kept; those that were stay. `do_not_call` is on the company’s list in any case. */
      retentionSuppresses: boolean;
      /** Of one phone number, over all calls of the company. Null: no such limit. */
      numberLimits: {
        /** Between two calls. Appointments are exempt. */
        minGapMinutes: number | null;
        /** Calls in any 24 hours. */
        per24Hours: number | null;
        /** Calls in any 7 days. */
        per7Days: number | null;
      };
      /** What follows from each outcome. `done`: the lead is concluded. `dead`: it is exhausted. `retry`: it is called again after some minutes. `appointment`: at the time that was agreed. `do_not_call` suppresses the number, whatever its class. */
      outcomes: {
        answered: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        not_interested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        wrong_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        invalid_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        do_not_call: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        no_answer: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        busy: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        voicemail: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        failed: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        abandoned: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        callback_requested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        unknown: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
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
      /** For people. */
      name: string;
      /** True: nothing is handed out. Reports go on. */
      paused: boolean;
      /** The name of an IANA time zone, in its exact spelling, for leads that have none of their own. Null: nothing is handed out. */
      timeZone: string | null;
      /** Windows of each day by the clock of the lead’s zone. They do not overlap, and end at `24:00` at the latest. An array of none: closed. */
      callingHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** The same for appointments: leads whose `scheduledFor` has come, and callbacks that were agreed. */
      appointmentHours: {
        sun: string[][];
        mon: string[][];
        tue: string[][];
        wed: string[][];
        thu: string[][];
        fri: string[][];
        sat: string[][];
      };
      /** Days on which nobody is called, for appointments neither. */
      closedDates: string[];
      /** Of one lead, counted since it was last requeued. */
      maxAttempts: number;
      /** How long a claim holds a lead. */
      leaseSeconds: number;
      /** After so many days a lead that is exhausted or concluded is erased, with its calls. Null, the default: never. */
      retentionDays: number | null;
      /** True, the default: when that erases a lead which ended `not_interested` or by an outcome of the class `dead`, its number stays suppressed in the campaign, as a hash. It comes in again stored and not queued, until `DELETE /api/v1/suppressions` with this `campaignId` names it. False: no more numbers are kept; those that were stay. `do_not_call` is on the company’s list in any case. */
      retentionSuppresses: boolean;
      /** Of one phone number, over all calls of the company. Null: no such limit. */
      numberLimits: {
        /** Between two calls. Appointments are exempt. */
        minGapMinutes: number | null;
        /** Calls in any 24 hours. */
        per24Hours: number | null;
        /** Calls in any 7 days. */
        per7Days: number | null;
      };
      /** What follows from each outcome. `done`: the lead is concluded. `dead`: it is exhausted. `retry`: it is called again after some minutes. `appointment`: at the time that was agreed. `do_not_call` suppresses the number, whatever its class. */
      outcomes: {
        answered: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        not_interested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        wrong_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        invalid_number: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        do_not_call: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        no_answer: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        busy: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        voicemail: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        failed: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        abandoned: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        callback_requested: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
        unknown: {
          /** @enum {string} */
          class: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes: number;
        };
      };
      queue: components["schemas"]["Queue"];
    };
    Queue: {
      /** Leads in the queue, due or not, counted to 10,000. */
      queued: number;
      /** Leads that are being called, counted to 10,000. */
      leased: number;
      /** True: there are more than are counted. */
      isCapped: boolean;
      /**
       * Why nothing is handed out now, as a claim would tell; null: something is.
       * @enum {string|null}
       */
      reason: "empty" | "waiting" | "outside_hours" | "paused" | "not_configured" | null;
      /**
       * Format: date-time
       * When calling hours begin next; null while they last, and where there are none.
       */
      nextOpening: string | null;
      /** Agents that claim leads and never report them. */
      failingAgents: {
        /** Its name, or `key:` and the id of its key. */
        agent: string;
        /**
         * Format: date-time
         * It gets no leads before.
         */
        until: string;
      }[];
    };
    /** What is to be different: what is left out stays, also within a setting, and null restores the default. */
    ChangeCampaign: {
      /**
       * Unique within the company.
       * @example demo
       */
      id?: string;
      /** For people. */
      name?: string;
      /** True: nothing is handed out. Reports go on. */
      paused?: boolean | null;
      /** The name of an IANA time zone, in its exact spelling, for leads that have none of their own. Null: nothing is handed out. */
      timeZone?: string | null;
      /** Windows of each day by the clock of the lead’s zone. They do not overlap, and end at `24:00` at the latest. An array of none: closed. */
      callingHours?: {
        sun?: string[][];
        mon?: string[][];
        tue?: string[][];
        wed?: string[][];
        thu?: string[][];
        fri?: string[][];
        sat?: string[][];
      } | null;
      /** The same for appointments: leads whose `scheduledFor` has come, and callbacks that were agreed. */
      appointmentHours?: {
        sun?: string[][];
        mon?: string[][];
        tue?: string[][];
        wed?: string[][];
        thu?: string[][];
        fri?: string[][];
        sat?: string[][];
      } | null;
      /** Days on which nobody is called, for appointments neither. */
      closedDates?: string[] | null;
      /** Of one lead, counted since it was last requeued. */
      maxAttempts?: number | null;
      /** How long a claim holds a lead. */
      leaseSeconds?: number | null;
      /** After so many days a lead that is exhausted or concluded is erased, with its calls. Null, the default: never. */
      retentionDays?: number | null;
      /** True, the default: when that erases a lead which ended `not_interested` or by an outcome of the class `dead`, its number stays suppressed in the campaign, as a hash. It comes in again stored and not queued, until `DELETE /api/v1/suppressions` with this `campaignId` names it. False: no more numbers are kept; those that were stay. `do_not_call` is on the company’s list in any case. */
      retentionSuppresses?: boolean | null;
      /** Of one phone number, over all calls of the company. Null: no such limit. */
      numberLimits?: {
        /** Between two calls. Appointments are exempt. */
        minGapMinutes?: number | null;
        /** Calls in any 24 hours. */
        per24Hours?: number | null;
        /** Calls in any 7 days. */
        per7Days?: number | null;
      } | null;
      /** What follows from each outcome. `done`: the lead is concluded. `dead`: it is exhausted. `retry`: it is called again after some minutes. `appointment`: at the time that was agreed. `do_not_call` suppresses the number, whatever its class. */
      outcomes?: {
        answered?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        not_interested?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        wrong_number?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        invalid_number?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        do_not_call?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        no_answer?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        busy?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        voicemail?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        failed?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        abandoned?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        callback_requested?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
        unknown?: {
          /** @enum {string} */
          class?: "done" | "dead" | "retry" | "appointment";
          /** After which a retry follows. */
          minutes?: number;
        } | null;
      } | null;
      /** As it was read. Not changed. */
      queue?: {
        [key: string]: unknown;
      };
    };
    Statistics: {
      /** At this moment. */
      status: {
        /** Leads that are raw. */
        raw: number;
        /** Leads that are attempting. */
        attempting: number;
        /** Leads that are exhausted. */
        exhausted: number;
        /** Leads that are concluded. */
        concluded: number;
      };
      /** Oldest first, without a gap. */
      series: {
        /**
         * Format: date-time
         * When the bucket begins.
         */
        start: string;
        /** Leads stored. */
        created: number;
        /** Leads of bulk requests that were there before, or came twice. */
        skipped: number;
        /** Leads that a bulk request with `onInvalid=skip` left out. */
        invalid: number;
        /** Of those stored, leads whose number must not be called. */
        suppressed: number;
        /** Calls handed out. */
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
        /** Calls of which nothing was told before their lease ended. One that is told of later is taken out again. */
        unknown: number;
        /** Calls that nobody dialled. */
        released: number;
      }[];
      /** What became of calls: sums of the series. */
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
        /** Calls of which nothing was told before their lease ended. One that is told of later is taken out again. */
        unknown: number;
        /** Calls that nobody dialled. */
        released: number;
      };
      queue: components["schemas"]["Queue"];
    };
    /** Numbers that must not be called. */
    SuppressNumbers: {
      /**
       * E.164. One that is repeated is one.
       * @example [
       *       "+14155550199"
       *     ]
       */
      phoneNumbers: string[];
      /**
       * The campaign. Without it: all campaigns of the company, present and future.
       * @example demo
       */
      campaignId?: string | null;
      /**
       * For people. No NUL, no unpaired surrogates.
       * @example asked by mail
       */
      reason?: string | null;
    };
    /** Numbers that may be called again. */
    LiftSuppressions: {
      /**
       * E.164. One that is repeated is one.
       * @example [
       *       "+14155550199"
       *     ]
       */
      phoneNumbers: string[];
      /**
       * The campaign. Without it: all campaigns of the company, present and future.
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
      /** Null: in all campaigns of the company. */
      campaignId: string | null;
      reason: string | null;
      /**
       * Format: date-time
       * Since when.
       */
      createdAt: string;
    };
    Event: {
      /**
       * The same whenever it is told. Opaque.
       * @example evt_x81Kp200000000c10
       */
      id: string;
      /** @enum {string} */
      type: "leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported";
      /**
       * Format: date-time
       * When it happened. Never before that of the event before.
       */
      timestamp: string;
      /**
       * Who did it: the id of an API key, `operator` (we did), or `system` (it followed by itself).
       * @example key_sYtL0wJvB4qzN1dE
       */
      actor: string;
      /** As the table of types says. */
      data: {
        [key: string]: unknown;
      };
    };
    ToldLeadsCreated: {
      /**
       * The campaign.
       * @example demo
       */
      campaignId: string;
      /** Leads that the request stored. */
      count: number;
      /** In order. Those erased since are left out. */
      leadIds: string[];
    };
    ToldCall: {
      /** The lead’s `_id`. */
      leadId: string;
      /**
       * The campaign.
       * @example demo
       */
      campaignId: string;
      /** Null when not set, and once the lead was erased. */
      externalId: string | null;
      /** @enum {string} */
      status: "raw" | "attempting" | "exhausted" | "concluded";
      /** So far. */
      attempts: number;
      /**
       * Names the call. Lease, attempt and idempotency key in one.
       * @example 1a1fb4f1c2a00000100000001Xh2mPq9RtLw
       */
      callId: string;
      /** @enum {string} */
      outcome: "answered" | "not_interested" | "wrong_number" | "invalid_number" | "do_not_call" | "no_answer" | "busy" | "voicemail" | "failed" | "abandoned" | "callback_requested" | "unknown" | "released";
      isLastAttempt: boolean;
      /** E.164. Only where the webhook includes it. */
      phoneNumber?: string;
      /** Only where the webhook includes it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** Only where the webhook includes it. */
      details?: {
        [key: string]: unknown;
      };
    };
    ToldLead: {
      /** The lead’s `_id`. */
      leadId: string;
      /**
       * The campaign.
       * @example demo
       */
      campaignId: string;
      /** Null when not set, and once the lead was erased. */
      externalId?: string | null;
      /** @enum {string} */
      status?: "raw" | "attempting" | "exhausted" | "concluded";
      /** So far. */
      attempts?: number;
      /** E.164. Only where the webhook includes it. */
      phoneNumber?: string;
      /** Only where the webhook includes it. */
      metadata?: {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    ToldFact: {
      /** Null: of the whole company. */
      campaignId: string | null;
    } & {
      [key: string]: unknown;
    };
    /** Where to send what. */
    CreateWebhook: {
      /**
       * Where to: a public host by `https` on port 443, without credentials, and not this service itself.
       * @example https://example.com/hooks/leads
       */
      url: string;
      /**
       * What to be told of. Each type is described below, with what is sent.
       * @example [
       *       "call.reported",
       *       "lead.concluded"
       *     ]
       */
      types: ("leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported")[];
      /**
       * Of this campaign alone. Without it: of the whole company.
       * @example demo
       */
      campaignId?: string | null;
      /** What is told of leads and calls besides ids and outcomes. Without it: nothing. */
      include?: ("phoneNumber" | "metadata" | "details")[] | null;
    };
    /** What is to change. All else stays. */
    ChangeWebhook: {
      /**
       * Where to: a public host by `https` on port 443, without credentials, and not this service itself.
       * @example https://example.com/hooks/leads
       */
      url?: string;
      /**
       * What to be told of. Each type is described below, with what is sent.
       * @example [
       *       "call.reported",
       *       "lead.concluded"
       *     ]
       */
      types?: ("leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported")[];
      /**
       * Of this campaign alone. Without it: of the whole company.
       * @example demo
       */
      campaignId?: string | null;
      /** What is told of leads and calls besides ids and outcomes. Without it: nothing. */
      include?: ("phoneNumber" | "metadata" | "details")[] | null;
      /** True: nothing is sent until it is false again. */
      disabled?: boolean;
    };
    /** How long both secrets sign. */
    RotateWebhook: {
      /**
       * Format: date-time
       * Until when the secret of before signs as well: now, up to 7 days from now. A day when not set. The same time again is the same rotation.
       */
      previousExpiresAt?: string | null;
    };
    /** From when on to tell again. */
    ReplayWebhook: {
      /**
       * Format: date-time
       * Goes back to the first event that is not before it, at most 90 days.
       */
      since: string;
    };
    Webhook: {
      /** @example wh_4fX9sQ2mLk7TzB1nVw0c */
      webhookId: string;
      url: string;
      types: ("leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported")[];
      /** Null: of the whole company. */
      campaignId: string | null;
      include: ("phoneNumber" | "metadata" | "details")[];
      /**
       * Format: date-time
       * When it was made.
       */
      createdAt: string;
      /** Who made it: the id of an API key, or `operator`. Null: unknown, made before version 1.5.0. */
      createdBy: string | null;
      /**
       * Format: date-time
       * Null: it is not disabled.
       */
      disabledAt: string | null;
      /**
       * `gone`: it answered 410. `dead`: nothing but failures for five days. `operator`: it was asked for. `key_revoked`: the API key that made it was ended.
       * @enum {string|null}
       */
      disabledReason: "gone" | "dead" | "operator" | "key_revoked" | null;
      /**
       * Format: date-time
       * Until when the secret of before signs as well.
       */
      previousExpiresAt: string | null;
      /** How many entries of the company’s log it has yet to pass. */
      lag: number;
      /**
       * Format: date-time
       * Since when the receiver is at fault: the oldest event alone is tried. Null: it is not, or the webhook is disabled.
       */
      failingSince: string | null;
      /** How many events were given up after their last try, since it was made. */
      givenUp: number;
    };
    Delivery: {
      /** Its `webhook-id`. */
      eventId: string;
      /** @enum {string} */
      type: "leads.created" | "call.reported" | "call.expired" | "call.released" | "lead.concluded" | "lead.exhausted" | "lead.changed" | "lead.erased" | "lead.requeued" | "campaign.changed" | "agent.failing" | "suppression.added" | "suppression.lifted" | "key.created" | "key.rotated" | "key.revoked" | "webhook.changed" | "webhook.disabled" | "webhook.gave_up" | "erasure.done" | "leads.exported";
      attempt: number;
      /** Of the answer. Null: there was none. */
      status: number | null;
      /**
       * Format: date-time
       * When it was sent.
       */
      time: string;
      milliseconds: number;
      /** For people. Null: it was delivered. */
      error: string | null;
    };
    Key: {
      /**
       * What events name as their `actor`.
       * @example key_sYtL0wJvB4qzN1dE
       */
      keyId: string;
      /** Who uses it, for people. */
      name: string;
      /** @enum {string} */
      scope: "read" | "write" | "agent" | "manage";
      /** The only campaign that it is for. Null: all. */
      campaignId: string | null;
      /** Its first characters. */
      hint: string;
      /**
       * Format: date-time
       * When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * When it ends by itself.
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * When it was ended.
       */
      revokedAt: string | null;
      /**
       * Format: date-time
       * When it was last used. Null: not since `since`.
       */
      lastUsedAt: string | null;
      /** All requests with it since `since`, those that were refused included. */
      requests: number;
      /**
       * Of them, how many were refused, by their `X-Error-Code`.
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
       * What events name as their `actor`.
       * @example key_sYtL0wJvB4qzN1dE
       */
      keyId: string;
      /** Who uses it, for people. */
      name: string;
      /** @enum {string} */
      scope: "read" | "write" | "agent" | "manage";
      /** The only campaign that it is for. Null: all. */
      campaignId: string | null;
      /** What its scope allows. `look`: one lead with its calls, and settings of campaigns. `read`: lists, events and suppressed numbers. `write`: create, change, requeue and suppress. `agent`: claim and report calls. `manage`: all else. */
      rights: ("look" | "read" | "write" | "agent" | "manage")[];
      /**
       * Format: date-time
       * When it was made.
       */
      createdAt: string;
      /**
       * Format: date-time
       * When it ends by itself.
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
     * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
     * @example sync-2026-11-20-0001
     */
    RequestId: string;
    /**
     * One or more `ETag`s of the lead, or `*`: it is changed, or erased, only while it has one of them. A weak tag matches none, and neither does any other text. An empty header is as none: the request has no condition.
     * @example "1"
     */
    IfMatch: string;
    /**
     * Makes the request safe to send again: the same key with the same request is answered as the first time. The same means the same path, query and body, byte for byte. Keys are separate for each API key.
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
         * The campaign that the leads belong to. Ids are unique within a company.
         * @example demo
         */
        campaignId: string;
        /**
         * Only leads with this status.
         * @example raw
         */
        status?: "raw" | "attempting" | "exhausted" | "concluded";
        /**
         * E.164: `+`, then 7 to 15 digits, the first not 0. Compared and stored exactly as sent, never repaired.
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
         * As the leads came in, `oldest` first, unless it is `newest`.
         * @example oldest
         */
        order?: "oldest" | "newest";
        /**
         * Answer one page of at most so many leads, with `data.nextCursor` and a `Link` header. A page whose metadata come to about 2 MiB ends sooner: go on until `nextCursor` is null. Without `limit` and `cursor` the answer is the whole campaign, streamed.
         * @example 100
         */
        limit?: number;
        /**
         * Go on after a page: its `nextCursor`. Opaque.
         * @example 00000100000064
         */
        cursor?: string;
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
         * Makes the request safe to send again: the same key with the same request is answered as the first time. The same means the same path, query and body, byte for byte. Keys are separate for each API key.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
         * Also answer `data.results`: what became of each lead, in the order of the input. `onInvalid=skip` implies it.
         * @example true
         */
        results?: boolean;
        /**
         * `fail`, the default: one invalid lead fails the whole request. `skip`: the valid ones are stored, and the invalid ones told in `data.invalid` and `data.results`.
         * @example fail
         */
        onInvalid?: "fail" | "skip";
        /**
         * Check and tell everything, store nothing.
         * @example true
         */
        dryRun?: boolean;
      };
      header?: {
        /**
         * Makes the request safe to send again: the same key with the same request is answered as the first time. The same means the same path, query and body, byte for byte. Keys are separate for each API key.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
      /** Created, or skipped. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The lead’s `_id`.
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
         * One or more `ETag`s of the lead, or `*`: it is changed, or erased, only while it has one of them. A weak tag matches none, and neither does any other text. An empty header is as none: the request has no condition.
         * @example "1"
         */
        "If-Match"?: components["parameters"]["IfMatch"];
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The lead’s `_id`.
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
         * One or more `ETag`s of the lead, or `*`: it is changed, or erased, only while it has one of them. A weak tag matches none, and neither does any other text. An empty header is as none: the request has no condition.
         * @example "1"
         */
        "If-Match"?: components["parameters"]["IfMatch"];
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The lead’s `_id`.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
         * Makes the request safe to send again: the same key with the same request is answered as the first time. The same means the same path, query and body, byte for byte. Keys are separate for each API key.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
      /** The calls, or why there are none. */
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
         * Makes the request safe to send again: the same key with the same request is answered as the first time. The same means the same path, query and body, byte for byte. Keys are separate for each API key.
         * @example deal-1234
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
      /** What was recorded, and what was claimed. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
      /** One for each id, in order. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
      /** One for each call, in order. */
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
         * At most so many. 100 when not set.
         * @example 100
         */
        limit?: number;
        /**
         * Go on after a page: its `nextCursor`. Opaque.
         * @example 1a1fb4f1c2a00000100000001
         */
        cursor?: string;
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
              /** The `cursor` of the next page, null on the last one. */
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
         * At most so many. 100 when not set.
         * @example 100
         */
        limit?: number;
        /**
         * Go on after a page: its `nextCursor`. Opaque.
         * @example 19aa0e8a480
         */
        cursor?: string;
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The lead’s `_id`.
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
              /** The `cursor` of the next page, null on the last one. */
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
         * The moment: ISO 8601 with a UTC offset, or Unix milliseconds. Now when not set.
         * @example 2026-11-23T09:00:00+01:00
         */
        at?: string;
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The lead’s `_id`.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What keeps it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** True when nothing does: it waits for its turn alone. */
              callable: boolean;
              blockers: components["schemas"]["Blocker"][];
              /**
               * Format: date-time
               * From that moment on. Null: not before somebody, or a call that goes on, does something about it.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The lead’s `_id`.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The lead, in the queue. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The campaign’s id, percent-encoded.
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
      /** What was done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** Leads that are in the queue now. */
              requeued: number;
              /** Leads left as they are, because their numbers are suppressed. */
              skipped: number;
              /** There may be more: send the same request again. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The campaign’s id, percent-encoded.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The campaign’s id, percent-encoded.
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
      /** The campaign as it is now. */
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
         * ISO 8601 with a UTC offset, or Unix milliseconds. Without it: the last 24 hours, or 7 days.
         * @example 2026-11-20T00:00:00+01:00
         */
        from?: string;
        /**
         * The end, which is not in it any more, at most 366 days ahead. Without it: now.
         * @example 2026-11-21T00:00:00+01:00
         */
        to?: string;
        /**
         * How long each bucket is. An hour when not set.
         * @example hour
         */
        bucket?: "hour" | "day";
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The campaign’s id, percent-encoded.
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
         * Only those of this campaign. Without it: of the company and of all its campaigns.
         * @example demo
         */
        campaignId?: string;
        /**
         * At most so many. 1,000 when not set.
         * @example 100
         */
        limit?: number;
        /**
         * Go on after a page: its `nextCursor`. Opaque.
         * @example 14155550199-0
         */
        cursor?: string;
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The numbers. */
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
              /** The `cursor` of the next page, null on the last one. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
              /** Numbers that were not suppressed before. */
              added: number;
              /** Numbers that were. */
              existing: number;
              /** Leads that left the queue. */
              removedFromQueue: number;
              /** Calls that go on at this moment. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
      /** Lifted. */
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
         * Go on after this place: the `next` of an answer, or the `id` of an event. Without it: from the oldest event that is kept. One from which events older than 90 days follow is refused, and so is one that a restore of our database has removed.
         * @example evt_x81Kp200000000c10
         */
        after?: string;
        /**
         * Only these, separated by commas. Without it: all that the key may see.
         * @example call.reported,lead.concluded
         */
        types?: string;
        /**
         * Only what is about this lead: its calls, changes, requeueing and erasing. Not `leads.created`, which names many. An id that the key sees no lead of has no events.
         * @example 1a1fb47365400000100000001nTelzbbSjlh
         */
        leadId?: string;
        /**
         * At most so many. 100 when not set. There may be fewer, and more after them.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Events. */
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
               * The `after` to go on with.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Done. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
      /** Made. */
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
              /** What its signatures are checked with. Told this once. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The webhook’s id.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Done. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The webhook’s id.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Done. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The webhook’s id.
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
      /** Done. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The webhook’s id.
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
      /** Done. */
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
              /** What its signatures are checked with. Told this once. */
              secret: string;
              /**
               * Format: date-time
               * Until when both sign.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The webhook’s id.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            success: true;
            data: {
              /** Its `webhook-id`. */
              eventId: string;
              /** Of the answer. Null: there was none. */
              status: number | null;
              milliseconds: number;
              /** For people. Null: it was delivered. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The webhook’s id.
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
      /** Done. */
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
               * As it was sent, in UTC.
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
         * At most so many. All when not set.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * The webhook’s id.
         * @example wh_4fX9sQ2mLk7TzB1nVw0c
         */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Done. */
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
         * @example sync-2026-11-20-0001
         */
        "X-Request-Id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Keys. */
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
               * The beginning of what is counted.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
         * A name of your own for the request. It comes back with the answer, and finds the request again when you ask us about it.
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldLeadsCreated"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldCall"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldCall"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldCall"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldCall"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldCall"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldLead"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldLead"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldLead"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
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
           * When it happened.
           */
          timestamp: string;
          data: components["schemas"]["ToldFact"];
        };
      };
    };
    responses: never;
  };
}
