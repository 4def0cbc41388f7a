# syntax=docker/dockerfile:1
# Two images (docs/deploy.md): `hub` brings a Postgres of its own, `slim` needs DATABASE_URL.
#   docker build -t generation-hub .
#   docker build -t generation-hub:slim --target slim .
ARG NODE=docker.io/library/node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /srv/hub
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
# No package may run a program as it is installed; none needs to.
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
# Everything is built here: an image must not build as it starts.
RUN npm run build && npm run prune && node scripts/image/assemble.mjs /image

FROM ${NODE} AS base
# The embedded Postgres runs only as a user that the system knows.
RUN useradd --system --uid 10001 --no-create-home --home-dir /data hub \
  && install -d -o hub -g hub -m 0700 /data \
  && printf '#!/bin/sh\nexec node /srv/hub/dist/hub.js "$@"\n' > /usr/local/bin/hub \
  && chmod 0755 /usr/local/bin/hub
WORKDIR /srv/hub
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HUB_DATA_DIR=/data PORT=3000
USER 10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/api/v1/health').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]

FROM base AS slim
COPY --from=build /image/slim /srv/hub

FROM base AS hub
COPY --from=build /image/slim /srv/hub
COPY --from=build /image/postgres /srv/hub
