#!/bin/sh
# A PostgreSQL that lies on several servers, all of them on this machine: a front, and servers whose
# tables it knows as foreign ones (postgres_fdw). On real machines the statements are the same, with
# their host names in place of the folders of sockets.
#   sh postgres-servers.sh start FOLDER [SERVERS, 2 unless given]   prints the front's folder
#   sh postgres-servers.sh stop FOLDER                              and removes FOLDER
# Each listens on a socket of its own folder (FOLDER/front, FOLDER/server1, ...) and on no network;
# the user is postgres, the database postgres. The front has SERVER server1, ... Partitions are made
# by hand, here for a table that is split by region:
#   on server1:  CREATE TABLE people (region text, age int)
#   on front:    CREATE TABLE people (region text, age int) PARTITION BY LIST (region);
#                CREATE FOREIGN TABLE people_north PARTITION OF people FOR VALUES IN ('north')
#                  SERVER server1 OPTIONS (table_name 'people')
# Then db_records(front, "people", partition = "region") has each server count its own records.
set -eu

say() { echo "postgres-servers: $*" >&2; }
usage() { sed -n '5,6s/^# *//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
verb=$1 folder=$2 servers=${3:-2}

bin=
for path in $(dirname "$(command -v initdb || echo none/none)") /usr/lib/postgresql/*/bin; do
  if [ -x "$path/pg_ctl" ] && [ -x "$path/initdb" ] && [ -x "$path/psql" ]; then bin=$path; fi
done
[ -n "$bin" ] || { say "no initdb, pg_ctl and psql of PostgreSQL"; exit 3; }

# PostgreSQL does not run as root.
as_user() {
  if [ "$(id -u)" = 0 ]; then (cd "$folder" && runuser -u postgres -- "$@"); else "$@"; fi
}

control() {
  as_user "$bin/pg_ctl" -s -w -D "$folder/$1/data" -l "$folder/$1/log" "$2" \
    -o "-c listen_addresses='' -c unix_socket_directories='$folder/$1'"
}

ask_front() { as_user "$bin/psql" -X -q -v ON_ERROR_STOP=1 -h "$folder/front" -U postgres -c "$1"; }

start() {
  mkdir -p "$folder/front"
  if [ "$(id -u)" = 0 ]; then chown -R postgres "$folder"; fi
  as_user "$bin/initdb" -D "$folder/front/data" -A trust -U postgres -N -E UTF8 >"$folder/initdb.log"
  for i in $(seq 1 "$servers"); do
    as_user mkdir "$folder/server$i"
    as_user cp -R "$folder/front/data" "$folder/server$i/data"
    as_user chmod 700 "$folder/server$i/data"
    control "server$i" start
  done
  control front start
  [ "$servers" = 0 ] || ask_front "CREATE EXTENSION postgres_fdw"
  for i in $(seq 1 "$servers"); do
    ask_front "CREATE SERVER server$i FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
      host '$folder/server$i', dbname 'postgres', fetch_size '10000', async_capable 'true',
      use_remote_estimate 'true')"
    ask_front "CREATE USER MAPPING FOR postgres SERVER server$i OPTIONS (user 'postgres')"
  done
  echo "$folder/front"
}

stop() {
  for data in "$folder"/*/data; do
    as_user "$bin/pg_ctl" -s -w -m immediate -D "$data" stop || say "not running: $data"
  done
  rm -rf "$folder"
}

case $verb in
  start)
    trap '[ $? = 0 ] || stop' EXIT
    start
    ;;
  stop) stop ;;
  *) usage ;;
esac
