// The catalogue's entries of erasing: one lead, and a person in all campaigns.
import { newPhone, seedLead } from '../world.ts'
import { callBeside } from './calls.ts'
import { type Endpoint, endpoint, scopesOf, withHeaders } from './endpoint.ts'
import { invalidBody, neverGiven, noId, notAnObject } from './mistakes.ts'

const eraseLead: Endpoint = endpoint({
  name: 'eraseLead',
  method: 'DELETE',
  path: '/api/v1/leads/:leadId',
  scopes: scopesOf.manage,
  actsOn: 'lead',
  request: async ({ campaign }) => ({ path: `/api/v1/leads/${await seedLead(campaign)}` }),
  alsoSucceeds: {
    'that is being called': async (world) => ({
      path: `/api/v1/leads/${(await callBeside(world)).call.lead._id}`,
    }),
    'that is as it was read': async (world) =>
      withHeaders({ 'if-match': '"1"' })(await eraseLead.request(world)),
  },
  conflicts: [
    neverGiven,
    {
      name: 'a version that it has not any more',
      said: [412, 'Lead has changed since', 'precondition_failed'],
      change: withHeaders({ 'if-match': '"2"' }),
    },
  ],
  alsoFails: [noId],
})

const either = 'phoneNumber or leadId is required, and not both'

const erasePerson = endpoint({
  name: 'erasePerson',
  method: 'POST',
  path: '/api/v1/erasures',
  scopes: scopesOf.manage,
  actsOn: 'company',
  maxBytes: 64 * 1024,
  request: () => ({ path: '/api/v1/erasures', body: { phoneNumber: newPhone() } }),
  alsoSucceeds: {
    'by a lead of theirs': async ({ campaign }) => ({
      path: '/api/v1/erasures',
      body: { leadId: await seedLead(campaign), suppress: false },
    }),
  },
  invalid: [
    notAnObject,
    invalidBody('phoneNumber must be in E.164 format', { phoneNumber: '4155550123' }),
    invalidBody('phoneNumber must be a string in E.164 format', { phoneNumber: 4155550123 }),
    invalidBody('supress is not known', { supress: false }),
    invalidBody('supress is not known', { supress: null }),
    invalidBody('A member is not known', { 'no name': 1 }),
    invalidBody('leadId must be a string', { leadId: 42 }),
    invalidBody('leadId must not be empty', { leadId: '' }),
    invalidBody('suppress must be true or false', { suppress: 'yes' }),
    invalidBody(either, { phoneNumber: undefined }),
    invalidBody(either, { leadId: 'x' }),
  ],
  alsoFails: [
    {
      name: 'a lead that is not there',
      said: [404, 'Lead not found', 'lead_not_found'],
      change: (sent) => ({ ...sent, body: { leadId: '0'.repeat(36) } }),
    },
  ],
})

export const erasureEndpoints = [eraseLead, erasePerson]
