// Members in the API description: people who sign in to the console, and what people and keys changed.
import { memberScopes } from '../../../base/access/scope.ts'
import { activityTypes } from '../../../base/ledger/log/event-types.ts'
import { limits } from '../../../base/limits.ts'
import { activityQuery } from '../../../channels/events/input.ts'
import {
  changeMemberBody,
  changeMemberQuery,
  createMemberBody,
  removeMemberQuery,
} from '../../../control/members/input.ts'
import * as s from '../../openapi/json-schema.ts'
import { type Area, body, created, idempotencyKey, list, needs, ok, page } from '../../openapi/operation.ts'
import { prose } from '../../openapi/prose.ts'
import { exampleIds } from '../../samples/example-ids.ts'
import { createdParts, exampleCreated } from './describe-keys.ts'

const tag = {
  name: 'Members',
  description: prose`People who sign in to the console with your company’s sign-in, where the operator of the
    service has set it up. Each has a role: \`read\` looks, and sees phone numbers; \`write\` also sends, changes and
    requeues leads, imports, and suppresses numbers; \`manage\` does all. Keys are for systems. What a member does is
    logged under the member’s id.`,
}

const memberId = { type: 'string', description: 'The `actor` of events.', examples: [exampleIds.member] }
const campaign = 'The only campaign that the member has access to.'

const member = {
  memberId,
  email: s.textOrNull('In lower case.'),
  name: s.textOrNull('The name that is shown. Null: the address is.'),
  scope: s.oneOf(memberScopes)`The role.`,
  campaignId: s.textOrNull(`${campaign} Null: all.`),
  createdAt: s.time('When the member was added.'),
  createdBy: s.text('Who added the member: the id of a member, of a key, or of the operator’s key.'),
  actorName: s.textOrNull`The name of the member in \`createdBy\`, or \`former member\`. Null: it is no member.`,
  lastSeenAt: s.timeOrNull('When the member last signed in or used the console.'),
}

const bodyMembers = {
  scope: { description: 'The role: at most your own.' },
  campaignId: {
    maxLength: limits.campaignIdMaxChars,
    description: `${campaign} Null: the whole company, which needs a company-wide key or member.`,
  },
  name: { maxLength: limits.campaignNameMaxChars, description: 'The name that is shown.' },
}

const schemas = {
  Member: s.exactObject(member),
  CreateMember: s.describeBody(createMemberBody, 'The new member.', {
    email: {
      description: prose`The address with which the member signs in, without \`mailto:\`. Upper and lower case of A to
        Z are the same; no other letters are, and those that look like letters of another alphabet are refused.`,
    },
    ...bodyMembers,
  }),
  ChangeMember: s.describeBody(changeMemberBody, 'What changes. Absent members stay.', bodyMembers),
}

const example = {
  memberId: exampleIds.member,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  scope: 'manage',
  campaignId: null,
  createdAt: '2026-11-20T09:00:00.000Z',
  createdBy: exampleIds.key,
  actorName: null,
  lastSeenAt: '2026-11-26T08:12:44.120Z',
}

const made = s.exactObject({
  ...createdParts,
  dialers: s.arrayOf(
    s.exactObject({
      campaignId: s.text('Its campaign.'),
      revokedAt: s.timeOrNull('Null: the dialer still works.'),
    }),
  ),
  sources: s.arrayOf(
    s.exactObject({
      sourceId: { type: 'string' },
      name: s.text('The name of its key.'),
      campaignId: s.text('Its campaign.'),
      revokedAt: s.timeOrNull('Null: the source still works.'),
    }),
  ),
})
const exampleMade = { ...exampleCreated, dialers: [], sources: [] }

const withCreated = s.queryFlag`True: if the member has less rights by this, also revokes the keys in \`created\`,
  disables its webhooks, and stops its dialers and sources.`

export const createMemberOperation = {
  cli: { noun: 'member', verb: 'add' },
  parameters: [idempotencyKey],
  body: body('CreateMember', createMemberBody, {
    manager: ['A manager', { email: 'ada@example.com', scope: 'manage', name: 'Ada Lovelace' }],
    reader: ['Who looks at one campaign', { email: 'grace@example.com', scope: 'read', campaignId: 'demo' }],
  }),
  responses: created('The member.', s.reference('Member'), example, ['Idempotent-Replayed']),
} as const

