// The id of a new campaign: suggested from its name, and what is wrong with one. Pure.
import { limits } from '../../base/limits.ts'

const mostChars = limits.campaignIdMaxChars

/** Empty where the name has no character that an id may have. */
export function suggestId(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .slice(0, mostChars)
    .replaceAll(/^[-.]+|[-.]+$/g, '')
}

/** Null: the API takes it. */
export function idProblem(id: string): string | null {
  if (id === '') return 'Enter an id, such as spring-2027'
  if (!/^[\w.-]+$/.test(id)) return 'Use only letters from a to z, digits, dots, hyphens and underscores'
  if (/^\.{1,2}$/.test(id)) return 'Add a letter or a digit'
  return id.length > mostChars ? `Use at most ${mostChars} characters` : null
}
