// What becomes of a post of each maker: a body with its structure and values of ours (source-samples/), read as a
// source reads it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRow } from '../../src/channels/sources/read-row.ts'
import type { SourceSettings } from '../../src/channels/sources/source-settings.ts'

const dir = join(import.meta.dirname, 'source-samples')
const types: Readonly<Record<string, string>> = {
  txt: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data; boundary=x',
}

type Sample = {
  /** Where the number stands. */
  readonly from: string
  /** What the page of the maker says to set. */
  readonly fields?: SourceSettings['fields']
  /** Some of the metadata. */
  readonly metadata: Readonly<Record<string, string>>
  readonly leftOut?: readonly string[]
  /** Where its structure is documented, and when that was read. */
  readonly source?: string
}

/** Of a post that is no lead. */
type Refused = Required<Pick<Sample, 'source'>> & { readonly problem: string }

const name = 'Ada Lovelace'
const samples: Readonly<Record<string, Sample>> = {
  'html-form.txt': { from: 'phone', metadata: { name, 'call-me': 'yes' } },
  'elementor.txt': { from: 'Phone', metadata: { Name: name, form_name: 'Contact' } },
  'elementor-advanced.txt': {
    from: 'fields.Phone',
    metadata: { 'fields.Name': name, 'form.name': 'Contact', 'meta.Date': '26.11.2026' },
    leftOut: ['fields.Phone.raw_value', 'fields.Phone.type'],
  },
  'contact-form-7.json': {
    ...{ from: 'your-phone', fields: { phoneNumber: 'your-phone' } },
    metadata: { 'your-name': name, 'your-message': 'Hello' },
  },
  'wpforms.json': { from: 'phone', metadata: { name } },
  'gravity-forms.json': {
    ...{ from: '3', fields: { phoneNumber: '3', externalId: 'id' } },
    metadata: { '1.3': 'Ada', form_id: '3' },
  },
  'webflow.json': { from: 'payload.data.Phone number', metadata: { 'payload.data.Name': name } },
  'typeform.json': {
    from: 'form_response.answers.c3a9f1d2-ab12',
    metadata: {
      'form_response.answers.name': name,
      'form_response.answers.agreed': 'true',
      'form_response.answers.times.labels': 'Morning, Evening',
    },
    leftOut: ['form_response.definition', 'form_response.token'],
  },
  'tally.json': {
    from: 'data.fields.Where do we reach you?',
    metadata: { 'data.fields.Name': name, 'data.fields.Times': 'a1, b2' },
    leftOut: ['data.fields.Times.options', 'data.fields.Company'],
  },
  'jotform.multipart': {
    ...{ from: 'rawRequest.q4_phoneNumber.full', fields: { phoneNumber: 'rawRequest.q4_phoneNumber.full' } },
    metadata: {
      'rawRequest.q3_name.first': 'Ada',
      'rawRequest.q5_times': 'Morning, Evening',
      formTitle: 'Call me',
    },
  },
  'google-ads.json': {
    from: 'user_column_data.PHONE_NUMBER',
    metadata: { 'user_column_data.FULL_NAME': name, is_test: 'false' },
    leftOut: ['google_key', 'user_column_data.PHONE_NUMBER.column_name'],
  },
  'hubspot.json': {
    from: 'properties.phone',
    metadata: { 'properties.firstname': 'Ada', 'identity-profiles.0.identities.0': 'ada@example.com' },
    leftOut: ['properties.phone.versions'],
  },
  'gohighlevel.json': {
    ...{ from: 'phone', fields: { externalId: 'contact_id' } },
    metadata: { full_name: name, 'customData.crm_id': 'ghl-51' },
  },
  'zoho.txt': { from: 'mobile', fields: { externalId: 'lead_id' }, metadata: { last_name: 'Lovelace' } },
  'pipedrive.json': {
    ...{ from: 'data.phones.work', fields: { phoneNumber: 'data.phones.work', externalId: 'data.id' } },
    metadata: { 'data.name': name, 'data.emails.work': 'ada@example.com' },
  },
  'pipedrive-automation.json': { from: 'phone', fields: { externalId: 'person_id' }, metadata: { name } },
  // With the numbers of a user and of the location.
  'gohighlevel-user.json': {
    ...{ from: 'phone', metadata: { full_name: name, 'user.phone': '+491717654321' } },
    source:
      'as gohighlevel.json, with the phone that a user and a location may have; no page of the maker has it',
  },
  'hubspot-workflow.json': {
    from: 'properties.hs_calculated_phone_number',
    metadata: { 'associated-company.properties.phone': '+493012345678' },
    leftOut: ['properties.phone.versions'],
    source:
      'the contact of hubspot.json with all its members; knowledge.hubspot.com, webhooks in workflows, read 2026-11-29',
  },
  'hasura.json': {
    ...{ from: 'event.data.new.phone', metadata: { 'event.data.old.phone': '+491717654321' } },
    source: 'hasura.io/docs/latest/event-triggers/payload, read 2026-11-29',
  },
  'supabase.json': {
    ...{ from: 'record.phone', metadata: { 'old_record.phone': '+491717654321' } },
    source: 'supabase.com/docs/guides/database/webhooks, read 2026-11-29',
  },
  'mautic.json': {
    from: 'mautic.lead_post_save_new.0.lead.fields.core.Mobile',
    metadata: { 'mautic.lead_post_save_new.0.lead.fields.core.First Name': name },
    source:
      'the envelope: github.com/mautic/mautic/issues/5119, read 2026-11-29; no page of the maker has the fields',
  },
  'airtable.json': {
    ...{ from: 'fields.Phone', fields: { externalId: 'id' }, metadata: { 'fields.Name': name } },
    source: 'api-evangelist/airtable, schema of a record, read 2026-11-29',
  },
  'calendly.json': {
    ...{ from: 'payload.questions_and_answers.Phone Number', metadata: { 'payload.name': name } },
    source: 'developer.calendly.com/docs/webhooks/overview, read 2026-11-29',
  },
  'tiktok.json': {
    ...{ from: 'entry.0.changes.phone_number', metadata: { 'entry.0.changes.name': name } },
    source:
      'receivers of entry.changes of field and value in public code, read 2026-11-29; no page of the maker',
  },
  'dynamics.json': {
    from: 'InputParameters.Target.Attributes.telephone1',
    metadata: { 'InputParameters.Target.Attributes.fullname': name },
    source: 'learn.microsoft.com/power-apps/developer/data-platform/use-webhooks, read 2026-11-29',
  },
  'shopify.json': {
    ...{ from: 'customer.phone', metadata: { 'billing_address.phone': '0171 1234567' } },
    source: 'docs.bird.com, checkout events from Shopify, read 2026-11-29; no page of the maker was found',
  },
}

