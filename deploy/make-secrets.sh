#!/bin/sh
# Makes the secrets of deploy/compose.yaml that do not exist yet. Keep them: HUB_SECRET opens what the database encrypts.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
make() {
  [ -e "secrets/$1" ] || openssl rand -hex 32 > "secrets/$1"
}
make hub_secret
make postgres_password
make metrics_token
# Existing files are read-only, and the address changes with the password.
address="postgres://hub:$(cat secrets/postgres_password)@postgres:5432/hub"
if [ "$address" != "$(cat secrets/database_url 2> /dev/null)" ]; then
  rm -f secrets/database_url
  printf '%s\n' "$address" > secrets/database_url
fi
# Compose mounts these files as they are, and the hub runs as a user of its own.
chmod 0711 secrets
chmod 0444 secrets/*
