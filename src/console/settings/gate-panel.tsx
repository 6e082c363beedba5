// The gate of a campaign: what is asked before a lead is called, as JSON, and what it has said. The service judges what
// is entered, and names the member that is wrong.
import { useState } from 'preact/hooks'
import type { Campaign, Gate } from '../../sdk/src/models.ts'
import { readText, textOf } from '../calling/template-text.ts'
import { settle } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Form } from '../ui/form.tsx'
import { gateWords } from '../ui/words/number-words.ts'
import { GateTry } from './gate-try.tsx'

type Props = { readonly campaign: Campaign; readonly round: Round }

const example = {
  ask: { method: 'POST', url: 'https://', body: { phone: '{{lead.phoneNumber}}' } },
  no: { pointer: '/listed', equals: true },
  later: null,
  yes: { pointer: '/listed', equals: false },
}
const members = {
  ask: 'Ask',
  no: 'No, when',
  later: 'Later, when',
  yes: 'Yes, when',
  secrets: 'New secrets',
} as const
type Member = keyof typeof members
const hints: { readonly [name in Member]?: string } = {
  no: 'The lead ends as exhausted. Comes before the others.',
  later: 'Null: never.',
  secrets: 'Such as {"token": "…"}, for {{secrets.token}} in a header. Empty: as they are.',
}

const suppressions = [
  ['none', 'nowhere: only this lead ends'],
  ['campaign', 'in this campaign: no lead of the number is called in it'],
  ['company', 'in the whole company: no campaign calls the number'],
] as const

/** Null: it is JSON, or empty. */
const problemOf = (text: string): string | null => {
  const read = readText(text.trim() || 'null')
  return 'problem' in read ? read.problem : null
}

const stateWords = {
  asking: 'It asks.',
  silent: 'It gives no answer that can be read.',
  refusing: 'It said no to more than half of 50 leads, and asks no more.',
} as const

export function GatePanel({ campaign, round }: Props) {
  const { gate: gates } = useSession().client.campaigns
  const read = async () => {
    const { data, error, status } = await settle(gates.get(campaign.id))
    if (data === null && status !== 404) throw new Error(error ?? '')
    return { gate: data }
  }
  const { data, setData } = useData(read, round)
  if (data === null) return <Card title="Gate">Loading…</Card>
  const onGate = (gate: Gate | null) => setData({ gate })
  return <GateCard key={data.gate?.version ?? 0} campaignId={campaign.id} gate={data.gate} onGate={onGate} />
}

type CardProps = {
  readonly campaignId: string
  readonly gate: Gate | null
  readonly onGate: (gate: Gate | null) => void
}

function GateCard({ campaignId, gate, onGate }: CardProps) {
  const { gate: gates } = useSession().client.campaigns
  const shown = gate ?? example
  const [texts, setTexts] = useState<Readonly<Record<Member, string>>>({
    ...{ ask: textOf(shown.ask), no: textOf(shown.no), later: textOf(shown.later), yes: textOf(shown.yes) },
    secrets: '',
  })
  const [suppress, setSuppress] = useState<string>(gate?.suppress ?? 'none')
  const { isBusy, feedback, run } = useAction()
  const names = Object.keys(members) as Member[]
  // The service names the member first, such as `no.any[0].pointer must be …`.
  const wrong = feedback?.isFailure
    ? names.find((name) => new RegExp(`^${name}\\b`).test(feedback.text))
    : undefined
  const save = async () => {
    if (names.some((name) => problemOf(texts[name]) !== null)) return
    const filled = names.filter((name) => texts[name].trim() !== '')
    const settings = Object.fromEntries(filled.map((name) => [name, JSON.parse(texts[name])]))
    const body = { ...settings, suppress } as Parameters<typeof gates.set>[1]
    const { data } = await run(
      () => (gate === null ? gates.set(campaignId, body) : gates.update(campaignId, body)),
      'Saved.',
    )
    if (data !== null) onGate(data)
  }
  const act = async (request: () => Promise<Gate | { deleted: true }>, done: string) => {
    const { data } = await run(request, done)
    if (data !== null) onGate('deleted' in data ? null : data)
  }
  return (
    <Card title="Gate">
      <p>
        Before a lead is called, this request is sent, and nobody is called without a yes.{' '}
        {gate && `${stateWords[gate.state.status]} ${gateWords(gate.state)}.`}
      </p>
      <Form name="Gate" submit="Save" onSubmit={save} isBusy={isBusy} feedback={wrong ? null : feedback}>
        {names.map((name) => (
          <TextField
            key={name}
            label={members[name]}
            hint={hints[name]}
            rows={Math.min(Math.max(texts[name].split('\n').length, 2), 14)}
            value={texts[name]}
            problem={problemOf(texts[name]) ?? (wrong === name ? (feedback?.text ?? null) : null)}
            onText={(text) => setTexts({ ...texts, [name]: text })}
          />
        ))}
        <Select
          label="After a no, suppress the number "
          value={suppress}
          options={suppressions}
          onChoose={setSuppress}
        />
        {suppress === 'company' && (
          <p class="failure">
            A wrong no then keeps every campaign from calling the number, until it is taken from the
            do-not-call list.
          </p>
        )}
      </Form>
      {gate && <GateTry campaignId={campaignId} />}
      {gate?.state.status === 'refusing' && (
        <Button isOff={isBusy} onClick={() => act(() => gates.goOn(campaignId), 'It asks again.')}>
          Go on
        </Button>
      )}
      {gate && (
        <Button isOff={isBusy} onClick={() => act(() => gates.remove(campaignId), 'Removed.')}>
          Remove the gate
        </Button>
      )}
    </Card>
  )
}
