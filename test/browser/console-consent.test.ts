// Consents in the console: a campaign requires one, a lead shows those of its number, a paused campaign says what it
// would do, and the record of a number is looked up and saved.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { expectFit, goTo, goToSection, press, takePicture } from './console-page.ts'
import { api, openAs, server } from './started.ts'

const purpose = 'phone-offers'
const agreed = { purpose, givenAt: '2026-01-20T08:30:00Z', text: 'Acme may call me.' }
const source = { url: 'https://acme.example/offer' }

const addLead = async (phoneNumber: string, more: object = {}) =>
  (await api<{ leadId: string }>('POST', '/leads', { campaignId: 'demo', phoneNumber, ...more })).data.leadId

it('A campaign comes to require a consent, of an age or of any, and no longer', async () => {
  const { page, complaints } = await openAs()
  await goToSection(page, 'Limits')
  const required = page.getByLabel('Required consent (purpose)')
  const age = page.getByLabel('Max age of the consent (days)')
  const save = async () => {
    await press(page, 'Save')
    await page.getByText('Saved.').waitFor()
    return (await api<{ requireConsent: unknown }>('GET', '/campaigns/demo')).data.requireConsent
  }
  expect(await age.isDisabled()).toBe(true)
  await required.fill('phone offers')
  await page.getByText('Enter 1 to 64 of letters').waitFor()
  await required.fill(purpose)
  await age.fill('3651')
  await page.getByText('Enter a whole number from 1 to 3,650, or leave it empty').waitFor()
  await age.fill('365')
  expect(await save()).toEqual({ purpose, maxAgeDays: 365 })
  await age.fill('')
  expect(await save()).toEqual({ purpose, maxAgeDays: null })
  await expectFit(page, 'limits')
  await age.fill('30')
  await required.fill('')
  expect(await save()).toBeNull()
  expect(complaints).toEqual([])
})

it('A lead shows the consents of its number, who used them, and that they are withdrawn', async () => {
  const phoneNumber = '+14155550181'
  const leadId = await addLead(phoneNumber, { consent: { ...agreed, source } })
  await api('PATCH', '/campaigns/demo', { requireConsent: { purpose } })
  const { data } = await api<{ calls: { callId: string }[] }>('POST', '/calls/claim', { campaignId: 'demo' })
  await api('POST', '/calls/report', { calls: [{ callId: data.calls[0]?.callId, outcome: 'busy' }] })
  await api('POST', '/consents', {
    consents: [
      { phoneNumber, purpose: 'surveys', givenAt: agreed.givenAt, expiresAt: '2026-02-01T00:00:00Z' },
    ],
  })
  await api('POST', '/consents/withdraw', { phoneNumber, purpose, reason: 'asked by mail' })

  const { page, complaints } = await openAs('read', { width: 320, scheme: 'dark' })
  await page.goto(`${server.base}/console#/demo/leads/${leadId}`)
  const consents = page.getByRole('list', { name: 'Consents' }).getByRole('listitem')
  await consents.filter({ hasText: 'Withdrawn: phone-offers · asked by mail' }).waitFor()
  const own = consents.filter({ hasText: 'phone-offers (withdrawn) · does not expire' })
  await consents.filter({ hasText: /surveys · expired 1 Feb 2026/ }).waitFor()
  await own.getByText(source.url).waitFor()
  expect(await own.getByText(agreed.text).isVisible()).toBe(false)
  await own.getByText('Text', { exact: true }).click()
  await own.getByText(agreed.text).waitFor()
  await own.getByRole('button', { name: 'Show uses' }).click()
  await own.getByText(/^Used .+ · Busy$/).waitFor()
  await expectFit(page, 'consents of a lead')
  await takePicture(page, 'consents-320-dark')
  expect(complaints).toEqual([])
  await page.close()

  // Where one is required, it is said that there is none.
  const { page: other } = await openAs()
  await other.goto(`${server.base}/console#/demo/leads/${await addLead('+14155550182')}`)
  await other.getByText('No valid consent').waitFor()
  await other.getByText('None.', { exact: true }).waitFor()
})

it('A paused campaign says once what it would do if it were resumed', async () => {
  await addLead('+14155550183', { consent: agreed })
  await api('PATCH', '/campaigns/demo', { paused: true })
  const asked: string[] = []
  const { page, complaints } = await openAs('manage', {
    prepare: async (page) =>
      page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? '')),
  })
  // The withdrawn one of before, and the one without.
  await page.getByText('If you resume: 1 lead can be called now, 2 have no consent.').waitFor()
  await takePicture(page, 'preview-1440-light')
  const rounds = () => asked.filter((name) => name === 'overview').length
  const before = rounds()
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await expect.poll(rounds).toBeGreaterThan(before)
  expect(asked.filter((name) => name === 'preview')).toHaveLength(1)
  await expectFit(page, 'preview')
  await press(page, 'Resume calling')
  await page.getByText('If you resume').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.close()
  const { page: reader } = await openAs('read')
  await goTo(reader, 'Overview')
  expect(await reader.getByText('If you resume').count()).toBe(0)
})

