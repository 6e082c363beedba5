// Campaigns as a table that can be sorted: the state of each in words, its queue, agents that wait, and today's
// activity.
import { useState } from 'preact/hooks'
import { limits } from '../../base/limits.ts'
import type { ListedCampaign } from '../../sdk/src/models.ts'
import { describeCampaign } from '../overview/campaign-state.ts'
import { hashOf } from '../place.ts'
import { settle } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { StateLine } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { type Column, DataTable } from '../ui/tables/data-table.tsx'
import { Menu } from '../ui/tables/menu.tsx'
import { counted } from '../ui/words/number-words.ts'

/** A campaign whose overview was not read has its name only. */
export type Row = {
  readonly campaign: ListedCampaign
  readonly state: ReturnType<typeof describeCampaign> | null
}

export function rowOf(campaign: ListedCampaign, atMs: number): Row {
  const { queue, dialer } = campaign
  return {
    campaign,
    state: queue === undefined ? null : describeCampaign({ ...campaign, queue }, atMs, { dialer }),
  }
}

/** What a column is sorted by. Numbers begin with the largest. */
const columns: readonly (readonly [string, (row: Row) => string | number, kind?: Column[1]])[] = [
  ['Name', ({ campaign }) => campaign.name],
  ['State', ({ state }) => state?.title ?? ''],
  ['Queue', ({ campaign }) => campaign.queue?.queued ?? -1, 'number'],
  ['Agents waiting', ({ campaign }) => campaign.queue?.agentsWaiting ?? -1, 'number extra'],
  ['Leads today', ({ campaign }) => campaign.today?.created ?? -1, 'number extra'],
  ['Calls today', ({ campaign }) => campaign.today?.called ?? -1, 'number extra'],
  ['Answered today', ({ campaign }) => campaign.today?.answered ?? -1, 'number extra'],
]

type Props = {
  readonly name: string
  readonly rows: readonly Row[]
  readonly onArchive: (campaign: ListedCampaign) => void
  /** What was done, in words. */
  readonly onChanged: (words: string) => void
}

/** Those that call most first, and of the others those that have most to call. */
const byWork = (one: Row, other: Row) =>
  [one, other]
    .map(({ campaign: { queue, today } }) => [queue?.leased ?? 0, today?.called ?? 0, queue?.queued ?? 0])
    .reduce((a, b) => b.map((count, place) => count - (a[place] ?? 0)))
    .find((difference) => difference !== 0) ?? 0

export function CampaignTable({ name, rows, onArchive, onChanged }: Props) {
  const { client, rights } = useSession()
  const setPaused = async ({ id, name, paused }: ListedCampaign) => {
    const { error } = await settle(client.campaigns.update(id, { paused: !paused }))
    onChanged(error === null ? `${name} is ${paused ? 'resumed' : 'paused'}.` : `${name}: ${error}`)
  }
  /** Null: busy ones first. */
  const [sorted, setSorted] = useState<{ readonly place: number; readonly isDown: boolean } | null>(null)
  const sort = (place: number) =>
    setSorted((before) => ({
      place,
      isDown: before?.place === place ? !before.isDown : columns[place]?.[2] !== undefined,
    }))
  const keyOf = columns[sorted?.place ?? 0]?.[1]
  const ordered =
    sorted && keyOf
      ? rows.toSorted((one, other) => {
          const [a, b] = [keyOf(one), keyOf(other)]
          const order = typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b)
          return sorted.isDown ? -order : order
        })
      : rows.toSorted(byWork)
  return (
    <DataTable
      name={name}
      class="campaigns"
      isNamed
      sorted={sorted && [sorted.place, sorted.isDown ? 'descending' : 'ascending']}
      columns={[
        ...columns.map(
          ([title, , kind], place): Column => [
            <Button class="link" onClick={() => sort(place)}>
              {title}
            </Button>,
            kind,
          ],
        ),
        [<span class="unseen">Actions</span>],
      ]}
      rows={ordered.map(({ campaign, state }) => {
        const { id, name, archived, paused, queue, today } = campaign
        const isMore = queue?.isCapped && queue.queued >= limits.leadsCountedPerOverview
        const action = archived ? 'Restore' : 'Archive'
        return {
          key: id,
          cells: [
            <a href={hashOf(id, 'overview')} title={`${name} (${id})`}>
              {name}
            </a>,
            state && !archived && (
              <StateLine tone={state.tone}>
                <span title={state.title}>{state.title}</span>
              </StateLine>
            ),
            queue && `${counted(queue.queued)}${isMore ? '+' : ''}`,
            queue && !archived && (queue.agentsWaiting === null ? 'Unknown' : counted(queue.agentsWaiting)),
            ...(['created', 'called', 'answered'] as const).map(
              (what) => today && !archived && counted(today[what]),
            ),
            rights.manage && (
              <Menu label={`Actions for ${name}`}>
                {!archived && (
                  <>
                    <a href={hashOf(id, 'leads')}>Leads</a>
                    <a href={hashOf(id, 'settings')}>Settings</a>
                    <Button onClick={() => setPaused(campaign)}>
                      {paused ? 'Resume calling' : 'Pause calling'}
                    </Button>
                  </>
                )}
                <Button onClick={() => onArchive(campaign)}>{action}…</Button>
              </Menu>
            ),
          ],
        }
      })}
    />
  )
}
