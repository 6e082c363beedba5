// What posts say of calls to their person, as forms, ads and CRMs say it: each case at the URL of a source of Germany
// and the United States. A no suppresses every number beside it, in its campaign alone.
import { expect, it } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import noCases from '../../support/leads/no-cases.json' with { type: 'json' }
import {
  leadsOf,
  navigate,
  newMobile,
  postForm,
  postJson,
  seedSource,
  send,
} from '../../support/sources/source-world.ts'
import { type Campaign, seedCampaign, seedWorld } from '../../support/world.ts'

type Case = {
  readonly name: string
  readonly contentType: string
  readonly body: string
  readonly expect: string
  readonly numbers: readonly string[]
  readonly fields?: object
}

/** On the list of the campaign, or of its company; without the spellings with the zero of national calls. */
async function suppressedIn({ companyId }: { companyId: string }, { number }: Campaign): Promise<string[]> {
  const { results } = await companyDb
    .prepare(
      `select phone_number as number from suppressions where company_id = ?1 and campaign_number in (0, ?2)
       order by phone_number`,
    )
    .bind(companyId, number)
    .all<{ number: string }>()
  return results.map((row) => row.number).filter((number) => !number.startsWith('+490'))
}

/** A refused permission is a no only where the source says so. */
const ofPermissions = ['Elementor: simple, Can we call you? No']

it.each(noCases.posts as readonly Case[])(
  'A post is heard, and by a try, too: $name: $expect',
  async (one) => {
    const { name, contentType, body, numbers, fields } = one
    const own = await seedSource({
      countries: ['DE', 'US'],
      ...(fields && { fields }),
      ...(ofPermissions.includes(name) && { permissions: 'suppress' }),
    })
    const tried = await own.tried(body, contentType)
    const { status } = await send(own.url, { body, headers: { 'content-type': contentType } })
    const leads = (await leadsOf(own.campaign)).map(({ phone }) => phone)
    const suppressed = await suppressedIn(own, own.campaign)
    expect([tried.suppresses, tried.problem !== null]).toEqual([
      one.expect === 'suppressed',
      one.expect === 'refused',
    ])
    expect([status, leads.length]).toEqual([
      one.expect === 'refused' ? 400 : 200,
      one.expect === 'lead' ? 1 : 0,
    ])
    expect(numbers).toEqual(expect.arrayContaining(leads))
    expect(suppressed).toEqual(one.expect === 'suppressed' ? numbers.toSorted() : [])
  },
)

it('A no suppresses all numbers of the post in its campaign, whose leads are called no more, and in no other', async () => {
  const world = await seedWorld()
  const own = await seedSource({}, world)
  const [beside, elsewhere] = [await seedCampaign(world.companyId), await seedWorld()]
  const sibling = await seedSource({}, { ...world, campaign: beside, campaignId: beside.id })
  const stranger = await seedSource({}, elsewhere)
  const [phone, mobile, third] = [newMobile(), newMobile(), newMobile()]
  for (const { url } of [own, sibling, stranger])
    for (const number of [phone, mobile, third]) await postJson(url, { phone: number })
  const answer = await postJson(own.url, {
    phone: 'none',
    a: { mobile, 'work phone': phone },
    no_calls: 'yes',
  })
  expect([answer.status, await suppressedIn(own, own.campaign)]).toEqual([200, [phone, mobile].toSorted()])
  expect(await suppressedIn(sibling, sibling.campaign)).toEqual([])
  expect(await suppressedIn(stranger, stranger.campaign)).toEqual([])
  const heldIn = async ({ campaign }: typeof own) => {
    const { results } = await companyDb
      .prepare('select phone_number as number from leads where campaign_number = ?1 and due_at_ms is null')
      .bind(campaign.number)
      .all<{ number: string }>()
    return results.map(({ number }) => number).toSorted()
  }
  expect(await Promise.all([own, sibling, stranger].map(heldIn))).toEqual([
    [phone, mobile].toSorted(),
    [],
    [],
  ])
})

it('A refused permission is a lead without a consent, named as the last problem, or suppressed where the source says so', async () => {
  const consent = { purpose: 'offers', text: 'Call me.' }
  const own = await seedSource({ consent })
  const strict = await seedSource({ consent, permissions: 'suppress' })
  const plain = await seedSource({ consent })
  const [phone, refused] = [newMobile(), { 'May we call you?': 'no' }]
  for (const source of [own, strict])
    expect((await postJson(source.url, { phone, ...refused })).status).toBe(200)
  await postJson(plain.url, { phone })
  expect(
    await Promise.all([own, strict, plain].map(async (one) => (await leadsOf(one.campaign)).length)),
  ).toEqual([1, 0, 1])
  expect(await Promise.all([own, strict].map((one) => suppressedIn(one, one.campaign)))).toEqual([
    [],
    [phone],
  ])
  const consents = await Promise.all(
    [own, strict, plain].map(({ companyId }) =>
      companyDb
        .prepare('select count(*) as count from consents where company_id = ?1')
        .bind(companyId)
        .first<{ count: number }>(),
    ),
  )
  expect(consents.map((row) => row?.count)).toEqual([0, 0, 1])
  expect((await own.shown('GET')).lastProblem?.message).toBe(
    'a call is not permitted by May we call you?: no consent is stored',
  )
  expect((await plain.shown('GET')).lastProblem).toBeNull()
  const trials = await Promise.all([own, strict, plain].map((one) => one.tried({ phone, ...refused })))
  expect(trials.map(({ consent: isGiven, suppresses }) => [isGiven, suppresses])).toEqual([
    [false, false],
    [false, true],
    [false, false],
  ])
})

it('A no of whom no number can be read is refused everywhere with the words that it was one', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const said = { phone: 'unknown', do_not_call: 'yes' }
  const words =
    /^phoneNumber has letters.*: the post says do-not-call, and no number in it can be suppressed$/
  const answer = await postJson(own.url, said)
  expect([answer.status, answer.error]).toEqual([400, expect.stringMatching(words)])
  expect((await own.tried(said)).problem?.message).toMatch(words)
  expect((await own.shown('GET')).lastProblem?.message).toMatch(words)
  expect((await other.shown('GET')).lastProblem).toBeNull()
  const page = await postForm(own.url, said, navigate)
  expect([page.status, page.text]).toEqual([400, expect.stringMatching(/keep it from being called.*go back/)])
  expect([await leadsOf(own.campaign), await suppressedIn(own, own.campaign)]).toEqual([[], []])
})
