// The catalogue's entries of erasing: one lead, and a person in all campaigns.
import { newPhone, seedLead } from '../world.ts'
import { callBeside } from './calls.ts'
import { type Endpoint, scopesOf, withFields, withHeaders } from './endpoint.ts'
import { neverGiven, noId, notAnObject } from './mistakes.ts'

const eraseLead: Endpoint = {
  name: 'eraseLead',
  method: 'DELETE',
  path: '/api/v1/leads/:leadId',
  scopes: scopesOf.manage,
  actsOn: 'lead',
  limit: 1000,
  success: 200,
  request: async ({ campaign }) => ({ path: `/api/v1/leads/${await seedLead(campaign)}` }),
  alsoSucceeds: {
    'that is being called': async (world) => ({
      path: `/api/v1/leads/${(await callBeside(world)).call.lead._id}`,
    }),
    'that is as it was read': async (world) =>
      withHeaders({ 'if-match': '"1"' })(await eraseLead.request(world)),
  },
  invalid: [],
  conflicts: [
    neverGiven,
    {
      name: 'a version that it has not any more',
      said: [412, 'Lead has changed since', 'precondition_failed'],
      change: withHeaders({ 'if-match': '"2"' }),
    },
  ],
  alsoFails: [noId],
}

const either = 'phoneNumber or leadId is required, and not both'

const erasePerson: Endpoint = {
  name: 'erasePerson',
  method: 'POST',
  path: '/api/v1/erasures',
  scopes: scopesOf.manage,
  actsOn: 'company',
  limit: 1000,
  maxBytes: 64 * 1024,
  success: 200,
  request: () => ({ path: '/api/v1/erasures', body: { phoneNumber: newPhone() } }),
  alsoSucceeds: {
    'by a lead of theirs': async ({ campaign }) => ({
      path: '/api/v1/erasures',
      body: { leadId: await seedLead(campaign), suppress: false },
    }),
  },
  invalid: [
    notAnObject,
    { message: 'phoneNumber must be in E.164 format', change: withFields({ phoneNumber: '4155550123' }) },
    {
      message: 'phoneNumber must be a string in E.164 format',
      change: withFields({ phoneNumber: 4155550123 }),
    },
    { message: 'supress is not known', change: withFields({ supress: false }) },
    { message: 'supress is not known', change: withFields({ supress: null }) },
    { message: 'A member is not known', change: withFields({ 'no name': 1 }) },
    { message: 'leadId must be a string', change: withFields({ leadId: 42 }) },
    { message: 'leadId must not be empty', change: withFields({ leadId: '' }) },
    { message: 'suppress must be true or false', change: withFields({ suppress: 'yes' }) },
    { message: either, change: withFields({ phoneNumber: undefined }) },
    { message: either, change: withFields({ leadId: 'x' }) },
  ],
  conflicts: [],
  alsoFails: [
    {
      name: 'a lead that is not there',
      said: [404, 'Lead not found', 'lead_not_found'],
      change: (sent) => ({ ...sent, body: { leadId: '0'.repeat(36) } }),
    },
  ],
}

export const erasureEndpoints = [eraseLead, erasePerson]
