#!/bin/bash
# mongod wants a key file that only it can read; a volume shared with others cannot give it one.
set -eu
umask 077
cp /secrets/key /tmp/key
exec docker-entrypoint.sh mongod --replSet rs0 --bind_ip_all --keyFile /tmp/key --wiredTigerCacheSizeGB 0.25
