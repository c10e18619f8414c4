import type { BrandMarkup } from '@passerelle/contracts/http/admin'
import { deriveBrand } from '@passerelle/contracts/rules/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it } from 'vitest'
import { mergeRecords, toReadOn } from './audit-list.ts'
import { auditWords } from './audit-words.ts'
import { type BrandFields, brandResolver, fieldAt, fieldsOf, inputOf, tabOf } from './brand-form.ts'
import { legibilityOf, paletteOf, unreadable } from './legibility.ts'
import { logoRefusal } from './logo-file.ts'
import { changesOf, readPercent } from './markups.ts'
import { formatMoment } from './moment.ts'
import { nameOf } from './use-people.ts'

const nobody = () => 'Somebody'

describe('the audit in words', () => {
  const entry = { action: 'mode', subject: 'system', from: 'test', to: 'live', refused: null } as const

  it('ADM-14, R-67: says what was changed', () => {
    expect(auditWords(entry, nobody)).toEqual({ title: 'Live mode turned on', detail: 'test to live' })
    expect(auditWords({ ...entry, from: 'live', to: 'test' }, nobody).title).toBe('Live mode turned off')
    expect(auditWords({ action: 'markup', subject: 'atlas.example', from: '20', to: '18', refused: null }, nobody)).toEqual({
      title: 'Markup of atlas.example',
      detail: '20% to 18%',
    })
    expect(
      auditWords({ action: 'brand-published', subject: 'atlas.example', from: 'version 1', to: 'Darker', refused: null }, nobody).title,
    ).toBe('atlas.example published')
  })

  it('says nothing twice', () => {
    const answered = { action: 'message-state', subject: 'msg_1', from: '', to: 'answered', refused: null } as const
    expect(auditWords(answered, nobody)).toEqual({ title: 'Message marked as answered', detail: '' })
  })

  it('R-68: gives the reason of what was refused', () => {
    const { title, detail } = auditWords({ ...entry, refused: 'LIVE_NOT_CONFIGURED' }, nobody)
    expect(title).toBe('Refused: Live mode turned on')
    expect(detail).toContain('both the flight API and the card provider')
  })

  it('R-67: says who became an administrator, and who was asked to prove it', () => {
    const titles = (['admin-granted', 'admin-revoked', 'admin-verified', 'admin-refused'] as const).map(
      (action) => auditWords({ action, userId: 'usr_1' }, () => 'Hugo Petit').title,
    )
    expect(titles).toEqual([
      'Hugo Petit made an administrator',
      'Hugo Petit no longer an administrator',
      'Confirmed as an administrator',
      'Refused: not an administrator',
    ])
    expect(nameOf('operator', [])).toBe('Operator')
  })

  it('ADM-14: names who, and when on the agency’s clock', () => {
    const people = [{ id: 'usr_1', name: 'Hugo Petit' }]
    expect(['usr_1', 'usr_2', null].map((id) => nameOf(id, people))).toEqual(['Hugo Petit', 'Administrator', 'Installation'])
    expect(formatMoment('2026-11-20T15:40:00.000Z')).toBe('Nov 20, 16:40')
    expect(formatMoment(null)).toBe('Never')
  })
})

describe('the two records of the audit', () => {
  const page = (next: string | null, ...minutes: number[]) => ({
    entries: minutes.map((minute) => ({
      ...{ id: `e${minute}`, at: `2026-11-22T10:${minute}:00.000Z`, actor: 'usr_1', userId: 'usr_1' },
      action: 'admin-verified' as const,
    })),
    next,
  })
  const minutes = (records: ReturnType<typeof page>[][]) => mergeRecords(records).map(({ at }) => Number(at.slice(14, 16)))

  it('are one list, newest first', () => {
    const records = [[page(null, 50, 30)], [page(null, 40, 20)]]
    expect(minutes(records)).toEqual([50, 40, 30, 20])
    expect(toReadOn(records)).toEqual([])
  })

  it('are shown only as far back as both were read, and read on where that is least far', () => {
    const records = [[page('e45', 50, 45)], [page('e20', 40, 20)]]
    expect(minutes(records)).toEqual([50, 45])
    expect(toReadOn(records)).toEqual([0])
    const further = [[page('e45', 50, 45), page(null, 30, 10)], [page('e20', 40, 20)]]
    expect(minutes(further)).toEqual([50, 45, 40, 30, 20])
    expect(toReadOn(further)).toEqual([1])
  })
})

