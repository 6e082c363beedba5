// One's own phone, rung by the dialer's settings, and what became of it; beside it the last requests to the provider.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign, DialerExchange } from '../../sdk/src/models.ts'
import { sentence } from '../import/file/judge-rows.ts'
import { hashOf } from '../place.ts'
import { useOfKey } from '../service/activity.ts'
import { testEveryMs } from '../service/pace.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { useOneNumber } from '../settings/one-number.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { CountryField } from '../ui/fields/country-field.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import { shortTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { describeTest, isOver, testReader, wordsOf } from './test-words.ts'

type Props = {
  readonly campaign: Campaign
  readonly round: Round
}

export function OwnPhone({ campaign, round }: Props) {
  const { client, rights } = useSession()
  const { trace, test: ring, tested } = client.campaigns.dialer
  const [phoneNumber, setPhoneNumber] = useState('')
  const [{ testId, number }, setAsked] = useState({ testId: '', number: '' })
  const { readNumber, field } = useOneNumber()
  const { isBusy, feedback, run, setFeedback } = useAction()
  const [readTest] = useState(testReader)
  const readAll = async () => ({
    exchanges: await trace(campaign.id),
    testId,
    test: await readTest(testId, (id) => tested(campaign.id, id)),
  })
  const { data, load } = useData(readAll, round, true)
  const test = data?.testId === testId ? data.test : null
  // Sooner than the rounds, while it rings and the key has enough left.
  useEffect(() => {
    if (testId === '' || (test !== null && isOver(test))) return
    const timer = setTimeout(load, testEveryMs(useOfKey(), Date.now()))
    return () => clearTimeout(timer)
  }, [data, testId])
  const call = async () => {
    const one = await readNumber(phoneNumber)
    if ('problem' in one) return setFeedback({ text: one.problem, isFailure: true })
    const { data: started } = await run(() => ring(campaign.id, { phoneNumber: one.number }))
    if (started !== null) setAsked({ ...started, number: one.number })
  }
  const forbid = () => {
    const numbers = { phoneNumbers: [number], ...(!rights.company && { campaignId: campaign.id }) }
    return run(() => client.suppressions.add(numbers), 'Added.')
  }
  const became = {
    text: testId === '' ? '' : describeTest(test, zoneOf(campaign), serviceNow()),
    isFailure: false,
  }
  return (
    <Card title="Call my phone">
      <Form
        name="Call my phone"
        submit="Call my phone"
        onSubmit={call}
        isBusy={isBusy}
        feedback={feedback?.text ? { ...feedback, text: sentence(feedback.text) } : became}
      >
        <TextField
          label="Your number"
          hint="Such as +14155550123."
          value={phoneNumber}
          onText={setPhoneNumber}
        />
        <CountryField {...field} />
      </Form>
      {test?.outcome === 'do_not_call' && (
        <Button isOff={isBusy} onClick={forbid}>
          Add to do-not-call
        </Button>
      )}
      {data && <Trace exchanges={data.exchanges} campaign={campaign} />}
    </Card>
  )
}

type TraceProps = { readonly exchanges: readonly DialerExchange[]; readonly campaign: Campaign }

/** The last requests to the provider, with the lead of each; of test calls, with what was sent and answered. */
function Trace({ exchanges, campaign }: TraceProps) {
  const zone = zoneOf(campaign)
  const timeOf = ({ at }: DialerExchange) => shortTime(Date.parse(at), zone, serviceNow())
  const tests = exchanges.filter(({ request }) => request != null)
  return (
    <>
      <DataTable
        name="Recent requests"
        isShort
        columns={[['Time'], ['Step'], ['Lead'], ['Answer'], ['Result']]}
        rows={exchanges.map((exchange, key) => ({
          key,
          cells: [
            timeOf(exchange),
            exchange.step,
            exchange.leadId === null ? (
              <span class="muted">{exchange.request == null ? '–' : 'Your phone'}</span>
            ) : (
              <a href={hashOf(campaign.id, 'leads', exchange.leadId)}>Open lead</a>
            ),
            `${exchange.httpStatus ?? 'none'} · ${exchange.milliseconds} ms`,
            [wordsOf(exchange.verdict), exchange.message].filter(Boolean).join(': '),
          ],
        }))}
      />
      <p class="muted small">Times in {zoneName(zone)}. Secrets and digits are masked.</p>
      {tests.length > 0 && (
        <details>
          <summary>Requests and answers of calls to your phone</summary>
          {tests.map((exchange, key) => (
            <div key={key}>
              <p class="small">
                {timeOf(exchange)}, {exchange.step}
              </p>
              <pre class="exchange">{exchange.request}</pre>
              <pre class="exchange">{exchange.answer ?? 'No answer'}</pre>
            </div>
          ))}
        </details>
      )}
    </>
  )
}
