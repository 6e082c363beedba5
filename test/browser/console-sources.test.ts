// The page of the console that makes sources, in a real browser. Leaves a picture in dist/screenshots for people to
// look at.
import { expect, it } from 'vitest'
import { expectFit, press, takePicture } from './console-page.ts'
import { api, openConsole, server } from './started.ts'

type Source = { readonly url: string }
type Asked = { readonly nationalCountry: string | null; readonly timeZones: Record<string, string> }
type Heard = { readonly notDoNotCall: readonly string[]; readonly permissions: string }

it('The console makes a source, tries a post, and says where the number stands', async () => {
  await server.addCampaign('console-sources')
  await api('PATCH', '/campaigns/console-sources', { timeZone: 'Europe/Berlin' })
  const { key } = await server.addKey('manage')
  const { page, complaints } = await openConsole(key)
  await page.evaluate(`location.hash = '#/console-sources/sources'`)
  await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Shop')
  // That of the campaign's time zone.
  await expect.poll(() => page.getByLabel('Countries').inputValue()).toBe('DE')
  await page.getByLabel('Countries').fill('DD')
  await press(page, 'Add')
  await page.getByText('DD is no country.').waitFor()
  expect(await page.getByLabel('Countries').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Countries').fill('de, AT')
  await page.getByLabel('A number without a country code').selectOption('DE')
  await press(page, 'Add')
  const card = page.getByRole('region', { name: 'Shop', exact: true })
  await card.getByText('Nothing has arrived yet').waitFor()
  const path = '/campaigns/console-sources/sources'
  const [source] = (await api<{ sources: Source[] }>('GET', path)).data.sources
  await card.getByText(source?.url ?? '', { exact: true }).waitFor()

  await card.getByRole('button', { name: 'Try a post…' }).click()
  await card.getByLabel('What the system sends').fill('{"Ada":"x","reach-me":"0171 1234567"}')
  await card.getByRole('button', { name: 'Try', exact: true }).click()
  await card.getByText('It would be refused: Phone number is missing.').waitFor()

  await press(page, 'Change whose numbers are called')
  await card.getByLabel('Countries').fill('DE, AT, US')
  await card.getByLabel('A number without a country code').selectOption('')
  await card.getByText('Refused where it may be a number of two of them').waitFor()
  await press(page, 'Save whose numbers are called')
  await card.getByText('Choose whose clock counts.').waitFor()
  await card
    .getByLabel('By whose clock are numbers of United States called?')
    .selectOption('America/New_York')
  await press(page, 'Save whose numbers are called')
  await card.getByText('Calls numbers of Germany, Austria, United States').waitFor()
  const numbers = async () => (await api<{ sources: Asked[] }>('GET', path)).data.sources[0]
  expect(await numbers()).toMatchObject({ nationalCountry: null, timeZones: { US: 'America/New_York' } })
  await press(page, 'Change whose numbers are called')
  await card.getByLabel('A number without a country code').selectOption('DE')
  await press(page, 'Save whose numbers are called')
  await card.getByText('without a country code, of Germany').waitFor()

  await fetch(source?.url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ 'reach-me': '0171 1234567', 'do-not-call-before': '9' }),
  })
  await page.reload()
  await card.getByLabel('Phone number').selectOption('reach-me')
  await card.getByText('Saved.').waitFor()
  await card.getByRole('button', { name: 'Try a post…' }).click()
  await card.getByLabel('What the system sends').fill('{"reach-me":"0171 1234567"}')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await card.getByText('It would become a lead.').waitFor()
  await card.getByText('+491711234567, from reach-me').waitFor()

  // What looks like a no and is none is said in red, for as long as nothing is heard under it.
  await card.getByLabel('A name that says nothing of calls').selectOption('do-not-call-before')
  const deaf = card.getByText('Nothing is heard under “do-not-call-before”: nobody is held back by it.')
  await deaf.waitFor()
  expect(await deaf.getAttribute('class')).toBe('failure')
  await card.getByLabel('A no to “May we call you?”').selectOption('suppress')
  const heard = async () => (await api<{ sources: Heard[] }>('GET', path)).data.sources[0]
  await expect.poll(heard).toMatchObject({ notDoNotCall: ['do-not-call-before'], permissions: 'suppress' })
  await expectFit(page, 'sources')
  await takePicture(page, 'sources')
  await press(page, 'Hear do-not-call-before again')
  await deaf.waitFor({ state: 'detached' })
  expect(await heard()).toMatchObject({ notDoNotCall: [] })

  await card.getByRole('button', { name: 'Turn off' }).click()
  await card.getByText('Turned off', { exact: true }).waitFor()
  expect((await fetch(source?.url ?? '', { method: 'POST', body: '{}' })).status).toBe(410)
  await card.getByRole('button', { name: 'Remove…' }).click()
  await press(page, 'Yes, remove it')
  await page.getByText('Removed Shop.').waitFor()
  expect(complaints).toEqual([])
})
