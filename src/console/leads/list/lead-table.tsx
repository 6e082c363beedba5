// Leads as a table, with a checkbox each where they can be selected. In a narrow window each is a block of its own.
import { useEffect, useRef } from 'preact/hooks'
import type { ListedCampaign } from '../../../sdk/src/models.ts'
import { hashOf } from '../../place.ts'
import { useCampaigns } from '../../service/names.ts'
import { StatusTag } from '../../ui/card.tsx'
import { counted } from '../../ui/words/number-words.ts'
import { fullTime } from '../../ui/words/zone-time.ts'
import { nameOf, nextCallOf, sentenceCase } from '../lead-words.ts'
import type { FoundLead } from './read-leads.ts'

type Props = {
  readonly name: string
  readonly leads: readonly FoundLead[]
  readonly zone: string
  /** When they were read. */
  readonly atMs: number
  /** Of the leads. Null: of several campaigns, each of which is shown. */
  readonly campaign: Omit<ListedCampaign, 'queue'> | null
  readonly selected: ReadonlySet<string>
  /** Null: they cannot be selected. */
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | null
  readonly onOpen: (leadId: string) => void
  /** The lead that was opened last: it gets the focus. */
  readonly openedId: string | null
}

export function LeadTable(props: Props) {
  const { name, leads, campaign, selected, onSelect, openedId } = props
  const campaigns = useCampaigns(campaign === null)
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    if (openedId !== null) table.current?.querySelector<HTMLElement>(`[data-lead="${openedId}"] a`)?.focus()
  }, [])
  const isAll = leads.every(({ _id }) => selected.has(_id))
  const pick = (leadId: string, isPicked: boolean) => {
    const others = [...selected].filter((id) => id !== leadId)
    onSelect?.(new Set(isPicked ? [...others, leadId] : others))
  }
  return (
    <table class="data lead-table" ref={table} aria-label={name}>
      <thead>
        <tr>
          {onSelect !== null && (
            <th scope="col" class="pick">
              <label class="tick">
                <input
                  type="checkbox"
                  aria-label="Select all on this page"
                  checked={isAll}
                  onChange={({ currentTarget }) =>
                    onSelect(new Set(currentTarget.checked ? leads.map(({ _id }) => _id) : []))
                  }
                />
                <span class="narrow">Select all on this page</span>
              </label>
            </th>
          )}
          <th scope="col">Number</th>
          <th scope="col">Name</th>
          {campaign === null && <th scope="col">Campaign</th>}
          <th scope="col">State</th>
          <th scope="col">Last outcome</th>
          <th scope="col" class="number">
            Attempts
          </th>
          <th scope="col">Next call</th>
        </tr>
      </thead>
      <tbody>
        {leads.map((lead) => (
          <LeadRow
            key={lead._id}
            {...props}
            lead={lead}
            of={campaign ?? campaigns.find(({ id }) => id === lead.campaignId)}
            onPick={onSelect && pick}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = Omit<Props, 'onSelect'> & {
  readonly lead: FoundLead
  readonly of: Omit<ListedCampaign, 'queue'> | undefined
  readonly onPick: ((leadId: string, isPicked: boolean) => void) | null
}

function LeadRow({ lead, of, zone, atMs, campaign, selected, onPick, onOpen }: RowProps) {
  const {
    _id,
    campaignId,
    phoneNumber,
    metadata,
    status,
    lastOutcome,
    attempts,
    dueAt,
    suppressed = false,
  } = lead
  const person = nameOf(metadata)
  return (
    <tr data-lead={_id} class={selected.has(_id) ? 'picked' : undefined}>
      {onPick !== null && (
        <td class="pick">
          <input
            type="checkbox"
            aria-label={`Select ${phoneNumber}`}
            checked={selected.has(_id)}
            onChange={({ currentTarget }) => onPick(_id, currentTarget.checked)}
          />
        </td>
      )}
      <th scope="row">
        <a href={hashOf(campaignId, 'leads', _id)} onClick={() => onOpen(_id)}>
          {phoneNumber}
        </a>
      </th>
      <td data-label="Name" class="person">
        {person ?? <span class="muted">–</span>}
      </td>
      {campaign === null && (
        <td data-label="Campaign" class="cut">
          {of?.name ?? campaignId}
        </td>
      )}
      <td data-label="State">
        <StatusTag status={status} isSuppressed={suppressed} />
      </td>
      <td data-label="Last outcome" title={lastOutcome ?? undefined}>
        {lastOutcome == null ? <span class="muted">–</span> : sentenceCase(lastOutcome)}
      </td>
      <td data-label="Attempts" class="number">
        {counted(attempts)}
      </td>
      <td data-label="Next call" title={dueAt ? fullTime(Date.parse(dueAt), zone) : undefined}>
        {nextCallOf(lead, of, zone, atMs)}
      </td>
    </tr>
  )
}
