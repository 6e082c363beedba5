// What needs attention in a campaign, in sentences that say since when and what to do: each thing once, by what the API
// says. Pure.
import { notUnderstood } from '../../dialers/template/words.ts'
import { limits } from '../../limits.ts'
import type { Alert, Campaign, CampaignOverview, WebhookState } from '../../sdk/src/models.ts'
import { dialerReason } from '../calling/dialer-words.ts'
import { counted, countOf } from '../ui/words/number-words.ts'
import { shortTime, zoneOf } from '../ui/words/zone-time.ts'
import { describeNoAgent, dialerIsIdle, isDialing, startAgent, whyDialer } from './campaign-state.ts'

export type AlertSentence = {
  readonly kind: Alert['kind']
  readonly text: string
  /** Where it is solved, and what the link to it says. */
  readonly goal: 'agents' | 'calling' | 'settings' | 'webhooks' | 'keys' | 'company webhooks' | 'company keys'
  readonly link: string
}

const stalledWork = {
  webhook_stalled: 'A webhook has sent nothing',
  store_stalled: 'What the service does by itself, such as retries and retention, has stood still',
}

type Noticed = {
  readonly campaign: Campaign
  readonly dialer: CampaignOverview['dialer']
  readonly alerts: readonly Alert[] | null
}

/** `ownKeyId`: of the key in use. */
export function alertSentences(
  { campaign, dialer, alerts }: Noticed,
  nowMs: number,
  ownKeyId: string,
): readonly AlertSentence[] {
  const zone = zoneOf(campaign)
  const time = (instant: string) => shortTime(Date.parse(instant), zone, nowMs)
  const of = (kind: Alert['kind']) => (alerts ?? []).filter((alert) => alert.kind === kind)
  // The alert is cleared by the minute, and agents are seen at once.
  const isAgentSeen = campaign.queue.leased > 0 || !!campaign.queue.agentsWaiting || isDialing(dialer)
  const isSaid = of('dialer_stopped').length + of('dialer_resting').length > 0
  const noAgent = (isAgentSeen || isSaid ? [] : of('no_agent')).map(({ since }): AlertSentence => {
    const kind = 'no_agent'
    if (dialer !== null) {
      const text = `${describeNoAgent(campaign, nowMs, since, dialerIsIdle)}. ${whyDialer}`
      return { kind, text, goal: 'calling', link: 'Open Calling' }
    }
    const text = `${describeNoAgent(campaign, nowMs, since)}. ${startAgent}`
    return { kind, text, goal: 'agents', link: 'How to start an agent' }
  })
  const [webhook, ...others] = of('webhook_failing')
  const failing = others.length === 0 ? 'A webhook has' : `${counted(others.length + 1)} webhooks have`
  const webhooks: readonly AlertSentence[] = webhook
    ? [
        {
          kind: 'webhook_failing',
          text: `${failing} been failing since ${time(webhook.since)}. \
Events wait until the receiver answers 2xx.`,
          goal: webhook.campaignId === null ? 'company webhooks' : 'webhooks',
          link: 'Open webhooks',
        },
      ]
    : []
  const { requestsPerHourAlerted, requestsPerHourPerKey } = limits
  const keys = of('key_limit').map(({ subject, since, campaignId }): AlertSentence => {
    const key = subject === ownKeyId ? 'Your key' : `The key ${subject}`
    return {
      kind: 'key_limit',
      text: `${key} has sent ${counted(requestsPerHourAlerted)} of the ${counted(requestsPerHourPerKey)} requests that it \
may send in an hour, at ${time(since)}. Give each client a key of its own.`,
      goal: campaignId === null ? 'company keys' : 'keys',
      link: 'Open keys',
    }
  })
  const stores = of('store_full').map(
    ({ since }): AlertSentence => ({
      kind: 'store_full',
      text: `The company’s store holds more than 8 of its 10 GB since ${time(since)}. At 10 GB it takes no new leads. \
Erase leads that are no longer needed, or set how long they are kept.`,
      goal: 'settings',
      link: 'Open settings',
    }),
  )
  const stalled = (['webhook_stalled', 'store_stalled'] as const).flatMap((kind) =>
    of(kind)
      .slice(0, 1)
      .map(
        ({ since, campaignId }): AlertSentence => ({
          kind,
          text: `${stalledWork[kind]} since ${time(since)}, by a fault of the service. Tell the operator.`,
          goal: kind === 'store_stalled' ? 'settings' : campaignId === null ? 'company webhooks' : 'webhooks',
          link: kind === 'store_stalled' ? 'Open settings' : 'Open webhooks',
        }),
      ),
  )
  const ofDialer = (kind: Alert['kind'], textOf: (subject: string, since: string) => string) =>
    of(kind).map(({ subject, since }): AlertSentence => {
      return { kind, text: textOf(subject ?? '', time(since)), goal: 'calling', link: 'Open Calling' }
    })
  return [
    ...noAgent,
    ...failingAgents(campaign, of('agent_failing'), time),
    ...of('call_never_ends').map((alert) => endlessCall(alert, time)),
    ...ofDialer('dialer_stopped', (why, at) => `The dialer stopped at ${at}: ${dialerReason(why)}`),
    ...ofDialer('dialer_resting', (why, at) => `The dialer rests since ${at}: ${dialerReason(why)}`),
    ...ofDialer('dialer_unmapped', (reason, at) =>
      reason === notUnderstood
        ? `A call ended at ${at} with an outcome that is none. The words stand in its details, as saidOutcome: tell \
the assistant which outcomes there are.`
        : `A call ended at ${at} with the reason “${reason}”, which has no outcome in the template.`,
    ),
    ...ofDialer(
      'dialer_failing',
      (error, at) => `A call was set aside at ${at} after the error ${error}. Tell the operator.`,
    ),
    ...ofDialer(
      'dialer_stalled',
      (_, at) => `The dialer has stood still since ${at}, by a fault of the service. Tell the operator.`,
    ),
    ...webhooks,
    ...keys,
    ...stores,
    ...stalled,
  ]
}

