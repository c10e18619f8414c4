/* The calls of Stripe.js that this product makes, against the simulator that served this file. No card number passes through here. */
;(() => {
  const { origin } = new URL(document.currentScript.src)
  let asked = 0

  const frameOf = (page, title, data) => {
    const frame = document.createElement('iframe')
    frame.src = `${origin}/hosted/${page}#${encodeURIComponent(JSON.stringify(data))}`
    frame.title = title
    Object.assign(frame.style, { display: 'block', width: '100%', border: '0', colorScheme: 'light' })
    return frame
  }
  /** Messages of a frame's page until the returned function is called. */
  const listen = (frame, heard) => {
    const onMessage = (event) => event.origin === origin && event.source === frame.contentWindow && heard(event.data)
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }
  const ask = (frame, what) =>
    new Promise((resolve) => {
      const id = ++asked
      const stop = listen(frame, (message) => {
        if (message.id !== id) return
        stop()
        resolve(message.answer)
      })
      frame.contentWindow.postMessage({ id, what }, origin)
    })

  const createElement = (key, options) => {
    const listeners = new Map()
    const tell = (name, event = {}) => {
      for (const listener of listeners.get(name) ?? []) listener({ elementType: 'payment', ...event })
    }
    const frame = frameOf('fields', 'Secure payment input frame', { key, ...options.appearance?.variables })
    let stop = () => undefined
    const element = {
      frame,
      mount(place) {
        const parent = typeof place === 'string' ? document.querySelector(place) : place
        stop = listen(frame, ({ height, change, failed }) => {
          if (height) frame.style.height = `${height}px`
          if (height) tell('ready')
          if (change) tell('change', change)
          if (failed) tell('loaderror', { error: { message: 'The fields could not be loaded.' } })
        })
        parent.append(frame)
      },
      on: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
      off: (name, listener) =>
        void listeners.set(
          name,
          (listeners.get(name) ?? []).filter((one) => one !== listener),
        ),
      update: () => undefined,
      focus: () => void ask(frame, 'focus'),
      unmount: () => frame.remove(),
      destroy() {
        stop()
        frame.remove()
      },
    }
    element.once = element.on
    return element
  }

  const handleNextAction = async ({ clientSecret }) => {
    const overlay = frameOf('challenge', 'Authentication of your bank', { clientSecret })
    Object.assign(overlay.style, { position: 'fixed', inset: '0', height: '100%', background: '#fff', zIndex: '2147483647' })
    const over = new Promise((resolve) => listen(overlay, ({ done }) => done && resolve(done)))
    document.body.append(overlay)
    const { paymentIntent, error } = await over
    overlay.remove()
    const failure = error ?? paymentIntent.last_payment_error
    return failure ? { error: failure } : { paymentIntent }
  }

  window.Stripe = Object.assign(
    (key) => ({
      elements(options = {}) {
        let created = null
        const elements = {
          create: () => (created = createElement(key, options)),
          getElement: () => created,
          update: () => undefined,
          on: () => undefined,
          off: () => undefined,
          fetchUpdates: async () => ({}),
          submit: () => ask(created.frame, 'check'),
        }
        return elements
      },
      createPaymentMethod: ({ elements }) => ask(elements.getElement('payment').frame, 'create'),
      handleNextAction,
      createToken: async () => ({ error: { message: 'createToken is not simulated' } }),
      confirmCardPayment: async () => ({ error: { message: 'confirmCardPayment is not simulated' } }),
      _registerWrapper: () => undefined,
      registerAppInfo: () => undefined,
    }),
    { version: 'endive' },
  )
})()
