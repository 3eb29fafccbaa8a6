#!/bin/sh
# A MariaDB that lies on several servers, all of them on this machine: a front, and servers whose
# tables it has as shards (storage engine Spider). On real machines the statements are the same, with
# HOST and PORT in place of the sockets.
#   sh mariadb-servers.sh start FOLDER [SERVERS, 2 unless given]   prints the front's folder
#   sh mariadb-servers.sh stop FOLDER                              and removes FOLDER
# Each listens on a socket of its own folder (FOLDER/front/socket, FOLDER/server1/socket, ...) and on
# no network; the user is sdc, the database sdc. The front has SERVER server1, ... Shards are made by
# hand, here for a table that is split by region:
#   on server1:  CREATE TABLE people (region varchar(9), age int)
#   on front:    CREATE TABLE people (region varchar(9), age int) ENGINE = Spider
#                COMMENT 'wrapper "mysql", table "people"' PARTITION BY LIST COLUMNS (region)
#                (PARTITION north VALUES IN ('north') COMMENT 'srv "server1"')
# Then db_records(front, "people") counts the records of all servers.
set -eu

say() { echo "mariadb-servers: $*" >&2; }
usage() { sed -n '5,6s/^# *//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
verb=$1 folder=$2 servers=${3:-2}

PATH=$PATH:/usr/sbin
for program in mariadbd mariadb mariadb-install-db; do
  command -v $program >/dev/null || { say "no $program"; exit 3; }
done

# MariaDB does not run as root.
as_user() {
  if [ "$(id -u)" = 0 ]; then (cd "$folder" && runuser -u mysql -- "$@"); else "$@"; fi
}

ask() { as_user mariadb --no-defaults --socket="$folder/$1/socket" --user="$2" -e "$3"; }

# Only the front needs Spider.
run() {
  server=$1
  shift
  (
    exec >/dev/null 2>&1 # a server that kept it open would hold up who reads what is printed
    as_user mariadbd --no-defaults --datadir="$folder/$server/data" \
      --socket="$folder/$server/socket" --pid-file="$folder/$server/pid" \
      --log-error="$folder/$server/log" --skip-networking --character-set-server=utf8mb4 \
      --innodb-buffer-pool-size=32M "$@"
  ) &
  for _ in $(seq 150); do
    if ask "$server" root "SELECT 1" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  say "$server does not start"
  exit 3
}

start() {
  mkdir -p "$folder/front"
  if [ "$(id -u)" = 0 ]; then chown -R mysql "$folder"; fi
  as_user mariadb-install-db --no-defaults --datadir="$folder/front/data" --skip-test-db \
    --auth-root-authentication-method=normal >"$folder/install.log" 2>&1
  for i in $(seq 1 "$servers"); do
    as_user mkdir "$folder/server$i"
    as_user cp -R "$folder/front/data" "$folder/server$i/data"
  done
  if [ "$servers" = 0 ]; then run front; else run front --plugin-load-add=ha_spider; fi
  for i in $(seq 1 "$servers"); do run "server$i"; done
  for server in front $(seq -f 'server%g' 1 "$servers"); do
    ask "$server" root "CREATE DATABASE sdc; CREATE USER sdc@localhost; GRANT ALL ON *.* TO sdc@localhost"
  done
  for i in $(seq 1 "$servers"); do
    ask front root "CREATE SERVER server$i FOREIGN DATA WRAPPER mysql OPTIONS (
      SOCKET '$folder/server$i/socket', HOST 'localhost', DATABASE 'sdc', USER 'sdc')"
  done
  echo "$folder/front"
}

stop() {
  for data in "$folder"/*/data; do
    server=$(basename "$(dirname "$data")")
    ask "$server" root SHUTDOWN 2>/dev/null || say "not running: $data"
    for _ in $(seq 100); do
      [ -e "$folder/$server/pid" ] || break
      sleep 0.1
    done
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
