// The consents of a lead's number and its withdrawals, newest first, and on request the calls that used a consent.
import { useState } from 'preact/hooks'
import type { Consent, ConsentsFound, DataOf } from '../../sdk/src/models.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { Button } from '../ui/controls.tsx'
import { Failure, FeedbackLine } from '../ui/feedback.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { counted } from '../ui/words/number-words.ts'
import { fullTime } from '../ui/words/zone-time.ts'
import { describeOutcome } from './lead-words.ts'

type Props = {
  readonly phoneNumber: string
  /** The campaign requires one: then it is said that there is none. */
  readonly isRequired: boolean
  readonly zone: string
  readonly round: Round
}
type Withdrawal = ConsentsFound['withdrawals'][number]

/** As the service judges it: a withdrawal covers what was given until then. */
const isWithdrawn = ({ purpose, givenAt }: Consent, withdrawals: readonly Withdrawal[]) =>
  withdrawals.some(
    (one) =>
      (one.purpose === null || one.purpose === purpose) && Date.parse(one.withdrawnAt) >= Date.parse(givenAt),
  )

export function LeadConsents({ phoneNumber, isRequired, zone, round }: Props) {
  const { client } = useSession()
  const { data, failure } = useData(() => client.consents.search(phoneNumber), round, true)
  const { consents, withdrawals } = data ?? { consents: [], withdrawals: [] }
  const isEmpty = consents.length + withdrawals.length === 0
  if (failure === null && isEmpty && (data === null || !isRequired)) return null
  const entries = [
    ...consents.map((consent) => ({
      key: consent.consentId,
      atMs: Date.parse(consent.givenAt),
      shown: <ConsentEntry {...consent} isOff={isWithdrawn(consent, withdrawals)} zone={zone} />,
    })),
    ...withdrawals.map((withdrawal) => ({
      key: `${withdrawal.withdrawnAt} ${withdrawal.purpose}`,
      atMs: Date.parse(withdrawal.withdrawnAt),
      shown: <WithdrawalEntry {...withdrawal} />,
    })),
  ]
  return (
    <>
      <h3>Consents</h3>
      <Failure>{failure}</Failure>
      {data !== null && isEmpty && <p class="muted">None.</p>}
      <Timeline name="Consents" entries={entries} zone={zone} />
    </>
  )
}

const WithdrawalEntry = ({ purpose, kind, reason }: Withdrawal) => (
  <p>
    <strong>{purpose === null ? 'All consents withdrawn' : `Withdrawn: ${purpose}`}</strong>
    {kind === 'suppression' && ' (added to do-not-call)'}
    {kind === 'erasure' && ' (erased)'}
    {reason !== null && reason !== 'console' && <span class="muted"> · {reason}</span>}
  </p>
)

type EntryProps = Consent & Pick<Props, 'zone'> & { readonly isOff: boolean }

function ConsentEntry({ consentId, purpose, expiresAt, text, source, isOff, zone }: EntryProps) {
  const endsAtMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
  const end = endsAtMs > serviceNow() ? 'expires' : 'expired'
  return (
    <>
      <p>
        <strong>{purpose}</strong>
        {isOff && ' (withdrawn)'}
        <span class="muted">
          {' '}
          · {expiresAt === null ? 'does not expire' : `${end} ${fullTime(endsAtMs, zone)}`}
        </span>
      </p>
      {/* No link: the sender of the lead chose the address. */}
      {source?.url != null && <p class="muted small">{source.url}</p>}
      {text !== null && (
        <details>
          <summary>Text</summary>
          <pre>{text}</pre>
        </details>
      )}
      <Uses consentId={consentId} purpose={purpose} zone={zone} />
    </>
  )
}

function Uses({ consentId, purpose, zone }: Pick<Consent, 'consentId' | 'purpose'> & Pick<Props, 'zone'>) {
  const { client } = useSession()
  const [found, setFound] = useState<DataOf<'listConsentUses'> | null>(null)
  const { isBusy, feedback, run } = useAction()
  const show = async () => {
    const { data } = await run(() => client.consents.uses(consentId).page())
    if (data !== null) setFound(data)
  }
  if (found === null) {
    return (
      <>
        <Button class="link" isOff={isBusy} aria-label={`Show uses of ${purpose}`} onClick={show}>
          Show uses
        </Button>
        <FeedbackLine feedback={feedback} />
      </>
    )
  }
  const { uses, nextCursor } = found
  return (
    <div role="status" class="muted small">
      {uses.length === 0 && <p>Not used yet.</p>}
      {nextCursor !== null && <p>The first {counted(uses.length)} uses:</p>}
      <ul>
        {uses.map(({ callId, usedAt, outcome }) => (
          <li key={callId}>
            Used {fullTime(Date.parse(usedAt), zone)} · {describeOutcome(outcome)}
          </li>
        ))}
      </ul>
    </div>
  )
}
