// Somebody who reads: every list and page that there is, while everything else happens.
import {
  type Args,
  campaignIdAt,
  drawPlace,
  latest,
  numberAt,
  type Person,
  type Scope,
  type Stage,
} from './person.ts'

type Read = {
  readonly scope: Scope
  readonly parts?: (args: Args, stage: Stage) => Record<string, string> | null
  readonly query?: (args: Args, stage: Stage) => Record<string, string | number>
  readonly body?: (args: Args, stage: Stage) => object
}

const ofCampaign = (args: Args, { cast }: Stage) => ({ campaignId: campaignIdAt(cast, args) })
const ofNumber = (args: Args, { cast }: Stage) => ({ phoneNumber: numberAt(cast, args) })
const ofCompany = ({ company }: Args, { cast }: Stage) => ({
  companyId: cast.companies[company]?.id as string,
})
const ofLead = ({ which, company }: Args, { known }: Stage) => {
  const lead = latest(
    known.leads.filter((one) => one.company === company),
    which,
  )
  return lead === undefined ? null : { leadId: lead.leadId }
}

const inCampaign = { scope: 'read', parts: ofCampaign } as const
const alone = { scope: 'read' } as const
const managed = { scope: 'manage' } as const
const operated = { scope: 'operate', parts: ofCompany } as const

const statistics = [{}, { bucket: 'day' }, ...['outcome', 'agent', 'hour', 'day'].map((by) => ({ by }))]

const reads: Readonly<Record<string, Read>> = {
  ...{
    getCampaign: inCampaign,
    getOverview: inCampaign,
    previewCampaign: inCampaign,
    getStatistics: { ...inCampaign, query: ({ which }) => statistics[which % statistics.length] ?? {} },
    listCallsOfCampaign: inCampaign,
  },
  ...{ listSuppressions: alone, listEvents: alone, getOwnKey: alone, listDialerPresets: alone },
  ...{ listKeys: managed, listMembers: managed, listWebhooks: managed, listActivity: managed },
  diagnose: managed,
  ...{ getCompany: operated, listCompanyKeys: operated, getMove: operated },
  ...{ checkHealth: alone, checkHealthBriefly: alone, listCompanies: { scope: 'operate' } },
  listCampaigns: { scope: 'read', query: ({ which }) => (which % 2 === 0 ? {} : { include: 'overview' }) },
  getDialer: { scope: 'manage', parts: ofCampaign },
  readDialerTrace: { scope: 'manage', parts: ofCampaign },
  listSources: { scope: 'manage', parts: ofCampaign },
  getLead: { scope: 'read', parts: ofLead },
  explainLead: { scope: 'read', parts: ofLead },
  listCallsOfLead: { scope: 'read', parts: ofLead },
  listLeads: { scope: 'read', query: ofCampaign },
  searchLeads: {
    scope: 'read',
    query: (args, stage) => ({
      q: numberAt(stage.cast, args).slice(0, args.which % 2 ? 8 : 16),
    }),
  },
  searchConsents: { scope: 'read', body: ofNumber },
  readRecord: { scope: 'manage', body: ofNumber },
}

export const reader: Person = {
  name: 'reader',
  deeds: {
    read: {
      operations: Object.keys(reads),
      weight: 4,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        operation: draws.pick(Object.keys(reads)),
        which: draws.below(20),
      }),
      says: (args) => `reads ${args.operation} of company ${args.company}, campaign ${args.campaign}`,
      async act(args, stage) {
        const { scope, parts, query, body } = reads[args.operation] as Read
        const named = parts?.(args, stage) ?? {}
        if (parts !== undefined && Object.keys(named).length === 0) return
        await stage.send({
          ...{ operation: args.operation, company: args.company, scope, parts: named },
          ...(query !== undefined && { query: query(args, stage) }),
          ...(body !== undefined && { body: body(args, stage) }),
        })
      },
    },
  },
}
