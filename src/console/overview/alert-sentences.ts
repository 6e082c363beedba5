// What needs attention in a campaign, in sentences that say since when and what to do: each thing once, by what the API
// says. Pure.

import { limits } from '../../base/limits.ts'
import { flagNotUnderstood, notUnderstood } from '../../channels/dialers/template/template.ts'
import type { AlertKind } from '../../control/alerts/alert-kinds.ts'
import type { Alert, Campaign, CampaignOverview, WebhookState } from '../../sdk/src/models.ts'
import { dialerReason } from '../calling/dialer-words.ts'
import { counted, countOf } from '../ui/words/number-words.ts'
import { shortTime, zoneOf } from '../ui/words/zone-time.ts'
import { describeNoAgent, dialerIsIdle, isDialing, startAgent, whyDialer } from './campaign-state.ts'

type AlertSentence = {
  readonly kind: AlertKind
  readonly text: string
  /** Where it is solved, and what the link to it says. */
  readonly page: 'connect' | 'calling' | 'sources' | 'settings' | 'company'
  readonly part?: 'webhooks' | 'keys'
  readonly link: string
}

type Noticed = {
  readonly campaign: Campaign
  readonly dialer: CampaignOverview['dialer']
  readonly alerts: readonly Alert[] | null
}

type Context = Noticed & {
  readonly nowMs: number
  readonly ownKeyId: string
  readonly time: (instant: string) => string
}

type Sentence = Omit<AlertSentence, 'kind'>
type Sentences = (alerts: readonly Alert[], context: Context) => readonly Sentence[]

const calling = { page: 'calling', link: 'Open Calling' } as const
const ofDialer =
  (textOf: (subject: string, since: string) => string): Sentences =>
  (alerts, { time }) =>
    alerts.map(({ subject, since }) => ({ text: textOf(subject ?? '', time(since)), ...calling }))
const settings = { page: 'settings', link: 'Open settings' } as const
const ofGate =
  (textOf: (since: string) => string): Sentences =>
  (alerts, { time }) =>
    alerts.map(({ since }) => ({ text: textOf(time(since)), ...settings }))
const partOf = ({ campaignId }: Alert, part: 'webhooks' | 'keys') =>
  ({ page: campaignId === null ? 'company' : 'settings', part, link: `Open ${part}` }) as const

const stalled =
  (work: string, place: (alert: Alert) => Omit<Sentence, 'text'>): Sentences =>
  (alerts, { time }) =>
    alerts.slice(0, 1).map((alert) => ({
      text: `${work} since ${time(alert.since)}, by a fault of the service. Tell the operator.`,
      ...place(alert),
    }))