/** The queue knows them at once, also for a key that may not see alerts. The alert stays until they have recovered. */
function failingAgents(
  { queue }: Noticed['campaign'],
  alerts: readonly Alert[],
  time: (instant: string) => string,
): readonly AlertSentence[] {
  const blocked = new Map(queue.failingAgents.map(({ agent, until }) => [agent, until]))
  const since = new Map(alerts.map((alert) => [alert.subject ?? '', alert.since]))
  return [...new Set([...blocked.keys(), ...since.keys()])].map((agent) => {
    const [from, until] = [since.get(agent), blocked.get(agent)]
    const start = from === undefined ? '' : `, since ${time(from)}`
    const end = until === undefined ? '' : ` It gets no leads until ${time(until)}.`
    return {
      kind: 'agent_failing',
      text: `Agent ${agent} claims leads and never reports them${start}.${end} Restart it, or correct how it reports.`,
      goal: 'agents',
      link: 'How agents report calls',
    }
  })
}

/** A dialer is an agent of that name. */
function endlessCall({ subject, since }: Alert, time: (instant: string) => string): AlertSentence {
  const kind = 'call_never_ends'
  const start = `has a call that has been live since ${time(since)}, and does not end.`
  if (subject === 'dialer')
    return {
      kind,
      text: `The dialer ${start} Hang it up at the provider.`,
      goal: 'calling',
      link: 'Open Calling',
    }
  const who = subject === null ? 'An agent' : `Agent ${subject}`
  const text = `${who} ${start} Hang it up, and restart the agent.`
  return { kind, text, goal: 'agents', link: 'How agents report calls' }
}

/** All webhooks in a few words. Null: there is none. */
export function describeWebhooks(webhooks: readonly WebhookState[]): string | null {
  if (webhooks.length === 0) return null
  const failing = webhooks.filter(({ state }) => state === 'failing')
  if (failing.length > 0) {
    const waiting = failing.reduce((sum, one) => sum + one.waiting, 0)
    return waiting === 0 ? 'Failing' : `Failing: ${countOf(waiting, 'event')} waiting`
  }
  return webhooks.some(({ state }) => state === 'delivering') ? 'Delivering' : 'Off'
}
