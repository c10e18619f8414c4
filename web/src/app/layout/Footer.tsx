import { BrandMark } from '../../brand/BrandMark.tsx'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { paths } from '../../lib/paths.ts'
import { Link } from '../../lib/router.ts'
import { Accreditation } from './Accreditation.tsx'
import styles from './Footer.module.css'
import { Newsletter } from './Newsletter.tsx'

const COMPANY = [
  [paths.about, 'About'],
  [paths.contact, 'Contact'],
  [paths.support, 'Help centre'],
  [paths.faq, 'FAQ'],
] as const

const LEGAL = [
  [paths.privacy, 'Privacy Policy'],
  [paths.terms, 'Terms of Service'],
  [paths.cancellation, 'Cancellation & Refunds'],
  [paths.cookies, 'Cookie Policy'],
  [paths.accessibility, 'Accessibility'],
] as const

function Links({ title, links }: { title: string; links: readonly (readonly [string, string])[] }) {
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {links.map(([to, label]) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function Footer() {
  const { name, contact, social } = useBrand()
  const networks = [
    ['Facebook', social.facebook],
    ['X', social.twitter],
    ['Instagram', social.instagram],
  ].filter((network): network is [string, string] => Boolean(network[1]))
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.top}`}>
        <div>
          <Link to={paths.home} className={styles.logo}>
            <BrandMark />
          </Link>
          <p className={styles.blurb}>
            A Paris travel agency between you and the airlines: we show their fares, book your seats and answer when plans change.
          </p>
          {networks.length > 0 && (
            <ul className={styles.social} aria-label="Follow us">
              {networks.map(([network, address]) => (
                <li key={network}>
                  <a href={address} rel="noopener">
                    {network}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
        <Links title="Company" links={COMPANY} />
        <Links title="Legal" links={LEGAL} />
        <Newsletter />
      </div>
      <div className={`wrap ${styles.end}`}>
        <span>
          © {new Date().getFullYear()} {name} · {contact.address}
        </span>
        <Accreditation />
      </div>
    </footer>
  )
}
