# syntax=docker/dockerfile:1
# The sov command as npm has it, on Debian, for amd64 and arm64: nothing in it is compiled for one processor but Node.
ARG DEBIAN=trixie

FROM node:24-${DEBIAN}-slim AS build
WORKDIR /checkout
# What npm reads, before the sources: a change of a source installs nothing again
COPY package.json package-lock.json ./
COPY packages/core/package.json packages/core/
COPY packages/http/package.json packages/http/
COPY packages/mcp/package.json packages/mcp/
COPY packages/cli/package.json packages/cli/
COPY test/package.json test/
# The bundler is one of the tools of the checkout
RUN npm ci --workspace=@sov/cli --include-workspace-root --ignore-scripts --no-audit --no-fund
COPY LICENSE ./
COPY docs/sov.1 docs/
COPY scripts scripts
COPY packages packages
RUN npm pack --silent --workspace=packages/cli --pack-destination=/tmp \
  && mkdir /app && cd /app && npm install --ignore-scripts --no-audit --no-fund --prefer-offline /tmp/sov-cli-*.tgz
# Of what the bundle was made from, without the tools and tests of the checkout
RUN npm pkg delete devDependencies optionalDependencies \
  && npm pkg set --json 'workspaces=["packages/*"]' \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm sbom --omit=dev --sbom-format=spdx > /app/sbom.spdx.json
# What nothing loads: maps, declarations, modules in another form, extensions of the embedded database
RUN find /app/node_modules -type f \( -name '*.map' -o -name '*.d.*ts' -o -name '*.cjs' -o -name '*.tar.gz' \) -delete

FROM debian:${DEBIAN}-slim
# An init: the embedded database leaves a process behind that somebody has to wait for
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
RUN useradd --system --uid 65532 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin sov \
  && install --directory --owner=sov --group=sov --mode=0700 /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
RUN ln -s /app/node_modules/@sov/cli/bin/sov /usr/local/bin/sov

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