describe('markups', () => {
  const markup = (brandKey: string, markupPercent: number | null): BrandMarkup => ({
    ...{ brandKey, name: brandKey, status: 'live', markupPercent, effectivePercent: markupPercent ?? 23 },
    ...{ changedAt: null, changedBy: null },
  })

  it('are numbers from 0 to 100, or empty for the default', () => {
    expect(['', ' 18 ', '12,5', '0', '100'].map(readPercent)).toEqual([null, 18, 12.5, 0, 100].map((value) => ({ value })))
    for (const text of ['101', '-1', 'ten', '1e1', 'Infinity']) expect(readPercent(text), text).toHaveProperty('error')
  })

  it('are saved where they differ', () => {
    const { changes, errors } = changesOf([markup('default', 23), markup('a.org', null), markup('b.org', 18)], {
      default: '23',
      'a.org': '20',
      'b.org': 'x',
    })
    expect(changes).toEqual([{ brandKey: 'a.org', name: 'a.org', from: 'default', to: '20%', value: 20 }])
    expect(Object.keys(errors)).toEqual(['b.org'])
  })
})

describe('the brand editor’s fields', () => {
  const brand = { ...defaultBrand, content: { ...defaultBrand.content, texts: { 'faq.refund-time': 'Soon.', refundTime: '5 days' } } }
  const fields = fieldsOf(brand, ['refundTime', 'waitTime'])
  const errorsOf = async (changed: BrandFields) => (await brandResolver(changed, undefined, {} as never)).errors

  it('BMGR-02: hold the whole brand, and give it back unchanged', async () => {
    const { domain: _, ...input } = brand
    expect(inputOf(fields)).toEqual(input)
    expect(fields.texts.map(({ name }) => name)).toEqual(['refundTime', 'waitTime', 'faq.refund-time'])
    expect(await errorsOf(fields)).toEqual({})
  })

  it('BMGR-04, R-75: refuse invalid colours, links and addresses, each at its field', async () => {
    const errors = await errorsOf({
      ...fields,
      logo: 'javascript:alert(1)',
      theme: { ...fields.theme, primary: 'red;}' },
      social: { ...fields.social, twitter: 'social.example/@aurora' },
      contact: { ...fields.contact, email: 'nobody' },
    })
    expect(Object.keys(errors).sort()).toEqual(['contact', 'logo', 'social', 'theme'])
    expect(errors.theme?.primary?.message).toContain('A colour must be hex')
    expect(errors.social?.twitter?.message).toBeTruthy()
  })

  it('bring what the server refuses to its field and its tab, also for names with dots', () => {
    expect(fieldAt(['brand', 'theme', 'primary'], fields)).toEqual(['theme', 'primary'])
    expect(fieldAt(['content', 'texts', 'faq', 'refund-time'], fields)).toEqual(['texts', '2', 'text'])
    expect(['theme.primary', 'content.conversionId', 'texts.2.text'].map(tabOf)).toEqual(['look', 'texts', 'texts'])
  })

  it('refuse a logo of another type or above 200 KB', () => {
    expect(logoRefusal({ size: 200 * 1024, type: 'image/svg+xml' })).toBeNull()
    expect(logoRefusal({ size: 200 * 1024 + 1, type: 'image/png' })).toContain('at most 200 KB; this one has 201 KB')
    expect(logoRefusal({ size: 10, type: 'image/gif' })).toContain('SVG, PNG or WebP')
    expect(logoRefusal({ size: 0, type: 'image/png' })).toBe('This file is empty.')
  })
})

describe('legibility', () => {
  it('R-76: passes colours that can be read', () => {
    const rows = legibilityOf(defaultBrand.theme)
    expect(rows.map(({ adjusted }) => adjusted)).toEqual(rows.map(() => false))
  })

  it('R-75: warns of unreadable colours and says what is shown instead; nothing of the look stays unreadable', () => {
    const pale = { primary: '#ffffaa', secondary: '#eeeeee', accent: '#ffffff', background: '#b0b0b0', text: '#888888' }
    const rows = legibilityOf(pale)
    const warned = rows.filter(({ adjusted }) => adjusted)
    expect(warned.map(({ what }) => what)).toEqual(expect.arrayContaining(['Links and labels', 'Text on background', 'Page']))
    for (const { words } of warned) expect(words).toMatch(/, so #[0-9a-f]{6} is shown$/)
    for (const { ratio, what } of rows) expect(ratio, what).toBeGreaterThanOrEqual(what === 'Outlines and focus' ? 3 : 4.5)
    expect(unreadable(deriveBrand(pale))).toEqual([])
    expect(legibilityOf({ ...pale, primary: 'url(x)' })[0]?.words).toBe('Primary is no colour: the default one is used')
  })

  it('R-76: shows every derived colour', () => {
    expect(paletteOf(defaultBrand.theme)).toContainEqual(['muted-bg', deriveBrand(defaultBrand.theme)['muted-bg']])
  })
})
