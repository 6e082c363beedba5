// Members in words. Pure.
import type { Member } from '../../../sdk/src/models.ts'

export type Role = Member['scope']

/** In the order in which they are offered. */
export const roleSentences: Readonly<Record<Role, string>> = {
  read: 'Sees everything, phone numbers too. Changes nothing.',
  write: 'Also adds, changes and blocks leads, and imports files.',
  manage: 'Everything: settings, keys, webhooks and people, too.',
}

export const nameOfMember = ({ name, email }: Pick<Member, 'name' | 'email'>): string =>
  name ?? email ?? 'former member'
