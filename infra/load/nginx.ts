/** nginx with a `proxy_cache`, in one process, in front of a server: what the gateway's memory is measured against. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether this machine has it. */
export function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const configuration = (folder: string, port: number, target: string) => `
daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  proxy_cache_path ${folder}/cache keys_zone=answers:10m;
  proxy_temp_path ${folder}/proxy; client_body_temp_path ${folder}/body; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    location / { proxy_pass ${target}; proxy_cache answers; proxy_cache_valid 200 1h; add_header x-cache $upstream_cache_status; }
  }
}
`

export function startNginx(port: number, target: string): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-nginx-'))
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, target))
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return child
}
