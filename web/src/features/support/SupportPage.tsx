import type { Booking } from '@passerelle/contracts/http/booking'
import { useState } from 'react'
import { CallBox } from '../../brand/CallBox.tsx'
import { paths, withQuery } from '../../lib/paths.ts'
import { useNavigate, useSearchParams } from '../../lib/router.ts'
import { FindBar } from '../../ui/FindBar.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { BookingsTab } from './BookingsTab.tsx'
import { ContactTab } from './ContactTab.tsx'
import { HelpTab } from './HelpTab.tsx'
import styles from './SupportPage.module.css'

const TABS = ['help', 'contact', 'bookings'] as const

/** The help centre. `?tab=` names the tab; a booking that was found is shown under My Bookings. */
export function SupportPage() {
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const [found, setFound] = useState<Booking | null>(null)
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'help'

  function open(name: string): void {
    setQuery(name === 'help' ? {} : { tab: name }, { replace: true, preventScrollReset: true })
  }

  function show(booking: Booking): void {
    setFound(booking)
    open('bookings')
  }

  return (
    <div className="wrap">
      <PageHead title="How can we help?" />
      <FindBar
        label="Search the help centre"
        placeholder="Refund, passport, seat, bag"
        onSearch={(q) => void navigate(withQuery(paths.faq, { q }))}
      />
      <div className={styles.tabs}>
        <Tabs
          label="Help"
          value={tab}
          onChange={open}
          panelClassName={styles.panel}
          tabs={[
            { value: 'help', label: 'Help Center', content: <HelpTab onFound={show} /> },
            { value: 'contact', label: 'Contact Us', content: <ContactTab /> },
            { value: 'bookings', label: 'My Bookings', content: <BookingsTab found={found} onFound={setFound} /> },
          ]}
        />
      </div>
      <div className={styles.call}>
        <CallBox title="Rather talk it through?" words="A call reaches a person, before, during and after the flight." />
      </div>
    </div>
  )
}
