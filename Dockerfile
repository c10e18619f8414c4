# One file for every process of the product: docker build --build-arg SERVICE=services/booking -t passerelle/booking .
# SERVICE is a workspace with a main.ts: services/*, gateway, infra/simulators, infra/kafka.
ARG NODE=node:24-slim

# The website, needed by the gateway only; other services never build this stage.
FROM ${NODE} AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contracts/package.json packages/contracts/
COPY web/package.json web/
RUN npm ci --workspace web --include-workspace-root --ignore-scripts
COPY tsconfig.base.json ./
COPY packages/contracts packages/contracts
COPY web web
RUN npm run build:web

# What the packages say of themselves, and nothing else: while that is the same, nothing is installed anew.
FROM ${NODE} AS manifests
COPY . /source
RUN cd /source && find . -name package.json -not -path '*/node_modules/*' | while read -r file; do mkdir -p "/manifests/$(dirname "$file")" && cp "$file" "/manifests/$file"; done \
 && cp package-lock.json .npmrc /manifests/

# What one process needs at run time, and nothing else.
FROM ${NODE} AS modules
ARG SERVICE
WORKDIR /app
COPY --from=manifests /manifests ./
RUN npm ci --omit=dev --ignore-scripts --workspace "$SERVICE" \
 && find node_modules \( -name '*.map' -o -name '*.md' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -not -path '*/@passerelle/*' -type f -delete
COPY packages/contracts packages/contracts
COPY packages/kit packages/kit
COPY ${SERVICE} ${SERVICE}

FROM ${NODE} AS base
ARG SERVICE
ENV NODE_ENV=production NODE_OPTIONS=--disable-warning=TimeoutNegativeWarning SERVICE=${SERVICE}
WORKDIR /app
# npm is of no use at run time, and a shell user could do harm with it.
RUN rm -rf /usr/local/lib/node_modules/npm /usr/local/bin/npm /usr/local/bin/npx && mkdir -p /data && chown node:node /data
COPY --from=modules /app /app
USER node
STOPSIGNAL SIGTERM
CMD ["sh", "-c", "exec node --import ./packages/kit/telemetry.ts \"$SERVICE/main.ts\""]

FROM base AS with-website
COPY --from=web /app/web/dist /app/web/dist

FROM base AS service