const ofDeletion = 'this post tells of a deletion'
const ofSeveral = 'this post holds several people: send each alone'
const refused: Readonly<Record<string, Refused>> = {
  'gohighlevel-delete.json': {
    problem: ofDeletion,
    source: 'marketplace.gohighlevel.com/docs/2023-02-21/webhook/ContactDelete, read 2026-11-29',
  },
  'hasura-delete.json': {
    problem: ofDeletion,
    source: 'hasura.io/docs/latest/event-triggers/payload, read 2026-11-29',
  },
  'supabase-delete.json': {
    problem: ofDeletion,
    source: 'supabase.com/docs/guides/database/webhooks, read 2026-11-29',
  },
  'pipedrive-deleted.json': {
    problem: ofDeletion,
    source:
      'pipedrive.readme.io/docs/list-of-webhooks (v1) and its changelog of August 2019, read 2026-11-29',
  },
  'calendly-canceled.json': {
    problem: ofDeletion,
    source: 'developer.calendly.com, guide to canceled invitees and their payload, read 2026-11-29',
  },
  'mautic-batch.json': {
    problem: ofSeveral,
    source:
      'the envelope: github.com/mautic/mautic/issues/5119, read 2026-11-29; no page of the maker has the fields',
  },
  'airtable-list.json': {
    problem: ofSeveral,
    source: 'api-evangelist/airtable, schema of a record, in a list as its API answers, read 2026-11-29',
  },
}

async function readSample(file: string, fields: SourceSettings['fields'] = {}) {
  const source: SourceSettings = {
    ...{ name: 'Form', countries: ['DE'], nationalCountry: 'DE', timeZones: {}, fields, ignored: [] },
    ...{ consent: null, notDoNotCall: [], permissions: 'keep', onExisting: 'keep' },
    ...{ redirectUrl: null, enabled: true },
  }
  // Line ends as a form with parts has them.
  const text = readFileSync(join(dir, file), 'utf8').trimEnd()
  const body = file.endsWith('.multipart') ? text.replaceAll('\n', '\r\n') : text
  const type = types[file.split('.').at(-1) as string] as string
  return readRow(source, type, new TextEncoder().encode(body).buffer as ArrayBuffer)
}

it.each(Object.entries(samples))('A post of a maker becomes a lead: %s', async (file, sample) => {
  const row = await readSample(file, sample.fields)
  expect(row.problem).toBeNull()
  expect(row.phoneNumber).toEqual({ from: sample.from, value: '+491711234567' })
  expect(Object.keys(row.fields)).toEqual(
    Object.keys(sample.fields ?? {}).filter((field) => field !== 'phoneNumber'),
  )
  expect(row.metadata).toMatchObject(sample.metadata)
  expect(row.leftOut).toEqual(expect.arrayContaining([...(sample.leftOut ?? [])]))
  expect(JSON.stringify(row.metadata)).not.toContain('only-we-two-know')
})

it.each(Object.entries(refused))('A post of a maker is no lead: %s', async (file, { problem }) => {
  const row = await readSample(file)
  expect([row.phoneNumber, row.problem?.message]).toEqual([null, problem])
})

it('Each sample of a source has its line, and each system its page', () => {
  expect([...Object.keys(samples), ...Object.keys(refused)].toSorted()).toEqual(readdirSync(dir).toSorted())
})
