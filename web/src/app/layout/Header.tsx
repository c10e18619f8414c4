import { Mail, Menu, Phone } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { BrandMark } from '../../brand/BrandMark.tsx'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { mail, paths, telephone } from '../../lib/paths.ts'
import { Link, useLocation } from '../../lib/router.ts'
import { useUser } from '../../lib/session.ts'
import { ButtonAnchor, ButtonLink, IconAnchor, IconButton } from '../../ui/Button.tsx'
import { lazyOverlay } from '../../ui/lazy.tsx'
import styles from './Header.module.css'
import { isCurrent, NAVIGATION } from './navigation.ts'
import { TestBadge } from './TestBadge.tsx'
import { UserMenu } from './UserMenu.tsx'

const loadPhoneMenu = () => import('./PhoneMenu.tsx')
const PhoneMenu = lazyOverlay(async () => (await loadPhoneMenu()).PhoneMenu)

const SCROLLED_PX = 10

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const onScroll = () => setScrolled(window.scrollY > SCROLLED_PX)
    onScroll()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  return scrolled
}

export function Header() {
  const { pathname } = useLocation()
  const { contact } = useBrand()
  const user = useUser()
  const scrolled = useScrolled()
  const [menu, setMenu] = useState(false)
  const closeMenu = useCallback(() => setMenu(false), [])

  return (
    <header className={styles.header} data-scrolled={scrolled}>
      <div className={`wrap ${styles.inner}`}>
        <Link to={paths.home} className={styles.logo}>
          <BrandMark />
        </Link>
        <nav className={`${styles.nav} wide-only`} aria-label="Main">
          {NAVIGATION.map((item) => (
            <Link key={item.to} to={item.to} aria-current={isCurrent(item, pathname) ? 'page' : undefined}>
              {item.label}
            </Link>
          ))}
        </nav>
        <div className={styles.end}>
          <TestBadge />
          <ButtonAnchor className={`wide-only ${styles.tight}`} variant="quiet" size="sm" href={mail(contact.email)}>
            <Mail size={16} strokeWidth={2} aria-hidden="true" />
            <span className={styles.wordOnWide}>Contact us</span>
          </ButtonAnchor>
          {user ? (
            <UserMenu user={user} />
          ) : (
            // Until the answer is here nobody is signed in, as for most visitors: nothing jumps when it comes.
            <>
              <ButtonLink className={`wide-only ${styles.tight}`} variant="quiet" size="sm" to={paths.login}>
                Log In
              </ButtonLink>
              <ButtonLink className={`wide-only ${styles.tight}`} variant="solid" size="sm" to={paths.register}>
                Sign Up
              </ButtonLink>
            </>
          )}
          <IconAnchor className="phone-only" href={telephone(contact.phone)} aria-label={`Call us: ${contact.phone}`}>
            <Phone size={20} strokeWidth={1.75} aria-hidden="true" />
          </IconAnchor>
          <IconButton
            className="phone-only"
            aria-label="Open menu"
            aria-haspopup="dialog"
            aria-expanded={menu}
            onPointerDown={() => loadPhoneMenu().catch(() => undefined)}
            onClick={() => setMenu(true)}
          >
            <Menu size={20} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      <PhoneMenu open={menu} onClose={closeMenu} user={user ?? null} />
    </header>
  )
}
