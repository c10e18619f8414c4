import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it } from 'vitest'
import { FIGURES, factsOf } from '../../brand/facts.ts'
import { render } from '../../lib/render.fixture.tsx'
import { plainText } from '../../lib/rich-text.ts'
import { FaqPage } from './FaqPage.tsx'
import { TOPICS } from './questions.ts'
import { searchQuestions, topicOf } from './search-questions.ts'

const facts = factsOf(defaultBrand)
const everything = TOPICS.flatMap(({ entries }) => entries.flatMap(({ answer }) => answer.map((text) => plainText(text, facts)))).join(' ')

describe('the questions', () => {
  it('FAQ-01: six topics of five', () => {
    expect(TOPICS.map(({ label, entries }) => [label, entries.length])).toEqual(
      ['Booking', 'Payment', 'Cancellations', 'Changes', 'Travel', 'Account'].map((label) => [label, 5]),
    )
    const ids = TOPICS.flatMap(({ entries }) => entries.map(({ id }) => id))
    expect(new Set(ids).size).toBe(30)
  })

  it('FAQ-07, R-77: the answers state the agency’s figures, each from one place', () => {
    for (const words of [
      'Refunds take 7-14 business days',
      '2 hours before a domestic flight, 3 hours before an international one',
      'add 30-60 minutes',
      'valid for at least 6 months',
      '24-48 hours before departure',
      'From 10 passengers there are group rates',
      'answered within 24 hours',
      '9AM-8PM CET',
    ])
      expect(everything).toContain(words)
    expect(plainText('{usualRefundTime}', { ...facts, usualRefundTime: '3 days' })).toBe('3 days')
  })

  it('every fact that an answer names is known', () => {
    const known = new Set(Object.keys(facts))
    const named = TOPICS.flatMap(({ entries }) => entries.flatMap(({ answer }) => answer.join(' ').match(/\{(\w+)\}/g) ?? []))
    expect(named.filter((name) => !known.has(name.slice(1, -1)))).toEqual([])
    expect(Object.values(FIGURES)).not.toContain('')
  })
})

describe('the search', () => {
  it('FAQ-03: matches questions and answers in all topics, ignoring case', () => {
    const found = searchQuestions('PASSPORT', facts)
    expect(found.map(({ label }) => label)).toEqual(['Changes', 'Travel', 'Account'])
    expect(found.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(['change-name', 'documents', 'my-data'])
  })

  it('FAQ-03: finds a figure that stands in an answer, and the brand’s own phone number', () => {
    expect(searchQuestions('7-14 business', facts).flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(['refund-time'])
    expect(searchQuestions(defaultBrand.contact.phone, facts).length).toBeGreaterThan(1)
  })

  it('answers nothing when nothing matches', () => {
    expect(searchQuestions('zeppelin', facts)).toEqual([])
    expect(render(<FaqPage />, { at: '/faq?q=zeppelin' }).text).toContain('Nothing matches “zeppelin”')
  })
})

describe('the page', () => {
  it('FAQ-04: groups what was found by topic', () => {
    const { html } = render(<FaqPage />, { at: '/faq?q=passport' })
    const order = ['>Changes</h2>', 'I misspelt a name', '>Travel</h2>', 'Which documents do I need?', '>Account</h2>']
    const places = order.map((words) => html.indexOf(words))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  it('R-61: opens at the topic of its address, or at the question', () => {
    expect(topicOf('payment', '').id).toBe('payment')
    expect(topicOf(null, 'refund-time').id).toBe('cancellations')
    expect(topicOf('nonsense', 'nonsense').id).toBe('booking')
    const { html } = render(<FaqPage />, { at: '/faq#refund-time' })
    expect(html).toMatch(/<details id="refund-time"[^>]* open=""/)
    expect(html.match(/ open=""/g)).toHaveLength(1)
  })

  it('FAQ-05: the questions of a topic share a name, so that one is open at a time', () => {
    const { html } = render(<FaqPage />)
    const names = [...html.matchAll(/<details[^>]* name="([^"]+)"/g)].map(([, name]) => name)
    expect(names).toHaveLength(5)
    expect(new Set(names).size).toBe(1)
  })

  it('FAQ-06: ends with Contact Support and a call', () => {
    const page = render(<FaqPage />)
    expect(page.linkTo('Contact Support')).toBe('/contact')
    expect(page.linkTo('Call +33')).toBe('tel:+33199004219')
  })
})
