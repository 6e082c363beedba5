// The settings of a company that its operator can change: whole numbers, each in the column of its name
// (store/tables.ts). From this table follow the check, the SQL of a change, the answer and the description. Pure.
import { limits } from '../limits.ts'

type CompanySettingRule = { readonly min: number; readonly max: number; readonly default: number }

const table = {
  /** Archived ones included. */
  maxCampaigns: { min: 1, max: limits.campaignsPerCompanyMax, default: limits.campaignsPerCompany },
  /** For so many years after its giving and its last use a consent is kept. */
  consentYears: { min: 0, max: limits.consentYearsMax, default: limits.consentYears },
} as const satisfies Readonly<Record<string, CompanySettingRule>>

export type CompanySetting = keyof typeof table
/** Null: the default. */
export type CompanySettings = Readonly<Record<CompanySetting, number | null>>

const companySettings: Readonly<Record<CompanySetting, CompanySettingRule>> = table
export const companySettingNames = Object.keys(table) as readonly CompanySetting[]

export const bySetting = <Value>(make: (name: CompanySetting, rule: CompanySettingRule) => Value) =>
  Object.fromEntries(
    companySettingNames.map((name) => [name, make(name, companySettings[name])]),
  ) as Readonly<Record<CompanySetting, Value>>
