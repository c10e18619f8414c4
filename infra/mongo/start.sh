#!/bin/bash
# mongod wants a key file that only it can read; a volume shared with others cannot give it one. The copy is read-only, and still there when
# the container is started again in its pod: without --force that would be refused each time.
set -eu
umask 077
cp --force /secrets/key /tmp/key
# A member that does not find itself under its name in the replica set waits for others for ever, and a name server may for half a minute
# give the address of the container before this one.
own=$(hostname -i | cut -d ' ' -f 1)
until getent ahosts mongo | grep -qwF "$own"; do sleep 1; done
exec docker-entrypoint.sh mongod --replSet rs0 --bind_ip_all --keyFile /tmp/key --wiredTigerCacheSizeGB 0.25
