import { expect, test } from 'vitest'
import { cleanSvg } from './logo.ts'

const svg = (inner: string, attributes = 'viewBox="0 0 10 10"') => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`

const hostile = [
  '<script>alert(1)</script>',
  '<SCRIPT xlink:href="https://evil.example/x.js"/>',
  '<g onload="alert(1)"><rect width="1" height="1"/></g>',
  '<a href="javascript:alert(1)"><text>x</text></a>',
  '<a xlink:href="https://evil.example"><text>x</text></a>',
  '<image href="https://evil.example/track.png" width="1" height="1"/>',
  '<image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>',
  '<use href="https://evil.example/x.svg#a"/>',
  '<use xlink:href="data:image/svg+xml,x#a"/>',
  '<foreignObject><iframe src="https://evil.example"></iframe></foreignObject>',
  '<foreignObject><body onload="alert(1)"></body></foreignObject>',
  '<style>@import url(https://evil.example/x.css);</style>',
  '<style>rect{background:url(javascript:alert(1))}</style>',
  '<rect style="fill:url(https://evil.example/x)"/>',
  '<rect fill="url(https://evil.example/x#a)"/>',
  '<rect style="background-image:url(//evil.example)"/>',
  '<animate attributeName="href" values="javascript:alert(1)"/>',
  '<set attributeName="onmouseover" to="alert(1)"/>',
  '<handler type="application/ecmascript">alert(1)</handler>',
  '<listener event="click"/>',
  '<iframe src="https://evil.example"/>',
  '<embed src="https://evil.example"/>',
  '<object data="https://evil.example"/>',
  '<link href="https://evil.example/x.css" rel="stylesheet"/>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example"/>',
  '<title><script>alert(1)</script></title>',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<!--><script>alert(1)</script>-->',
  '<feImage href="https://evil.example/x.png"/>',
  '<mask id="m"><image href="https://evil.example/x"/></mask>',
  '<text><tspan onclick="alert(1)">x</tspan></text>',
  '<discard begin="0s" onend="alert(1)"/>',
  '<metadata><x:xmpmeta xmlns:x="adobe"><script>alert(1)</script></x:xmpmeta></metadata>',
]

test.each(hostile)('R-75: nothing that runs or loads is left of %s', (part) => {
  const clean = cleanSvg(svg(`<rect width="10" height="10"/>${part}`))
  const tags = [...clean.matchAll(/<([^\s>/]+)/g)].map((match) => match[1])
  expect(tags.filter((tag) => !/^(svg|g|rect|use|text|tspan|title|mask)$/.test(tag ?? ''))).toEqual([])
  expect(clean.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/<[^>]*(\son\w+=|javascript:|evil\.example|data:|@import)/i)
})

test('a document that declares entities of its own is refused; the usual declaration is not', () => {
  const bomb = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
  expect(() => cleanSvg(`${bomb}${svg('<text>&b;</text>')}`)).toThrow(expect.objectContaining({ code: 'LOGO_REFUSED' }))
  const usual =
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- made by hand -->'
  expect(cleanSvg(`${usual}${svg('<rect/>')}`)).toMatch(/^<svg /)
})

test('shapes, gradients and references to own parts stay', () => {
  const drawn = svg(
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs><path d="M0 0h1" fill="url(#g)" style="stroke:#123456;stroke-width:2"/><use xlink:href="#g"/>',
    'viewBox="0 0 10 10" xmlns:xlink="http://www.w3.org/1999/xlink"',
  )
  const clean = cleanSvg(drawn)
  for (const part of [
    'viewBox="0 0 10 10"',
    '<linearGradient id="g">',
    'fill="url(#g)"',
    'stroke:#123456',
    'stroke-width:2',
    'xlink:href="#g"',
  ])
    expect(clean).toContain(part)
  expect(cleanSvg(clean)).toBe(clean)
})

test('a picture without its namespace gets it, so that browsers show it', () => {
  expect(cleanSvg('<svg viewBox="0 0 1 1"><rect/></svg>')).toContain('xmlns="http://www.w3.org/2000/svg"')
})
