# Webquarry in a container. docs/deploying.md says how to run it.
#
#   docker build -t webquarry .                       with Chromium and tesseract
#   docker build -t webquarry:slim --target slim .    without them: pages that need scripts, and scans, are refused
#
# BASE is Debian 13 without documentation; any image of Debian 13 works. Both targets build for amd64 and arm64.

ARG BASE=debian:trixie-slim

FROM ${BASE} AS base
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*.log /var/log/apt \
 && useradd --system --uid 10001 --user-group --no-create-home --home-dir /data webquarry \
 && install -d -o webquarry -g webquarry -m 0700 /data
# what a host needs for Chromium's sandbox: docker run --rm --entrypoint cat IMAGE /usr/share/webquarry/seccomp-chromium.json
COPY deploy/seccomp-chromium.json /usr/share/webquarry/
LABEL org.opencontainers.image.title="Webquarry" \
      org.opencontainers.image.description="Public web data as JSON and as clean markdown, over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV PATH=/opt/webquarry/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
    PYTHONDONTWRITEBYTECODE=1 \
    WEBQUARRY_DATA_DIR=/data \
    WEBQUARRY_HOST=0.0.0.0 \
    WEBQUARRY_PORT=8080
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python3", "-I", "-c", "import os, sys; from http.client import HTTPConnection as C; c = C('127.0.0.1', int(os.environ['WEBQUARRY_PORT']), timeout=4); c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]
ENTRYPOINT ["/usr/bin/tini", "--", "webquarry"]
CMD ["serve"]

FROM base AS build
RUN apt-get update && apt-get install -y --no-install-recommends binutils python3-venv
WORKDIR /src
COPY requirements/image.txt requirements/
RUN /usr/bin/python3 -m venv /opt/webquarry \
 && pip --disable-pip-version-check install --no-cache-dir --no-compile \
      --require-hashes --only-binary :all: -r requirements/image.txt
COPY pyproject.toml README.md CHANGELOG.md LICENSE ./
COPY packages packages
COPY src src
# the distributions of this repository, in the order in which they need each other
ARG DISTRIBUTIONS="packages/convert ."
RUN for each in ${DISTRIBUTIONS}; do \
      pip --disable-pip-version-check install --no-deps --no-compile --no-build-isolation "$each" || exit 1; \
    done
# Leave out what only a build needs. Sources of extensions and debugging symbols are a fifth of what was installed.
RUN pip --disable-pip-version-check uninstall -y -q hatchling editables pip \
 && cd /opt/webquarry/lib/python3*/site-packages \
 && find . \( -name '*.pyx' -o -name '*.pxd' -o -name '*.pyi' -o -name '*.c' -o -name '*.h' \) -delete \
 && find . -type d -name tests -prune -exec rm -rf {} + \
 && find . -name '*.so' -exec strip --strip-unneeded {} + \
 && strip --strip-unneeded playwright/driver/node \
 && python3 -m compileall -q -j 0 --invalidation-mode unchecked-hash .

# Playwright's driver, most of which is Node, is of no use without a browser.
FROM build AS build-slim
RUN rm -rf /opt/webquarry/lib/python3*/site-packages/playwright/driver

FROM base AS slim
COPY --from=build-slim /opt/webquarry /opt/webquarry
USER 10001:10001

# Chromium without a window, and tesseract. Mesa and LLVM draw with graphics cards that no container has; Vulkan's
# validation is for those who write drivers.
FROM base AS tools
ARG OCR_LANGUAGES="eng deu fra spa ita por nld pol rus ukr chi-sim jpn kor ara"
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation tesseract-ocr tesseract-ocr-osd \
      $(for each in ${OCR_LANGUAGES}; do echo "tesseract-ocr-$each"; done) \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*.log /var/log/apt \
      /usr/lib/*/libLLVM* /usr/lib/llvm-* /usr/lib/*/libgallium* /usr/lib/*/libz3.so* /usr/lib/*/dri \
      /usr/lib/chromium/libVkLayer_* /usr/lib/chromium/chrome_crashpad_handler
ENV WEBQUARRY_CHROMIUM_PATH=/usr/bin/chromium-headless-shell

FROM tools AS full
COPY --from=build /opt/webquarry /opt/webquarry
USER 10001:10001
