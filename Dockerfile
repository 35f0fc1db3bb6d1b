# Weft in Debian 12. `docker build -t weft .`, then `docker run weft` trains a small GPT on the simulated RTL, and
# `docker run weft make test` builds and runs the tests. scripts/container_try runs these steps without Docker.
FROM debian:12
ENV DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
RUN apt-get update && \
    apt-get install -y --no-install-recommends ca-certificates git make python3 && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /weft
# Packages first: a change of other files does not install them again.
COPY scripts/setup scripts/build_folder scripts/timed scripts/
RUN scripts/setup formats && scripts/setup picture && rm -rf /var/lib/apt/lists/*
COPY . .
CMD ["make", "sim"]