it('The record of a number is looked up page by page, and saved as one file', async () => {
  const phoneNumber = '+14155550184'
  const givenAt = (at: number) => new Date(Date.parse(agreed.givenAt) + at * 1_000).toISOString()
  const consents = Array.from({ length: 120 }, (_, at) => ({ phoneNumber, purpose, givenAt: givenAt(at) }))
  await api('POST', '/consents', { consents })
  await addLead(phoneNumber)
  await api('POST', '/suppressions', { phoneNumbers: [phoneNumber], reason: 'asked' })
  const { page, complaints } = await openAs('manage', { width: 320 })
  await page.getByRole('link', { name: 'Company' }).click()
  await page.getByRole('link', { name: 'Number record' }).click()
  await page.getByLabel('Phone number').fill('12')
  await press(page, 'Look up')
  // In words, not as the API names the field.
  await page
    .getByRole('alert')
    .filter({ hasText: /^(?!.*phoneNumber).*\S/ })
    .waitFor()
  await page.getByLabel('Phone number').fill('+1 (415) 555-0184')
  await press(page, 'Look up')
  await page.getByText(/^The last consent is kept until .+ 20\d\d/).waitFor()
  const rows = page.getByRole('region', { name: `Record of ${phoneNumber}` }).locator('tbody tr')
  expect(await rows.count()).toBe(100)
  expect(await rows.first().textContent()).toMatch(/2026.+Consentphone-offers$/)
  await press(page, 'Show more')
  await expect.poll(() => rows.count()).toBe(122)
  await rows
    .filter({ hasText: 'Added to do-not-callall campaigns · withdraws all consents · asked' })
    .waitFor()
  await expectFit(page, 'record')
  await takePicture(page, 'record-320-light')
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Save as CSV')])
  expect(file.suggestedFilename()).toBe('record-14155550184.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect([lines.length, lines.filter((line) => line.startsWith('\uFEFFat,type')).length]).toEqual([123, 1])
  await page.getByLabel('Phone number').fill('+14155550199')
  await press(page, 'Look up')
  await page.getByText('Nothing is held of +14155550199.').waitFor()
  // The wrong number was refused.
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  await page.close()

  const { page: writer } = await openAs('write')
  await writer.getByRole('link', { name: 'Company' }).click()
  await writer.getByRole('link', { name: 'Do-not-call' }).waitFor()
  expect(await writer.getByRole('link', { name: 'Number record' }).count()).toBe(0)
})

it('Before a consent is required it is said how many leads lack it, and then the overview shows that they are held', async () => {
  await server.addCampaign('requiring')
  const lead = { campaignId: 'requiring', phoneNumber: '+14155550190' }
  await api('POST', '/leads', { ...lead, consent: agreed })
  const lacking = { ...lead, phoneNumber: '+14155550191', scheduledFor: '2099-01-20T08:30:00Z' }
  const { data } = await api<{ leadId: string }>('POST', '/leads', lacking)
  const due = await api<{ leadId: string }>('POST', '/leads', { ...lead, phoneNumber: '+14155550192' })
  const { page, complaints } = await openAs()
  const show = (where: string) => page.evaluate(`location.hash = '#/requiring/${where}'`)
  await show('settings/limits')
  const required = page.getByLabel('Required consent (purpose)')
  await required.fill(purpose)
  await page
    .getByText('2 of 3 leads in the queue have no such consent. Once you save, they are held')
    .waitFor()
  await expectFit(page, 'limits before a consent is required')
  await takePicture(page, 'consent-required-1440-light')
  await required.fill('surveys')
  await page.getByText('3 of 3 leads in the queue have no such consent').waitFor()
  await required.fill('')
  await page.getByText('leads in the queue').waitFor({ state: 'detached' })
  await required.fill(purpose)
  await page.getByText('2 of 3 leads').waitFor()
  await press(page, 'Save')
  await page.getByText('Saved.').waitFor()
  await page.getByText('2 of 3 leads').waitFor({ state: 'detached' })

  await show(`leads/${data.leadId}`)
  await page.getByText('No valid consent').waitFor()
  await page.getByRole('button', { name: 'Call back at…' }).waitFor()
  expect(await page.getByRole('button', { name: 'Call now' }).count()).toBe(0)
  await api('POST', '/consents', { consents: [{ phoneNumber: lacking.phoneNumber, ...agreed }] })
  await page.reload()
  await page.getByRole('button', { name: 'Call now' }).waitFor()

  type Claimed = { calls: { callId: string }[] }
  const claimed = await api<Claimed>('POST', '/calls/claim', {
    campaignId: 'requiring',
    limit: 10,
    agent: 'seat-1',
  })
  const calls = claimed.data.calls.map(({ callId }) => ({ callId, outcome: 'answered' }))
  await api('POST', '/calls/report', { calls })
  await api('DELETE', `/leads/${data.leadId}`)
  await show('overview')
  // What others change is seen with the next round.
  await page.reload()
  await page.getByText('Held: 1 lead has no consent').waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: 'Held: no consent' })
    .getByRole('cell', { name: '1' })
    .waitFor()
  await expectFit(page, 'an overview with held leads')
  await takePicture(page, 'consent-held-1440-light')
  await page.evaluate(`location.hash = '#/'`)
  await page.getByText('Held: 1 lead has no consent').waitFor()
  expect(due.status).toBe(201)
  expect(complaints).toEqual([])
})

it('The person who is about to erase reads what is kept, and afterwards until when', async () => {
  const phoneNumber = '+14155550193'
  const leadId = await addLead(phoneNumber, { consent: agreed })
  const { page, complaints } = await openAs('manage', { width: 390 })
  await page.evaluate(`location.hash = '#/demo/leads/${leadId}'`)
  await press(page, 'Erase…')
  const kept =
    'its consents stay as proof without the number until 5 years after they were given and last used'
  await page.getByText(kept).waitFor()
  await expectFit(page, 'the question before a person is erased')
  await takePicture(page, 'erase-390-light')
  await press(page, 'Erase the person')
  await page.getByText(kept).waitFor()
  await press(page, 'Erase permanently')
  await page.getByText(/^1 consent of the number is kept as proof until .*2031/).waitFor()
  expect(complaints).toEqual([])
})