const operations = {
  listMembers: needs.manage('GET /api/v1/members', {
    summary: 'List members',
    description: prose`Returns all members, oldest first. A campaign’s key or member gets only those of its
      campaign.`,
    cli: { noun: 'member', verb: 'list', columns: 'memberId email name scope campaignId lastSeenAt' },
    responses: list('The members.', 'members', 'Member', [example]),
  }),

  createMember: needs.manage('POST /api/v1/members', {
    summary: 'Add a member',
    description: prose`The member can sign in with this address at once; no mail is sent. A company has at most
      ${limits.membersPerCompany} members. Repeated with the same \`Idempotency-Key\`, it returns the member as
      he is now, or 404 if he was removed.`,
    ...createMemberOperation,
    failures: [
      'campaign_denied',
      'company_key_required',
      'member_exists',
      'member_not_found',
      'too_many_members',
      'idempotency_key_reused',
    ],
  }),

  getMember: needs.manage('GET /api/v1/members/{memberId}', {
    summary: 'Read a member',
    description: 'Returns one member.',
    cli: { noun: 'member', verb: 'show' },
    responses: ok('The member.', s.reference('Member'), example),
  }),

  updateMember: needs.manage('PATCH /api/v1/members/{memberId}', {
    summary: 'Change a member',
    description: prose`Changes role, campaign or name. With less rights than before, the sessions that have more
      end at once. \`created\` names the active keys, webhooks, dialers and sources that the member made, and that
      these keys made. A session never has more rights than it began with: to use new ones, sign in again.`,
    cli: { noun: 'member', verb: 'set' },
    query: s.describeQuery(changeMemberQuery, { withCreated }),
    body: body('ChangeMember', changeMemberBody, { reader: ['Only looks from now on', { scope: 'read' }] }),
    responses: ok('The member after the change.', s.exactObject({ ...member, created: made }), {
      ...example,
      scope: 'read',
      created: exampleMade,
    }),
    failures: ['campaign_denied', 'company_key_required', 'last_manager'],
  }),

  removeMember: needs.manage('DELETE /api/v1/members/{memberId}', {
    summary: 'Remove a member',
    description: prose`The member’s sessions end at once. \`created\` names what the member made, as a change does.
      The id stays in events and in the record of numbers, as that of a former member.`,
    cli: { noun: 'member', verb: 'remove', confirm: true },
    query: s.describeQuery(removeMemberQuery, {
      withCreated,
      erase: s.queryFlag('True: also forgets name and address; of a member that was removed before, too.'),
    }),
    responses: ok(
      'The member is removed.',
      s.exactObject({ memberId, removedAt: s.time('When the member was removed.'), created: made }),
      { memberId: exampleIds.member, removedAt: '2026-11-26T10:00:00.000Z', created: exampleMade },
    ),
    failures: ['last_manager'],
  }),

  listActivity: needs.manage('GET /api/v1/activity', {
    summary: 'List what people and keys changed',
    description: prose`Returns events with who caused them, newest first: of ${limits.eventsKeptDays} days, up to
      ${limits.activityPerPage} a page, which may have fewer although more follow. Of these types:
      ${activityTypes.map((type) => `\`${type}\``).join(', ')}. What the service does by itself is not among them.
      A campaign’s key or member gets only those of its campaign.`,
    cli: { noun: 'activity', verb: 'list', columns: 'timestamp actorName actor type data' },
    query: s.describeQuery(activityQuery, {
      actor: { description: 'Only what this member or key did.', examples: [exampleIds.member] },
      cursor: s.pageCursor,
    }),
    responses: page('The events.', 'activity', 'Event', [
      {
        id: exampleIds.event,
        type: 'campaign.changed',
        timestamp: '2026-11-26T09:04:12.120Z',
        actor: exampleIds.member,
        actorName: 'Ada Lovelace',
        data: { campaignId: 'demo', changed: ['paused'], paused: true },
      },
    ]),
  }),
}

export const members: Area = { tag, operations, schemas }
