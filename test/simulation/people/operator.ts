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
