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
      '@media (max-width: 359px)': { gap: '14px' },
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
      '@media (max-width: 359px)': { gap: '4px', fontSize: '14' },
    },
  },
})
