#!/usr/bin/env bash
# An operator's commands: ./operate.sh begin GENESIS | run | check | snapshot. What they need to know stands in operator.env.
set -euo pipefail
cd "$(dirname "$0")"
# Not npx, which passes no signal on.
PATH=$PWD/node_modules/.bin:$PATH
set -a
. ./operator.env
set +a
state=$DATA/state backup=$DATA/backup

follow=(l2proof follow --store "$state" --rollup "$ROLLUP" --fork "$FORK")
index=(l2proof index --store "$DATA/index")
serve=(
  l2proof serve --store "$state" --finality store --fork "$FORK" --port "$PORT" --chain-id "$CHAIN_ID"
  --node "$L2PROOF_L2" --decode "$CHAIN=$L2PROOF_L2" --data "$CHAIN=$DATA/index"
)

case ${1:-} in
begin)
  # The state from the chain's genesis.json, held against the node's header, and each block up to now against L1's roots.
  mkdir -p "$DATA"
  "${follow[@]}" --genesis "${2:?the genesis.json of the chain}" --once
  "${index[@]}" --once
  ;;
run)
  # All three, until one of them ends or a signal comes. Run again, each goes on from where it was.
  trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT
  trap 'exit 0' INT TERM
  "${follow[@]}" &
  "${index[@]}" &
  "${serve[@]}" &
  wait -n
  ;;
check)
  # What the stores say of themselves, what the index adds up to, and what a client finds who believes neither.
  l2proof status --store "$state"
  l2proof status --store "$DATA/index"
  "${index[@]}" --check
  L2PROOF_L2=http://127.0.0.1:$PORT/v3/${L2PROOF_KEYS%%,*} \
    l2proof fetch --network "$NETWORK" --address "$ACCOUNT"
  ;;
snapshot)
  # A backup beside the running follower. It gets its name once its root is found to be L1's.
  mkdir -p "$backup"
  rm -f "$backup/new"
  l2proof snapshot export --store "$state" --out "$backup/new"
  l2proof snapshot verify "$backup/new" --network "$NETWORK"
  mv "$backup/new" "$backup/$(date -u +%Y-%m-%dT%H%M%SZ).snapshot"
  ls "$backup"
  ;;
*)
  echo "usage: $0 begin GENESIS | run | check | snapshot" >&2
  exit 3
  ;;
esac
