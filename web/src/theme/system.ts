/** Chakra's system, cut down to what the look uses: tokens hold only CSS variables, so switching a brand renders nothing again. */
import { createSystem, defineConfig } from '@chakra-ui/react'
import { defaultBaseConfig } from '@chakra-ui/react/preset-base'
import { dialogRecipe, drawerRecipe } from './recipes/overlay.ts'

const variables = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([token, name]) => [token, { value: `var(--${name})` }]))
const group = (main: string, names: Record<string, string>) => ({ DEFAULT: { value: `var(--${main})` }, ...variables(names) })
const status = (name: string) => ({
  solid: { value: `var(--${name}-solid)` },
  fg: { value: `var(--${name})` },
  subtle: { value: `var(--${name}-soft)` },
  muted: { value: `var(--${name}-line)` },
})
const steps = (prefix: string, names: string[]) => variables(Object.fromEntries(names.map((name) => [name, `${prefix}-${name}`])))

const look = defineConfig({
  cssVarsPrefix: 'ck',
  preflight: false,
  theme: {
    breakpoints: { sm: '480px', md: '768px', lg: '1024px', xl: '1101px' },
    tokens: {
      fonts: variables({ body: 'font', heading: 'font' }),
      fontSizes: steps('t', ['12', '13', '14', '15', '16', '18', '20', '22', '24', '28', '32', '36', '56']),
      spacing: steps('s', ['1', '2', '3', '4', '5', '6', '8', '10', '12', '16', '20', '24']),
      sizes: { ...variables({ sm: 'h-sm', md: 'h-md', field: 'h-field', lg: 'h-lg' }), full: { value: '100%' } },
      easings: variables({ calm: 'ease' }),
      durations: variables({ quick: 'quick', calm: 'calm', slow: 'slow' }),
      zIndex: { sticky: { value: 10 }, overlay: { value: 40 }, toast: { value: 60 } },
    },
    semanticTokens: {
      colors: {
        bg: group('canvas', { panel: 'surface', subtle: 'sunken', muted: 'muted-bg' }),
        fg: group('ink', { muted: 'ink-muted' }),
        border: group('line', { subtle: 'line-soft', emphasized: 'line-control' }),
        brand: variables({
          solid: 'brand',
          contrast: 'brand-ink',
          emphasized: 'brand-hover',
          fg: 'brand-text',
          border: 'brand-edge',
          subtle: 'brand-soft',
          muted: 'brand-softer',
          line: 'brand-line',
          focusRing: 'focus',
        }),
        deep: group('deep', { contrast: 'deep-ink', muted: 'deep-muted', line: 'deep-line' }),
        success: status('positive'),
        warning: status('warning'),
        error: status('negative'),
        info: status('info'),
      },
      radii: {
        l1: { value: 'var(--r-1)' },
        l2: { value: 'var(--r-2)' },
        l3: { value: 'var(--r-3)' },
        l4: { value: 'var(--r-4)' },
        full: { value: 'var(--r-full)' },
      },
      shadows: { sm: { value: 'var(--e-1)' }, md: { value: 'var(--e-2)' }, lg: { value: 'var(--e-3)' } },
    },
    keyframes: {
      'fade-in': { from: { opacity: 0 }, to: { opacity: 1 } },
      'fade-out': { from: { opacity: 1 }, to: { opacity: 0 } },
      'from-right': { from: { transform: 'translateX(100%)' }, to: { transform: 'none' } },
      'to-right': { from: { transform: 'none' }, to: { transform: 'translateX(100%)' } },
      'from-bottom': { from: { transform: 'translateY(100%)' }, to: { transform: 'none' } },
      'to-bottom': { from: { transform: 'none' }, to: { transform: 'translateY(100%)' } },
    },
    slotRecipes: {
      dialog: dialogRecipe,
      drawer: drawerRecipe,
    },
  },
})

export const system = createSystem(defaultBaseConfig, look)
