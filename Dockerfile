# syntax=docker/dockerfile:1
# The sov command on Debian, for amd64 and arm64: nothing in it is compiled for one processor but Node.
ARG DEBIAN=trixie

FROM node:24-${DEBIAN}-slim AS build
WORKDIR /app
# What npm reads, before the sources: a change of a source installs nothing again
COPY package.json package-lock.json ./
COPY packages/core/package.json packages/core/
COPY packages/http/package.json packages/http/
COPY packages/mcp/package.json packages/mcp/
COPY packages/cli/package.json packages/cli/
COPY test/package.json test/
RUN npm ci --omit=dev --workspace=@sov/cli --include-workspace-root=false --no-audit --no-fund
# Of what is installed: without the tools and tests of the checkout
RUN npm pkg delete devDependencies optionalDependencies \
  && npm pkg set --json 'workspaces=["packages/*"]' \
  && npm sbom --omit=dev --sbom-format=spdx > sbom.spdx.json
# What nothing loads: maps, declarations, and the sources beside the JavaScript that was made from them
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && rm -rf node_modules/effect/src node_modules/@effect/*/src
COPY LICENSE ./
COPY packages packages

FROM debian:${DEBIAN}-slim
# An init: the embedded database leaves a process behind that somebody has to wait for
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
RUN useradd --system --uid 65532 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin sov \
  && install --directory --owner=sov --group=sov --mode=0700 /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
RUN ln -s /app/packages/cli/bin/sov /usr/local/bin/sov

# Configuration and data: sov.config.json, and .sov where no server is named
WORKDIR /data
VOLUME /data
USER 65532:65532
ENV SOV_HOST=0.0.0.0
EXPOSE 4680
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.SOV_PORT || 4680) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "sov"]
CMD ["serve"]

ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="sov" \
  org.opencontainers.image.description="Share of voice in AI answers: ask, archive, measure" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}" \
  org.opencontainers.image.source="${SOURCE}"
