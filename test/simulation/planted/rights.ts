// Planted in what belongs to whom: keys, members, companies and campaigns, searches, bulks, requests that are repeated, the log.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const rights: readonly PlantedFault[] = [
  {
    file: 'src/base/access/scope.ts',
    find: "write: ['write', 'manage'],",
    replace: "write: ['read', 'write', 'manage'],",
    story: 'A key that may only read creates leads.',
  },
  {
    file: 'src/base/access/store/rights.ts',
    find: "const isActive = sql`ends_at_ms > ${param('nowMs')}`\n  return",
    replace: "const isActive = sql`ends_at_ms >= 0 * ${param('nowMs')}`\n  return",
    story: 'An isolate that remembers a key lets it work after it was revoked.',
  },
  {
    file: 'src/base/access/store/rights.ts',
    find: "sql`${keyEndsAtMs(key)} > ${param('nowMs')}`",
    replace: "sql`(${keyEndsAtMs(key)} > ${param('nowMs')} or 1)`",
    story: 'A key that was revoked is found when it is looked up.',
    unfound: 'Each statement checks the right again.',
  },
  {
    file: 'src/control/keys/store/revoke-key.ts',
    find: '  revokeKeys(ending),\n',
    replace: '',
    story: 'Revoking a key logs that, and does nothing.',
  },
  {
    file: 'src/control/keys/store/create-key.ts',
    find: '  insertKey(wantedSuccessor),\n  endPredecessor,\n',
    replace: '  insertKey(wantedSuccessor),\n',
    story: 'A key that was rotated works on after its grace.',
  },
  {
    file: 'src/queue/calling/store/sql/call-of-key.ts',
    find: '    and (key.campaign_number is null or key.campaign_number = ${leads.campaignNumber})\n',
    replace: '',
    story: 'The key of one campaign reports calls of another.',
  },
  {
    file: 'src/channels/events/store/read-log.ts',
    find: '      and (bounds.campaign_number is null or e.campaign_number = bounds.campaign_number)\n',
    replace: '',
    story: 'The key of one campaign reads events of another.',
  },
  {
    file: 'src/channels/events/store/read-log.ts',
    find: 'on e.company_id = bounds.company_id and e.number > bounds.after_number',
    replace: 'on e.number > bounds.after_number',
    story: 'A company reads the events of another.',
  },
  {
    file: 'src/channels/events/store/read-log.ts',
    find: 'e.number > bounds.after_number and',
    replace: 'e.number > bounds.after_number + 1 and',
    story: 'A poller misses the first event of each page.',
  },
  {
    file: 'src/base/ledger/log/append.ts',
    find: 'row_number() over (partition by found.company_id),',
    replace: 'row_number() over (partition by found.company_id) + (random() % 5 = 0),',
    story: 'The log has gaps.',
  },
  {
    file: 'src/queue/search/store/find.ts',
    find: '    and ${campaigns.companyId} = ${companyId}\n  where',
    replace: '  where',
    story: 'A search finds leads of another company.',
  },
  {
    file: 'src/queue/search/store/find.ts',
    find: "substr(${leads.phoneNumber}, -length(${param('digits')}))",
    replace: "substr(${leads.phoneNumber}, 2, length(${param('digits')}) - 1)",
    story: 'A search does not find a lead by its number.',
  },
  {
    file: 'src/queue/leads/store/create-bulk.ts',
    find: 'if (!firstIndexes.has(lead.phoneNumber)) firstIndexes.set',
    replace: 'firstIndexes.set',
    story: 'Of leads of one number in a bulk, the last is stored and the first answered as created.',
  },
  {
    file: 'src/queue/leads/store/create-bulk.ts',
    find: "status: isNew && isFirst ? 'created' : 'skipped'",
    replace: "status: isNew ? 'created' : 'skipped'",
    story: 'A bulk says that it has created a lead twice.',
  },
  {
    file: 'src/queue/leads/store/create-bulk.ts',
    find: '...inSlices(toStore).map(',
    replace: '...inSlices(toStore.slice(0, 2)).map(',
    story: 'A bulk stores two leads at most, and says nothing of the others.',
  },
  {
    file: 'src/queue/leads/idempotency.ts',
    find: 'token: digestBase62(digests.request, leadTokenChars),\n',
    replace: 'token: randomBase62(leadTokenChars),\n',
    story: 'A request that is repeated with its key is answered as another one.',
  },
  {
    file: 'src/queue/leads/store/create.ts',
    find: "if (row.token !== origin.token) return { kind: 'exists', leadId }",
    replace: '',
    story: 'A lead whose number exists is answered as created.',
  },
  {
    file: 'src/queue/leads/store/create.ts',
    find: '[countOne, ...logging, insertLead]',
    replace: '[...logging, insertLead]',
    story: 'A lead that is created is not counted in the overview.',
  },
  {
    file: 'src/base/access/store/sessions.ts',
    find: 'm.removed_at_ms is not null or not',
    replace: 'not',
    story: 'The session of a member who was removed goes on.',
  },
  {
    file: 'src/base/access/store/sessions.ts',
    find: 'm.removed_at_ms is not null or not (${includesScopes(sql`m.scope`, sql`k.scope`)}',
    replace: 'm.removed_at_ms is not null or not (1',
    story: 'The session of a member who may do less than before goes on.',
  },
  {
    file: 'src/control/members/store/sign-in.ts',
    find: ' and m.removed_at_ms is null\n',
    replace: '\n',
    story: 'A member who was removed signs in.',
  },
  {
    file: 'src/channels/events/routes.ts',
    find: "hasRight(x.apiKey.scope, 'manage') ? eventTypes : leadEventTypes",
    replace: "hasRight(x.apiKey.scope, 'write') ? eventTypes : leadEventTypes",
    story: 'Who may write reads what only managers are told.',
  },
  {
    file: 'src/base/access/store/key-row.ts',
    find: "coalesce(${param('expiresAtMs')}, asker.expires_at_ms)",
    replace: 'asker.expires_at_ms',
    story: 'A key is made without the end that was asked for.',
  },
  {
    file: 'src/queue/calling/callers.ts',
    find: 'const isShown = seq !== null && open.isShown === 1',
    replace: 'const isShown = seq !== null',
    story: 'A key of one campaign learns in which call of another somebody is who rings.',
  },
  {
    file: 'src/channels/events/routes.ts',
    find: 'after: after && { ...after, isEntryRead: after.part === lastPart },',
    replace: 'after: after && { ...after, isEntryRead: true },',
    story: 'Who polls misses the second event of an entry where a page ends between the two.',
  },
]
