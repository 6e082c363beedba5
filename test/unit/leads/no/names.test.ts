// What names say of calls: those of the shared cases, those with each word of the table, and the ordinary ones of
// other systems.
import { expect, it } from 'vitest'
import { nameSays, pathSays } from '../../../../src/queue/leads/no/judge.ts'
import shared from '../../../support/leads/no-cases.json' with { type: 'json' }
import { namesOfMaybe, namesOfNo, namesOfPermission, ordinaryNames } from './cases.ts'

const said = (names: readonly string[]) => names.map((name) => [name, nameSays(name)])
const all = (names: readonly string[], verdict: ReturnType<typeof nameSays>) =>
  names.map((name) => [name, verdict])

it.each([
  ['that nobody may call', [...shared.names.no, ...shared.headers.no, ...namesOfNo], 'no'],
  ['that nobody may call or write', [...shared.names.maybe, ...namesOfMaybe], 'maybe'],
  ['that somebody may call', [...shared.names.permission, ...namesOfPermission], 'permission'],
  ['nothing of calls', [...shared.ordinary, ...shared.headers.keep, ...ordinaryNames], null],
] as const)('Names that say %s are known in nine languages', (_, names, verdict) => {
  expect(said(names)).toEqual(all(names, verdict))
})

it('A header that may be about e-mail, or asks for a permission, is asked about', () => {
  for (const name of shared.headers.ask)
    expect([name, ['maybe', 'permission'].includes(nameSays(name) ?? '')]).toEqual([name, true])
})

it('Systems write before and behind a name what they like, in any spelling', () => {
  for (const name of [
    'do not call',
    'nicht anrufen',
    'ne pas appeler',
    'no llamar',
    'non chiamare',
    'niet bellen',
  ])
    for (const written of [
      ...[name.toUpperCase(), name.replaceAll(' ', '_'), name.replaceAll(' ', '-'), name.replaceAll(' ', '')],
      ...[
        `cr123_${name.replaceAll(' ', '')}__c`,
        `q7_${name}`,
        `Phone 2: ${name}`,
        `${name} (Y/N)`,
        `lead[${name}]`,
      ],
      ...[
        name.replace(/ (\w)/g, (_, letter) => letter.toUpperCase()),
        name.replace(' ', '\u00a0'),
        `☎\ufe0f ${name}`,
      ],
      ...[name.replaceAll(' ', '_\u3164'), name.replaceAll('l', 'l\u00ad'), `${name}, please`],
    ])
      expect([written, nameSays(written)]).toEqual([written, 'no'])
})

it('A comma, a full stop or a dash ends a phrase, and more than a few other words do', () => {
  for (const name of [
    'No. Calls',
    'No - calls are fine',
    'Do not write. Call',
    'do not worry about your call',
  ])
    expect([name, nameSays(name)]).toEqual([name, null])
  for (const name of ['no calls', 'do not ever again call', 'Do not - ever - call', 'do.not.call'])
    expect([name, nameSays(name)]).toEqual([name, name.includes(' - ') ? null : 'no'])
})

it('Another channel takes back what is said of contact and of opting out, never what is said of calls', () => {
  for (const name of ['do not contact', 'dnd', 'unsubscribed', 'opt out', 'do not disturb'])
    for (const channel of ['e-mail', 'sms', 'text', 'fax', 'newsletter', 'WhatsApp'])
      expect([name, channel, nameSays(`${name} (${channel})`)]).toEqual([name, channel, null])
  for (const name of [
    'do not call or text',
    'do not e-mail or call',
    'opt out of calls and sms',
    'no calls by sms',
  ])
    expect([name, nameSays(name)]).toEqual([name, 'no'])
})

it.each([
  [['consent', 'calls'], 'permission'],
  [['opt_out', 'phone'], 'no'],
  [['permissions', 'phone'], 'permission'],
  [['do_not', 'call'], 'no'],
  [['phone', 'consent_revoked'], 'no'],
  [['lead', 'fields', 'do_not_call'], 'no'],
  [['opt_out', 'all'], 'maybe'],
  [['email', 'preferences', 'opt_out'], null],
  [['sms', 'dnd'], null],
  [['sms', 'do_not_call'], 'no'],
  [['opt_out', 'since', 'phone'], 'maybe'],
  [['phone', 'type'], null],
  [[], null],
] as const)('A path is judged by each step, and by each with the one before it: %j', (path, verdict) => {
  expect(pathSays(path)).toBe(verdict)
})
