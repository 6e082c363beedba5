// Parses and checks the bodies and queries of requests about members.
import * as z from 'zod/mini'
import { memberScopes } from '../../base/access/scope.ts'
import { judge, mapReading, type Reading } from '../../base/http/reading.ts'
import { flag, members, oneOf, problem, query, requiredText, withoutEmpty } from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { displayName } from '../../queue/campaigns/settings-input.ts'
import { campaignId, emptyCampaignId } from '../../queue/leads/fields.ts'
import { emailForm, isPlainEmail, looksLikeAnother, lowerEmail } from './email.ts'
import type { MemberChange, NewMember } from './store/members.ts'

const invalidEmail = `email must be an e-mail address of at most ${limits.emailMaxChars} characters`
const similarEmail = 'email must not hold letters that look like those of another alphabet'

export const email = requiredText('email is required', invalidEmail).check(
  z.maxLength(limits.emailMaxChars, invalidEmail),
  z.regex(emailForm, invalidEmail),
  problem((text) => (isPlainEmail(text) ? (looksLikeAnother(text) ? similarEmail : null) : invalidEmail)),
)

const scope = oneOf('scope', memberScopes)

export const createMemberBody = members({
  email,
  scope,
  campaignId: z.nullish(campaignId(emptyCampaignId)),
  name: z.nullish(displayName),
})

export const changeMemberBody = members({
  scope: z.optional(scope),
  campaignId: z.nullish(campaignId(emptyCampaignId)),
  name: z.nullish(displayName),
})

export const changeMemberQuery = query({ withCreated: flag('withCreated') })
export const removeMemberQuery = query({ withCreated: flag('withCreated'), erase: flag('erase') })

export const readCreateMember = (json: string): Reading<NewMember> =>
  mapReading(
    judge(createMemberBody, withoutEmpty(JSON.parse(json), ['campaignId'])),
    ({ email: sent, scope, campaignId: id, name }) => ({
      email: lowerEmail(sent),
      scope,
      campaignId: id ?? null,
      name: name ?? null,
    }),
  )

export const readChangeMember = (json: string): Reading<MemberChange> =>
  judge(changeMemberBody, JSON.parse(json)) as Reading<MemberChange>
