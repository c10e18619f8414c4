/** An answer of ours where there is no response to write to: to a request that could not be read, or that Node hands over as a bare socket. */
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import { randomId } from './runtime.ts'

/** The error as JSON with its headers, ready to be sent. */
export function rawError(code: ErrorCode, message?: string): { status: number; headers: Record<string, string>; text: string } {
  const error = new AppError(code, message === undefined ? {} : { message })
  const text = JSON.stringify(error.toBody(randomId()))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  return { status: error.status, headers, text }
}

/** The connection ends with it. */
export function sendRawError(socket: Duplex, code: ErrorCode, message?: string): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, text } = rawError(code, message)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} Error\r\n${lines.join('')}\r\n${text}`, () => socket.destroy())
}
