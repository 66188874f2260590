# Build:  docker build -t fairwind .
# Run:    docker run -p 8000:8000 -v fairwind:/data fairwind
# The container needs no writable place but /data:  add --read-only --tmpfs /tmp --cap-drop ALL

# The Python of the tests.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/fairwind
RUN python -m venv .venv
# The packages first: this layer stays while the lock does.
COPY requirements.lock ./
RUN .venv/bin/pip install --require-hashes --only-binary :all: -r requirements.lock
COPY . .
RUN .venv/bin/pip install --no-index --no-deps --no-build-isolation -e . \
    && .venv/bin/python -m tools.catalogues compile \
    && .venv/bin/python -m compileall -q app migrations

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --user-group --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin fairwind \
    && install -d -o fairwind -g fairwind -m 0700 /data
# Root owns the program, so that what serves cannot change it.
COPY --from=build /srv/fairwind /srv/fairwind
ENV PATH=/srv/fairwind/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    FAIRWIND_DATA=/data
WORKDIR /srv/fairwind
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ.get(\"FAIRWIND_PORT\", 8000)}/health', timeout=4)"]
CMD ["fairwind", "serve", "--host", "0.0.0.0"]
