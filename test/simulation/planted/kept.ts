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
]
