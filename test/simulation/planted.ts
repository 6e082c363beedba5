// Faults that a person could make, put into the source in memory: worlds must find them. `find` is there exactly once.
import type { Planted } from './platform/isolate.ts'

export type PlantedFault = Planted & { readonly story: string }

const limits = 'src/calling/store/sql/number-limits.ts'
const rules = 'src/calling/store/blockers/lead-rules.ts'
const claims = 'src/calling/store/sql/claim-steps.ts'
const afterCall = 'src/calling/store/sql/lead-after-call.ts'
const reports = 'src/calling/store/sql/report-steps.ts'
const suppress = 'src/suppression/store/suppress.ts'
const extend = 'src/calling/store/extend.ts'

export const plantedFaults: readonly PlantedFault[] = [
  {
    ...{ file: limits, find: 'and k.outcome is null`,', replace: 'and k.outcome is null and false`,' },
    story: 'A live call does not keep its phone from another campaign.',
  },
  {
    ...{
      file: limits,
      find: 'iif(${n} = ${settings}.per_24_hours,',
      replace: 'iif(${n} = ${settings}.per_24_hours + 1,',
    },
    story: 'A phone is called once more a day than its campaign allows.',
  },
  {
    ...{
      file: limits,
      find: 'iif(${n} = ${settings}.per_7_days,',
      replace: 'iif(${n} = ${settings}.per_7_days + 1,',
    },
    story: 'A phone is called once more a week.',
  },
  {
    ...{ file: limits, find: '.min_gap_minutes * 60000, 0)`', replace: '.min_gap_minutes * 6000, 0)`' },
    story: 'The gap after a call is a tenth of what it should be.',
  },
  {
    ...{ file: limits, find: "and k.outcome is not 'released'`,", replace: "and k.outcome is 'released'`," },
    story: 'Only released calls count towards the limits of a phone.',
  },
  {
    ...{
      file: limits,
      find: 'where k.company_id = ${companyId} and k.phone_number = ${number}`',
      replace: 'where k.company_id = ${companyId} and k.phone_number = ${lead}.phone_number`',
    },
    story: 'The limits of a phone count by spelling.',
  },
  {
    ...{
      file: rules,
      find: 'isSuppressed(companyId, sql`${lead}.phone_number`, number)',
      replace: 'sql`(0 and ${isSuppressed(companyId, sql`${lead}.phone_number`, number)})`',
    },
    story: 'A claim does not look at the list of suppressed numbers.',
  },
  {
    ...{
      file: rules,
      find: 'endless: { when: (names) => sql`${allowedFrom(names)} is null`',
      replace: 'endless: { when: (names) => sql`(0 and ${allowedFrom(names)} is null)`',
    },
    story: 'A claim calls without the consent that its campaign requires.',
  },
  {
    ...{
      file: claims,
      find: 'and place.due_at_ms <= campaign.now_ms',
      replace: 'and place.due_at_ms <= campaign.now_ms + 3600000',
    },
    story: 'A lead is called up to an hour before its time.',
  },
  {
    ...{
      file: claims,
      find: "iif(${isLeased}, ${param('token')}, ${leads.claimToken}) as claim_token",
      replace: '${leads.claimToken} as claim_token',
    },
    story: 'A lease does not take its lead.',
  },
  {
    ...{
      file: claims,
      find: '${leads.attempts} + (${isLeased}) as attempts',
      replace: '${leads.attempts} as attempts',
    },
    story: 'An attempt is not counted.',
  },
  {
    ...{
      file: claims,
      find: 'iif(asking.cap is null, asking.calls_for_agent, ${freePlaces(number, cap)}))`',
      replace: 'iif(asking.cap is null, asking.calls_for_agent, ${freePlaces(number, cap)} + 1))`',
    },
    story: 'A campaign has one more live call than it may.',
  },
  {
    ...{ file: claims, find: '      coalesce(asking.calls_in_pace, asking.calls_for_agent),\n', replace: '' },
    story: 'The pace of a campaign is forgotten.',
  },
  {
    ...{ file: afterCall, find: 'sql`(${leads.attempts} - 1)`', replace: 'sql`${leads.attempts}`' },
    story: 'A released call counts as an attempt.',
  },
  {
    ...{
      file: reports,
      find: "and coalesce(k.report_token, '') not in (${param('reportToken')}, ${tokenOfDoNotCall}))`",
      replace: 'and false)`',
    },
    story: 'A do-not-call that is added to a call that was reported before is lost.',
  },
  {
    ...{
      file: suppress,
      find: "${param('reason')}, ${param('token')}, iif(${isAsked}, nullif(${foundSeqs}, '[]'), null) as lead_seqs\n  from ${spellings} as wanted`),",
      replace:
        "${param('reason')}, ${param('token')}, iif(${isAsked}, nullif(${foundSeqs}, '[]'), null) as lead_seqs\n  from ${spellings} as wanted where ${isAsked}`),",
    },
    story: 'A no reaches one spelling of a phone alone.',
  },
  {
    ...{ file: extend, find: 'case ${stopsWithoutHours} end as stop', replace: 'null as stop' },
    story: 'Who extends a call is not told to stop.',
  },
  {
    file: 'src/webhooks/signature.ts',
    find: "createHmac('sha256', signingKey(root, webhookId, version))",
    replace: "createHmac('sha1', signingKey(root, webhookId, version))",
    story: 'Webhooks are signed with another hash.',
  },
  {
    file: 'src/access/key-memory.ts',
    find: 'remember(refusedKeys, hashApiKey(key), nowMs, maxKeys)',
    replace: '',
    story: 'A refused key is looked up again each time: nothing is broken by it, so no world can find it.',
  },
]
