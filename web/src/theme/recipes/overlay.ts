import { defineSlotRecipe } from '@chakra-ui/react'

const backdrop = {
  position: 'fixed',
  inset: 0,
  bg: 'rgb(var(--shadow) / 0.5)',
  zIndex: 'overlay',
  _open: { animation: 'fade-in var(--slow) var(--ease)' },
  _closed: { animation: 'fade-out var(--calm) var(--ease)' },
} as const

const head = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '16px',
  minHeight: '68px',
  px: '16px',
  py: '12px',
  borderBottomWidth: '1px',
  borderBottomStyle: 'solid',
  borderColor: 'border',
} as const
const foot = {
  display: 'flex',
  gap: '10px',
  px: '16px',
  py: '12px',
  pb: 'calc(12px + env(safe-area-inset-bottom))',
  borderTopWidth: '1px',
  borderTopStyle: 'solid',
  borderColor: 'border',
  '& > *': { flex: 1, minHeight: '48px' },
} as const

/** A question in the middle of the page; on a phone it rises from the bottom edge. */
export const dialogRecipe = defineSlotRecipe({
  className: 'dialog',
  slots: ['trigger', 'backdrop', 'positioner', 'content', 'title', 'description', 'closeTrigger', 'header', 'body', 'footer'],
  base: {
    backdrop,
    positioner: {
      position: 'fixed',
      inset: 0,
      zIndex: 'overlay',
      display: 'grid',
      placeItems: { base: 'end stretch', md: 'center' },
      p: { base: 0, md: '24px' },
      overflowY: 'auto',
    },
    content: {
      position: 'relative',
      width: '100%',
      maxWidth: { md: '480px' },
      maxHeight: { base: '92dvh', md: 'calc(100dvh - 48px)' },
      overflowY: 'auto',
      bg: 'bg.panel',
      color: 'fg',
      borderRadius: { base: '16px 16px 0 0', md: 'l4' },
      boxShadow: 'lg',
      p: { base: '20px 16px 24px', md: '28px' },
      outline: 'none',
      _open: { animation: { base: 'from-bottom var(--slow) var(--ease)', md: 'fade-in var(--calm) var(--ease)' } },
      _closed: { animation: 'fade-out var(--calm) var(--ease)' },
    },
    title: { fontSize: '20', fontWeight: 600, lineHeight: 1.2, letterSpacing: '-0.012em', pr: '44px' },
    description: { mt: '8px', color: 'fg.muted' },
    body: { mt: '16px' },
    footer: { display: 'flex', flexDirection: { base: 'column-reverse', md: 'row' }, justifyContent: 'flex-end', gap: '12px', mt: '24px' },
    closeTrigger: { position: 'absolute', top: '12px', right: '12px' },
  },
  variants: {
    size: {
      sm: {},
      /** Head and foot stay while the body scrolls; on a phone it fills the screen. */
      lg: {
        content: {
          display: 'flex',
          flexDirection: 'column',
          maxWidth: { md: '760px' },
          height: { base: '100dvh', md: 'auto' },
          maxHeight: { base: '100dvh', md: 'calc(100dvh - 48px)' },
          overflow: 'hidden',
          borderRadius: { base: 0, md: 'l4' },
          p: 0,
        },
        title: { fontSize: { base: '20', md: '24' }, pl: { base: '16px', md: '28px' }, pr: '64px', pt: { base: '16px', md: '20px' } },
        description: { px: { base: '16px', md: '28px' }, mt: '6px', fontSize: '14' },
        body: {
          flex: 1,
          minHeight: 0,
          mt: { base: '14px', md: '18px' },
          px: { base: '16px', md: '28px' },
          py: '24px',
          borderTopWidth: '1px',
          borderTopStyle: 'solid',
          borderColor: 'border',
          overflowY: 'auto',
          overscrollBehavior: 'contain',
        },
        footer: {
          flexDirection: 'row',
          flexWrap: 'wrap',
          justifyContent: 'space-between',
          mt: 0,
          px: { base: '16px', md: '28px' },
          py: '14px',
          pb: 'calc(14px + env(safe-area-inset-bottom))',
          borderTopWidth: '1px',
          borderTopStyle: 'solid',
          borderColor: 'border',
          '& > *': { flex: { base: '1 1 auto', md: 'none' } },
          '&:empty': { display: 'none' },
        },
      },
    },
  },
  defaultVariants: { size: 'sm' },
})

/** A sheet from the right (menu) or from the bottom (filters, pickers on a phone). */
export const drawerRecipe = defineSlotRecipe({
  className: 'sheet',
  slots: ['trigger', 'backdrop', 'positioner', 'content', 'title', 'description', 'closeTrigger', 'header', 'body', 'footer'],
  base: {
    backdrop,
    positioner: { position: 'fixed', inset: 0, zIndex: 'overlay', display: 'flex' },
    content: { display: 'flex', flexDirection: 'column', bg: 'bg.panel', color: 'fg', boxShadow: 'lg', outline: 'none', minWidth: 0 },
    header: head,
    title: { fontSize: '18', fontWeight: 600, lineHeight: 1.2, letterSpacing: '-0.012em' },
    body: { flex: 1, overflowY: 'auto', overscrollBehavior: 'contain' },
    footer: foot,
  },
  variants: {
    placement: {
      end: {
        positioner: { justifyContent: 'flex-end' },
        content: {
          width: '328px',
          maxWidth: '86vw',
          height: '100dvh',
          _open: { animation: 'from-right var(--slow) var(--ease)' },
          _closed: { animation: 'to-right var(--calm) var(--ease)' },
        },
      },
      bottom: {
        positioner: { alignItems: 'flex-end' },
        content: {
          width: '100%',
          maxHeight: '88dvh',
          borderRadius: '16px 16px 0 0',
          _open: { animation: 'from-bottom var(--slow) var(--ease)' },
          _closed: { animation: 'to-bottom var(--calm) var(--ease)' },
        },
      },
    },
  },
  defaultVariants: { placement: 'bottom' },
})
