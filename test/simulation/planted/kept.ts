// Planted in what people have set and sent: settings, rights, consents, rows of a bulk.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const kept: readonly PlantedFault[] = [
  {
    file: 'src/queue/campaigns/settings.ts',
    find: '    if (wanted === undefined) return [name, settings[name]]\n',
    replace: "    if (wanted === undefined || name === 'leaseSeconds') return [name, settings[name]]\n",
    story: 'A lease that is changed stays as long as it was.',
  },
  {
    file: 'src/control/members/store/change-member.ts',
    find: 'sql`scope = m.scope, campaign_number',
    replace: 'sql`scope = m.old_scope, campaign_number',
    story: 'The scope of a member is changed, and stays what it was.',
  },
  {
    file: 'src/channels/dialers/store/set-dialer.ts',
    find: 'on conflict do update set key_id = excluded.key_id, max_live = excluded.max_live,',
    replace: 'on conflict do update set key_id = excluded.key_id,',
    story: 'A dialer that is set again has as many calls at once as before.',
  },
  {
    file: 'src/channels/dialers/store/set-gate.ts',
    find: 'later_minutes = excluded.later_minutes, when_silent = excluded.when_silent,',
    replace: 'when_silent = excluded.when_silent,',
    story: 'A gate that is changed puts leads off for as long as before.',
  },
  {
    file: 'src/control/companies/store/moved-tables.ts',
    find: '  ofCompany(members),\n',
    replace: '',
    story: 'A move loses the members of a company.',
  },
  {
    file: 'src/queue/leads/store/create-bulk.ts',
    find: "status: isNew && isFirst ? 'created' : 'skipped'",
    replace: "status: isFirst ? 'created' : 'skipped'",
    story: 'A bulk says of a lead that was there that it has created it.',
  },
  {
    file: 'src/queue/leads/no/posted-names.ts',
    find: ".filter(({ under, answer }) => under === 'no' && answer === 'yes')\n",
    replace: ".filter(({ under, answer }) => under === 'maybe' && answer === 'yes')\n",
    story: 'A lead that says in its metadata that nobody may call is taken.',
  },
  {
    file: 'src/queue/leads/store/create-bulk.ts',
    find: "status: isNew && isFirst ? 'created' : 'skipped'",
    replace: "status: isNew ? 'created' : 'skipped'",
    story: 'A number that stands twice in a bulk is created twice, as its results say.',
  },
  {
    file: 'src/queue/leads/store/intake.ts',
    find: 'not ${cannotStore(companyId)} and ${isLogComplete(companyId)}',
    replace: 'not ${cannotStore(companyId)}',
    story: 'A lead that comes within a minute after somebody began to read the log has no event.',
  },
  {
    file: 'src/channels/events/event.ts',
    find: '  if (call.doNotCall) parts.push(',
    replace: '  else if (call.doNotCall) parts.push(',
    story: 'A report that ends its lead and suppresses its number tells of the end alone.',
  },
  {
    file: 'src/queue/suppression/store/suppress.ts',
    find: ' and not ${isOfGate(sql`own`)}',
    replace: '',
    story: 'That a person has said what a gate said before is not told.',
  },
  {
    file: 'src/queue/calling/store/extend.ts',
    find: "k.outcome is null and ${leads.leaseExpiresAtMs} > ${param('nowMs')}",
    replace: 'k.outcome is null and ${leads.leaseExpiresAtMs} is not null',
    story: 'A lease that is over is extended, as long as nobody has noted its end.',
  },
  {
    file: 'src/base/access/idempotency-key.ts',
    find: 'request: sha256(`${scope} ${pathname}${search}\\n`, new Uint8Array(body)),',
    replace: 'request: sha256(`${scope} ${pathname}${search}\\n`),',
    story: 'A key that another request has used is taken for that of the same request.',
  },
]
