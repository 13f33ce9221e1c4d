# Built once with everything, run with what production needs.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data HTTP_HOST=0.0.0.0 SMTPD_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/bin bin
COPY --from=build /app/scenarios scenarios
COPY --from=build /app/templates templates
COPY --from=build /app/migrations migrations
COPY --from=build /app/package.json /app/LICENSE /app/README.md ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 2525
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.HTTP_PORT || 8080) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/fieldpost.js", "serve"]
