// The country that a row or a post says beside its number: a code, a name in eight languages, or a dial code. Large, by
// the rules of phone numbers.
import { normalize } from '../columns.ts'
import { countryNameRank, countryNameRanks, type SaidCountry } from '../names/country-names.ts'
import { allCountries, type CountryCode, countriesOfCode, countryOf } from './phone-cell.ts'

/** `countries`: of a dial code there may be several, its main one first; none: what is said names two that differ. */
export type StatedCountry = { readonly said: string; readonly countries: readonly CountryCode[] }

const folded = (name: string) => normalize(name).replaceAll(' ', '')
/** Two letters of ISO 3166-1 and its three. */
const threeLetters = new Map(
  `ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL
  BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD
  CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK
  DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD
  GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GTGTM GUGUM GWGNB GYGUY HKHKG HNHND HRHRV HTHTI
  HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR
  KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR
  MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI
  MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF
  PGPNG PHPHL PKPAK PLPOL PMSPM PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC
  SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA
  TDTCD TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA USUSA UYURY UZUZB
  VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE`
    .split(/\s+/)
    .map((codes) => [codes.slice(2), codes.slice(0, 2)]),
)
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl']
const otherNames: readonly (readonly [name: string, code: CountryCode])[] = [
  ...(['UK', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'] as const).map(
    (name) => [name, 'GB'] as const,
  ),
  ['United States of America', 'US'],
  ['Holland', 'NL'],
  ['Czech Republic', 'CZ'],
  ['Turkey', 'TR'],
]

/** By folded name; null: it is of two. Made when it is needed: few posts have a name. */
let names: Map<string, CountryCode | null> | undefined
function countryNamed(name: string): CountryCode | null {
  if (names === undefined) {
    names = new Map()
    for (const language of languages)
      for (const style of ['long', 'short'] as const) {
        const inLanguage = new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style })
        for (const code of allCountries) addName(names, inLanguage.of(code) ?? '', code)
      }
    for (const [other, code] of otherNames) names.set(folded(other), code)
  }
  return names.get(folded(name)) ?? null
}

function addName(to: Map<string, CountryCode | null>, name: string, code: CountryCode): void {
  const key = folded(name)
  const before = to.get(key)
  to.set(key, before === undefined || before === code ? code : null)
}

/** Reads two or three letters, also `U.S.`. */
function countryCoded(text: string): CountryCode | null {
  if (!/^\p{L}\.?\s?\p{L}(?:\.?\s?\p{L})?\.?$/u.test(text)) return null
  const letters = text.replace(/[^\p{L}]/gu, '').toUpperCase()
  return countryOf(threeLetters.get(letters) ?? letters)
}

/** Of North America's, which may have an area code with it, all countries. */
function countriesDialled(digits: string): StatedCountry | null {
  const code = digits.replace(/^1\d{3}$/, '1')
  const countries = countriesOfCode(code)
  return countries.length === 0 ? null : { said: `+${code}`, countries }
}

/** Null: it says nothing. */
function statedCountry(value: string): StatedCountry | null {
  const text = value.normalize('NFKC').trim()
  if (text === '' || text.length > mostChars) return null
  const alone = countryCoded(text) ?? countryNamed(text)
  if (alone !== null) return { said: alone, countries: [alone] }
  const [, name = '', mark = '', digits = ''] =
    /^(.*?)[\s(,:-]*(\+|(?<!\d)00)?(\d[\d -]{0,5})\)?$/u.exec(text) ?? []
  const dialled = countriesDialled(digits.replace(/\D/g, ''))
  if (dialled === null || (name !== '' && mark === '')) return null
  const named = countryCoded(name) ?? countryNamed(name)
  return named === null ? dialled : together([{ said: named, countries: [named] }, dialled])
}
const mostChars = 80

/** What several say of one number; null: nothing. */
export function countryBeside(said: SaidCountry): StatedCountry | null {
  for (let rank = 0; rank < countryNameRanks; rank++) {
    const stated = said.flatMap(([name, value]) =>
      countryNameRank(name) === rank ? (statedCountry(value) ?? []) : [],
    )
    if (stated.length > 0) return together(stated)
  }
  return null
}

function together(stated: readonly StatedCountry[]): StatedCountry {
  const [first, ...others] = stated.toSorted((one, other) => one.countries.length - other.countries.length)
  const { said, countries } = first as StatedCountry
  const common = countries.filter((code) => others.every((other) => other.countries.includes(code)))
  return { said: common.length > 0 ? said : stated.map((one) => one.said).join(' and '), countries: common }
}
