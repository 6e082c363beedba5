// Live calls by agent, with the time until each one times out.

import type { Campaign, OpenCall } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { useNow } from '../service/clocks.ts'
import { clock, countOf } from '../ui/number-words.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'

type Props = { readonly calls: readonly OpenCall[]; readonly campaign: Campaign }

export function LiveCallsPanel({ calls, campaign }: Props) {
  const nowMs = useNow(1_000)
  const live = calls.filter(({ leaseExpiresAt }) => Date.parse(leaseExpiresAt) > nowMs)
  const agents = [...Map.groupBy(live, ({ agent }) => agent ?? 'unnamed')].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  return (
    <section class="card live" aria-labelledby="live-title">
      <h2 id="live-title">
        Live calls <span class="muted">{live.length > 0 && countOf(live.length, 'call')}</span>
      </h2>
      {agents.length === 0 ? (
        <p class="muted">
          No live calls. {campaign.queue.reason === null ? 'Leads are ready: start an agent.' : ''}
        </p>
      ) : (
        <ScrollBox name="Live calls by agent" isShort>
          <table class="data">
            <thead>
              <tr>
                <th scope="col">Agent</th>
                <th scope="col">Number</th>
                <th scope="col" class="number extra">
                  Attempt
                </th>
                <th scope="col" class="number">
                  Times out in
                </th>
              </tr>
            </thead>
            <tbody>
              {agents.flatMap(([agent, its]) =>
                its.map((call, index) => (
                  <tr key={call.callId}>
                    <th scope="row">{index === 0 ? agent : <span class="unseen">{agent}</span>}</th>
                    <td>
                      <a href={hashOf(campaign.id, 'leads', call.lead._id)}>{call.lead.phoneNumber}</a>
                    </td>
                    <td class="number extra">
                      {call.attempt}
                      {call.isLastAttempt && <span class="muted small"> last</span>}
                    </td>
                    <td class="number">{clock(Date.parse(call.leaseExpiresAt) - nowMs)}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  )
}
