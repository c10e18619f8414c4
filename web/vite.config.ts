import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { brandCss, deriveBrand } from '../packages/contracts/rules/brand.ts'
import { defaultBrand } from '../packages/contracts/rules/default-brand.ts'

/** The one font of the first paint is asked for by the page itself, before the stylesheet that names it has arrived. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((file) => file.includes('instrument-sans-latin-wght') && file.endsWith('.woff2'))
        if (!font) return []
        return [
          { tag: 'link', attrs: { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' }, injectTo: 'head' },
        ]
      },
    },
  }
}

/** A page that no gateway has given a brand, as in development, has the colours of the default one. */
function defaultBrandColours(): Plugin {
  return {
    name: 'default-brand-colours',
    transformIndexHtml: (html) =>
      html.replace('</style>', `${brandCss(deriveBrand(defaultBrand.theme), { font: defaultBrand.theme.font })}</style>`),
  }
}

/** The first calls of the page stand in it as a script of their own, so that they run before the page's files are here. */
function inlineFirstCalls(): Plugin {
  const source = fileURLToPath(new URL('src/app/start-first-calls.ts', import.meta.url))
  return {
    name: 'inline-first-calls',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const rolldownOptions = { input: source, output: { format: 'iife' as const } }
        const built = await build({ configFile: false, logLevel: 'warn', build: { write: false, modulePreload: false, rolldownOptions } })
        if (!('output' in built)) throw new Error('The script of the first calls was not built')
        const children = built.output[0].code.trim().replaceAll('</', '<\\/')
        return html.replace('<link rel="icon"', (icon) => `<script>${children}</script>${icon}`)
      },
    },
  }
}

const CHAKRA = /node_modules[\\/](@ark-ui|@zag-js|@chakra-ui|@floating-ui|@internationalized)[\\/]/
const DIALOGS = 'dialog|drawer|dismissable|interact-outside|focus-trap|aria-hidden|remove-scroll'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), preloadFont(), inlineFirstCalls(), defaultBrandColours()],
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:8080' } },
  preview: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:8080' } },
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'es2023',
    // The font and the pictures stay files of their own: the content policy has no data: for fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['defineConfig', 'defineRecipe', 'defineSlotRecipe', 'createAnatomy', 'defineConditions'] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 30 },
            // What all parts of Chakra share comes first, so that it does not follow one of them into its chunk.
            { name: 'ui', test: new RegExp(`${CHAKRA.source}(?!.*(${DIALOGS}))`), minShareCount: 2, priority: 25 },
            { name: 'dialog', test: CHAKRA, minShareCount: 2, priority: 20 },
            { name: 'schemas', test: /node_modules[\\/]zod[\\/]/, priority: 16 },
            { name: 'forms', test: /node_modules[\\/]react-hook-form[\\/]/, minShareCount: 2, priority: 15 },
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 2, priority: 10 },
            { name: 'pictures', test: /web[\\/]src[\\/]ui[\\/](illustration|HeroBanner|EmptyState)/, minShareCount: 2, priority: 8 },
            // Badges, prices, dates and the like: too small to be files of their own. A form's rules would bring the validator to every page.
            {
              name: 'small',
              test: /web[\\/]src[\\/](lib|ui)[\\/](?!Dialog|Sheet|Field|Styled|new-password|PasswordField|Refused)/,
              minShareCount: 3,
              priority: 5,
            },
          ],
        },
      },
    },
  },
})
