import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'

const control = {
  width: '100%',
  borderWidth: '1px',
  borderStyle: 'solid',
  borderColor: 'border.emphasized',
  borderRadius: 'l2',
  bg: 'bg.panel',
  color: 'fg',
  fontSize: '16',
  outline: 'none',
  '&:hover': { borderColor: 'fg.muted' },
  '&:focus-visible': {
    outlineWidth: '2px',
    outlineStyle: 'solid',
    outlineColor: 'brand.focusRing',
    outlineOffset: '-1px',
    borderColor: 'transparent',
  },
  '&[readonly]': { bg: 'bg.subtle', borderColor: 'border' },
  '&:disabled': { bg: 'bg.muted', color: 'fg.muted', borderColor: 'border', cursor: 'not-allowed' },
  '&[aria-invalid=true]': { borderColor: 'error.fg', boxShadow: 'inset 0 0 0 1px var(--negative)' },
  '&::placeholder': { color: 'fg.muted', opacity: 1 },
} as const

export const inputRecipe = defineRecipe({ className: 'input', base: { ...control, height: 'field', px: '14px' } })

export const textareaRecipe = defineRecipe({
  className: 'textarea',
  base: { ...control, minHeight: '128px', px: '14px', py: '12px', resize: 'vertical' },
})

export const nativeSelectRecipe = defineSlotRecipe({
  className: 'native-select',
  slots: ['root', 'field', 'indicator'],
  base: {
    root: { position: 'relative', width: '100%' },
    field: { ...control, height: 'field', pl: '14px', pr: '38px', appearance: 'none', textOverflow: 'ellipsis' },
    indicator: { position: 'absolute', right: '12px', top: '50%', transform: 'translateY(-50%)', pointerEvents: 'none', color: 'fg.muted' },
  },
})

export const fieldRecipe = defineSlotRecipe({
  className: 'field',
  slots: ['root', 'label', 'requiredIndicator', 'helperText', 'errorText'],
  base: {
    root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '6px', alignContent: 'start', minWidth: 0 },
    label: { fontSize: '14', fontWeight: 550 },
    helperText: { fontSize: '13', lineHeight: 1.4, color: 'fg.muted' },
    errorText: {
      display: 'flex',
      gap: '6px',
      alignItems: 'flex-start',
      fontSize: '13',
      fontWeight: 500,
      lineHeight: 1.4,
      color: 'error.fg',
    },
  },
})
