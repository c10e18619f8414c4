import { ArrowRight, Phone, Siren } from 'lucide-react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { useFacts } from '../../brand/facts.ts'
import { RichText } from '../../brand/RichText.tsx'
import { mail, paths, telephone } from '../../lib/paths.ts'
import { ButtonAnchor, ButtonLink } from '../../ui/Button.tsx'
import { Cells } from '../../ui/Cells.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { WithAside } from '../../ui/WithAside.tsx'
import { ContactForm } from './ContactForm.tsx'
import styles from './ContactPage.module.css'
import { ASKED_MOST } from './content.ts'

export function ContactPage() {
  return (
    <div className="wrap">
      <PageHead title="Contact us">Write for anything that can wait a few hours. For a flight that leaves soon, call.</PageHead>
      <Ways />
      <div className={styles.form}>
        <WithAside asideLabel="Urgent help" aside={<Emergency />}>
          <h2 className={styles.heading}>Send a message</h2>
          <ContactForm />
        </WithAside>
      </div>
      <section className={styles.asked} aria-labelledby="asked">
        <div className={styles.askedHead}>
          <h2 id="asked" className={styles.heading}>
            Asked most often
          </h2>
          <ButtonLink variant="quiet" to={paths.faq}>
            All questions
            <ArrowRight size={16} strokeWidth={2} aria-hidden="true" />
          </ButtonLink>
        </div>
        <Cells columns={2}>
          {ASKED_MOST.map(([question, answer]) => (
            <section key={question}>
              <h3>{question}</h3>
              <p>
                <RichText>{answer}</RichText>
              </p>
            </section>
          ))}
        </Cells>
      </section>
    </div>
  )
}

function Ways() {
  const { contact } = useBrand()
  const { supportHours, expertHours, contactReply } = useFacts()
  return (
    <Cells columns={3}>
      <section>
        <h2>Call</h2>
        <a className={styles.way} href={telephone(contact.phone)}>
          {contact.phone}
        </a>
        <p>
          {supportHours} support. Travel experts for new trips: {expertHours}.
        </p>
      </section>
      <section>
        <h2>Write</h2>
        <a className={styles.way} href={mail(contact.email)}>
          {contact.email}
        </a>
        <p>We reply within {contactReply}.</p>
      </section>
      <section>
        <h2>Visit</h2>
        <address className={styles.way}>{contact.address}</address>
        <p>Our office in the 19th arrondissement.</p>
      </section>
    </Cells>
  )
}

function Emergency() {
  const { contact } = useBrand()
  const { supportHours } = useFacts()
  return (
    <>
      <section className={styles.emergency} aria-labelledby="emergency">
        <Siren size={20} strokeWidth={1.75} aria-hidden="true" />
        <div>
          <h2 id="emergency">Emergency while travelling?</h2>
          <p>Missed connection, cancelled flight, lost passport: do not write, call. The line is open {supportHours}.</p>
          <ButtonAnchor className={styles.call} full href={telephone(contact.phone)}>
            <Phone size={16} strokeWidth={2} aria-hidden="true" />
            {contact.phone}
          </ButtonAnchor>
        </div>
      </section>
      <p className={styles.ready}>Have your booking reference ready. If you are at the airport, tell us the flight number and the gate.</p>
    </>
  )
}
