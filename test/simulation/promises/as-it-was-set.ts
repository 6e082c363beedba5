// 1c. What people have set is as they were told last (model/set-values.ts names it). So it is read. A
// restore takes back what was set since.
import { phoneOf } from '../cast.ts'
import { byItself } from '../model/kept-rows.ts'
import type { Known } from '../model/known.ts'
import { valuesOf } from '../model/set-values.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const asItWasSet: Promised = {
  name: 'as it was set',

  onLook({ kept, moment }, company, known) {
    if (known.restored.has(company)) return null
    const set = valuesOf(known, company, moment)
    for (const [name, values] of set) {
      const value = kept.get(name) ?? 'false'
      const isGone = !kept.has(name) && set.get(name.slice(0, name.lastIndexOf(' ')))?.includes('false')
      if (isGone || isForgotten(name, company, known) || [...values, byItself].includes(value)) continue
      return `${name} was set to ${values.join(' or ')}, and is ${value}`
    }
    return null
  },

  onAnswer(exchange, known) {
    if (known.restored.has(exchange.company)) return null
    return judgeSettings(exchange, known)
  },
}

/** Of a lead, or of a phone, that was erased: also by a request that is on its way. */
function isForgotten(name: string, company: number, { leads, erased, cast }: Known): boolean {
  const [kind, id = ''] = name.split(' ')
  if (kind === 'lead') return leads.every(({ leadId, erasedBy }) => leadId !== id || erasedBy !== null)
  const phone = phoneOf(cast, id)
  return kind === 'consent' && erased.some((one) => one.company === company && one.phone === phone)
}

function judgeSettings({ operation, answer, company, path, sentAt, answeredAt }: Exchange, known: Known) {
  if (operation !== 'getCampaign' || answer?.status !== 200) return null
  const [id, campaign] = [path.split('/').at(-1), answer.body.data]
  const values = valuesOf(known, company as number, sentAt, answeredAt ?? sentAt)
  const wrong = ['paused', 'timeZone', 'leaseSeconds', 'maxAttempts', 'maxLiveCalls'].find(
    (name) => values.get(`campaign ${id} ${name}`)?.includes(String(campaign[name])) === false,
  )
  return wrong === undefined ? null : `campaign ${id} is read with ${wrong} ${campaign[wrong]}`
}
