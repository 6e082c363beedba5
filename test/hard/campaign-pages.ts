// Pages of 50,000 campaigns over HTTP, half of them archived: the time of each, and that each campaign comes once.
import { join } from 'node:path'
import { createFindings, percentile, type Report } from './report.ts'
import { migrate, scratchDir, startServer } from './server.ts'
import { seed } from './world.ts'

const mostMs = 100
const timesEach = 5

type Page = { data: { campaigns: { id: string }[]; nextCursor: string | null } }

export async function campaignPages(code: string, campaignCount: number): Promise<Report> {
  const findings = createFindings()
  const server = await startServer(code, join(scratchDir, 'campaign-pages'))
  await migrate(server.db)
  const { keys } = await seed(server.db, 0, 4)
  await server.db
    .prepare(
      `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ?1)
       insert into campaigns (id, company_id, name, created_at_ms, archived_at_ms)
       select 'campaign-' || i, 'hard', 'Campaign ' || i, 0, iif(i % 2, null, 1) from counted`,
    )
    .bind(campaignCount)
    .run()
  await server.db
    .prepare(
      `insert into calling_settings (campaign_number, paused, time_zone, calling_hours, appointment_hours, closed_dates,
         max_attempts, lease_seconds, outcomes, version)
       select number, 0, 'Europe/Berlin', ?1, ?1, '["2026-12-25"]', 5, 600, '{}', 1 from campaigns`,
    )
    .bind(JSON.stringify({ mon: [['09:00', '17:00']], tue: [['09:00', '17:00']], wed: [['09:00', '12:00']] }))
    .run()

  const figures: Record<string, string | number> = { campaigns: campaignCount }
  for (const [index, [which, limit]] of (
    [
      ['', 1000],
      ['', 50],
      ['&archived=true', 1000],
      ['&archived=true', 50],
    ] as const
  ).entries()) {
    const medians: number[] = []
    const seen = new Set<string>()
    let shown = 0
    // A key may send 1,000 requests an hour: of small pages, some are read.
    for (let cursor: string | null = '000000', pages = 0; cursor !== null && pages < 150; pages++) {
      const times: number[] = []
      let page: Page | null = null
      for (let time = 0; time < timesEach; time++) {
        const startedAtMs = performance.now()
        const url = `http://127.0.0.1:${server.port}/api/v1/campaigns?limit=${limit}&cursor=${cursor}${which}`
        const answer = await fetch(url, { headers: { 'x-api-key': keys[index]?.key as string } })
        page = (await answer.json()) as Page
        times.push(performance.now() - startedAtMs)
        if (answer.status !== 200) throw new Error(`status ${answer.status}`)
      }
      const { campaigns, nextCursor } = (page as Page).data
      shown += campaigns.length
      for (const { id } of campaigns) seen.add(id)
      cursor = nextCursor
      medians.push(percentile(times, 0.5))
    }
    const [middle, most] = [percentile(medians, 0.5), Math.max(...medians)]
    const name = `pages of ${limit}${which === '' ? '' : ' archived ones'}`
    figures[`${name}: campaigns, ms of a page, of the slowest`] =
      `${seen.size}, ${middle.toFixed(1)}, ${most.toFixed(1)}`
    if (most > mostMs) findings.add('time', `${name}: ${most.toFixed(1)} ms`)
    if (shown !== seen.size || (limit === 1000 && seen.size !== campaignCount / 2))
      findings.add('campaigns', `${name}: ${seen.size} of ${shown}`)
  }
  await server.stop()
  return { name: 'campaign pages', figures, broken: findings.all() }
}
