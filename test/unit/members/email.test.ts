// Which e-mail addresses a member may have.
import { expect, it } from 'vitest'
import { isEmail } from '../../../src/control/members/email.ts'
import { readCreateMember } from '../../../src/control/members/input.ts'

const problemOf = (email: string) => {
  const reading = readCreateMember(JSON.stringify({ email, scope: 'read' }))
  return reading.isValid ? null : reading.message
}

it.each([
  'ada@example.com',
  'Ada.Lovelace+calls@mail.example.co.uk',
  "o'brien_{1}%2@example.com",
  'zoë@example.com',
  'ayşe.ıldız@example.com',
  'иван@example.com',
  'иван@пример.рф',
  'νίκος@example.com',
  '用户@example.com',
  'たろうtaro@example.com',
])('A member may have the address %s', (email) => {
  expect(problemOf(email)).toBeNull()
})

it.each([
  ...['', 'ada', 'ada@', '@example.com', 'ada@b@example.com', 'ada lovelace@example.com'],
  ...['mailto:ada@example.com', 'MAILTO:ada@example.com', 'SMTP:ada@example.com'],
  ...['<ada@example.com>', '"ada"@example.com', 'ada@example.com,', 'ada@example.com;'],
  ...['ada\u200b@example.com', 'ada\u0007@example.com', 'ada\ud800@example.com', 'ada\u202e@example.com'],
  `${'a'.repeat(320)}@example.com`,
])('A member cannot have the address %j', (email) => {
  expect(problemOf(email)).toMatch(/^email (must be an e-mail address|is required)/)
})

it.each([
  ['a Cyrillic a', 'аda@example.com'],
  ['a Cyrillic a in upper case', 'Аda@example.com'],
  ['a Greek o', 'bοb@example.com'],
  ['an Armenian o', 'bօb@example.com'],
  ['a Cyrillic e in the domain', 'ada@еxample.com'],
  ['Cyrillic letters alone, all like Latin ones', 'сосо@example.com'],
  ['Cyrillic letters alone, and digits', 'роре.1@example.com'],
  ['Greek and Cyrillic letters', 'νиκ@example.com'],
  ['full-width letters', 'ａｄａ@example.com'],
  ['mathematical letters', '𝐚da@example.com'],
  ['a full-width at sign', 'ada@b＠example.com'],
])('An address is refused that looks like another: %s', (_, email) => {
  expect(problemOf(email)).toBe('email must not hold letters that look like those of another alphabet')
})

it('Who signs in may have any address that a provider vouches for, so members of before go on', () => {
  for (const email of ['аda@example.com', `<b>"x'@example.com`])
    expect([email, isEmail(email)]).toEqual([email, true])
  for (const email of ['<script>', 'ada\u200b@example.com'])
    expect([email, isEmail(email)]).toEqual([email, false])
})
