// What the operator of the service does in the API description: companies, their keys, where their data is, and
// restores.

import { bySetting, type CompanySetting } from '../../base/access/company-settings.ts'
import { limits } from '../../base/limits.ts'
import {
  changeCompanyBody,
  companiesQuery,
  createCompanyBody,
  keepBody,
  moveCompanyBody,
  restoreCompanyBody,
  restoredBody,
  storeKinds,
} from '../../control/companies/input.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, accepted, body, created, idempotencyKey, needs, ok, page } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { keyOperations } from './access/describe-keys.ts'
import { createMemberOperation } from './access/describe-members.ts'

const tag = {
  name: 'Companies',
  description: prose`For the operator of the service, with an operator key (\`lk_op_…\`). It can do nothing
    else, and no other key can do this. Anyone who has one can make a key of any company.`,
}

const store = { type: 'string', enum: storeKinds }
const place = {
  location: { description: 'Near which region a store of its own is made.' },
  jurisdiction: { description: 'Where its data must stay. A local service has none, and answers 400.' },
}
const displayName = { minLength: 1, maxLength: limits.campaignNameMaxChars, description: 'The display name.' }
const restoreTime = { format: 'date-time' }

const settingWords: Readonly<Record<CompanySetting, string>> = {
  maxCampaigns: 'How many campaigns it may have, archived ones included.',
  consentYears:
    'How many years a consent is kept after its giving and its last use, used or not. 0: it is removed within minutes.',
}

const schemas = {
  Company: s.exactObject({
    companyId: { type: 'string', examples: ['acme'] },
    name: s.text('The display name.'),
    createdAt: s.time('When the company was created.'),
    ...bySetting((name) => s.count(settingWords[name])),
    store: { ...store, description: 'Where its data is: in the shared database, or in a store of its own.' },
    location: s.textOrNull('Of its own store, as it was requested.'),
    jurisdiction: s.textOrNull('Of its own store.'),
    sizeBytes: s.countOrNull('The size of its own store, as last reported.'),
    leads: s.countOrNull('Leads in its own store, as last reported.'),
    lastMigration: s.textOrNull('The last migration that its own store has reported.'),
  }),
  CreateCompany: s.describeBody(createCompanyBody, 'The new company.', {
    id: { pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,128}$', description: 'Unique among companies.' },
    name: displayName,
    store: { description: 'Default: `shared`.' },
    manager: {
      description: 'The address of the first manager, who signs in with it. Null: there is none yet.',
    },
    ...place,
  }),
  ChangeCompany: s.describeBody(changeCompanyBody, 'What to change.', {
    name: displayName,
    ...bySetting((name, rule) => ({ description: `${settingWords[name]} Null: ${rule.default}.` })),
  }),
  MoveCompany: s.describeBody(moveCompanyBody, 'Where to.', {
    to: { description: 'Which kind of store.' },
    ...place,
  }),
  RestoreCompany: s.describeBody(restoreCompanyBody, 'The time to restore to.', {
    confirm: { type: 'string', description: 'The id of the company.' },
    to: { ...restoreTime, description: 'Within the last 30 days, and at least a minute ago.' },
  }),
  Keep: s.describeBody(keepBody, 'The time that the database will be restored to.', {
    to: { ...restoreTime, description: 'To which time.' },
    keepId: {
      maxLength: 64,
      description: 'Of the answer before, to continue it. Null: everything is kept anew.',
    },
  }),
  Restored: s.describeBody(restoredBody, 'The time that the database is restored to.', {
    to: { ...restoreTime, description: 'To which time.' },
  }),
  Move: s.exactObject({
    companyId: { type: 'string' },
    from: store,
    to: store,
    phase: s.oneOf(['requested', 'copying', 'switched', 'done', 'aborting', 'aborted'])`\`requested\`: its
      rows are counted and copied, and it is in use as before. \`copying\`: writes of the company get 503, while all
      rows are compared and what has changed since is brought over. \`switched\`: it is in the new store, and what it
      left is being deleted.`,
    stage: {
      type: ['string', 'null'],
      enum: ['counting', 'copying', 'comparing', null],
      description:
        'What is done with its rows: counted and copied while writes continue, compared while they are refused.',
    },
    rows: s.count('Rows of this stage that are done.'),
    ofRows: s.countOrNull('All rows. Null: not counted yet.'),
    requestedAt: s.time('When the move was requested.'),
    frozenAt: s.timeOrNull('Since when writes are refused, until `switchedAt` or the end.'),
    switchedAt: s.timeOrNull('Since when the company is in the new store, and writes are accepted.'),
    endedAt: s.timeOrNull('When nothing was left to do.'),
    frozenSeconds: {
      type: ['number', 'null'],
      minimum: 0,
      description: 'For how long writes have been refused, so far or in all: measured. Null: they were not.',
    },
    goesOnWithinSeconds: s.countOrNull`What a crash costs: after so many seconds at most the move continues
      where it was. Not how long writes are refused: that depends on \`ofRows\` and on what else the service does,
      and is measured in \`frozenSeconds\`. Null: it has ended.`,
    problem: s.textOrNull`Why the move ended early, and nothing has changed; or why it does not continue: then it ends
      after ten minutes.`,
  }),
}