/** In the order in which they are shown. */
const sentences: Readonly<Record<AlertKind, Sentences>> = {
  no_agent(alerts, { campaign, dialer, alerts: all, nowMs }) {
    // The alert is cleared by the minute, and agents are seen at once.
    const isAgentSeen = campaign.queue.leased > 0 || !!campaign.queue.agentsWaiting || isDialing(dialer)
    const isSaid = all?.some(({ kind }) => kind === 'dialer_stopped' || kind === 'dialer_resting')
    if (isAgentSeen || isSaid) return []
    return alerts.map(({ since }) =>
      dialer === null
        ? {
            text: `${describeNoAgent(campaign, nowMs, since)}. ${startAgent}`,
            page: 'connect',
            link: 'How to start an agent',
          }
        : {
            text: `${describeNoAgent(campaign, nowMs, since, dialerIsIdle)}. ${whyDialer}`,
            ...calling,
          },
    )
  },
  // The queue knows them at once, also for a key that may not see alerts. The alert stays until they have recovered.
  agent_failing(alerts, { campaign, time }) {
    const blocked = new Map(campaign.queue.failingAgents.map(({ agent, until }) => [agent, until]))
    const since = new Map(alerts.map((alert) => [alert.subject ?? '', alert.since]))
    return [...new Set([...blocked.keys(), ...since.keys()])].map((agent) => {
      const [from, until] = [since.get(agent), blocked.get(agent)]
      const start = from === undefined ? '' : `, since ${time(from)}`
      const end = until === undefined ? '' : ` It gets no leads until ${time(until)}.`
      return {
        text:
          `Agent ${agent} claims leads and never reports them${start}.${end} Restart it, ` +
          `or correct how it reports.`,
        page: 'connect',
        link: 'How agents report calls',
      }
    })
  },
  // A dialer is an agent of that name.
  call_never_ends: (alerts, { time }) =>
    alerts.map(({ subject, since }) => {
      const start = `has a call that has been live since ${time(since)}, and does not end.`
      if (subject === 'dialer') return { text: `The dialer ${start} Hang it up at the provider.`, ...calling }
      const text = `${subject === null ? 'An agent' : `Agent ${subject}`} ${start} Hang it up, and restart the agent.`
      return { text, page: 'connect', link: 'How agents report calls' }
    }),
  dialer_stopped: ofDialer((why, at) => `The dialer stopped at ${at}: ${dialerReason(why)}`),
  dialer_resting: ofDialer((why, at) => `The dialer rests since ${at}: ${dialerReason(why)}`),
  dialer_unmapped: ofDialer((reason, at) =>
    reason === notUnderstood
      ? `A call ended at ${at} with an outcome that is none. The words stand in its details, as saidOutcome: tell \
the assistant which outcomes there are.`
      : reason === flagNotUnderstood
        ? `A call ended at ${at} with a do-not-call that is neither yes nor no. The number is on the do-not-call list: \
tell the assistant to write true or false.`
        : `A call ended at ${at} with the reason “${reason}”, which has no outcome in the template.`,
  ),
  dialer_hears_nothing: ofDialer(
    (
      _,
      at,
    ) => `The dialer has heard nothing of what people say since ${at}: nothing that the assistant wrote of its last \
calls was understood, so a do-not-call is lost. See that the assistant fills in outcome and doNotCall.`,
  ),
  dialer_failing: ofDialer(
    (error, at) => `A call was set aside at ${at} after the error ${error}. Tell the operator.`,
  ),
  dialer_stalled: ofDialer(
    (_, at) => `The dialer has stood still since ${at}, by a fault of the service. Tell the operator.`,
  ),
  gate_silent: ofGate((at) => `The gate has given no answer that can be read since ${at}.`),
  gate_refusing: ofGate(
    (at) =>
      `The gate said no to more than half of 50 leads: it asks no more since ${at}, until you say go on.`,
  ),
  webhook_failing([first, ...others], { time }) {
    if (first === undefined) return []
    const failing = others.length === 0 ? 'A webhook has' : `${counted(others.length + 1)} webhooks have`
    const text = `${failing} been failing since ${time(first.since)}. Events wait until the receiver answers 2xx.`
    return [{ text, ...partOf(first, 'webhooks') }]
  },
  key_limit: (alerts, { ownKeyId, time }) =>
    alerts.map((alert) => ({
      text: `${alert.subject === ownKeyId ? 'Your key' : `The key ${alert.subject}`} has sent \
${counted(limits.requestsPerHourAlerted)} of the ${counted(limits.requestsPerHourPerKey)} requests that it may send in \
an hour, at ${time(alert.since)}. Give each client a key of its own.`,
      ...partOf(alert, 'keys'),
    })),
  source_failing: (alerts) =>
    alerts.map(({ subject }) => ({
      text: `The source ${subject} refuses every post in this hour. Its last problem says why.`,
      page: 'sources',
      link: 'Open Sources',
    })),
  source_clock: (alerts) =>
    alerts.map(({ subject }) => ({
      text: `Leads of the source ${subject} are called by the campaign’s clock, though their country has several. \
Say whose clock counts.`,
      page: 'sources',
      link: 'Open Sources',
    })),
  store_full: (alerts, { time }) =>
    alerts.map(({ since }) => ({
      text: `The company’s store holds more than 8 of its 10 GB since ${time(since)}. At 10 GB it takes no new leads. \
Erase leads that are no longer needed, or set how long they are kept.`,
      ...settings,
    })),
  webhook_stalled: stalled('A webhook has sent nothing', (alert) => partOf(alert, 'webhooks')),
  store_stalled: stalled(
    'What the service does by itself, such as retries and retention, has stood still',
    () => settings,
  ),
}

/** `ownKeyId`: of the key in use. */
export function alertSentences(noticed: Noticed, nowMs: number, ownKeyId: string): readonly AlertSentence[] {
  const zone = zoneOf(noticed.campaign)
  const time = (instant: string) => shortTime(Date.parse(instant), zone, nowMs)
  return (Object.keys(sentences) as AlertKind[]).flatMap((kind) => {
    const alerts = (noticed.alerts ?? []).filter((alert) => alert.kind === kind)
    return sentences[kind](alerts, { ...noticed, nowMs, ownKeyId, time }).map((said) => ({ kind, ...said }))
  })
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
