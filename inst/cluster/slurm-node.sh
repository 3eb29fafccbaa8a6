#!/bin/sh
# One node of Slurm on this machine, for trying what runs on a cluster: a controller, a node with so
# many slots, and munge, each started here with files in FOLDER alone. Nothing of the system's own
# Slurm is read or changed; two folders can run side by side.
#   sh slurm-node.sh start FOLDER [SLOTS, 4 unless given]   prints the path of slurm.conf
#   sh slurm-node.sh stop FOLDER                            and removes FOLDER
# Then, in R with package future.batchtools (the template lies beside this script):
#   Sys.setenv(SLURM_CONF = "FOLDER/slurm.conf")
#   template <- system.file("cluster", "slurm.tmpl", package = "sdcLattice")
#   future::plan(future.batchtools::batchtools_slurm, template = template, workers = 4)
# Debian's packages: slurmctld, slurmd, slurm-client, munge. It must run as root, as slurmd does.
# Slots are not bound to processors: there may be more slots than the machine has cores.
set -eu

say() { echo "slurm-node: $*" >&2; }
usage() { sed -n '5,6s/^# *//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
verb=$1 folder=$2 slots=${3:-4}
PATH=$PATH:/usr/sbin:/sbin

# Ports that nobody listens on, made from the folder's name.
port_of() { echo $(($(printf %s "$folder" | cksum | cut -d' ' -f1) % 20000 + 20000 + $1)); }

write_conf() {
  host=$(hostname -s)
  cat >"$folder/slurm.conf" <<END
ClusterName=onenode
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$(port_of 0)
SlurmdPort=$(port_of 1)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
SchedulerParameters=sched_interval=2,sched_min_interval=100000,batch_sched_delay=0
MinJobAge=60
NodeName=$host NodeAddr=127.0.0.1 CPUs=$slots State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
  printf 'CgroupPlugin=%s\n' "${SLURM_NODE_CGROUP:-cgroup/v1}" >"$folder/cgroup.conf"
}

start_munge() {
  dd if=/dev/urandom of="$folder/munge.key" bs=128 count=1 2>/dev/null
  chmod 400 "$folder/munge.key"
  munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" \
    --seed-file="$folder/munge.seed"
}

wait_for_node() {
  for _ in $(seq 60); do
    case $(sinfo -h -o %T 2>/dev/null) in
      idle | mixed | allocated) return 0 ;;
      *) sleep 0.5 ;;
    esac
  done
  say "the node did not come up; see the logs:"
  tail -n 20 "$folder"/*.log >&2
  return 1
}

start() {
  for tool in munged slurmctld slurmd sbatch sinfo; do
    command -v $tool >/dev/null || { say "no $tool"; exit 3; }
  done
  [ "$(id -u)" = 0 ] || { say "slurmd needs root"; exit 3; }
  mkdir -p "$folder/state" "$folder/spool"
  chmod 755 "$folder"
  export SLURM_CONF="$folder/slurm.conf"
  write_conf
  start_munge
  slurmctld -c -f "$SLURM_CONF"
  slurmd -c -f "$SLURM_CONF"
  wait_for_node
  echo "$SLURM_CONF"
}

# Whoever wrote a pid file here, if it runs still.
stop() {
  for name in slurmd slurmctld munged; do
    if [ -s "$folder/$name.pid" ]; then
      kill "$(cat "$folder/$name.pid")" 2>/dev/null || say "not running: $name"
    fi
  done
  sleep 1
  rm -rf "$folder"
}

case $verb in
  start)
    case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
    started=
    trap '[ -n "$started" ] || [ -n "${SLURM_NODE_KEEP:-}" ] || stop' EXIT
    start
    started=yes
    ;;
  stop) stop ;;
  *) usage ;;
esac