const companyId = 'acme'
const exampleCompany = {
  companyId,
  name: 'Acme',
  createdAt: '2026-11-20T09:00:00.000Z',
  ...bySetting((_, rule) => rule.default),
  store: 'own',
  location: 'weur',
  jurisdiction: null,
  sizeBytes: 4_194_304,
  leads: 12_000,
  lastMigration: '2000_init.sql',
}
const exampleMove = {
  companyId,
  from: 'shared',
  to: 'own',
  phase: 'copying',
  stage: 'comparing',
  rows: 18_000,
  ofRows: 61_412,
  requestedAt: '2026-11-20T09:00:00.000Z',
  frozenAt: '2026-11-20T09:00:12.000Z',
  switchedAt: null,
  endedAt: null,
  frozenSeconds: 2.3,
  goesOnWithinSeconds: 5,
  problem: null,
}
const company = ok('The company.', s.reference('Company'), exampleCompany)
const move = ok('The move.', s.reference('Move'), exampleMove)
const to = '2026-11-20T09:00:00.000Z'
const path = '/api/v1/companies/{companyId}'

const operations = {
  listCompanies: needs.operate('GET /api/v1/companies', {
    summary: 'List companies',
    description: 'Returns the companies by id.',
    cli: {
      noun: 'company',
      verb: 'list',
      columns: 'companyId name createdAt store location jurisdiction leads sizeBytes lastMigration',
    },
    query: s.describeQuery(companiesQuery, s.pageOf('companies', limits.companiesPerPage)),
    responses: page('The companies.', 'companies', 'Company', [exampleCompany]),
  }),

  createCompany: needs.operate('POST /api/v1/companies', {
    summary: 'Create a company',
    description: 'Its keys work as soon as they are created.',
    cli: { noun: 'company', verb: 'create' },
    parameters: [idempotencyKey],
    body: body('CreateCompany', createCompanyBody, {
      shared: ['In the shared database', { id: companyId, name: 'Acme' }],
      own: ['With a store of its own', { id: companyId, name: 'Acme', store: 'own', location: 'weur' }],
      manager: ['With a first manager', { id: companyId, name: 'Acme', manager: 'ada@example.com' }],
    }),
    refusals: ['location is for a store of its own'],
    responses: created(
      'The company is created.',
      s.objectWithout(['manager'], {
        companyId: { type: 'string' },
        manager: s.text('The address of the first manager, as it signs in. Absent: none was sent.'),
      }),
      { companyId, manager: 'ada@example.com' },
      ['Idempotent-Replayed'],
    ),
    failures: ['company_exists', 'idempotency_key_reused'],
  }),

  getCompany: needs.operate(`GET ${path}`, {
    summary: 'Read a company',
    description: 'Its own store reports size, leads and migration once an hour.',
    cli: { noun: 'company', verb: 'show' },
    responses: company,
  }),

  updateCompany: needs.operate(`PATCH ${path}`, {
    summary: 'Change a company',
    description: 'Absent members stay.',
    cli: { noun: 'company', verb: 'set' },
    body: body('ChangeCompany', changeCompanyBody, { more: ['More campaigns', { maxCampaigns: 20_000 }] }),
    responses: company,
  }),

  listCompanyKeys: needs.operate(`GET ${path}/keys`, {
    summary: 'List the API keys of a company',
    description: 'See [List API keys](#listKeys).',
    ...keyOperations.list,
  }),

  createCompanyKey: needs.operate(`POST ${path}/keys`, {
    summary: 'Create an API key of a company',
    description:
      'See [Create an API key](#createKey). The key does not end with yours. The company’s log has a ' +
      '`key.created_by_operator`.',
    ...keyOperations.create,
    failures: ['campaign_denied', 'too_many_keys', 'idempotency_key_reused'],
  }),

  rotateCompanyKey: needs.operate(`POST ${path}/keys/{keyId}/rotate`, {
    summary: 'Rotate an API key of a company',
    description: 'See [Rotate an API key](#rotateKey).',
    ...keyOperations.rotate,
    failures: ['key_inactive', 'too_many_keys', 'idempotency_key_reused'],
  }),

  revokeCompanyKey: needs.operate(`DELETE ${path}/keys/{keyId}`, {
    summary: 'Revoke an API key of a company',
    description: 'See [Revoke an API key](#revokeKey). Also while the company moves.',
    ...keyOperations.revoke,
  }),

  createCompanyMember: needs.operate(`POST ${path}/members`, {
    summary: 'Add a member of a company',
    description: 'See [Add a member](#createMember).',
    ...createMemberOperation,
    failures: [
      'campaign_denied',
      'member_exists',
      'member_not_found',
      'too_many_members',
      'idempotency_key_reused',
    ],
  }),

  moveCompany: needs.operate(`POST ${path}/move`, {
    summary: 'Move a company',
    description: prose`Moves it between the shared database and a store of its own. It begins within a second.
      While its rows are copied, it is in use as before. While they are compared, reads continue and writes get 503.`,
    cli: { noun: 'company', verb: 'move', confirm: true },
    body: body('MoveCompany', moveCompanyBody, {
      own: ['To a store of its own', { to: 'own', location: 'weur' }],
    }),
    refusals: ['location is for a store of its own'],
    responses: accepted('The move is requested.', s.reference('Move'), exampleMove),
    failures: ['company_there', 'company_moving', 'company_emptying'],
  }),

  getMove: needs.operate(`GET ${path}/move`, {
    summary: 'Read how far a move is',
    description: 'The last one, also when it has ended.',
    cli: { noun: 'company', verb: 'move-state' },
    responses: move,
    failures: ['move_not_found'],
  }),

  abortMove: needs.operate(`DELETE ${path}/move`, {
    summary: 'Abort a move',
    description: 'Until it has switched. The company stays where it is, and what was copied is deleted.',
    cli: { noun: 'company', verb: 'move-abort' },
    responses: move,
    failures: ['move_not_found', 'company_moved'],
  }),

  restoreCompany: needs.operate(`POST ${path}/restore`, {
    summary: 'Restore a company',
    description: prose`Brings its own store back to an earlier time, and pauses all campaigns. Suppressions, calls,
      erasures and revocations since then are kept. After a 503, send the same request again with the same
      \`Idempotency-Key\`. To undo a restore, restore to the minute before it.`,
    cli: { noun: 'company', verb: 'restore', confirm: true, options: { confirm: { sameAs: 'companyId' } } },
    parameters: [idempotencyKey],
    body: body('RestoreCompany', restoreCompanyBody, {
      hour: ['To nine o’clock', { confirm: companyId, to }],
    }),
    refusals: ['to must be at least a minute ago', 'to must be within the last 30 days'],
    responses: ok(
      'The company is restored.',
      s.exactObject({
        restoredTo: s.time('The time.'),
        undoBookmark: s.text('The platform’s name of the state before.'),
      }),
      { restoredTo: to, undoBookmark: '0000007b-0000b26e-00001538-0c3e87bb37b3db5cc52eedb93cd3b96b' },
    ),
    failures: ['store_shared', 'restore_refused'],
  }),

  keepForRestore: needs.operate('POST /api/v1/restoring', {
    summary: 'Prepare a restore of the shared database',
    description: prose`Keeps what the restore must not take back: suppressions, calls, erasures and revocations
      since. Send it right before. While \`complete\` is false, send it again with the answer's \`keepId\`.`,
    cli: { noun: 'event', verb: 'keep' },
    body: body('Keep', keepBody, { hour: ['To nine o’clock', { to }] }),
    refusals: ['to must not be in the future'],
    responses: ok(
      'They are kept.',
      s.exactObject({
        restoreTo: s.time('The time.'),
        keepId: s.text('What has been kept.'),
        complete: s.flag('False: there is more to keep. Send the request again with the `keepId`.'),
      }),
      { restoreTo: to, keepId: '7Jq2mXc0PzTr5VbN8sLdYf', complete: true },
    ),
  }),

  openRestored: needs.operate('POST /api/v1/restored', {
    summary: 'Open the restored database',
    description: prose`Pauses all campaigns of the shared database, starts a new epoch of event ids, and writes
      again what was kept. Send it immediately after each restore, until \`complete\` is true. Revoke all
      operator keys before: the restore may have brought some back.`,
    cli: { noun: 'event', verb: 'restored', confirm: true },
    body: body('Restored', restoredBody, { hour: ['To nine o’clock', { to }] }),
    refusals: ['to must not be in the future'],
    responses: ok(
      'The database is open.',
      s.exactObject({
        restoredTo: s.time('The time.'),
        epoch: s.count('The new epoch.'),
        companies: s.count('Companies in whose log it has begun.'),
        before: s.count('Companies in whose log one had begun since this restore.'),
        kept: s.flag('Whether something was kept for this restore.'),
        complete: s.flag('False: not all of it is written again. Send the request again.'),
      }),
      { restoredTo: to, epoch: 1_795_000_000, companies: 12, before: 0, kept: true, complete: true },
    ),
  }),
}

export const companies: Area = { tag, operations, schemas }
