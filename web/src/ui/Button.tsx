/** Buttons, and links that look like buttons. Variants: solid, soft, line, quiet, danger, dangerLine; sizes sm, md, lg; `full`. */
import { chakra } from '@chakra-ui/react'
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from '../lib/router.ts'
import { buttonRecipe, iconButtonRecipe, linkButtonRecipe } from '../theme/recipes/button.ts'
import styles from './Button.module.css'

const PlainButton = chakra('button', buttonRecipe)

type ButtonProps = ComponentProps<typeof PlainButton> & {
  /** Shows a turning icon beside the label and refuses presses. */
  busy?: boolean
}

export function Button({ busy = false, disabled, children, ...rest }: ButtonProps) {
  return (
    <PlainButton type="button" disabled={disabled || busy} {...rest}>
      {busy && <LoaderCircle className={styles.turning} size={16} strokeWidth={2} aria-hidden="true" />}
      {children}
    </PlainButton>
  )
}

/** To a screen of this website. */
export const ButtonLink = chakra(Link, buttonRecipe)

/** To somewhere else: mailto, tel, another site. */
export const ButtonAnchor = chakra('a', buttonRecipe)

const PlainIconButton = chakra('button', iconButtonRecipe)

/** 44 x 44 with an icon alone; `aria-label` says what it does. */
export function IconButton(props: ComponentProps<typeof PlainIconButton> & { 'aria-label': string }) {
  return <PlainIconButton type="button" {...props} />
}

export const IconAnchor = chakra('a', iconButtonRecipe)

const PlainLinkButton = chakra('button', linkButtonRecipe)

/** A button in a line of text. */
export function LinkButton(props: ComponentProps<typeof PlainLinkButton>) {
  return <PlainLinkButton type="button" {...props} />
}
