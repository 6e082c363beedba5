// What creates a lead, and does nothing else: what the client adds to a program is measured on it. It is never run.
import { LeadIntake } from '../../src/sdk/src/lead-intake.ts'

const client = new LeadIntake({ baseUrl: 'https://leads.example.com', apiKey: 'lk_...' })
await client.leads.create({ campaignId: 'demo', phoneNumber: '+14155550123' })
