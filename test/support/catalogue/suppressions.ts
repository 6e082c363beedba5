// The catalogue's entries of suppressions, of the company and of one campaign: listed, added, removed.
import { newPhone, newPhones, seedCampaign } from '../world.ts'
import { agentBeside, callBeside } from './calls.ts'
import { type Endpoint, type Flaw, scopesOf, type World, withFields, withQuery } from './endpoint.ts'
import {
  almostKnown,
  emptyCampaign,
  givenTwice,
  invalidQuery,
  notAnObject,
  notStorable,
  tooLongCampaign,
  unknownMembers,
} from './mistakes.ts'

const path = '/api/v1/suppressions'
const said403 = [403, 'Campaign not found or access denied', 'campaign_denied'] as const

async function withSuppressed(world: World, query: Readonly<Record<string, string>>) {
  const agent = await agentBeside(world)
  await agent.suppress(newPhones(2), { reason: 'asked by mail' })
  await agent.suppress([newPhone()], { campaignId: agent.campaignId })
  return withQuery(query)({ path })
}

const listSuppressions: Endpoint = {
  name: 'listSuppressions',
  method: 'GET',
  path,
  scopes: scopesOf.read,
  actsOn: 'company',
  limit: 1000,
  success: 200,
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
  conflicts: [
    {
      name: 'a campaign that is denied',
      said: said403,
      change: withQuery({ campaignId: 'no-such-campaign' }),
    },
  ],
  alsoFails: [],
}

const numbersRequest = () => ({ path, body: { phoneNumbers: [newPhone()] } })

const wrongNumbers = [
  notAnObject,
  { message: 'phoneNumbers array is required', change: withFields({ phoneNumbers: '+4915112345678' }) },
  { message: 'phoneNumbers array cannot be empty', change: withFields({ phoneNumbers: [] }) },
  {
    message: 'Maximum 1000 phone numbers per request',
    change: withFields({ phoneNumbers: Array(1001).fill('+4915112345678') }),
  },
  { message: emptyCampaign, change: withFields({ campaignId: '' }) },
  { message: tooLongCampaign, change: withFields({ campaignId: 'x'.repeat(129) }) },
]
const numbersNotE164 = [
  {
    message: 'phoneNumbers[1] must be in E.164 format',
    change: withFields({ phoneNumbers: ['+4915112345678', '4155550123'] }),
  },
  {
    message: 'phoneNumbers[1] must be a string in E.164 format',
    change: withFields({ phoneNumbers: ['+4915112345678', 4155550123] }),
  },
]

const campaignDenied: Flaw = {
  name: 'a campaign that is denied',
  said: said403,
  change: withFields({ campaignId: 'no-such-campaign' }),
}

/** What it costs grows with numbers and campaigns (D57). */
const tooMany: Flaw = {
  name: 'too many numbers for so many campaigns',
  said: [400, 'phoneNumbers times campaigns of the company must be at most 100000', 'invalid_field'],
  async change(sent, { companyId }) {
    await Promise.all(Array.from({ length: 100 }, () => seedCampaign(companyId)))
    return withFields({ phoneNumbers: newPhones(1000) })(sent)
  },
}

const suppressNumbers: Endpoint = {
  name: 'suppressNumbers',
  method: 'POST',
  path,
  scopes: scopesOf.write,
  actsOn: 'company',
  limit: 1000,
  maxBytes: 64 * 1024,
  success: 200,
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
    {
      message: 'reason must be a string of at most 255 characters',
      change: withFields({ reason: 'x'.repeat(256) }),
    },
    { message: notStorable('reason'), change: withFields({ reason: '\0' }) },
    ...unknownMembers,
    ...numbersNotE164,
  ],
  conflicts: [campaignDenied],
  alsoFails: [tooMany],
}

const liftSuppressions: Endpoint = {
  name: 'liftSuppressions',
  method: 'DELETE',
  path,
  scopes: scopesOf.manage,
  actsOn: 'company',
  limit: 1000,
  maxBytes: 64 * 1024,
  success: 200,
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
    { message: 'reason is not a member', change: withFields({ reason: 'asked' }) },
    ...unknownMembers,
    ...numbersNotE164,
  ],
  conflicts: [campaignDenied],
  alsoFails: [tooMany],
}

export const suppressionEndpoints = [listSuppressions, suppressNumbers, liftSuppressions]
