// The catalogue's entries of suppressions, of the company and of one campaign: listed, added, removed.
import { newPhone, newPhones, seedCampaign } from '../world.ts'
import { agentBeside, callBeside } from './calls.ts'
import { endpoint, type Flaw, scopesOf, type World, withFields, withQuery } from './endpoint.ts'
import {
  almostKnown,
  campaignDenied,
  emptyCampaign,
  givenTwice,
  invalidBody,
  invalidQuery,
  notAnObject,
  notStorable,
  tooLongCampaign,
  unknownMembers,
} from './mistakes.ts'

const path = '/api/v1/suppressions'

async function withSuppressed(world: World, query: Readonly<Record<string, string>>) {
  const agent = await agentBeside(world)
  await agent.suppress(newPhones(2), { reason: 'asked by mail' })
  await agent.suppress([newPhone()], { campaignId: agent.campaignId })
  return withQuery(query)({ path })
}

const listSuppressions = endpoint({
  name: 'listSuppressions',
  method: 'GET',
  path,
  scopes: scopesOf.read,
  actsOn: 'company',
  request: () => ({ path }),
  alsoSucceeds: {
    'with numbers': (world) => withSuppressed(world, {}),
    'that is a page': (world) => withSuppressed(world, { limit: '1' }),
    'of one campaign': async (world) => ({
      path,
      query: { campaignId: (await agentBeside(world)).campaignId },
    }),
  },
  invalid: [
    invalidQuery(emptyCampaign, { campaignId: '' }),
    invalidQuery(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '0' }),
    invalidQuery('cursor is not valid', { cursor: 'next' }),
    ...['campaignId', 'limit', 'cursor'].map(givenTwice),
    almostKnown('campaign_id', 'campaignId'),
  ],
  conflicts: [{ ...campaignDenied, change: withQuery({ campaignId: 'no-such-campaign' }) }],
})

const numbersRequest = () => ({ path, body: { phoneNumbers: [newPhone()] } })

const wrongNumbers = [
  notAnObject,
  invalidBody('phoneNumbers array is required', { phoneNumbers: '+4915112345678' }),
  invalidBody('phoneNumbers array cannot be empty', { phoneNumbers: [] }),
  invalidBody('Maximum 1000 phone numbers per request', { phoneNumbers: Array(1001).fill('+4915112345678') }),
  invalidBody(emptyCampaign, { campaignId: '' }),
  invalidBody(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
]
const numbersNotE164 = [
  invalidBody('phoneNumbers[1] must be in E.164 format', { phoneNumbers: ['+4915112345678', '4155550123'] }),
  invalidBody('phoneNumbers[1] must be a string in E.164 format', {
    phoneNumbers: ['+4915112345678', 4155550123],
  }),
]

/** What it costs grows with numbers and campaigns (D57). */
const tooMany: Flaw = {
  name: 'too many numbers for so many campaigns',
  said: [400, 'phoneNumbers times campaigns of the company must be at most 100000', 'invalid_field'],
  async change(sent, { companyId }) {
    await Promise.all(Array.from({ length: 100 }, () => seedCampaign(companyId)))
    return withFields({ phoneNumbers: newPhones(1000) })(sent)
  },
}

const suppressNumbers = endpoint({
  name: 'suppressNumbers',
  method: 'POST',
  path,
  scopes: scopesOf.write,
  actsOn: 'company',
  maxBytes: 64 * 1024,
  request: numbersRequest,
  alsoSucceeds: {
    'in one campaign, of a number that is being called': async (world) => {
      const { agent, call } = await callBeside(world)
      const body = { phoneNumbers: [call.lead.phoneNumber], campaignId: agent.campaignId, reason: 'asked' }
      return { path, body }
    },
  },
  invalid: [
    ...wrongNumbers,
    invalidBody('reason must be a string of at most 255 characters', { reason: 'x'.repeat(256) }),
    invalidBody(notStorable('reason'), { reason: '\0' }),
    ...unknownMembers,
    ...numbersNotE164,
  ],
  conflicts: [campaignDenied],
  alsoFails: [tooMany],
})

const liftSuppressions = endpoint({
  name: 'liftSuppressions',
  method: 'DELETE',
  path,
  scopes: scopesOf.manage,
  actsOn: 'company',
  maxBytes: 64 * 1024,
  request: numbersRequest,
  alsoSucceeds: {
    'of one campaign': async (world) => {
      const agent = await agentBeside(world)
      const { phoneNumber } = await agent.add()
      const body = { phoneNumbers: [phoneNumber], campaignId: agent.campaignId }
      await agent.suppress([phoneNumber], { campaignId: agent.campaignId })
      return { path, body }
    },
  },
  invalid: [
    ...wrongNumbers,
    invalidBody('reason is not a member', { reason: 'asked' }),
    ...unknownMembers,
    ...numbersNotE164,
  ],
  conflicts: [campaignDenied],
  alsoFails: [tooMany],
})

export const suppressionEndpoints = [listSuppressions, suppressNumbers, liftSuppressions]
