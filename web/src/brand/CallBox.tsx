import { Clock, Mail, MapPin } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { mail, telephone } from '../lib/paths.ts'
import { useBrand } from './BrandProvider.tsx'
import styles from './CallBox.module.css'
import { useFacts } from './facts.ts'

type Props = {
  title: string
  words: ReactNode
  /** Between the phone number and the addresses. */
  children?: ReactNode
  /** The address among the ways to reach the agency; leave it out when `words` has it. */
  withAddress?: boolean
  onCall?: (event: { preventDefault(): void }) => void
}

/** The agency's phone number, large, and the other ways to reach it. */
export function CallBox({ title, words, children, withAddress = true, onCall }: Props) {
  const { contact } = useBrand()
  const { supportHours } = useFacts()
  const heading = useId()
  return (
    <section className={styles.box} aria-labelledby={heading}>
      <div className={styles.top}>
        <div>
          <h2 id={heading}>{title}</h2>
          <p>{words}</p>
        </div>
        <a className={styles.phone} href={telephone(contact.phone)} onClick={onCall}>
          {contact.phone}
        </a>
      </div>
      {children}
      <div className={styles.end}>
        <a href={mail(contact.email)}>
          <Mail size={20} strokeWidth={1.75} aria-hidden="true" />
          {contact.email}
        </a>
        <span>
          <Clock size={20} strokeWidth={1.75} aria-hidden="true" />
          Open {supportHours}
        </span>
        {withAddress && (
          <address>
            <MapPin size={20} strokeWidth={1.75} aria-hidden="true" />
            {contact.address}
          </address>
        )}
      </div>
    </section>
  )
}
