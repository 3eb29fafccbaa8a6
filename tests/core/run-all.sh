#!/bin/sh
# Runs each program of tests, on as many processors as there are, and closes with the total. A
# program that dies without its closing line (a sanitizer's report, a crash) is one failure.
threads=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
printf '%s\n' "$@" | xargs -n 1 -P "$threads" sh -c '"$0" >"$0.log" 2>&1; echo $? >"$0.status"'
passed=0
failed=0
for program in "$@"; do
  log="$program.log"
  status=$(cat "$program.status")
  closing=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
  p=${closing%% passed*}
  f=${closing#* passed, }
  f=${f%% failed}
  if [ -z "$closing" ] || { [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; }; then
    p=${p:-0}
    f=$((${f:-0} + 1))
  fi
  printf '%-32s %s passed, %s failed\n' "${program##*/}" "$p" "$f"
  [ "$f" -eq 0 ] || tail -n 60 "$log"
  passed=$((passed + p))
  failed=$((failed + f))
done
# The slowest tests, for those who look for time.
for program in "$@"; do sed -n "s/^seconds: //p" "$program.log"; done | sort -rn |
  awk '{ all += $1 } NR <= 12 { list = list ", " $2 " " int($1 + .5) }
    END { if (NR) print "seconds of processor time in slow tests:", int(all + .5) "; " substr(list, 3) }'
printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
