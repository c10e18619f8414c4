import { defineSlotRecipe } from '@chakra-ui/react'

export const tabsRecipe = defineSlotRecipe({
  className: 'tabs',
  slots: ['root', 'list', 'trigger', 'content', 'indicator', 'contentGroup'],
  base: {
    list: {
      display: 'flex',
      gap: { base: '20px', md: '24px' },
      borderBottomWidth: '1px',
      borderBottomStyle: 'solid',
      borderColor: 'border',
      overflowX: 'auto',
      scrollbarWidth: 'none',
    },
    trigger: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '8px',
      minHeight: '48px',
      pb: '2px',
      fontSize: '15',
      fontWeight: 550,
      color: 'fg.muted',
      borderBottomWidth: '2px',
      borderBottomStyle: 'solid',
      borderColor: 'transparent',
      whiteSpace: 'nowrap',
      cursor: 'pointer',
      _selected: { color: 'fg', borderColor: 'brand.border' },
      '&:focus-visible': { outlineOffset: '-2px' },
    },
  },
})

/** Questions and answers under rules; one open at a time. */
export const accordionRecipe = defineSlotRecipe({
  className: 'accordion',
  slots: ['root', 'item', 'itemTrigger', 'itemContent', 'itemBody', 'itemIndicator'],
  base: {
    item: {
      borderTopWidth: '1px',
      borderTopStyle: 'solid',
      borderColor: 'border',
      _last: { borderBottomWidth: '1px', borderBottomStyle: 'solid' },
    },
    itemTrigger: {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'space-between',
      gap: '16px',
      width: '100%',
      minHeight: '60px',
      py: '16px',
      textAlign: 'left',
      fontSize: '16',
      fontWeight: 600,
      lineHeight: 1.35,
      cursor: 'pointer',
    },
    itemIndicator: { color: 'fg.muted', transition: 'transform var(--calm) var(--ease)', _open: { transform: 'rotate(180deg)' } },
    itemBody: { pb: '20px', color: 'fg.muted', maxWidth: '60ch' },
  },
})
