// The operator of the service: companies, their keys, and where they are stored.
import type { Args, drawPlace, Person, Stage } from './person.ts'

const ofCompany = (
  operation: string,
  weight: number,
  says: string,
  bodyOf: (args: Args, stage: Stage) => object | null = () => null,
) => ({
  operations: [operation],
  weight,
  plan: (draws: Parameters<typeof drawPlace>[0], cast: Parameters<typeof drawPlace>[1]) => ({
    company: draws.below(cast.companies.length),
    to: draws.pick(['own', 'shared']),
  }),
  says: ({ company, to }: Args) =>
    `${says} company ${company}${operation === 'moveCompany' ? ` to ${to}` : ''}`,
  async act(args: Args, stage: Stage) {
    const parts = { companyId: stage.cast.companies[args.company]?.id as string }
    const body = bodyOf(args, stage)
    await stage.send({
      operation,
      company: args.company,
      scope: 'operate',
      parts,
      ...(body !== null && { body }),
    })
  },
})

export const operator: Person = {
  name: 'operator',
  deeds: {
    moveCompany: ofCompany('moveCompany', 1, 'moves', ({ to }) => ({ to })),
    abortMove: ofCompany('abortMove', 1, 'aborts the move of'),
    restoreCompany: {
      operations: ['restoreCompany'],
      weight: 3,
      isRare: true,
      plan: (draws, cast) => ({
        company: draws.below(cast.companies.length),
        agoMs: draws.pick([61_000, 120_000, 900_000, 7_200_000]),
      }),
      says: ({ company, agoMs }) => `restores company ${company} to ${agoMs / 60_000} min ago`,
      async act({ company, agoMs }, { cast, send, nowMs }) {
        const confirm = cast.companies[company]?.id as string
        const body = { confirm, to: new Date(nowMs() - agoMs).toISOString() }
        const sending = { operation: 'restoreCompany', company, scope: 'operate', body } as const
        const parts = { companyId: confirm }
        const first = await send({ ...sending, parts })
        if (first === null || first.status === 503) await send({ ...sending, parts })
      },
    },
    updateCompany: ofCompany('updateCompany', 1, 'renames', (_, { action }) => ({
      name: `company ${action}`,
    })),
    createCompanyMember: ofCompany('createCompanyMember', 1, 'adds a member to', (_, { action }) => ({
      ...{ email: `member${action}@example.com`, scope: 'read' },
    })),
    rotateCompanyKey: {
      operations: ['createCompanyKey', 'rotateCompanyKey', 'revokeCompanyKey'],
      weight: 1,
      plan: (draws, cast) => ({ company: draws.below(cast.companies.length) }),
      says: ({ company }) => `creates, rotates and revokes a key of company ${company}`,
      async act({ company }, { cast, send, action }) {
        const companyId = cast.companies[company]?.id as string
        const sending = { company, scope: 'operate' } as const
        const body = { name: `operated ${action}`, scope: 'read' }
        const made = await send({ ...sending, operation: 'createCompanyKey', parts: { companyId }, body })
        if (made?.status !== 201) return
        const { keyId } = made.body.data
        const parts = { companyId, keyId }
        await send({ ...sending, operation: 'rotateCompanyKey', parts, body: { graceSeconds: 60 } })
        await send({ ...sending, operation: 'revokeCompanyKey', parts })
      },
    },
  },
}
