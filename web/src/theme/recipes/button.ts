import { defineRecipe } from '@chakra-ui/react'

/** One solid button a view; soft and line beside it, quiet for what can be left alone, danger for what cannot be undone. */
export const buttonRecipe = defineRecipe({
  className: 'button',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '8px',
    borderRadius: 'l2',
    borderWidth: '1px',
    borderStyle: 'solid',
    borderColor: 'transparent',
    fontWeight: 600,
    lineHeight: 1.2,
    textDecoration: 'none',
    textAlign: 'center',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    color: 'fg',
    transitionProperty: 'background-color, border-color, color, transform',
    transitionDuration: 'quick',
    transitionTimingFunction: 'calm',
    '&:active:not(:disabled, [aria-disabled=true])': { transform: 'translateY(1px)' },
    '&:is(:disabled, [aria-disabled=true])': { bg: 'bg.muted', color: 'fg.muted', borderColor: 'transparent', cursor: 'not-allowed' },
  },
  variants: {
    variant: {
      solid: { bg: 'brand.solid', color: 'brand.contrast', borderColor: 'brand.border', _hover: { bg: 'brand.emphasized' } },
      soft: { bg: 'brand.subtle', color: 'brand.fg', _hover: { bg: 'brand.solid', color: 'brand.contrast' } },
      line: { bg: 'bg.panel', borderColor: 'border.emphasized', _hover: { bg: 'bg.subtle' } },
      quiet: { _hover: { bg: 'bg.subtle' }, '&:is(:disabled, [aria-disabled=true])': { bg: 'transparent' } },
      danger: { bg: 'error.solid', color: '#fff', _hover: { filter: 'brightness(0.9)' } },
      dangerLine: { bg: 'bg.panel', color: 'error.fg', borderColor: 'error.muted', _hover: { bg: 'error.subtle' } },
    },
    size: {
      sm: { minHeight: 'sm', px: '14px', fontSize: '14' },
      md: { minHeight: 'md', px: '18px', fontSize: '15' },
      lg: { minHeight: 'lg', px: '24px', fontSize: '16' },
    },
    full: { true: { width: '100%' } },
  },
  defaultVariants: { variant: 'line', size: 'md' },
})

export const iconButtonRecipe = defineRecipe({
  className: 'icon-button',
  base: {
    display: 'inline-grid',
    placeItems: 'center',
    width: '44px',
    height: '44px',
    borderRadius: 'l2',
    color: 'inherit',
    cursor: 'pointer',
    _hover: { bg: 'bg.subtle' },
  },
})

/** A button that reads like a link. */
export const linkButtonRecipe = defineRecipe({
  className: 'link-button',
  base: {
    py: '4px',
    color: 'brand.fg',
    fontWeight: 600,
    fontSize: '14',
    textDecoration: 'underline',
    textUnderlineOffset: '3px',
    textDecorationColor: 'brand.line',
    cursor: 'pointer',
    _hover: { textDecorationColor: 'currentColor' },
  },
})
